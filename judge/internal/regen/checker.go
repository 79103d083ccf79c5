package regen

import (
	"context"
	"fmt"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// checker decides which outputs a problem accepts: by comparing them with the answer, or by the
// problem's output validators. Judging accepts an output that equals the answer without running a
// validator; checker runs it, because it has to judge expected outputs themselves.
type checker struct {
	m         *casedata.Provider
	judge     *grade.Judge // nil: no validator runs, and all outputs are accepted
	compare   diff.Options
	programs  []string  // folders of the output validators, below the root; empty if outputs are compared
	key       cache.Key // the key of all programs together
	hash      string    // hash, for the lock, of everything that can change a decision; "" if bytes are compared
	lenient   bool      // the format of the problem's package allows answers that are not acceptable outputs
	fresh     bool      // ignore remembered decisions
	evaluator *grade.Evaluator
}

// newChecker returns the checker of the problem. It builds no program.
func (w *work) newChecker(ctx context.Context) (*checker, error) {
	of := w.m.Problem
	c := &checker{m: w.m, judge: w.o.Judge, compare: of.Options(w.o.Show), fresh: w.o.Fresh, lenient: of.LenientAnswers}
	h := cache.NewHasher("judged by 1")
	h.Text(fmt.Sprintf("%+v", of.Options(diff.Options{})))
	if of.Validator == nil && of.Compare.Mode == diff.Exact {
		return c, nil
	}
	var err error
	c.programs, err = hashValidators(h, of.Validator, func(program string) (string, error) { return w.hashProgram(ctx, program) })
	if err != nil {
		return nil, err
	}
	c.hash = string(h.Key())
	return c, nil
}

// hashValidators adds what can change a decision of output validators, and returns their programs. hash
// returns the hash of a program. Locks hold the result: TestHashValidators says why it lacks the other fields.
func hashValidators(h *cache.Hasher, first *problem.Validator, hash func(program string) (string, error)) (programs []string, _ error) {
	for v := first; v != nil; v = v.Then {
		if v.Always {
			h.Text(string(v.Protocol))
			h.Text(v.Flags...)
		}
		made, err := hash(v.Program)
		if err != nil {
			return nil, err
		}
		h.Text(made)
		programs = append(programs, v.Program)
	}
	return programs, nil
}

// open builds the output validators when first called.
func (c *checker) open(ctx context.Context) (err error) {
	if c.evaluator != nil {
		return nil
	}
	h := cache.NewHasher("programs 1")
	for _, folder := range c.programs {
		key, err := c.m.Key(ctx, folder)
		if err != nil {
			return err
		}
		h.Text(string(key))
	}
	c.key = h.Key()
	always := *c.m.Problem.Validator
	always.Always = true
	c.evaluator, err = c.judge.Evaluator(ctx, c.m.Problem.WithValidator(&always), c.compare)
	return err
}

// ruling is the decision about an output. The zero value accepts it.
type ruling struct {
	refused string // why the output is wrong
	failed  string // how the output validator failed on the output
}

func (r ruling) accepted() bool { return r == ruling{} }

// check decides whether output is accepted if answer is expected. It remembers accepted outputs in
// the cache. An error means that the judge failed.
func (c *checker) check(ctx context.Context, of *cases.Case, answer, output []byte) (ruling, error) {
	if c.programs == nil {
		how := c.compare
		if of.Compare != nil {
			how = *of.Compare
			how.Lines, how.Bytes = c.compare.Lines, c.compare.Bytes
		}
		if m := diff.Compare(answer, output, how); m != nil {
			return ruling{refused: fmt.Sprintf("it differs from line %d, column %d", m.Line, m.Column)}, nil
		}
		return ruling{}, nil
	}
	if c.judge == nil {
		return ruling{}, nil
	}
	if err := c.open(ctx); err != nil {
		return ruling{}, err
	}
	input, err := c.m.Input(ctx, of)
	if err != nil {
		return ruling{}, err
	}
	f := casedata.Data{Name: of.Name, Input: content.Of(input), Want: content.Of(answer), Flags: of.Flags, Asked: of.Asked}
	h := cache.NewHasher("output accepted 1")
	h.Text(c.hash, string(c.key))
	if of.Flags != nil || of.Asked != "" {
		h.Text(of.Asked)
		h.Text(of.Flags...)
	}
	for _, part := range [][]byte{input, answer, output} {
		h.Bytes(part)
	}
	if c.fresh {
		c.m.Cache.Drop(h.Key())
	} else if known, err := c.m.Cache.Get(h.Key()); err != nil {
		return ruling{}, err
	} else if known != nil {
		return ruling{}, known.Close()
	}
	r, err := c.evaluator.Evaluate(ctx, c.m.Limits, f, run.Outcome{}, output)
	switch {
	case ctx.Err() != nil:
		return ruling{}, ctx.Err()
	case err != nil && !grade.ValidatorFailed(err):
		return ruling{}, fmt.Errorf("%s: %w", of.Name, err)
	case err != nil:
		return ruling{failed: quote.First(strings.TrimPrefix(err.Error(), "checker: "))}, nil
	case r.Verdict != verdict.AC:
		return ruling{refused: quote.First(r.Message)}, nil
	}
	known, err := c.m.Cache.Put(h.Key(), func(string) error { return nil })
	if err != nil {
		return ruling{}, err
	}
	return ruling{}, known.Close()
}

// checkExpectations runs the checker on the expected outputs that were computed. It must accept a
// pinned output when the reference's output is the answer, and the reference's output when the
// pinned output is the answer. It must accept any other output with itself as the answer; those
// that the same checker has accepted before are skipped. An error is a *Refusal with all outputs
// that are not accepted, or a failure of the judge.
func (p *Plan) checkExpectations(ctx context.Context, derived map[string][]byte) error {
	w := p.w
	var wrong []*Refusal
	var noOutputs []string
	for i := range p.computed {
		c := &p.computed[i]
		output := derived[c.Name]
		if !c.Pinned {
			if w.checker.programs == nil || w.checker.hash == w.set.Lock.Checker && !w.o.Fresh && !p.isNew(c) {
				continue
			}
			r, err := w.checker.check(ctx, c, output, output)
			if err != nil {
				return err
			}
			if !r.accepted() {
				wrong = append(wrong, w.refuseOutput(ctx, c, r))
			}
			continue
		}
		pinned := []byte(*c.Output)
		same := string(pinned) == string(output)
		if !same || w.checker.lenient {
			r, err := w.checker.check(ctx, c, pinned, output)
			if err != nil {
				return err
			}
			if !r.accepted() {
				wrong = append(wrong, w.refuseReference(c, pinned, output, r))
				continue
			}
		}
		if same && w.checker.programs == nil {
			continue
		}
		switch r, err := w.checker.check(ctx, c, output, pinned); {
		case err != nil:
			return err
		case r.accepted():
		case w.checker.lenient && !same:
			noOutputs = append(noOutputs, c.Name)
		default:
			wrong = append(wrong, w.refusePinned(c, pinned, output, r))
		}
	}
	if len(noOutputs) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s does not accept %s as outputs, which this format allows: %s",
			strings.Join(w.checker.programs, " and "), count(len(noOutputs), "pinned answer"), some(noOutputs, 5)))
	}
	if len(wrong) == 0 {
		return nil
	}
	wrong[0].Others = wrong[1:]
	return wrong[0]
}

