// Package doctor tells what this host enforces and attacks its own jail.
//
// The attacks are part of the judge's own binary, which is executed anew inside
// the jail (see [Attack]): they need no compiler and no source tree. An attack
// reports what it achieved; the verdict also looks at how its run ended.
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

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/version"
)

// Schema names the form of a Report in JSON, described in docs/doctor.md.
const Schema = "tribunal/doctor/1"

// Status is what became of one attack.
type Status string

// The statuses. Only Broken is a failure: what a mode openly cannot do is Open,
// and an attack that would harm a host that the mode does not protect is NotTried.
const (
	Held     Status = "held"
	Broken   Status = "broken"
	Open     Status = "open"
	NotTried Status = "not_tried"
)

// Finding is one row of the table of attacks. Two examinations of the same host
// give the same findings: no text has a process number, a path of a temporary
// file or a measurement in it.
type Finding struct {
	Name     string `json:"name"`     // stable, for programs
	Group    string `json:"group"`    // the heading it stands under
	Attack   string `json:"attack"`   // what was tried, in words
	Expected string `json:"expected"` // what a jail that holds does
	Seen     string `json:"seen"`     // what it did; why not, when it was not tried
	Status   Status `json:"status"`
	Why      string `json:"why"` // what the mode cannot do, when it is Open
}

// Count is how many attacks ended in each way.
type Count struct {
	Attacks  int `json:"attacks"`
	Held     int `json:"held"`
	Broken   int `json:"broken"`
	Open     int `json:"open"`
	NotTried int `json:"not_tried"`
}

// Report is everything the doctor found out.
type Report struct {
	Schema     string             `json:"schema"`
	Judge      string             `json:"judge"`
	Host       Facts              `json:"host"`
	Asked      sandbox.Mode       `json:"asked"` // the mode that was asked for
	Mechanisms sandbox.Mechanisms `json:"mechanisms"`
	Notes      []string           `json:"notes"` // why it is not a stronger mode
	Auto       Choice             `json:"auto"`
	Findings   []Finding          `json:"attacks"`
	Count      Count              `json:"count"`
	Elapsed    time.Duration      `json:"elapsed_ns"`
}

// Choice is the mode that auto picks.
type Choice struct {
	Mode  sandbox.Mode `json:"mode"`
	Notes []string     `json:"notes"` // why it is not a stronger mode
}

// Jail is what is attacked; a [sandbox.Host] is one.
type Jail interface {
	NewBox(sandbox.Spec) (sandbox.Box, error)
	Temp() string // the doctor lets others go through it, to what they are to attack
	Mechanisms() sandbox.Mechanisms
	Notes() []string
}

// Options say what to examine.
type Options struct {
	Jail  Jail
	Asked sandbox.Mode
	Auto  *Choice // nil if Jail is what auto picks
	// Places are paths of the folders that programs must not see, such as
	// [WorkingFolder]; what is missing or does not exist is not looked for.
	Places map[string]string
	// Service is the path of a runner service to attack as well; "" is none.
	Service string

	table []attack // in place of all attacks, in tests
}

// Examine looks at the host and attacks the jail, on several CPUs at a time where
// this process may use them. An error means that there is no jail to attack, that an
// attack could not be prepared or made, or that ctx ended; a jail that does not hold
// is in the Report.
func Examine(ctx context.Context, o Options) (*Report, error) {
	start := time.Now()
	r := &Report{Schema: Schema, Judge: version.Build(), Asked: o.Asked, Mechanisms: o.Jail.Mechanisms(), Notes: append([]string{}, o.Jail.Notes()...)}
	if r.Auto = (Choice{r.Mechanisms.Mode, r.Notes}); o.Auto != nil {
		r.Auto = Choice{o.Auto.Mode, append([]string{}, o.Auto.Notes...)}
	}
	r.Host = look(ctx) // before the attacks, which are noise themselves
	l, err := openLab(o)
	if err != nil {
		return nil, err
	}
	if o.table == nil {
		o.table = attacks()
	}
	r.Findings, err = l.attackAll(ctx, o.table)
	if err := errors.Join(err, l.close()); err != nil {
		return nil, err
	}
	if o.Service != "" {
		if err := r.attackService(ctx, o.Service); err != nil {
			return nil, err
		}
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
	return r, ctx.Err()
}

// attackAll runs the table, independent attacks side by side, and those that need
// two boxes after them.
func (l *lab) attackAll(ctx context.Context, table []attack) ([]Finding, error) {
	findings := make([]Finding, len(table))
	errs := make([]error, len(table))
	// A jail in which nothing runs would stop every attack.
	for _, b := range l.benches {
		result, stdout, err := l.do(ctx, run{box: b.box, cpu: b.cpu, name: afterwards, limits: usual()})
		if err != nil {
			return nil, fmt.Errorf("no jail: %w", err)
		}
		if o := (&attack{}).judge(result, stdout); o.Broke && ctx.Err() == nil {
			return nil, fmt.Errorf("no jail: an attack that does nothing cannot be made: %s", o.Seen)
		}
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for _, b := range l.benches {
		workers.Go(func() {
			for i := range next {
				findings[i], errs[i] = l.try(ctx, b, &table[i])
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
			findings[i], errs[i] = l.try(ctx, l.benches[0], &table[i])
		}
	}
	// What stopped one attack often stops others: the first tells enough.
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return nil, errs[i]
	}
	return findings, nil
}

// try makes one attack, unless it would harm the host, and judges it.
func (l *lab) try(ctx context.Context, b *bench, a *attack) (Finding, error) {
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
		return f, err // what a run did that was cancelled means nothing
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

// The reasons for which a mode openly cannot stop an attack; "" where it can.

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
