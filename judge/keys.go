package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"tribunal/judge/internal/report"
	"tribunal/judge/internal/watchmode"
)

// keys are what a user presses while watching.
var keys = map[byte]watchmode.Command{
	'r': watchmode.Repeat, 'a': watchmode.Everything, 'f': watchmode.OnlyFails,
	'd': watchmode.Explain, 'g': watchmode.Write, 'q': watchmode.Quit,
}

// keyMode is the mode of a terminal in which keys come one by one, without an echo;
// Ctrl-C still interrupts. A nil one is of no terminal, and does nothing.
type keyMode struct {
	fd             int
	before, single unix.Termios
}

// newKeyMode enters the mode. It returns nil for what is no terminal, or somebody
// else's, as it is in the background.
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

// foreground reports whether a terminal listens to this process, rather than to a
// shell that has put it into the background.
func foreground(fd int) bool {
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func (m *keyMode) enter() {
	if m != nil && foreground(m.fd) {
		_ = unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.single)
	}
}

// leave makes the terminal what it was.
func (m *keyMode) leave() {
	if m != nil && foreground(m.fd) {
		_ = unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.before)
	}
}

// obey does what a terminal's signals ask for until end is called. Who stops the judge
// by Ctrl-Z gets the terminal back as it was, and a screen is drawn anew when the
// window has another size or the judge goes on. There may be no screen.
func obey(mode *keyMode, screen *report.WatchScreen) (end func()) {
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
				_ = unix.Kill(unix.Getpid(), unix.SIGSTOP) // until SIGCONT comes
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

// readKeys returns the commands that come in by single keys, from a terminal or from
// whatever standard input is, until the context ends. The caller leaves the mode.
func readKeys(ctx context.Context, in io.Reader) (<-chan watchmode.Command, *keyMode) {
	mode := newKeyMode(in)
	if f, ok := in.(*os.File); ok && mode == nil && term.IsTerminal(int(f.Fd())) {
		return nil, nil // reading would stop the judge
	}
	list := make(chan watchmode.Command)
	go func() {
		defer close(list)
		r := bufio.NewReader(in)
		for {
			key, err := r.ReadByte()
			if err != nil {
				return
			}
			c, known := keys[key]
			if !known {
				continue
			}
			select {
			case list <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return list, mode
}
