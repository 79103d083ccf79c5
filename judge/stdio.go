package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/tty"
)

// stdio holds the standard input, output and error of a command. The writers escape control
// characters, except those of a [tty.Text].
type stdio struct {
	in       io.Reader
	out, err io.Writer
	color    colorWhen   // the value of --color
	quiet    *silence    // nil if no lines about progress are wanted
	bar      *sync.Mutex // held by the announcement that draws a bar: another inside of it draws none
}

// errGone is the cause with which a context is cancelled when nothing reads the output any more.
var errGone = errors.New("nothing reads the output any more")

// guarded returns std with writers that escape unprintable characters, and a context that is
// cancelled when nothing reads standard output or standard error any more.
func guarded(ctx context.Context, std stdio) (context.Context, stdio, *guard) {
	ctx, cancel := context.WithCancelCause(ctx)
	gone := func() { cancel(errGone) }
	g := &guard{out: tty.NewWriter(std.out, gone), err: tty.NewWriter(std.err, gone), cancel: cancel}
	return ctx, stdio{std.in, g.out, g.err, colorAuto, newSilence(), new(sync.Mutex)}, g
}

// guard holds what guarded makes for a command: the writers, which escape unprintable characters,
// and the function that cancels the context.
type guard struct {
	out, err *tty.Writer
	cancel   context.CancelCauseFunc
}

// lost reports whether standard output or standard error has lost its reader.
func (g *guard) lost() bool { return g.out.Lost() || g.err.Lost() }

// close cancels the context and flushes the writers, which may hold part of a character.
func (g *guard) close() {
	g.cancel(nil)
	_ = errors.Join(g.out.Flush(), g.err.Flush())
}

// print writes to standard output.
func (s stdio) print(format tty.Format, args ...any) error {
	return tty.Put(s.out, tty.Sprintf(format, args...))
}

// note writes a line to standard error, with the prefix "judge: ".
func (s stdio) note(format tty.Format, args ...any) {
	_ = tty.Put(s.err, tty.Sprintf("judge: "+format+"\n", args...))
}

// printError writes an error to standard error, one line for each joined error. Newlines in an
// error are escaped, unless the error has a method Message: then its further lines follow the
// message.
func (s stdio) printError(err error) {
	for _, e := range unjoin(err) {
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

// unjoin returns the errors that were joined in err; none if err is nil.
func unjoin(err error) []error {
	if err == nil {
		return nil
	}
	if u, ok := err.(usageError); ok {
		return unjoin(u.Err)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() { // err has text of its own besides the joined errors
		return []error{err}
	}
	var list []error
	for _, e := range joined.Unwrap() {
		list = append(list, unjoin(e)...)
	}
	return list
}

// joinUserErrors joins errors of the user and drops duplicates, because several submissions may
// cause the same error.
func joinUserErrors(list []error) error {
	seen := map[string]bool{}
	var distinct []error
	for _, err := range unjoin(errors.Join(list...)) {
		if text := err.Error(); !seen[text] {
			seen[text] = true
			distinct = append(distinct, usage(err))
		}
	}
	return errors.Join(distinct...)
}

// patience is the time after which a progress bar shows the current work. Where there is no
// terminal, a line says it, but at most one line in the time stillPatience.
const (
	patience      = time.Second
	stillPatience = 30 * time.Second
)

// silence is the rest that a process leaves between two lines about its progress. It is safe for
// concurrent use.
type silence struct {
	mu    sync.Mutex
	until time.Time
}

// newSilence returns the silence at the start of a process, or nil if the environment variable TRIBUNAL_PROGRESS is
// "off": scripts that read standard error can then rely on it.
func newSilence() *silence {
	if os.Getenv("TRIBUNAL_PROGRESS") == "off" {
		return nil
	}
	return &silence{until: time.Now().Add(stillPatience)}
}

// left returns the time until the next line may be printed.
func (s *silence) left() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Until(s.until)
}

// begin starts a new silence after a line.
func (s *silence) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Now().Add(stillPatience)
}

// announce shows on standard error what the judge does, if that takes long, until stop is called.
// stop may be called several times.
func (s stdio) announce(what string) (stop func()) {
	return s.follow(what, s.liveErr()).stop
}

// liveErr reports whether standard error can show a progress bar.
func (s stdio) liveErr() bool { return s.terminal(s.err).live }

// announcement is a stage of the work whose progress is shown.
type announcement struct {
	what string
	stop func() // removes the bar, and ends the lines; may be called several times

	mu          sync.Mutex
	bar         *layout.Bar // nil if there is no bar at the moment
	done, total int         // finished parts of the work; total is 0 if they are not counted
}

// follow is like announce, for a work that counts its parts. live is whether to draw a progress bar;
// otherwise lines tell about the progress.
func (s stdio) follow(what string, live bool) *announcement {
	a := &announcement{what: what}
	begun, ending, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if live {
			a.show(s, begun, ending)
		} else {
			a.tell(s, begun, ending)
		}
	}()
	a.stop = sync.OnceFunc(func() {
		close(ending)
		<-ended
	})
	return a
}

// show draws a bar on standard error after a while, until ending is closed.
func (a *announcement) show(s stdio, begun time.Time, ending chan struct{}) {
	select {
	case <-ending:
		return
	case <-time.After(patience):
	}
	if !s.bar.TryLock() {
		return
	}
	defer s.bar.Unlock()
	a.mu.Lock()
	a.bar = layout.NewBar(s.err, 0, a.what, begun)
	a.bar.Count(a.done, a.total, "")
	a.mu.Unlock()
	<-ending
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bar.Stop()
	a.bar = nil
}

// tell prints lines, each after a long silence, until ending is closed.
func (a *announcement) tell(s stdio, begun time.Time, ending chan struct{}) {
	if s.quiet == nil {
		return
	}
	for {
		select {
		case <-ending:
			return
		case <-time.After(s.quiet.left()):
		}
		if s.quiet.left() <= 0 {
			a.mu.Lock()
			done, total := a.done, a.total
			a.mu.Unlock()
			s.note("%s", layout.Progress(a.what, done, total, time.Since(begun)))
			s.quiet.begin()
		}
	}
}

// count sets the number of finished parts of the work.
func (a *announcement) count(done, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done, a.total = done, total
	if a.bar != nil {
		a.bar.Count(done, total, "")
	}
}

// interrupt calls print, which may write to the terminal of the bar, if there is one.
func (a *announcement) interrupt(print func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bar != nil {
		a.bar.Interrupt(print)
	} else {
		print()
	}
}

// status is an error that carries only an exit code: the command has already printed the reason.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is an error of the user, either of a command or of the engine.
type usageError = engine.UserError

// usage marks err as an error of the user; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{Err: err}
}
