package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/tty"
)

// stdio are the standard files of a run. What a command writes to them cannot hold
// control characters, but for those of a [tty.Text].
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// errGone is the cause of a context that ended because nobody reads the output.
var errGone = errors.New("nobody reads the output any more")

// guarded returns std with writers that spell out what is not printable. When whoever
// reads standard output or standard error has gone away, the context ends.
func guarded(ctx context.Context, std stdio) (context.Context, stdio, *guard) {
	ctx, cancel := context.WithCancelCause(ctx)
	gone := func() { cancel(errGone) }
	g := &guard{out: tty.NewWriter(std.out, gone), err: tty.NewWriter(std.err, gone), cancel: cancel}
	return ctx, stdio{std.in, g.out, g.err}, g
}

// guard are the writers of a run.
type guard struct {
	out, err *tty.Writer
	cancel   context.CancelCauseFunc
}

// lost reports whether nobody reads any more.
func (g *guard) lost() bool { return g.out.Lost() || g.err.Lost() }

// close writes what is left of a character.
func (g *guard) close() {
	g.cancel(nil)
	_ = errors.Join(g.out.Flush(), g.err.Flush())
}

// say writes to standard output.
func (s stdio) say(format tty.Format, args ...any) error {
	return tty.Put(s.out, tty.Sprintf(format, args...))
}

// note writes a line of the judge's own to standard error.
func (s stdio) note(format tty.Format, args ...any) {
	_ = tty.Put(s.err, tty.Sprintf("judge: "+format+"\n", args...))
}

// fault writes an error to standard error, a line for each that was joined. A newline in
// an error does not make a line, but for one that has a message and more to look at below.
func (s stdio) fault(err error) {
	for _, e := range apart(err) {
		var long interface {
			error
			Message() string
		}
		if !errors.As(e, &long) {
			s.note("%s", e)
			continue
		}
		message := long.Message()
		s.note("%s", message)
		if rest := strings.TrimPrefix(strings.TrimPrefix(long.Error(), message), "\n"); rest != "" {
			_ = tty.Put(s.err, tty.Sprintf("%s\n", tty.Lines(rest)))
		}
	}
}

// wordyError is an error with the words of a program below it.
type wordyError struct{ message, words string }

func (e *wordyError) Message() string { return e.message }

func (e *wordyError) Error() string {
	text := e.message
	for l := range strings.Lines(strings.TrimSpace(e.words)) {
		text += "\n    " + strings.TrimSuffix(l, "\n")
	}
	return text
}

// apart returns the errors that were joined to one, none for nil.
func apart(err error) []error {
	if err == nil {
		return nil
	}
	if u, ok := err.(usageError); ok {
		return apart(u.error)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() { // it has words of its own
		return []error{err}
	}
	var list []error
	for _, e := range joined.Unwrap() {
		list = append(list, apart(e)...)
	}
	return list
}

// together joins errors of the user, each once: an unknown language is one of every
// submission.
func together(list []error) error {
	said := map[string]bool{}
	var once []error
	for _, err := range apart(errors.Join(list...)) {
		if text := err.Error(); !said[text] {
			said[text] = true
			once = append(once, usage(err))
		}
	}
	return errors.Join(once...)
}

// patience is how long work may be silent before it says what it does, and stillPatience
// after how much longer it says so again.
const (
	patience      = 2 * time.Second
	stillPatience = 20 * time.Second
)

// doing says on standard error what is being done as long as that goes on, which is until
// stop is called, any number of times.
func (s stdio) doing(what string) (stop func()) {
	begun, done := time.Now(), make(chan struct{})
	go func() {
		for next := patience; ; next = stillPatience {
			select {
			case <-done:
				return
			case <-time.After(next):
			}
			text := what
			if spent := time.Since(begun); spent > 2*patience {
				text += fmt.Sprintf(", for %v now", spent.Round(time.Second))
			}
			s.note("%s", text)
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// status is an error that only carries an exit code: everything has been said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is an error in what the user asked for or configured.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage marks an error as the user's.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}
