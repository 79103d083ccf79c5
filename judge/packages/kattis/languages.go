package kattis

import (
	"slices"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// readLanguages reads the languages that submissions may be written in. It keeps names that are not
// in the formats, with a note, because they may be languages of this judge.
func (p *reader) readLanguages(n yamlloose.Node) (err error) {
	p.Languages, err = typeWords(n)
	switch {
	case slices.Contains(p.Languages, "all"):
		p.Languages = nil
	case len(p.Languages) > draft.MaxLanguages:
		return n.Errorf("", "more than %d languages", draft.MaxLanguages)
	}
	for _, code := range p.Languages {
		if near := yamlstrict.Nearest(code, draft.LanguageCodes); near != "" && near != code {
			n.Doc.Notef(n.Line(), "unknown language %s (did you mean %s?)", quote.Name(code), near)
		} else if near == "" {
			n.Doc.Notef(n.Line(), "unknown language %s", quote.Name(code))
		}
	}
	return err
}
