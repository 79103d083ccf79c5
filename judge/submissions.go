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

// andSubmissions joins an error about the problem with the errors of the submissions that were
// named with it. It does not read standard input.
func (g *gradeOptions) andSubmissions(ctx context.Context, err error, c *config.Config, names []string) error {
	if c == nil {
		return err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "-" })
	_, also := g.read(ctx, names, c.Build.Languages, repo.Bare("", "").Files, func(string) bool { return false })
	return errors.Join(err, also)
}

// submissions reads the submissions. A file that a contestant handed in but that is no valid
// submission is judged with the others. Mistakes of the user, such as a file that does not exist,
// are reported all at once before anything runs.
func (g *gradeOptions) submissions(ctx context.Context, s *subject, names []string) ([]grade.Submission, error) {
	return g.read(ctx, names, s.config.Build.Languages, s.Files, func(name string) bool { return promised(s.Problem, name) })
}

// read is like submissions, with the reader of the problem's files. promised reports whether the
// problem itself says what to expect of a submission.
func (g *gradeOptions) read(ctx context.Context, names []string, languages map[string]build.Language, of problem.Files, promised func(name string) bool) ([]grade.Submission, error) {
	var list []grade.Submission
	var wrong []error
	stdin := false
	for _, name := range names {
		var s grade.Submission
		var err error
		switch {
		case name != "-":
			s.Source, err = of.Contestant(cleaned(name), g.language, languages)
		case stdin:
			err = errors.New("- given twice, and there is only one standard input (hint: give files)")
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
				return of.Take(source, languages)
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
	return list, together(wrong)
}

// interruptible reads from a file that may block for ever, such as a terminal, until its context
// ends.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read returns when the context ends; a blocked read stays behind, with a buffer of its own.
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

// expected returns the verdict that a folder above a submission names; the nearest such folder
// counts.
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
	return verdict.None, fmt.Errorf("%s: --expect, but no folder above names a verdict (hint: they are %s)", name, verdict.Folders())
}
