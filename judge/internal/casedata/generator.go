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

// Size describes a generated input by its size: one line of the output of gen -ladder
// (docs/generators.md).
type Size struct {
	N        int      // size in the unit of the family
	Generate []string // arguments of the generator, the family first, without the seed
}

func (s Size) Family() string { return s.Generate[0] }

// Sizes runs gen -ladder, with which the problem's generator lists inputs of growing size. The
// sizes of a family are consecutive, the smallest first. If the generator prints nothing, or
// anything else, the error is a [*yamlstrict.Error].
func (p *Provider) Sizes(ctx context.Context) ([]Size, error) {
	text, err := p.printed(ctx, p.Problem.Generator, "-ladder", "it must print lines SIZE FAMILY -flag=value …")
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
			return nil, p.protocolError(p.Problem.Generator, "it must print lines SIZE FAMILY -flag=value …", "-ladder: %.60q is not SIZE FAMILY", line)
		}
		list = append(list, Size{size, words[1:]})
	}
	if len(list) == 0 {
		return nil, p.protocolError(p.Problem.Generator, "it must print lines SIZE FAMILY -flag=value …", "-ladder: prints nothing")
	}
	return list, nil
}

// Families returns the output of gen -list: a description of the generator's families.
func (p *Provider) Families(ctx context.Context) ([]byte, error) {
	return p.printed(ctx, p.Problem.Generator, "-list", "it must print the families and their flags")
}

// printed runs one of the problem's own programs with one argument and returns its standard output.
// hint describes the output that the program should print.
func (p *Provider) printed(ctx context.Context, folder, argument, hint string) ([]byte, error) {
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

// GenerateJob returns a run of the problem's generator that prints the input of a generated case;
// the caller sets the program.
func GenerateJob(c *cases.Case) run.Job {
	args := append(append([]string(nil), c.Generate...), "-seed="+strconv.FormatUint(*c.Seed, 10))
	return run.Job{Args: args, Limits: generatorLimits}
}

// Refusal is the error of a generator that rejects its arguments, or that cannot generate an input
// from them.
type Refusal struct{ Problem, Reason, Hint string }

func (e *Refusal) Error() string {
	return fmt.Sprintf("gen %s: %s (hint: %s)", e.Problem, e.Reason, e.Hint)
}

// GeneratorRefusal returns the refusal that a run of the generator reported, or nil if it printed
// an input or failed. If its hint names gen -list, the refusal names judge gen instead.
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
	exitNoInput = 1 // it cannot generate an input
	exitMisuse  = 2 // its arguments are wrong
)
