package permission

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var shells = set("bash sh dash zsh ksh mksh ash fish csh tcsh rbash")

// runsOthers are programs and builtins whose purpose is to run another command, or to change what
// later words mean.
var runsOthers = merge(shells, set(`
	env sudo doas su runuser pkexec xargs parallel eval exec command builtin nohup nice ionice renice
	timeout time stdbuf setsid setpriv chroot unshare nsenter watch ssh strace ltrace gdb script flock
	busybox toybox source . trap alias unalias enable hash shopt set systemd-run at batch crontab
	entr caffeinate chronic torsocks proxychains fakeroot dbus-run-session xvfb-run start-stop-daemon
	coproc mapfile readarray bind complete compgen fc`))

// runsCode are programs that take code as text or by file: their first word alone says nothing.
var runsCode = merge(runsOthers, set(`
	python python2 python3 pypy pypy3 node nodejs deno bun ruby perl php lua luajit awk gawk mawk nawk
	sed tclsh expect osascript pwsh powershell R Rscript julia java jshell groovy scala irb ghci sqlite3
	psql mysql make gmake just vim vi nvim emacs ed ex`))

// hasSubcommands are programs whose first word alone allows far too much.
var hasSubcommands = set(`
	git hg svn go cargo rustup npm npx pnpm yarn bunx pip pip3 pipx uv uvx poetry conda gem bundle
	docker podman kubectl helm terraform aws gcloud az gh glab systemctl service apt apt-get dnf yum
	brew pacman mvn gradle dotnet nix tmux screen curl wget rsync scp find fd fdfind tar openssl`)

// onlyReads are programs that may be pointed at the outputs that dugout keeps.
var onlyReads = set("cat head tail grep egrep fgrep rg wc ls stat file less nl")

// destroys are programs for which no lasting allowance is offered.
var destroys = set(`
	rm rmdir shred dd mkfs fdisk parted wipefs truncate chmod chown chgrp chattr kill pkill killall
	shutdown reboot halt poweroff mount umount ln mv install iptables nft passwd useradd userdel
	usermod visudo insmod modprobe`)

// opensDoors are options with which an otherwise plain program runs another one or writes a file.
var opensDoors = map[string][]string{
	"find":   {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"},
	"fd":     {"-x", "-X", "--exec", "--exec-batch"},
	"fdfind": {"-x", "-X", "--exec", "--exec-batch"},
	"rg":     {"--pre", "--hostname-bin"},
	"git": {
		"-c", "--config-env", "--exec-path", "--output", "--upload-pack", "--receive-pack", "--exec",
		"--ext-diff", "--textconv", "-O", "--open-files-in-pager", "-C", "--git-dir", "--work-tree",
	},
	"go":    {"-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool", "-C"},
	"sort":  {"-o", "--output", "--compress-program"},
	"tar":   {"--to-command", "--checkpoint-action", "-I", "--use-compress-program", "--rsh-command"},
	"tree":  {"-o"},
	"rsync": {"-e", "--rsh"},
	"less":  {"-o", "-O", "--log-file", "--LOG-FILE"},
	"curl":  {"-o", "-O", "--output", "--remote-name", "-K", "--config"},
	"wget":  {"-O", "--output-document", "--use-askpass"},
}

func merge(sets ...map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, s := range sets {
		for k := range s {
			out[k] = true
		}
	}
	return out
}
