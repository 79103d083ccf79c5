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

// keys maps the keys that a user may press while watching to commands.
var keys = map[byte]watchmode.Command{
	'r': watchmode.Repeat, 'a': watchmode.Everything, 'f': watchmode.OnlyFails,
	'd': watchmode.Explain, 'g': watchmode.Write, 'q': watchmode.Quit,
}

// keyMode switches a terminal between its mode before and one that delivers keys one by one without
// an echo; Ctrl-C still interrupts. The methods of a nil keyMode do nothing.
type keyMode struct {
	fd             int
	before, single unix.Termios
}

// newKeyMode enters the mode. It returns nil if in is no terminal, or if this process is in the
// background.
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

func (m *keyMode) enter() {
	if m != nil && foreground(m.fd) {
		_ = unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.single)
	}
}

// leave restores the mode from before.
func (m *keyMode) leave() {
	if m != nil && foreground(m.fd) {
		_ = unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.before)
	}
}

// obey handles the signals of a terminal until end is called: Ctrl-Z restores the mode of the
// terminal before it stops the judge, and the screen, which may be nil, is drawn anew when the size
// of the window changes or the judge continues.
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

// readKeys returns the commands for the keys read from standard input, a terminal or not, until the
// context ends. The caller leaves the mode.
func readKeys(ctx context.Context, in io.Reader) (<-chan watchmode.Command, *keyMode) {
	mode := newKeyMode(in)
	if f, ok := in.(*os.File); ok && mode == nil && term.IsTerminal(int(f.Fd())) {
		return nil, nil // in the background, where reading would stop the judge
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