// refuseReference returns the refusal of a reference whose output is not accepted when the pinned
// output is the answer.
func (w *work) refuseReference(c *cases.Case, pinned, output []byte, r ruling) *Refusal {
	const hint = "pinned outputs are never rewritten: correct the reference or the case"
	why := "the reference disagrees with the pinned output"
	if r.failed != "" {
		why = "the checker fails with the pinned output as the answer: " + r.failed
	}
	return w.pinnedRefusal(c, pinned, output, c.Errorf("output", hint, "%s", why))
}

// refusePinned returns the refusal of a pinned output that the checker does not accept when the
// reference's output is the answer.
func (w *work) refusePinned(c *cases.Case, pinned, output []byte, r ruling) *Refusal {
	hint, message := "pinned outputs are never rewritten: correct the case", "the pinned output is wrong if the reference's is the answer: "
	if w.checker.programs != nil {
		hint += ", or " + strings.Join(w.checker.programs, " or ")
		message = "the checker refuses the pinned output: "
		if r.failed != "" {
			message = "the checker fails on the pinned output: "
		}
	}
	return w.pinnedRefusal(c, pinned, output, c.Errorf("output", hint, "%s%s%s", message, r.refused, r.failed))
}

func (w *work) pinnedRefusal(c *cases.Case, pinned, output []byte, err error) *Refusal {
	return &Refusal{Kind: Pinned, Case: c.Name, Mismatch: diff.Compare(pinned, output, w.o.Show), Err: err}
}

// refuseOutput returns the refusal of a reference whose output is not accepted even with itself as
// the answer.
func (w *work) refuseOutput(ctx context.Context, c *cases.Case, r ruling) *Refusal {
	message := "the checker refuses the reference's output: "
	if r.failed != "" {
		message = "the checker fails on the reference's output: "
	}
	refusal := &Refusal{Kind: Rejected, Case: c.Name, Err: c.Errorf("", "one of the two is wrong", "%s%s%s", message, r.refused, r.failed)}
	if input, err := w.m.Input(ctx, c); err == nil {
		refusal.input = input
	}
	return refusal
}

// count returns "1 case" or "2 cases".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// some joins the first names of a list, at most that many, and adds the number of the others.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
