package main

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/views/sanitize"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"github.com/spf13/cobra"
)

func newDoctor(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look at home, stores, daemon, models and helpers, and say what to do",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := &doctor{e: e}
			d.home()
			d.stores(c.Context())
			d.daemon(c.Context())
			d.providers(c.Context())
			d.helpers()
			if d.bad > 0 {
				return statusError{exitFailed, fmt.Errorf("%d thing(s) to look at", d.bad)}
			}
			return nil
		},
	}
}

type doctor struct {
	e   *env
	bad int
}

func (d *doctor) ok(format string, a ...any)   { d.line("ok  ", format, a...) }
func (d *doctor) note(format string, a ...any) { d.line("note", format, a...) }
func (d *doctor) fail(format string, a ...any) { d.bad++; d.line("BAD ", format, a...) }

func (d *doctor) line(mark, format string, a ...any) {
	fmt.Fprintln(d.e.out, mark+" "+sanitize.Line(fmt.Sprintf(format, a...), 0))
}

func (d *doctor) home() {
	if _, err := d.e.settings(); err != nil {
		d.fail("%s", err)
		return
	}
	st, err := os.Stat(d.e.home)
	switch {
	case err != nil:
		d.fail("home: %s", err)
	case st.Mode().Perm()&0o077 != 0:
		d.fail("home %s can be read by others: chmod 700 it", d.e.home)
	default:
		d.writable("home", d.e.home)
	}
}

// writable tries to write where sessions are written, and says how much room there is.
func (d *doctor) writable(what, dir string) {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err == nil {
		_, err = f.Write(make([]byte, 4096))
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		d.fail("%s %s can't be written: %s; nothing said there would be saved", what, dir, err)
		return
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err == nil {
		if free := fs.Bavail * uint64(fs.Bsize) >> 20; free < 100 {
			d.fail("%s %s: only %d MB are free", what, dir, free)
			return
		}
	}
	d.ok("%s %s", what, dir)
}

func (d *doctor) stores(ctx context.Context) {
	s, err := d.e.sessions()
	if err != nil {
		d.fail("sessions: %s", err)
		return
	}
	infos, problems, err := s.List(ctx, d.e.progress("reading sessions"))
	if err != nil {
		d.fail("sessions: %s", err)
		return
	}
	for i, dir := range s.Dirs() {
		if i == 0 { // where new sessions go
			d.writable("store", dir)
		} else {
			d.ok("store %s", dir)
		}
	}
	d.ok("%d sessions", len(infos))
	for _, p := range problems {
		where := p.Path
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
		d.fail("%s: %s; it is left as it is and not listed", where, p.Err)
	}
	for _, i := range infos {
		if i.UnreadableLines > 0 {
			d.note("%s: %d unreadable line(s); they are kept and passed over", i.Path, i.UnreadableLines)
		}
		if i.CWD != "" && isFolder(i.CWD) != nil {
			d.note("%s: its folder %s is gone; resume it with --cwd", i.Path, i.CWD)
		}
	}
}

func (d *doctor) daemon(ctx context.Context) {
	c, err := d.e.running(ctx)
	if err != nil {
		d.fail("daemon: %s", err)
		return
	}
	if c == nil {
		d.ok("no daemon runs; it starts when it is needed")
		return
	}
	var s protocol.Status
	if err := c.Call(ctx, protocol.MethodDaemonStatus, nil, &s); err != nil {
		d.fail("daemon: %s", err)
		return
	}
	d.ok("daemon pid %d, version %s, %d live sessions", s.PID, s.Version, s.Sessions)
	if s.Version != version {
		d.note("the daemon is version %s, this is %s; `dugout daemon stop` lets the next command start a new one", s.Version, version)
	}
}

func (d *doctor) providers(ctx context.Context) {
	s, err := d.e.settings()
	if err != nil {
		return // said already
	}
	confs, err := d.e.providers(ctx, s)
	if err != nil {
		d.fail("%s", err)
		return
	}
	keys := 0
	for _, c := range confs {
		if c.key != "" {
			keys++
			d.ok("provider %s has a key", c.name)
		}
	}
	if keys == 0 {
		d.note("no provider has a key: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or OPENAI_BASE_URL for a local server; until then new sessions are scripted")
	}
}

func (d *doctor) helpers() {
	for name, why := range map[string]string{
		"git": "branches are not shown", "rg": "grep uses dugout's own, slower search",
	} {
		if _, err := exec.LookPath(name); err != nil {
			d.note("%s is not on PATH: %s", name, why)
		}
	}
}
