package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/commands"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/findings"
	"tribunal/judge/lab/stress"
)

type stressOptions struct {
	*cli.App
	families          []string
	time, shrinkTime  time.Duration
	count, slots      int
	seed              uint64
	noShrink, slowest bool
	reports           *cli.Reports
	language          string
	out, save, note   string
}

// The arguments that name programs of the problem instead of submissions.
const (
	wordReference = "reference"
	wordBrute     = "brute"
)

func StressCommand(o *cli.App) *cobra.Command {
	s := &stressOptions{App: o}
	cmd := &cobra.Command{
		Use:   "stress PROBLEM A [B]",
		Short: "Search for a small input on which two programs differ",
		Long: `Search for an input on which the programs A and B differ, and shrink it until a
person can check it by hand. Without B, A is compared with the reference solver. With
--slowest, search for the input on which A takes the longest instead.

A and B are submissions, as for judge grade, or one of the words reference and brute.
The inputs come from the problem's generator, beginning with small ones, and the
problem's input validator checks each (docs/stress.md).

The exit status is 1 if such an input was found, or a program does not compile.`,
		Example: `  judge stress maze solution.cpp
  judge stress maze solution.cpp --gen 'random -n=3 -m=3' --save small-mirror
  judge stress game reference brute --time 10m
  judge stress marble solution.cpp --slowest`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return cli.Usage(errors.New("stress needs a problem and one or two programs (hint: judge stress game solution.cpp)"))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			if err := cli.CheckSlots(cmd, s.slots); err != nil {
				return err
			}
			if err := s.check(cmd, args[1:]); err != nil {
				return cli.Usage(err)
			}
			return s.run(cmd.Context(), args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&s.families, "gen", nil, "try only inputs of this `family`, or of a family with flags, such as 'random -n=3'; may be repeated")
	f.DurationVar(&s.time, "time", time.Minute, "`time` after which the search ends (with --count: no limit by default)")
	f.IntVar(&s.count, "count", 0, "`number` of inputs after which the search ends")
	f.Uint64Var(&s.seed, "seed", 0, "`seed` of the sequence of inputs (default: random)")
	f.BoolVar(&s.slowest, "slowest", false, "search for the input on which A takes the longest")
	f.BoolVar(&s.noShrink, "no-shrink", false, "do not shrink the input that is found")
	f.DurationVar(&s.shrinkTime, "shrink-time", 20*time.Second, "`time` after which shrinking ends")
	f.StringVarP(&s.out, "output", "o", "", "write the input that is found to this `file`")
	f.StringVar(&s.save, "save", "", "add the input to the group regress, as a case with this `name`")
	f.StringVar(&s.note, "note", "", "`text` that describes the saved case (default: the program that fails on it)")
	s.reports = o.Report(cmd, "stress.md", format.Names(findings.StressFormats()))
	s.reports.Written = append(s.reports.Written, &s.out)
	f.IntVar(&s.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	f.StringVar(&s.language, "lang", "", "`language` of the sources, whatever their names")
	return cmd
}

// check returns an error if flags contradict each other or are out of range.
func (s *stressOptions) check(cmd *cobra.Command, names []string) error {
	changed := cmd.Flags().Changed
	if !changed("seed") {
		s.seed = 1 + rand.Uint64N(1_000_000)
	}
	switch {
	case changed("count") && s.count < 1:
		return fmt.Errorf("--count %d: want a number from 1", s.count)
	case s.time <= 0 || s.shrinkTime <= 0:
		return errors.New("--time and --shrink-time: want a duration above 0, such as 10s (hint: --no-shrink turns shrinking off)")
	case s.note != "" && s.save == "":
		return errors.New("--note needs --save (hint: it is the note of the saved case)")
	case s.slowest && (s.save != "" || len(names) > 1):
		return errors.New("--slowest takes one program, and no --save (hint: judge gen --save adds a case)")
	case !s.slowest && names[0] == wordReference && (len(names) == 1 || names[1] == wordReference):
		return errors.New("the reference would be compared with itself (hint: judge stress PROBLEM reference brute)")
	}
	if changed("count") && !changed("time") {
		s.time = 0
	}
	return nil
}

func (s *stressOptions) run(ctx context.Context, id string, names []string) (err error) {
	target, err := s.App.OpenToRun(ctx, id, s.slots)
	if err != nil {
		return err
	}
	defer target.Close(&err)
	needs := []problem.Role{problem.Outputs, problem.Generator, problem.Check, problem.Reference}
	if slices.Contains(names, wordBrute) {
		needs = append(needs, problem.Brute)
	}
	if err := target.Need(needs...); err != nil {
		return cli.Usage(err)
	}
	p := target.Problem
	if s.save != "" {
		s.save = "regress/" + s.save
		if err := commands.CheckSave(p, s.save); err != nil {
			return err
		}
	}
	if err := cli.CheckFile("-o", s.out); err != nil {
		return err
	}
	sources, err := s.open(target, names)
	if err != nil {
		return err
	}
	eng, err := target.Engine()
	if err != nil {
		return err
	}
	provider := target.CaseData(eng)
	search := &stress.Search{Judge: eng.Judge(provider), Task: engine.Task(target.Config, p)}
	for i, name := range names {
		side, err := s.side(ctx, eng, provider, name, sources[i])
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			return s.reports.WriteFinding(name+" does not compile: ", compile.Error())
		}
		if err != nil {
			return err
		}
		if side.Program != nil {
			defer func() { err = errors.Join(err, closeSubmission(sources[i], side)) }()
		}
		switch {
		case i == 0:
			search.A = side
		case name != wordReference:
			search.B = &side
		}
	}
	ladder, err := provider.Sizes(ctx)
	if err != nil {
		return err
	}
	if ladder, err = stress.Restrict(ladder, s.families); err != nil {
		return cli.Usage(fmt.Errorf("--gen: %w", err))
	}
	return s.search(ctx, eng, p, search, ladder)
}

// open reads the submissions. The element of a program of the problem is nil.
func (s *stressOptions) open(target *cli.Subject, names []string) ([]*build.Source, error) {
	list := make([]*build.Source, len(names))
	var wrong []error
	for i, name := range names {
		if name == wordReference || name == wordBrute {
			continue
		}
		var err error
		if list[i], err = target.Contestant(cli.Cleaned(name), s.language, target.Config.Build.Languages); err != nil {
			wrong = append(wrong, err)
		}
	}
	return list, cli.JoinUserErrors(wrong)
}

// side builds one of the two programs, unless it is the reference of a comparison, which the search
// runs itself.
func (s *stressOptions) side(ctx context.Context, eng *engine.Engine, m *casedata.Provider, name string, source *build.Source) (stress.Side, error) {
	side := stress.Side{Name: name, Limits: m.Limits}
	var err error
	switch {
	case source != nil:
		side.Program, err = eng.Builder.Build(ctx, source)
	case name == wordBrute:
		side.Witness = true
		side.Limits.CPU = min(side.Limits.CPU, bruteTime)
		side.Limits.Memory = max(side.Limits.Memory, limits.GiB)
		side.Program, err = m.Program(ctx, m.Problem.Brute)
	case s.slowest:
		side.Program, err = m.Program(ctx, m.Problem.Reference)
	}
	return side, err
}

// bruteTime is the CPU limit of a brute-force solver on one input. The search skips inputs on which
// the solver takes longer.
const bruteTime = 5 * time.Second

// closeSubmission closes the program of a submission. It leaves the problem's own programs to the
// provider, which closes them.
func closeSubmission(source *build.Source, side stress.Side) error {
	if source == nil {
		return nil
	}
	return side.Program.Close()
}

// search runs the search, shrinks the input that it finds, and writes the reports.
func (s *stressOptions) search(ctx context.Context, eng *engine.Engine, p *problem.Problem, search *stress.Search, ladder []casedata.Size) error {
	begun := time.Now()
	t := s.Std.Terminal(s.Std.Err)
	live := findings.NewStressLive(s.Std.Err, t.Live && s.reports.Shown() != nil, t.Width, s.time)
	defer live.Close()
	bound, cancel := ctx, context.CancelFunc(func() {})
	if s.time > 0 {
		bound, cancel = context.WithTimeout(ctx, s.time)
	}
	defer cancel()
	r := &stress.Report{
		Head:     document.NewHead(stress.Schema),
		Begin:    stress.Begin{Problem: p.ID, A: search.A.Name, B: wordReference, Seed: s.seed, Slots: eng.Pool.Slots()},
		Language: s.language, Families: s.families, Limits: search.A.Limits, Slowest: s.slowest,
	}
	if search.B != nil {
		r.B = search.B.Name
	}
	sink := cli.Begin(s.reports, findings.StressFormats())
	sink.Event(&r.Begin)
	search.Emit = func(e event.Event) {
		live.Event(e)
		if p, often := e.(*stress.Progress); !often || p.Round() {
			sink.Event(e)
		}
	}
	var err error
	if s.slowest {
		r.Slow, err = search.Slowest(ctx, bound, ladder, s.seed, s.count)
	} else {
		r.Found, err = search.Find(ctx, bound, stress.NewClimb(ladder, s.seed), s.count)
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return sink.End(err)
	}
	r.Elapsed, r.Counts = time.Since(begun), search.Counts()
	if r.Found != nil && !s.noShrink {
		live.Shrink(s.shrinkTime)
		bound, cancel := context.WithTimeout(ctx, s.shrinkTime)
		defer cancel()
		var k *stress.Shrinking
		if k, err = search.Shrink(ctx, bound, r.Found); k != nil {
			r.Found.Take(k)
		}
		err = cmp.Or(err, ctx.Err())
	}
	live.Close()
	sink.Event(r)
	failed := sink.End(nil)
	if failed == nil && r.Found != nil && s.out != "" {
		failed = s.WriteData(s.out, r.Found.Input)
	}
	if failed != nil || err != nil {
		return cmp.Or(err, failed) // the report of the finding has been written
	}
	return s.saveFinding(ctx, eng, p, r)
}

// saveFinding saves the input of a finding as a case if --save was given, and returns the exit
// status.
func (s *stressOptions) saveFinding(ctx context.Context, eng *engine.Engine, p *problem.Problem, r *stress.Report) error {
	if r.Found == nil {
		return nil
	}
	if s.save != "" {
		note := s.note
		if note == "" {
			note = defaultNote(r)
		}
		text := string(r.Found.Input)
		if err := commands.Save(ctx, eng, s.App, p, cases.Case{Name: s.save, Note: note, Input: &text}); err != nil {
			return err
		}
	}
	return cli.Status(cli.ExitNot)
}

// defaultNote returns the default note of a saved case: the program that fails on it, and the
// verdict.
func defaultNote(r *stress.Report) string {
	name, v := r.A, r.Found.A.Verdict
	if v == verdict.AC {
		name, v = r.B, r.Found.B.Verdict
	}
	return fmt.Sprintf("Found by judge stress: %s: %s", filepath.Base(name), v.Title())
}
