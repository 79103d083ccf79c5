package pkgformat

import (
	"path"
	"slices"
	"strings"
)

// polygonStatements finds the statements of a Polygon package, such as
// statements/english/problem.tex.
func (p *polygonReader) polygonStatements() error {
	const dir = "statements"
	if _, there, err := p.files.kind(dir); err != nil || !there {
		return err
	}
	languages, err := p.listSkipping(dir)
	if err != nil {
		return err
	}
	for _, l := range languages {
		if !l.dir || strings.HasPrefix(l.name, ".") {
			continue
		}
		list, err := p.listSkipping(path.Join(dir, l.name))
		if err != nil {
			return err
		}
		language := l.name
		if language == "english" {
			language = "en"
		}
		for _, e := range list {
			if !e.dir && slices.Contains([]string{"problem.tex", "problem.md", "problem.txt"}, e.name) {
				p.Statements = append(p.Statements, Statement{language, path.Join(dir, l.name, e.name)})
			}
		}
	}
	return nil
}
