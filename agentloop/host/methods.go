package host

import (
	"bytes"
	"dugout/daemonclient/protocol"
	"encoding/json"
)

// method handles one kind of request. A slow one does not hold up what follows it in its lane; it
// begins after what came before it.
type method struct {
	slow bool
	// do's second result, if any, runs behind the response.
	do func(c *conn, params json.RawMessage) (any, func(), error)
}

// methods is all that a client can ask for, but for hello.
var methods = map[string]method{
	protocol.MethodHello: {},

	protocol.MethodSessionList:    call(func(c *conn, _ nothing) (any, error) { return c.h.hub.list(), nil }),
	protocol.MethodSessionNew:     call((*conn).newSession),
	protocol.MethodSessionOpen:    call((*conn).openSession),
	protocol.MethodSessionAttach:  {do: (*conn).attach},
	protocol.MethodSessionDetach:  call((*conn).detach),
	protocol.MethodSessionPrompt:  call((*conn).prompt),
	protocol.MethodSessionDequeue: call((*conn).dequeue),
	protocol.MethodSessionAbort:   slow((*conn).abort),
	protocol.MethodSessionAnswer:  call((*conn).answer),
	protocol.MethodSessionSet:     call((*conn).set),
	protocol.MethodSessionRename:  call((*conn).rename),
	protocol.MethodSessionLabel:   call((*conn).label),
	protocol.MethodSessionArchive: slow((*conn).archive),
	protocol.MethodSessionStop:    slow((*conn).stop),
	protocol.MethodSessionDelete:  slow((*conn).remove),

	protocol.MethodSessionEntries:  call((*conn).entries),
	protocol.MethodSessionTree:     call((*conn).tree),
	protocol.MethodSessionErrors:   call((*conn).errors),
	protocol.MethodSessionNavigate: slow((*conn).navigate),
	protocol.MethodSessionFork:     slow((*conn).fork),
	protocol.MethodSessionClone:    slow((*conn).clone),
	protocol.MethodSessionCompact:  slow((*conn).compact),

	protocol.MethodRosterSubscribe: {do: (*conn).subscribeRoster},
	protocol.MethodDaemonStatus:    call((*conn).status),
	protocol.MethodDaemonShutdown:  {do: (*conn).shutdown},
	protocol.MethodModelList:       call((*conn).models),
	protocol.MethodMemorySearch:    slow((*conn).memory),
}

// nothing is the parameters of a method that takes none.
type nothing struct{}

func call[P any](do func(*conn, P) (any, error)) method {
	return method{do: func(c *conn, raw json.RawMessage) (any, func(), error) {
		p, err := decode[P](raw)
		if err != nil {
			return nil, nil, err
		}
		result, err := do(c, p)
		return result, nil, err
	}}
}

func slow[P any](do func(*conn, P) (any, error)) method {
	m := call(do)
	m.slow = true
	return m
}

func decode[P any](raw json.RawMessage) (P, error) {
	var p P
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return p, nil
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, refuse(protocol.CodeParams, "the parameters do not fit: %v", err)
	}
	return p, nil
}
