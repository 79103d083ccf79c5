// Package langcheck checks that the toolchain of a language works, by judging a hello program.
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
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// The input and the expected output of the programs, see [build.Hello]. Both contain a letter
// beyond ASCII.
const (
	input  = "wörld 42\n"
	output = "hello, wörld 42\n"
)

// Limits are the limits of the programs, far above what any of them needs.
var Limits = limits.Limits{
	CPU: 20 * time.Second, Wall: time.Minute, Memory: limits.GiB, Output: limits.MiB, Processes: limits.Processes,
}

// Status is the result of a check.
type Status string

const (
	Works     Status = "works"
	Broken    Status = "broken"    // a tool is installed but does not work
	Missing   Status = "missing"   // a tool is not installed
	Unchecked Status = "unchecked" // the tools are installed, but there is no program to try them with
)

// Result is the result of checking one language.
type Result struct {
	Name    string   `json:"name"`
	Status  Status   `json:"status"`
	Reason  string   `json:"reason"`  // one line that says why the status is not Works; "" if it is
	Words   string   `json:"words"`   // the output of the tool or program that failed, at most some KiB
	Version string   `json:"version"` // "" if Missing
	Match   []string `json:"match"`   // this and Shebang, Compile, Run and Package are as in build.Language
	Shebang []string `json:"shebang"`
	Compile []string `json:"build"` // with the path of the tool unless Missing
	Run     []string `json:"run"`   // with the path of the tool unless Missing
	Package string   `json:"package"`
	Modules string   `json:"modules,omitempty"` // folder with the modules of an active virtual environment of Python

	// Set with Works, and with Broken as far as the check got:
	Build  time.Duration `json:"build_ns"` // compile time
	CPU    time.Duration `json:"cpu_ns"`   // CPU time of the run
	Wall   time.Duration `json:"wall_ns"`  // wall-clock time of the run
	Memory limits.Bytes  `json:"memory_bytes"`
}

func (*Result) Kind() string { return "language" }

// Options say what to check.
type Options struct {
	Builder *build.Builder
	Cache   *cache.Cache // the cache of Builder
	Pool    *run.Pool
	Names   []string // the languages to check; the builder must know them
	// Stage, if not nil, is called when the check of a language begins, and the function that it
	// returns is called when that check ends. Checks overlap.
	Stage func(name string) (end func())
}

// Check checks languages, several at a time. It delivers the results one at a time in the order of
// o.Names, each as soon as it and those before it are known. Programs are always compiled, because
// a cached one proves nothing about the tools. An error is a failure of the judge.
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
		c.Words = document.First(c.Words)
		deliver(c.Result)
		return nil
	})
}

// check is the state of one check.
type check struct {
	Result
	program *build.Program // nil if there is none
	err     error          // the judge failed
}

// build compiles the program, or sets Status and Reason if it cannot.
func (c *check) build(ctx context.Context, o Options) error {
	languages := o.Builder.Languages()
	language := languages[c.Name]
	tools, err := o.Builder.Toolchain(ctx, c.Name)
	c.Match, c.Shebang, c.Package = language.Match, language.Shebang, language.Package
	c.Version, c.Compile, c.Run, c.Modules = tools.Version, tools.Build, tools.Run, tools.Packages
	var store *cache.Error
	switch missing := (*build.MissingError)(nil); {
	case errors.As(err, &missing) && missing.Problem != "":
		c.Status, c.Reason = Broken, missing.Problem
		return nil
	case errors.As(err, &missing):
		c.Status, c.Reason = Missing, missing.Tools()+" not found"
		c.Compile, c.Run = language.Build, language.Run
		return nil
	case ctx.Err() != nil || errors.As(err, &store):
		return errors.Join(ctx.Err(), err)
	case err != nil:
		c.Status, c.Reason = Broken, strings.TrimPrefix(err.Error(), "language "+c.Name+": ")
		return nil
	}
	text, err := build.Hello(c.Name)
	if err != nil {
		c.Status, c.Reason = Unchecked, "there is no program to try it with"
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
		c.Status, c.Reason, c.Words = Broken, "does not compile a correct program", missing.Output
		return nil
	}
	if err != nil {
		return err
	}
	c.program, c.Build = program, program.Time
	return nil
}

// judge sets the status by the outcome of the run.
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
	c.Status, c.Reason, c.Words = Broken, fmt.Sprintf("gives a correct program %v: %s", v, cause), string(r.Stderr)
}
