package agentloop

import (
	"dugout/sessionio"
	"fmt"
	"slices"
)

// thinkingLevels are those of the format.
var thinkingLevels = []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}

// SetModel changes the model from the next call on, as an entry.
func (a *Agent) SetModel(ref sessionio.ModelRef) error {
	if _, _, err := a.o.Models.Get(ref); err != nil {
		return fmt.Errorf("model %s/%s: %w", ref.Provider, ref.Model, err)
	}
	if err := a.set(modelChange(ref)); err != nil {
		return err
	}
	a.update(func(st *State) {
		st.Model = ref
		a.describeModel(st)
	})
	return nil
}

func modelChange(ref sessionio.ModelRef) sessionio.Entry {
	return sessionio.Entry{Type: sessionio.TypeModelChange, Provider: ref.Provider, ModelID: ref.Model}
}

// SetThinking changes the thinking level, as an entry.
func (a *Agent) SetThinking(level string) error {
	if !slices.Contains(thinkingLevels, level) {
		return fmt.Errorf("thinking level %q: want one of %v", level, thinkingLevels)
	}
	if err := a.set(sessionio.Entry{Type: sessionio.TypeThinkingLevelChange, ThinkingLevel: level}); err != nil {
		return err
	}
	a.update(func(st *State) { st.ThinkingLevel = level })
	return nil
}

// Rename names the session; "" takes the name away. The file is made for it where there is none yet.
func (a *Agent) Rename(name string) error {
	return a.keep(sessionio.Entry{Type: sessionio.TypeSessionInfo, Name: name})
}

// Archive marks the session archived, or active again.
func (a *Agent) Archive(on bool) error {
	state := sessionio.State{Status: string(sessionio.LifecycleActive)}
	if on {
		state.Status = string(sessionio.LifecycleArchived)
	}
	return a.keep(sessionio.Entry{Type: sessionio.TypeSessionState, State: &state})
}

// Label labels an entry; "" takes its label away.
func (a *Agent) Label(target sessionio.EntryID, label string) error {
	if _, ok := a.sess.Tree().Get(target); !ok {
		return fmt.Errorf("label %q: %w", target, sessionio.ErrNoEntry)
	}
	return a.keep(sessionio.Entry{Type: sessionio.TypeLabel, TargetID: target, Label: label})
}

// Attribute books on an answer what a child session that one of its calls started has used: aggregate
// is the answer's own usage and that of all its children so far.
func (a *Agent) Attribute(answer sessionio.EntryID, child, aggregate sessionio.Usage) error {
	return a.set(sessionio.Entry{
		Type: sessionio.TypeChildUsageAttributed, TargetID: answer, ChildUsage: &child, AggregateUsage: &aggregate, Origin: "spawn_task",
	})
}

// set appends a setting. In a session that asked nothing yet it waits in memory with the rest.
func (a *Agent) set(e sessionio.Entry) error {
	if a.isClosed() {
		return ErrClosed
	}
	_, err := a.append(e)
	return err
}

// keep appends what must be on disk also before a first question.
func (a *Agent) keep(e sessionio.Entry) error {
	if err := a.set(e); err != nil {
		return err
	}
	if err := a.sess.Flush(); err != nil {
		return &storageError{fmt.Errorf("%s: %w", a.sess.Path(), err)}
	}
	return a.sync()
}

func (a *Agent) isClosed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.closed
}
