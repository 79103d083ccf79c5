package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// joinSubmissionErrors joins err, an error about the problem, with the errors of the submissions.
// It does not read standard input.
func (g *gradeOptions) joinSubmissionErrors(ctx context.Context, err error, c *config.Config, names []string) error {
	if c == nil {
		return err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "-" })
	_, also := g.read(ctx, names, c.Build.Languages, repo.Bare("", "").Files, func(string) bool { return false })
	return errors.Join(err, also)
}

// submissions reads the submissions. A file that is not a valid submission is no error: it is
// judged with the others and gets a verdict. Mistakes of the user, such as a file that does not
// exist, are returned together, so that they are reported before anything runs.
func (g *gradeOptions) submissions(ctx context.Context, s *subject, names []string) ([]grade.Submission, error) {
	return g.read(ctx, names, s.config.Build.Languages, s.Files, func(name string) bool { return promised(s.Problem, name) })
}

// read is like submissions, but does not need an opened problem. promised reports whether the
// problem declares the expected result of a submission.
func (g *gradeOptions) read(ctx context.Context, names []string, languages map[string]build.Language, files problem.Files, promised func(name string) bool) ([]grade.Submission, error) {
	var list []grade.Submission
	var wrong []error
	stdin := false
	for _, name := range names {
		var s grade.Submission
		var err error
		switch {
		case name != "-":
			s.Source, err = files.Contestant(cleaned(name), g.language, languages)
		case stdin:
			err = errors.New("- is given twice, but there is only one standard input (hint: give files)")
		default:
			stdin = true
			s.Source, err = build.HandedIn(stdinName, func() (*build.Source, error) {
				source, err := build.Read(stdinName, "", &interruptible{ctx: ctx, in: g.std.in}, g.language, languages)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				return files.Take(source, languages)
			})
		}
		if err == nil && g.expect && !promised(name) {
			s.Expected, err = expected(name)
		}
		if err != nil {
			wrong = append(wrong, err)
		}
		list = append(list, s)
	}
	return list, joinUserErrors(wrong)
}

// interruptible is a reader of a file that may block forever, such as a terminal. Its Read returns
// when ctx is cancelled.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read reads from the file. When the context is cancelled, Read returns and leaves a blocked read
// behind, which has a buffer of its own.
func (p *interruptible) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	size := len(b)
	go func() {
		text := make([]byte, size)
		n, err := p.in.Read(text)
		done <- read{text[:n], err}
	}()
	select {
	case r := <-done:
		return copy(b, r.text), r.err
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
}

// cleaned is like filepath.Clean, but keeps an empty name, which must not become the working
// folder.
func cleaned(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Clean(name)
}

// stdinName is the name of a submission on standard input.
const stdinName = "standard input"

// expected returns the verdict that is named by the nearest folder above a submission that names
// one, such as wrong_answer/.
func expected(name string) (verdict.Verdict, error) {
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
