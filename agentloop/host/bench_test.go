package host

import (
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"fmt"
	"testing"
)

// One delta on its way from an agent into the queues of those attached.
func BenchmarkDelta(b *testing.B) {
	for _, attached := range []int{0, 1, 10} {
		b.Run(fmt.Sprint("attached=", attached), func(b *testing.B) {
			o, err := testOptions(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			h, err := New(o)
			if err != nil {
				b.Fatal(err)
			}
			l, err := h.create(sessionio.Header{CWD: b.TempDir()}, settings{}, false)
			if err != nil {
				b.Fatal(err)
			}
			for range attached {
				l.subs[&sub{l: l, nudge: func() {}}] = true
			}
			d := model.Delta{Kind: model.DeltaText, Text: "word "}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				l.emit(agentloop.Event{Delta: &d})
				if n++; n%500 == 0 { // the writers take what waits, the answer ends
					for s := range l.subs {
						s.take()
					}
					l.emit(agentloop.Event{AnswerEnd: &agentloop.AnswerEnd{}})
				}
			}
		})
	}
}
