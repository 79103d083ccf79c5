package cli

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

// Stdio holds the standard input, output and error of a command. The writers escape control
// characters, except those of a [tty.Text].
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
	color    colorWhen   // the value of --color
	quiet    *silence    // nil if no lines about progress are wanted
	bar      *sync.Mutex // held by the announcement that draws a bar: another inside of it draws none
}

// errGone is the cause with which a context is cancelled when nothing reads the output any more.
var errGone = errors.New("nothing reads the output any more")

// guarded returns std with writers that escape unprintable characters, and a context that is
// cancelled when nothing reads standard output or standard error any more.
func guarded(ctx context.Context, std Stdio) (context.Context, Stdio, *guard) {
	ctx, cancel := context.WithCancelCause(ctx)
	gone := func() { cancel(errGone) }
	g := &guard{out: tty.NewWriter(std.Out, gone), err: tty.NewWriter(std.Err, gone), cancel: cancel}
	return ctx, Stdio{std.In, g.out, g.err, colorAuto, newSilence(), new(sync.Mutex)}, g
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

// Print writes to standard output.
func (s Stdio) Print(format tty.Format, args ...any) error {
	return tty.Put(s.Out, tty.Sprintf(format, args...))
}

// Note writes a line to standard error, with the prefix "judge: ".
func (s Stdio) Note(format tty.Format, args ...any) {
	_ = tty.Put(s.Err, tty.Sprintf("judge: "+format+"\n", args...))
}

// PrintError writes an error to standard error, one line for each joined error. Newlines in an
// error are escaped, unless the error has a method Message: then its further lines follow the
// message.
func (s Stdio) PrintError(err error) {
	for _, e := range unjoin(err) {
		var long interface {
			error
			Message() string
		}
		if !errors.As(e, &long) {
			s.Note("%s", e)
			continue
		}
		message := long.Message()
		s.Note("%s", message)
		if rest := strings.TrimPrefix(strings.TrimPrefix(long.Error(), message), "\n"); rest != "" {
			_ = tty.Put(s.Err, tty.Sprintf("%s\n", tty.Lines(rest)))
		}
	}
}

// unjoin returns the errors that were joined in err; none if err is nil.
func unjoin(err error) []error {
	if err == nil {
		return nil
	}
	if u, ok := err.(UsageError); ok {
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

// JoinUserErrors joins errors of the user and drops duplicates, because several submissions may
// cause the same error.
func JoinUserErrors(list []error) error {
	seen := map[string]bool{}
	var distinct []error
	for _, err := range unjoin(errors.Join(list...)) {
		if text := err.Error(); !seen[text] {
			seen[text] = true
			distinct = append(distinct, Usage(err))
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

// Announce shows on standard error what the judge does, if that takes long, until stop is called.
// stop may be called several times.
func (s Stdio) Announce(what string) (stop func()) {
	return s.Follow(what, s.LiveErr()).Stop
}

// LiveErr reports whether standard error can show a progress bar.
func (s Stdio) LiveErr() bool { return s.Terminal(s.Err).Live }

// Announcement is a stage of the work whose progress is shown.
type Announcement struct {
	what string
	Stop func() // removes the bar, and ends the lines; may be called several times

	mu          sync.Mutex
	bar         *layout.Bar // nil if there is no bar at the moment
	done, total int         // finished parts of the work; total is 0 if they are not counted
	say         string      // what is known so far
}

// Follow is like Announce, for a work that counts its parts. live is whether to draw a progress bar;
// otherwise lines tell about the progress.
func (s Stdio) Follow(what string, live bool) *Announcement {
	a := &Announcement{what: what}
	begun, ending, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if live {
			a.show(s, begun, ending)
		} else {
			a.tell(s, begun, ending)
		}
	}()
	a.Stop = sync.OnceFunc(func() {
		close(ending)
		<-ended
	})
	return a
}

// show draws a bar on standard error after a while, until ending is closed.
func (a *Announcement) show(s Stdio, begun time.Time, ending chan struct{}) {
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
	a.bar = layout.NewBar(s.Err, 0, a.what, begun)
	a.bar.Count(a.done, a.total, a.say)
	a.mu.Unlock()
	<-ending
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bar.Stop()
	a.bar = nil
}

// tell prints lines, each after a long silence, until ending is closed.
func (a *Announcement) tell(s Stdio, begun time.Time, ending chan struct{}) {
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
			text := layout.Progress(a.what, a.done, a.total, time.Since(begun))
			if a.say != "" {
				text += " · " + a.say
			}
			a.mu.Unlock()
			s.Note("%s", text)
			s.quiet.begin()
		}
	}
}

// Count sets the number of finished parts of the work.
func (a *Announcement) Count(done, total int) { a.Say(done, total, "") }

// Say is like Count, with a text about what is known so far.
func (a *Announcement) Say(done, total int, say string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done, a.total, a.say = done, total, say
	if a.bar != nil {
		a.bar.Count(done, total, say)
	}
}

// Interrupt calls print, which may write to the terminal of the bar, if there is one.
func (a *Announcement) Interrupt(print func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bar != nil {
		a.bar.Interrupt(print)
	} else {
		print()
	}
}

// Status is an error that carries only an exit code: the command has already printed the reason.
type Status int

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// UsageError is an error of the user, either of a command or of the engine.
type UsageError = engine.UserError

// Usage marks err as an error of the user; nil stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return UsageError{Err: err}
}
