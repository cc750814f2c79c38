package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// TestMain makes this test binary a dugout when it is called by that name. A daemon is started from
// os.Executable, so it comes from the same file under the same name.
func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, map[string]func(){"dugout": main})
}

// leakless fails a run that leaves a goroutine behind.
type leakless struct{ m *testing.M }

func (l leakless) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
