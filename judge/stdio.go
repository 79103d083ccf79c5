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

// stdio holds the standard files of a run. Control characters that a command writes to them are
// escaped, except those of a [tty.Text].
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// errGone is the cause of a context that was cancelled because the reader of the output has gone.
var errGone = errors.New("nobody reads the output any more")

// guarded returns std with writers that escape unprintable characters. The context is cancelled
// when the reader of standard output or standard error has gone.
func guarded(ctx context.Context, std stdio) (context.Context, stdio, *guard) {
	ctx, cancel := context.WithCancelCause(ctx)
	gone := func() { cancel(errGone) }
	g := &guard{out: tty.NewWriter(std.out, gone), err: tty.NewWriter(std.err, gone), cancel: cancel}
	return ctx, stdio{std.in, g.out, g.err}, g
}

// guard holds the writers of a run.
type guard struct {
	out, err *tty.Writer
	cancel   context.CancelCauseFunc
}

// lost reports whether the reader of an output has gone.
func (g *guard) lost() bool { return g.out.Lost() || g.err.Lost() }

// close cancels the context and flushes the writers, which may hold a part of a character.
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

// fault writes an error to standard error, one line for each of the errors that were joined.
// Newlines in an error are escaped, except in one with a Message, whose further lines follow below.
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

// wordyError is an error with the output of a program below it.
type wordyError struct{ message, words string }

func (e *wordyError) Message() string { return e.message }

func (e *wordyError) Error() string {
	text := e.message
	for l := range strings.Lines(strings.TrimSpace(e.words)) {
		text += "\n    " + strings.TrimSuffix(l, "\n")
	}
	return text
}

// apart returns the errors that were joined into one; none for nil.
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

// together joins errors of the user, without repetitions: several submissions may share one.
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

// patience is how long work may be silent before a note names it, and stillPatience the time
// between further notes.
const (
	patience      = 2 * time.Second
	stillPatience = 20 * time.Second
)

// doing names the work that is going on in notes on standard error, until stop is called. stop may
// be called several times.
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

// status is an error that only carries an exit code, after the command has printed the reason.
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
