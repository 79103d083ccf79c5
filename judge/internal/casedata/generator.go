package casedata

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
)

// Size is an input of one size, of a family of a generator: a line that gen -ladder prints
// (docs/generators.md).
type Size struct {
	N        int      // in the unit of its family
	Generate []string // arguments of the generator, the family first, without the seed
}

// Family returns the name of the family.
func (s Size) Family() string { return s.Generate[0] }

// Sizes asks the problem's generator for inputs of growing size, by gen -ladder. The sizes of a
// family stand together, the smallest first. A generator that prints none, or anything else, is a
// [*yamlstrict.Error].
func (p *Provider) Sizes(ctx context.Context) ([]Size, error) {
	text, err := p.ask(ctx, p.Problem.Generator, "-ladder", "it prints lines SIZE FAMILY -flag=value …")
	if err != nil {
		return nil, err
	}
	var list []Size
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		size := 0
		if len(words) >= 2 {
			size, err = strconv.Atoi(words[0])
		}
		if size <= 0 || err != nil {
			return nil, p.protocolError(p.Problem.Generator, "it prints lines SIZE FAMILY -flag=value …", "-ladder: %.60q is not SIZE FAMILY", line)
		}
		list = append(list, Size{size, words[1:]})
	}
	if len(list) == 0 {
		return nil, p.protocolError(p.Problem.Generator, "it prints lines SIZE FAMILY -flag=value …", "-ladder: prints nothing")
	}
	return list, nil
}

// Families returns what gen -list prints about the families of the problem's generator, for people.
func (p *Provider) Families(ctx context.Context) ([]byte, error) {
	return p.ask(ctx, p.Problem.Generator, "-list", "it prints the families and their flags")
}

// ask returns the standard output of one of the problem's own programs for one argument. The hint
// says what the program should print.
func (p *Provider) ask(ctx context.Context, folder, argument, hint string) ([]byte, error) {
	program, err := p.Program(ctx, folder)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	outcome := p.Pool.Run(ctx, run.Job{Program: program, Args: []string{argument}, Stdout: &out, Limits: generatorLimits})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case outcome.Err != nil:
		return nil, fmt.Errorf("%s: %w", folder, outcome.Err)
	case !outcome.OK(generatorLimits):
		return nil, p.protocolError(folder, hint, "%s: %s", argument, Cause(outcome, generatorLimits))
	}
	return out.Bytes(), nil
}

// protocolError reports that a program does not follow the protocol of its kind.
func (p *Provider) protocolError(folder, hint, format string, args ...any) error {
	return &yamlstrict.Error{File: folder, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// generatorLimits are the limits of one run of a generator.
var generatorLimits = limits.Limits{
	CPU: time.Minute, Wall: 2 * time.Minute, Memory: limits.GiB, Output: 256 * limits.MiB, Processes: limits.Processes,
}

// GenerateJob returns a run of the problem's generator, without the program, that prints
// the input of a generated case.
func GenerateJob(c *cases.Case) run.Job {
	args := append(append([]string(nil), c.Generate...), "-seed="+strconv.FormatUint(*c.Seed, 10))
	return run.Job{Args: args, Limits: generatorLimits}
}

// Refusal is the error of a generator that rejects its arguments, or that cannot make such an
// input.
type Refusal struct{ Problem, Reason, Hint string }

func (e *Refusal) Error() string {
	return fmt.Sprintf("gen %s: %s (hint: %s)", e.Problem, e.Reason, e.Hint)
}

// GeneratorRefusal returns the refusal that a run of the generator ended with, or nil if it printed
// an input or failed. A hint that names the generator's command line names the judge's instead.
func (p *Provider) GeneratorRefusal(o run.Outcome) *Refusal {
	line, found := strings.CutPrefix(withMessage("", o.Stderr), ": ")
	if !found || o.Stop != sandbox.Exited || o.ExitCode != exitNoInput && o.ExitCode != exitMisuse {
		return nil
	}
	reason, hint, _ := strings.Cut(strings.TrimPrefix(line, "gen: "), " (hint: ")
	if hint = strings.TrimSuffix(hint, ")"); hint == "" || strings.Contains(hint, "gen -list") {
		hint = "judge gen " + p.Problem.ID + " lists the families"
	}
	return &Refusal{p.Problem.ID, reason, hint}
}

// The exit statuses of a generator that refuses.
const (
	exitNoInput = 1
	exitMisuse  = 2
)
