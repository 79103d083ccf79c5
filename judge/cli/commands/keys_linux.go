package commands

import (
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tribunal/judge/cli/report"
)

// keyMode switches a terminal between its original mode and a mode that delivers keys one by one,
// without echo. Ctrl-C still interrupts. The methods of a nil keyMode do nothing.
type keyMode struct {
	fd             int
	before, single unix.Termios
}

// newKeyMode switches the terminal in to single keys. It returns nil if in is not a terminal, or if
// this process is in the background.
func newKeyMode(in io.Reader) *keyMode {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	m := &keyMode{fd: int(f.Fd())}
	before, err := unix.IoctlGetTermios(m.fd, unix.TCGETS)
	if err != nil || !foreground(m.fd) {
		return nil
	}
	m.before, m.single = *before, *before
	m.single.Lflag &^= unix.ICANON | unix.ECHO
	m.single.Cc[unix.VMIN], m.single.Cc[unix.VTIME] = 1, 0
	m.enter()
	return m
}

// foreground reports whether this process is in the foreground of a terminal.
func foreground(fd int) bool {
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// enter switches to single keys, unless this process is in the background.
func (m *keyMode) enter() {
	if m != nil && foreground(m.fd) {
		_ = unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.single)
	}
}

// leave restores the original mode, unless this process is in the background.
func (m *keyMode) leave() {
	if m != nil && foreground(m.fd) {
		_ = unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.before)
	}
}

// handleSignals handles the signals of a terminal until end is called. On Ctrl-Z it restores the
// mode of the terminal and suspends the judge. When the judge continues or the window changes its
// size, handleSignals redraws the screen, which may be nil.
func handleSignals(mode *keyMode, screen *report.WatchScreen) (end func()) {
	if mode == nil && screen == nil {
		return func() {}
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, unix.SIGWINCH, unix.SIGTSTP, unix.SIGCONT)
	go func() {
		for s := range signals {
			if s == unix.SIGTSTP {
				screen.Suspend()
				mode.leave()
				_ = unix.Kill(unix.Getpid(), unix.SIGSTOP) // returns after SIGCONT
				continue
			}
			mode.enter()
			screen.Redraw()
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
