package polygon

import (
	"path"
	"slices"
	"strings"

	"tribunal/judge/packages/draft"
)

// polygonStatements finds the statements of a Polygon package, such as
// statements/english/problem.tex.
func (p *reader) polygonStatements() error {
	const dir = "statements"
	if _, there, err := p.Tree.Kind(dir); err != nil || !there {
		return err
	}
	languages, err := p.ListSkipping(dir)
	if err != nil {
		return err
	}
	for _, l := range languages {
		if !l.Dir || strings.HasPrefix(l.Name, ".") {
			continue
		}
		list, err := p.ListSkipping(path.Join(dir, l.Name))
		if err != nil {
			return err
		}
		language := l.Name
		if language == "english" {
			language = "en"
		}
		for _, e := range list {
			if !e.Dir && slices.Contains([]string{"problem.tex", "problem.md", "problem.txt"}, e.Name) {
				p.Statements = append(p.Statements, draft.Statement{Language: language, Path: path.Join(dir, l.Name, e.Name)})
			}
		}
	}
	return nil
}
