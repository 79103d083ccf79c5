//go:build linux

package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/sandbox"
)

// Examine examines the host and attacks the jail, on several CPUs at a time if this process may use
// them. It returns an error if there is no jail to attack, if an attack could not be prepared or
// run, or if ctx ended. A jail that does not hold is a Finding, not an error.
func Examine(ctx context.Context, o Options) (*Report, error) {
	return examine(ctx, o, attacks(), watchTime)
}

// examine is Examine with a table of attacks, and the time for which the noise of the CPUs is
// measured.
func examine(ctx context.Context, o Options, table []attack, watch time.Duration) (*Report, error) {
	start := time.Now()
	r := &Report{Head: document.NewHead(Schema), Asked: o.Asked, Mechanisms: o.Jail.Mechanisms(), Notes: append([]string{}, o.Jail.Notes()...)}
	if r.Auto = (Choice{r.Mechanisms.Mode, r.Notes}); o.Auto != nil {
		r.Auto = Choice{o.Auto.Mode, append([]string{}, o.Auto.Notes...)}
	}
	o.Emit.Stage("looking at the host")
	r.Host = examineHost(ctx, watch) // first, because the attacks make noise
	l, err := openLab(o)
	if err != nil {
		return nil, err
	}
	o.Emit.Stage("attacking the jail")
	r.Findings, err = l.attackAll(ctx, table, o.Emit)
	if err := errors.Join(err, l.close()); err != nil {
		return nil, err
	}
	for _, f := range r.Findings {
		r.Count.Attacks++
		switch f.Status {
		case Held:
			r.Count.Held++
		case Broken:
			r.Count.Broken++
		case Open:
			r.Count.Open++
		case NotTried:
			r.Count.NotTried++
		}
	}
	r.Elapsed = time.Since(start)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.Emit.Send(r)
	return r, nil
}

// attackAll makes the attacks of the table: first those that need one box, in parallel, and then
// those that need two. It emits an event when each has ended.
func (l *lab) attackAll(ctx context.Context, table []attack, emit event.Emit) ([]Finding, error) {
	findings := make([]Finding, len(table))
	errs := make([]error, len(table))
	// If even this does not run in the jail, failed attacks prove nothing.
	for _, b := range l.slots {
		result, stdout, err := l.do(ctx, run{box: b.box, cpu: b.cpu, name: doNothing, limits: usual()})
		if err != nil {
			return nil, fmt.Errorf("no jail: %w", err)
		}
		if o := (&attack{}).judge(result, stdout); o.Broke && ctx.Err() == nil {
			return nil, fmt.Errorf("no jail: a program that does nothing cannot run: %s", o.Seen)
		}
	}
	next := make(chan int)
	var workers sync.WaitGroup
	var emitting sync.Mutex
	try := func(s *slot, i int) {
		if findings[i], errs[i] = l.try(ctx, s, &table[i]); errs[i] == nil {
			emitting.Lock()
			defer emitting.Unlock()
			emit.Send(&findings[i])
		}
	}
	for _, s := range l.slots {
		workers.Go(func() {
			for i := range next {
				try(s, i)
			}
		})
	}
	for i := range table {
		if table[i].pair == nil {
			next <- i
		}
	}
	close(next)
	workers.Wait()
	for i := range table {
		if table[i].pair != nil {
			try(l.slots[0], i)
		}
	}
	// The cause of one error is often that of the others, so the first is enough.
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return nil, errs[i]
	}
	return findings, nil
}

// try makes one attack and judges it, unless it would harm the host.
func (l *lab) try(ctx context.Context, b *slot, a *attack) (Finding, error) {
	f := Finding{Name: a.name, Group: a.group, Attack: a.what, Expected: a.want}
	excuse := ""
	if a.open != nil {
		excuse = a.open(l.mechanisms)
	}
	if a.harm && l.mechanisms.Mode == sandbox.Rlimit {
		f.Status, f.Seen = NotTried, "not tried: rlimit does not stop it, and it would harm this host"
		return f, nil
	}
	if err := ctx.Err(); err != nil {
		return f, err
	}
	o, err := l.perform(ctx, b, a)
	if err := ctx.Err(); err != nil {
		return f, err // a cancelled run proves nothing
	}
	if err != nil {
		return f, fmt.Errorf("attack %s: %w", a.name, err)
	}
	f.Seen, f.Status = o.Seen, Held
	if o.Broke {
		f.Status = Broken
		if excuse != "" {
			f.Status, f.Why = Open, excuse
		}
	}
	return f, nil
}

// polled reports whether a mode measures without cgroups.
func polled(m sandbox.Mechanisms) bool { return !strings.HasPrefix(m.Memory, "cgroup") }

// The following functions return why a mode is known not to stop an attack, or "" if it should.

func inRlimit(m sandbox.Mechanisms) string {
	if m.Mode == sandbox.Rlimit {
		return "rlimit mode does not isolate"
	}
	return ""
}

func inRlimitAsRoot(m sandbox.Mechanisms) string {
	if os.Geteuid() == 0 {
		return inRlimit(m)
	}
	return ""
}

func withoutCgroup(m sandbox.Mechanisms) string {
	if polled(m) {
		return "only the memory of processes is counted without cgroups"
	}
	return ""
}

func uncountedProcesses(m sandbox.Mechanisms) string {
	if m.Processes == "" {
		return "nothing limits the number of processes here"
	}
	return ""
}
