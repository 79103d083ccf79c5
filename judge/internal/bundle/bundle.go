// Package bundle makes what there is to judge of problem packages.
package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/yamlstrict"
)

// Bundle is a package that can be judged on: its validators are programs, and what its
// cases have of their own is understood. It is safe for concurrent use.
type Bundle struct {
	*pkgformat.Package
	builder *build.Builder
	show    diff.Options

	checks   []check                 // the output validators; none where outputs are compared
	interact *build.Program          // nil unless it is an interactor of testlib's, whose output the validator is asked about
	points   *points.Group           // nil unless it is a scoring problem
	custom   bool                    // some of its groups want the grader
	grader   *build.Program          // nil unless they do
	compare  map[string]diff.Options // by the joined arguments of the default validator
}

// check is an output validator and where it stands in the package.
type check struct {
	rel     string
	program *build.Program
}

// Open makes a bundle of a package, which stays the caller's. Differences are shown as
// show says. An error is a [*yamlstrict.Error], about whatever the package asks for and
// tribunal cannot do. The bundle must be closed, and cannot judge before [Bundle.Build].
func Open(p *pkgformat.Package, builder *build.Builder, show diff.Options) (*Bundle, error) {
	b := &Bundle{Package: p, builder: builder, show: show, compare: map[string]diff.Options{}}
	if err := b.supported(); err != nil {
		return nil, err
	}
	var err error
	if b.points, err = b.tree(); err != nil {
		return nil, err
	}
	if len(p.Validation.Programs) == 0 {
		for _, c := range slices.Concat(p.Cases, p.InvalidOutput, p.ValidOutput) {
			if err := b.learn(c); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// Build builds the output validators, the interactor and the grader, once. The errors are those of
// [Bundle.Program], after which nothing can be judged.
func (b *Bundle) Build(ctx context.Context) (err error) {
	if b.Validation.Interactor != "" {
		if b.interact, err = b.Program(ctx, b.Validation.Interactor); err != nil {
			return err
		}
	}
	if b.custom {
		if b.grader, err = b.Program(ctx, b.Graders[0]); err != nil {
			return err
		}
	}
	for _, rel := range b.Validation.Programs {
		program, err := b.Program(ctx, rel)
		if err != nil {
			return err
		}
		b.checks = append(b.checks, check{rel, program})
	}
	return nil
}

// supported finds what cannot be judged as the package means it.
func (b *Bundle) supported() error {
	not := func(what, hint string) error {
		return &yamlstrict.Error{File: b.Path, Msg: what + " are not supported", Hint: hint}
	}
	switch {
	case b.SubmitAnswer:
		return not("submit-answer problems", "")
	case len(b.NamedFiles) > 0:
		return not("files instead of standard input and output", "it wants "+strings.Join(b.NamedFiles, " and ")+"; have programs read and write the standard ones")
	case len(b.Validation.Programs) > 1 && (b.Interactive || b.MultiPass || b.Validation.Score || b.Scoring && b.Format != pkgformat.Legacy):
		// No format says who would talk, or how their scores would come together.
		return not("several output validators of an interactive, multi-pass or scored problem", "they are "+strings.Join(b.Validation.Programs, ", ")+"; make one of them")
	}
	return nil
}

// learn reads how the output for a case is compared.
func (b *Bundle) learn(c *pkgformat.Case) error {
	args := strings.Join(c.OutputArgs, "\x00")
	if _, known := b.compare[args]; known {
		return nil
	}
	o := diff.Options{Mode: diff.Tokens}
	if b.Format != pkgformat.Pairs && b.Format != pkgformat.Polygon {
		var err error
		if o, err = diff.ParseFlags(c.OutputArgs); err != nil {
			return located(b.Show(c.Input), fmt.Errorf("output validator: %w", err))
		}
	}
	o.Lines, o.Bytes = b.show.Lines, b.show.Bytes
	b.compare[args] = o
	return nil
}

// located is an error of a file of the package. A hint at its end becomes one.
func located(file string, err error) error { return build.Located(file, err) }

// Close lets go of the validators, the interactor and the grader.
func (b *Bundle) Close() error {
	var errs []error
	for _, c := range b.checks {
		errs = append(errs, c.program.Close())
	}
	for _, p := range []*build.Program{b.interact, b.grader} {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	return errors.Join(errs...)
}

// Program builds one of the package's own programs, a file or a folder, with the headers
// that the package has for them. The caller closes it. That it does not compile is a
// [*build.CompileError].
func (b *Bundle) Program(ctx context.Context, rel string) (*build.Program, error) {
	source, err := b.ProgramSource(rel)
	if err != nil {
		return nil, err
	}
	program, err := b.builder.Build(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Show(rel), err)
	}
	return program, nil
}

// ProgramSource returns what [Bundle.Program] builds.
func (b *Bundle) ProgramSource(rel string) (*build.Source, error) {
	source, err := build.OpenProgram(b.Root(), rel, b.File(rel), b.builder.Languages())
	if err != nil {
		return nil, located(b.Show(rel), err)
	}
	if source, err = b.headers(source); err != nil {
		return nil, err
	}
	return b.filled(b.Show(rel), source)
}

// headers returns a source with the files beside it that the package's programs may
// include by name.
func (b *Bundle) headers(s *build.Source) (*build.Source, error) {
	texts := map[string][]byte{}
	for _, rel := range b.Validation.Headers {
		if _, own := s.Texts()[path.Base(rel)]; own {
			continue
		}
		text, err := b.Bytes(rel)
		if err != nil {
			return nil, err
		}
		texts[path.Base(rel)] = text
	}
	if len(texts) == 0 || s.Language == build.Binary {
		return s, nil
	}
	return s.With(texts, b.builder.Languages())
}

// Task returns what to judge of the package, without submissions. l fills in what the
// package leaves to the machine.
func (b *Bundle) Task(l limits.Limits) grade.Task {
	t := grade.Task{
		Problem: b.ID(), Title: b.Name,
		Cases: b.List(), Data: b, Limits: l, Compare: b.show, Points: b.points,
	}
	t.Compare.Mode = diff.Tokens
	if len(b.compare) == 1 { // in all cases alike
		for _, t.Compare = range b.compare {
		}
	}
	t.Validator = b.Validator()
	if b.grader != nil {
		t.Grader = &grade.Grader{Program: b.grader, Limits: b.ValidatorLimits()}
	}
	return t
}

// Validator returns the package's output validators, or its interactor with the one that
// decides about what that has written; nil where outputs are compared.
func (b *Bundle) Validator() *grade.Validator {
	v := grade.Validator{
		Always: true, Protocol: grade.ICPC, Limits: b.ValidatorLimits(),
		Interactive: b.Interactive && b.interact == nil, Passes: b.Passes,
	}
	if b.Validation.Protocol == pkgformat.Testlib {
		v.Protocol = grade.Testlib
	}
	var first *grade.Validator
	for _, c := range slices.Backward(b.checks) {
		one := v
		one.Program, one.Then = c.program, first
		if len(b.checks) > 1 {
			one.Name = path.Base(c.rel)
		}
		first = &one
	}
	if b.interact != nil {
		v.Program, v.Interactive, v.Then = b.interact, true, first
		first = &v
	}
	return first
}

// ValidatorLimits returns the limits of one run of a validator, for whatever it looks at.
func (b *Bundle) ValidatorLimits() limits.Limits {
	l := b.Validate
	l.Wall, l.Processes = 2*l.CPU, limits.Processes
	return l
}

// Make returns the bytes of a case with what it has of its own.
func (b *Bundle) Make(ctx context.Context, c *cases.Case) (fixture.Fixture, error) {
	f, err := b.Package.Make(ctx, c)
	if err != nil {
		return f, err
	}
	own := b.Case(c.Name)
	if f.Files, err = b.Beside(own); err != nil {
		return f, err
	}
	return b.dress(f, own), nil
}

// dress adds to a fixture how the output for its case is judged, and its arguments.
func (b *Bundle) dress(f fixture.Fixture, c *pkgformat.Case) fixture.Fixture {
	f.Args = c.Args
	if len(b.checks) > 0 {
		f.Flags = c.OutputArgs
		f.Asked = b.chosen(c)
		return f
	}
	o := b.Options(c)
	f.Compare = &o
	return f
}

// chosen returns the name of the only output validator that a case wants asked, "" if
// there is no choice.
func (b *Bundle) chosen(c *pkgformat.Case) string {
	if len(b.checks) > 1 && c.OutputValidator != "" {
		for _, one := range b.checks {
			if pkgformat.Named(one.rel, c.OutputValidator) {
				return path.Base(one.rel)
			}
		}
	}
	return ""
}

// Options returns how the output for a case is compared, of a package without a validator.
func (b *Bundle) Options(c *pkgformat.Case) diff.Options {
	return b.compare[strings.Join(c.OutputArgs, "\x00")]
}

// Given returns the limits of one run as the package gives them. CPU is 0 where the
// time limit follows from the submissions, see [Bundle.Slowest].
func (b *Bundle) Given() limits.Limits {
	l := b.Package.Limits
	l.CPU = cmp.Or(l.CPU, b.Time.Limit)
	return l
}

// Fixture is Make for any case of the package, such as one of its invalid outputs.
func (b *Bundle) Fixture(c *pkgformat.Case) (fixture.Fixture, error) {
	f := fixture.Fixture{Name: c.Name}
	var err error
	if f.Input, err = b.Content(c.Input); err != nil {
		return f, err
	}
	if f.Want, err = b.Content(c.Answer); err != nil {
		return f, err
	}
	return b.dress(f, c), nil
}
