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
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// court decides which outputs a problem takes for right where the bytes differ: by its way
// to compare, or by programs of its own. It shows these outputs that are as expected, too:
// where judging does not, what is expected would be right by being expected.
type court struct {
	m       *casedata.Provider
	judge   *grade.Judge // nil asks no program, so that all is right
	compare diff.Options
	folders []string  // of the programs below the root; none where outputs are compared
	key     cache.Key // of the programs together
	hash    string    // of all that can change what it decides, for the lock; "" is byte by byte
	lenient bool      // an answer need be no output: of a package in a format that says so
	fresh   bool      // believe nothing that was decided before
	arbiter *grade.Arbiter
}

// newCourt returns what decides about the outputs of the problem.
func (w *work) newCourt(ctx context.Context) (*court, error) {
	of := w.m.Problem
	c := &court{m: w.m, judge: w.o.Judge, compare: of.Options(w.o.Show), fresh: w.o.Fresh, lenient: of.Origin == pkgformat.Legacy}
	h := cache.NewHasher("judged by 1")
	h.Text(fmt.Sprintf("%+v", of.Options(diff.Options{})))
	if of.Validator == nil && of.Compare.Mode == diff.Exact {
		return c, nil
	}
	for v := of.Validator; v != nil; v = v.Then {
		if v.Always {
			h.Text(string(v.Protocol))
			h.Text(v.Flags...)
		}
		made, err := w.note(ctx, v.Program)
		if err != nil {
			return nil, err
		}
		h.Text(made)
		c.folders = append(c.folders, v.Program)
	}
	c.hash = string(h.Key())
	return c, nil
}

// open makes the problem's program ready to be asked.
func (c *court) open(ctx context.Context) (err error) {
	if c.arbiter != nil {
		return nil
	}
	h := cache.NewHasher("programs 1")
	for _, folder := range c.folders {
		key, err := c.m.Key(ctx, folder)
		if err != nil {
			return err
		}
		h.Text(string(key))
	}
	c.key = h.Key()
	always := *c.m.Problem.Validator
	always.Always = true
	c.arbiter, err = c.judge.Arbiter(ctx, c.m.Problem.WithValidator(&always), c.compare)
	return err
}

// ruling says why an output is not right; the zero value is that it is.
type ruling struct {
	refused string // why it is wrong
	failed  string // how the problem's program failed at it
}

func (r ruling) right() bool { return r == ruling{} }

// rule decides about one output where an answer is expected. The error is the judge's.
func (c *court) rule(ctx context.Context, of *cases.Case, answer, output []byte) (ruling, error) {
	if c.folders == nil {
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
	r, err := c.arbiter.Rule(ctx, c.m.Limits, f, run.Outcome{}, output)
	switch {
	case ctx.Err() != nil:
		return ruling{}, ctx.Err()
	case err != nil && !grade.Blames(err):
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

// rule looks at all expectations that were computed: pinned ones have to be right where the
// reference's output is the answer, and the other way round, and what the reference prints
// has to be right in itself. What was looked at before, by what decides now, is left out.
// The error is a *Refusal with all that are not right, or the judge's.
func (p *Plan) rule(ctx context.Context, derived map[string][]byte) error {
	w := p.w
	var wrong []*Refusal
	var noOutputs []string
	for i := range p.computed {
		c := &p.computed[i]
		output := derived[c.Name]
		if !c.Pinned {
			if w.court.folders == nil || w.court.hash == w.set.Lock.Checker && !w.o.Fresh && !p.news(c) {
				continue
			}
			r, err := w.court.rule(ctx, c, output, output)
			if err != nil {
				return err
			}
			if !r.right() {
				wrong = append(wrong, w.rejected(ctx, c, r))
			}
			continue
		}
		pinned := []byte(*c.Output)
		same := string(pinned) == string(output)
		if !same || w.court.lenient {
			r, err := w.court.rule(ctx, c, pinned, output)
			if err != nil {
				return err
			}
			if !r.right() {
				wrong = append(wrong, w.disagrees(c, pinned, output, r))
				continue
			}
		}
		if same && w.court.folders == nil {
			continue
		}
		switch r, err := w.court.rule(ctx, c, output, pinned); {
		case err != nil:
			return err
		case r.right():
		case w.court.lenient && !same:
			noOutputs = append(noOutputs, c.Name)
		default:
			wrong = append(wrong, w.noOutput(c, pinned, output, r))
		}
	}
	if len(noOutputs) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s does not take %s for outputs, as this format allows: %s",
			strings.Join(w.court.folders, " and "), count(len(noOutputs), "pinned answer"), some(noOutputs, 5)))
	}
	if len(wrong) == 0 {
		return nil
	}
	wrong[0].Others = wrong[1:]
	return wrong[0]
}

// disagrees refuses a reference whose output is not right where another is pinned.
func (w *work) disagrees(c *cases.Case, pinned, output []byte, r ruling) *Refusal {
	const hint = "pinned outputs are never rewritten: mend the reference or the case"
	why := "the reference disagrees with the pinned output"
	if r.failed != "" {
		why = "the checker fails where the pinned output is the answer: " + r.failed
	}
	return w.pinned(c, pinned, output, c.Errorf("output", hint, "%s", why))
}

// noOutput refuses a pinned output that is not right where the reference's is the answer.
func (w *work) noOutput(c *cases.Case, pinned, output []byte, r ruling) *Refusal {
	hint, who := "pinned outputs are never rewritten: mend the case", "the pinned output is not right beside the reference's: "
	if w.court.folders != nil {
		hint += ", or " + strings.Join(w.court.folders, " or ")
		who = "the checker refuses the pinned output: "
		if r.failed != "" {
			who = "the checker fails at the pinned output: "
		}
	}
	return w.pinned(c, pinned, output, c.Errorf("output", hint, "%s%s%s", who, r.refused, r.failed))
}

func (w *work) pinned(c *cases.Case, pinned, output []byte, err error) *Refusal {
	return &Refusal{Kind: Pinned, Case: c.Name, Mismatch: diff.Compare(pinned, output, w.o.Show), Err: err}
}

// rejected refuses a reference whose output the problem's own checker refuses.
func (w *work) rejected(ctx context.Context, c *cases.Case, r ruling) *Refusal {
	who := "the checker refuses the reference's output: "
	if r.failed != "" {
		who = "the checker fails at the reference's output: "
	}
	refusal := &Refusal{Kind: Rejected, Case: c.Name, Err: c.Errorf("", "one of them is wrong", "%s%s%s", who, r.refused, r.failed)}
	if input, err := w.m.Input(ctx, c); err == nil {
		refusal.input = input
	}
	return refusal
}

// count is a number of things in words.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// some is the beginning of a list of names.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
