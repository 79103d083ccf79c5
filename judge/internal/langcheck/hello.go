// Package langcheck proves that the toolchain of a language works, by a program that greets.
package langcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// What a program is given and has to write, so that both streams and letters beyond ASCII
// are tried, see [build.Hello].
const (
	input  = "wörld 42\n"
	output = "hello, wörld 42\n"
)

// Limits are those of the programs: far more than any needs.
var Limits = limits.Limits{
	CPU: 20 * time.Second, Wall: time.Minute, Memory: limits.GiB, Output: limits.MiB, Processes: limits.Processes,
}

// Status says how a language does.
type Status string

const (
	Works     Status = "works"
	Broken    Status = "broken"    // a tool is there and does not do what it should
	Missing   Status = "missing"   // a tool is not there
	Unchecked Status = "unchecked" // its tools are there; no program is known that would try them
)

// Result is what became of the check of one language.
type Result struct {
	Name      string
	Language  build.Language
	Status    Status
	Toolchain build.Toolchain // zero when Missing
	Reason    string          // why it is not Works, in one line; else ""
	Words     string          // what its tools or the program said then, at most some KiB

	// With Works, and as far as it came with Broken:
	Build     time.Duration // what the compilation took
	CPU, Wall time.Duration // what the run took
	Memory    limits.Bytes
}

// Options say what to check.
type Options struct {
	Builder *build.Builder
	Cache   *cache.Cache // that of the builder
	Pool    *run.Pool
	Names   []string // of languages that the builder knows
	// Stage, when not nil, is told when the check of a language begins, and what it returns
	// is called when that ends. There are several at a time.
	Stage func(name string) (end func())
}

// Check checks languages, several at a time, and delivers what became of each as soon as
// that of all before it is known, one at a time. Everything is built anew: what is in the
// cache tells nothing of the tools. The error is the judge's own.
func Check(ctx context.Context, o Options, deliver func(Result)) error {
	return run.Each(ctx, o.Pool, len(o.Names), 1, func(ctx context.Context, w *run.Worker, i int) (check, error) {
		c := check{Result: Result{Name: o.Names[i]}}
		if o.Stage != nil {
			defer o.Stage(c.Name)()
		}
		if err := c.build(ctx, o); err != nil || c.program == nil {
			return c, err
		}
		var stdout bytes.Buffer
		c.judge(w.Run(ctx, run.Job{Program: c.program, Input: content.Of([]byte(input)), Stdout: &stdout, Limits: Limits}, nil), stdout.Bytes())
		return c, c.program.Close()
	}, func(_ int, c check) error {
		if c.err != nil {
			return fmt.Errorf("language %s: %w", c.Name, c.err)
		}
		deliver(c.Result)
		return nil
	})
}

// check is a check under way.
type check struct {
	Result
	program *build.Program // nil when there is none to run
	err     error          // the judge failed
}

// build makes the program, or says why there is none.
func (c *check) build(ctx context.Context, o Options) error {
	languages := o.Builder.Languages()
	c.Language = languages[c.Name]
	var err error
	c.Toolchain, err = o.Builder.Toolchain(ctx, c.Name)
	var store *cache.Error
	switch missing := (*build.MissingError)(nil); {
	case errors.As(err, &missing) && missing.Says != "":
		c.Status, c.Reason = Broken, missing.Says
		return nil
	case errors.As(err, &missing):
		c.Status, c.Reason = Missing, missing.Tools()+" not found"
		return nil
	case ctx.Err() != nil || errors.As(err, &store):
		return errors.Join(ctx.Err(), err)
	case err != nil:
		c.Status, c.Reason = Broken, strings.TrimPrefix(err.Error(), "language "+c.Name+": ")
		return nil
	}
	text, err := build.Hello(c.Name)
	if err != nil {
		c.Status, c.Reason = Unchecked, "no program is known that would try it"
		return nil
	}
	source, err := build.Read("hello", "", bytes.NewReader(text), c.Name, languages)
	if err != nil {
		return err
	}
	key, err := o.Builder.Key(ctx, source)
	if err != nil {
		return err
	}
	o.Cache.Drop(key)
	program, err := o.Builder.Build(ctx, source)
	if missing := (*build.MissingError)(nil); errors.As(err, &missing) {
		c.Status, c.Reason, c.Words = Broken, "does not compile a right program", missing.Words
		return nil
	}
	if err != nil {
		return err
	}
	c.program, c.Build = program, program.Time
	return nil
}

// judge says how the run went.
func (c *check) judge(r run.Outcome, stdout []byte) {
	if c.err = r.Err; r.Err != nil {
		return
	}
	c.CPU, c.Wall, c.Memory = r.CPU, r.Wall, r.Memory
	mismatch := diff.Compare([]byte(output), stdout, diff.Options{})
	v, cause := grade.Classify(Limits, r.Result, grade.Comparison{Mismatch: mismatch})
	if v == verdict.AC {
		c.Status = Works
		return
	}
	c.Status, c.Reason, c.Words = Broken, fmt.Sprintf("runs a right program to %v: %s", v, cause), string(r.Stderr)
}
