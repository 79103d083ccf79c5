package commands

import (
	"bufio"
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"tribunal/judge/cli/report"
	"tribunal/judge/internal/watchmode"
)

// keys maps the keys of judge watch to commands.
var keys = map[string]watchmode.Command{
	"r": watchmode.Repeat, "a": watchmode.Everything, "f": watchmode.OnlyFails,
	"d": watchmode.Explain, "g": watchmode.Write, "s": watchmode.Submit, "q": watchmode.Quit,
}

// scrolls maps the keys that scroll the screen of judge watch, as terminals send them, to movements. A
// mouse wheel sends the arrow keys while the alternate screen is open.
var scrolls = map[string]report.Scroll{
	"k": report.LineUp, "\x1b[A": report.LineUp, "\x1bOA": report.LineUp,
	"j": report.LineDown, "\x1b[B": report.LineDown, "\x1bOB": report.LineDown,
	"b": report.PageUp, "\x1b[5~": report.PageUp, " ": report.PageDown, "\x1b[6~": report.PageDown,
	"\x1b[H": report.Top, "\x1bOH": report.Top, "\x1b[1~": report.Top, "\x1b[7~": report.Top,
	"\x1b[F": report.Bottom, "\x1bOF": report.Bottom, "\x1b[4~": report.Bottom, "\x1b[8~": report.Bottom,
}

// readKey reads a key: a byte, or all of an escape sequence.
func readKey(r *bufio.Reader) (string, error) {
	first, err := r.ReadByte()
	if first != '\x1b' || err != nil {
		return string(rune(first)), err
	}
	key := []byte{first}
	for {
		c, err := r.ReadByte()
		if err != nil {
			return "", err
		}
		key = append(key, c)
		switch {
		case len(key) == 2 && (c == '[' || c == 'O'):
		case len(key) == 2: // the key Esc, and another one
			return string(key[1:]), nil
		case '@' <= c && c <= '~' || len(key) == 16:
			return string(key), nil
		}
	}
}

// readKeys reads keys from in, which need not be a terminal, until the context is cancelled, and
// sends their commands on the channel that it returns. Keys that scroll move the screen, which may be
// nil. The caller must call leave on the keyMode.
func readKeys(ctx context.Context, in io.Reader, screen *report.WatchScreen) (<-chan watchmode.Command, *keyMode) {
	mode := newKeyMode(in)
	if f, ok := in.(*os.File); ok && mode == nil && term.IsTerminal(int(f.Fd())) {
		return nil, nil // reading from a terminal would suspend a judge in the background
	}
	list := make(chan watchmode.Command)
	go func() {
		defer close(list)
		r := bufio.NewReader(in)
		for {
			key, err := readKey(r)
			if err != nil {
				return
			}
			if by, ok := scrolls[key]; ok {
				screen.Scroll(by)
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
