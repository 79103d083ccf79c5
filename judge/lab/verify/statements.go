package verify

import (
	"context"
	"path/filepath"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/publish/statement"
)

// checkStatements finds what a page of a statement cannot show as it was meant: missing images, files
// that are no images, formulas and LaTeX that are broken or not understood.
func checkStatements(_ context.Context, s *subject) error {
	return s.pages(func(_ *problem.Text, page *statement.Page) {
		for _, f := range page.Faults {
			if f.Unknown {
				s.findOrNote(f.Error) // style files of others may define it
			} else {
				s.find(f.Error)
			}
		}
	})
}

// pages reads the statements that can be read. text is nil for the one in the problem's file.
func (s *subject) pages(visit func(text *problem.Text, page *statement.Page)) error {
	var texts []*problem.Text
	if s.p.Statement != "" {
		texts = append(texts, nil)
	}
	for i := range s.p.Texts {
		if text := &s.p.Texts[i]; statement.Readable(text.Path) {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		d, err := statement.Of(s.p, text)
		if err != nil {
			return err
		}
		visit(text, statement.Read(d))
	}
	return nil
}

// statementFiles returns the files in the folder of statements that the statements use, as paths
// below the root.
func (s *subject) statementFiles() (map[string]bool, error) {
	used := map[string]bool{}
	root := s.p.Show(repo.Statements(s.p.ID))
	add := func(folder, name string) {
		if below, err := filepath.Rel(root, filepath.Join(folder, filepath.FromSlash(name))); err == nil {
			used[filepath.Join(repo.Statements(s.p.ID), below)] = true
		}
	}
	for _, text := range s.p.Texts {
		add(filepath.Dir(text.Path), filepath.Base(text.Path))
	}
	err := s.pages(func(text *problem.Text, page *statement.Page) {
		folder := root
		if text != nil {
			folder = filepath.Dir(text.Path)
		}
		for _, name := range page.Images {
			add(folder, name)
		}
	})
	return used, err
}
