package main

import (
	"dugout/agentloop/model/modeltest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A turn of two tools by a real provider's wire, found through the environment alone, with faults
// on the way that trying again heals. The stalled stream is ended by the watchdog.
func TestRunByWire(t *testing.T) {
	t.Parallel()
	twoTools := []modeltest.Response{
		{Text: "I write it.", Calls: []modeltest.Call{{ID: "c1", Name: "write", Arguments: `{"path":"a.txt","content":"hello\n"}`}}},
		{Calls: []modeltest.Call{{ID: "c2", Name: "bash", Arguments: `{"command":"cat a.txt"}`}}},
		{Text: "It says hello."},
	}
	faults := map[string]modeltest.Response{
		"none": {}, "429": {Fault: modeltest.Limited, Headers: map[string]string{"Retry-After": "0"}}, "500": {Fault: modeltest.Broken},
		"cut in the middle": {Text: "a half answer", Fault: modeltest.Cut}, "stalls": {Text: "a half answer", Fault: modeltest.Stall},
	}
	for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Anthropic} {
		for name, fault := range faults {
			t.Run(string(wire)+"/"+name, func(t *testing.T) {
				t.Parallel()
				script := twoTools
				if name != "none" {
					script = append([]modeltest.Response{twoTools[0], fault}, twoTools[1:]...)
				}
				server := modeltest.NewServer(t, script...)
				r := newRig(t)
				watchdog := "1m" // longer than any machine is slow
				if name == "stalls" {
					watchdog = "3s"
				}
				settings := `{"retry": {"base": "1ms"}, "watchdogTimeout": "` + watchdog + `"}`
				if err := os.WriteFile(filepath.Join(r.home(), "settings.json"), []byte(settings), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := r.command("run", "--no-daemon", "--model", string(wire)+"/some-model", "--permission", "all", "write hello and show it")
				variable := strings.ToUpper(string(wire))
				cmd.Env = append(cmd.Env, variable+"_BASE_URL="+server.Base(wire), variable+"_API_KEY="+modeltest.Key)
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.HasSuffix(string(out), "It says hello.\n") {
					t.Fatalf("%v: %s", err, out)
				}
				if b, err := os.ReadFile(filepath.Join(r.src(), "a.txt")); err != nil || string(b) != "hello\n" {
					t.Errorf("a.txt: %q, %v", b, err)
				}
				requests := server.Requests()
				if len(requests) != len(script) {
					t.Errorf("%d requests, want %d", len(requests), len(script))
				}
				for i, q := range requests {
					if q.Refuse != "" {
						t.Errorf("request %d would be refused: %s", i, q.Refuse)
					}
				}
			})
		}
	}
}
