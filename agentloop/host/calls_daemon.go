package host

import (
	"bytes"
	"dugout/daemonclient/protocol"
	"encoding/json"
	"os"
	"strconv"
)

// subscribeRoster subscribes the connection to the set of live sessions.
func (c *conn) subscribeRoster(json.RawMessage) (any, func(), error) {
	s, snapshot := c.h.hub.subscribe(c.nudge)
	return snapshot, func() {
		c.mu.Lock()
		old := c.roster
		c.roster = s
		gone := c.ctx.Err() != nil
		c.mu.Unlock()
		if old != nil {
			c.h.hub.unsubscribe(old)
		}
		if gone {
			c.h.hub.unsubscribe(s)
		}
	}, nil
}

func (c *conn) status(nothing) (any, error) {
	h := c.h
	h.mu.Lock()
	defer h.mu.Unlock()
	return protocol.Status{
		PID: pid(), Version: h.o.Version, Socket: h.socket, Sessions: len(h.sessions), Clients: len(h.conns),
		RSSBytes: residentBytes(), UptimeSeconds: int64(h.o.Now().Sub(h.started).Seconds()),
	}, nil
}

// residentBytes is the memory of this process, 0 where the system does not say.
func residentBytes() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// shutdown lets the daemon leave once the client's answer is in line.
func (c *conn) shutdown(raw json.RawMessage) (any, func(), error) {
	p, err := decode[protocol.Shutdown](raw)
	if err != nil {
		return nil, nil, err
	}
	if n := c.h.busy(); n > 0 && !p.Force {
		return nil, nil, refuse(protocol.CodeBusy, "%d sessions are at work: stop them, or force it", n)
	}
	return nil, c.h.leave, nil
}

// busy counts the sessions in which something runs.
func (h *Host) busy() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, l := range h.sessions {
		if l.busy() {
			n++
		}
	}
	return n
}

func (c *conn) models(nothing) (any, error) {
	got := protocol.Models{Models: []protocol.Model{}, Default: refText(c.h.o.DefaultModel)}
	for _, m := range c.h.o.Models.List() {
		got.Models = append(got.Models, protocol.Model{
			Ref: m.Provider + "/" + m.ID, Name: m.Name, ContextWindow: m.ContextWindow, Thinking: m.Thinking, Scripted: m.Scripted,
		})
	}
	return got, nil
}
