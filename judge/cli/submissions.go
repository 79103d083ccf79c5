package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// A Reading is how a command reads submissions.
type Reading struct {
	App      *App
	Language string // of sources, whatever their names; may be ""
	Expect   bool   // whether folders and the problem say what is expected of submissions
}

// JoinErrors joins err, an error about the problem, with the errors of the submissions.
// It does not read standard input.
func (r Reading) JoinErrors(ctx context.Context, err error, c *config.Config, names []string) error {
	if c == nil {
		return err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "-" })
	_, also := r.Read(ctx, names, c.Build.Languages, repo.Bare("", "").Files, func(string) bool { return false })
	return errors.Join(err, also)
}

// Submissions reads the submissions. A file that is not a valid submission is no error: it is
// judged with the others and gets a verdict. Mistakes of the user, such as a file that does not
// exist, are returned together, so that they are reported before anything runs.
func (r Reading) Submissions(ctx context.Context, s *Subject, names []string) ([]grade.Submission, error) {
	return r.Read(ctx, names, s.Config.Build.Languages, s.Files, func(name string) bool { return Promised(s.Problem, name) })
}

// Read is like Submissions, but does not need an opened problem. promised reports whether the
// problem declares the expected result of a submission.
func (r Reading) Read(ctx context.Context, names []string, languages map[string]build.Language, files problem.Files, promised func(name string) bool) ([]grade.Submission, error) {
	var list []grade.Submission
	var wrong []error
	stdin := false
	for _, name := range names {
		var s grade.Submission
		var err error
		switch {
		case name != "-":
			s.Source, err = files.Contestant(Cleaned(name), r.Language, languages)
		case stdin:
			err = errors.New("- is given twice, but there is only one standard input (hint: give files)")
		default:
			stdin = true
			s.Source, err = build.HandedIn(StdinName, func() (*build.Source, error) {
				source, err := build.Read(StdinName, "", &Interruptible{Ctx: ctx, In: r.App.Std.In}, r.Language, languages)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				return files.Take(source, languages)
			})
		}
		if err == nil && r.Expect && !promised(name) {
			s.Expected, err = Expected(name)
		}
		if err != nil {
			wrong = append(wrong, err)
		}
		list = append(list, s)
	}
	return list, JoinUserErrors(wrong)
}

// Expected returns the verdict that is named by the nearest folder above a submission that names
// one, such as wrong_answer/.
func Expected(name string) (verdict.Verdict, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return verdict.None, err
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if v, ok := verdict.OfFolder(filepath.Base(dir)); ok {
			return v, nil
		}
	}
	return verdict.None, fmt.Errorf("%s: --expect needs a folder above that names a verdict (hint: such folders are %s)", name, verdict.Folders())
}

// Promised reports whether the problem itself declares the result of a submission, beyond the
// verdict that the name of its folder gives.
func Promised(p *problem.Problem, name string) bool {
	own := problem.Find(p.Submissions, p.Root, name)
	if p.Format == "" { // the function Expected reads the verdict from the folder
		return own != nil && own.Expect.Partial
	}
	return own != nil && (own.Expect.Final != 0 || own.Expect.Partial || own.Expect.Score != nil || len(own.Expect.Rules) > 0)
}

// Text returns the sources of a program one after the other, by path; "" if there are none.
func Text(source *build.Source, languages map[string]build.Language) string {
	var list [][]byte
	code := source.Code(languages)
	for _, name := range slices.Sorted(maps.Keys(code)) {
		list = append(list, code[name])
	}
	return string(bytes.Join(list, []byte("\n")))
}
