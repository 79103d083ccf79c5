package pkgformat

import (
	"slices"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

// readLanguages reads the languages that submissions may be written in. It keeps names that are not
// in the formats, with a note, because they may be languages of this judge.
func (p *kattisReader) readLanguages(n node) (err error) {
	p.Languages, err = typeWords(n)
	switch {
	case slices.Contains(p.Languages, "all"):
		p.Languages = nil
	case len(p.Languages) > maxLanguages:
		return n.errorf("", "more than %d languages", maxLanguages)
	}
	for _, code := range p.Languages {
		if near := yamlstrict.Nearest(code, languageCodes); near != "" && near != code {
			n.d.notef(n.line(), "unknown language %s (did you mean %s?)", quote.Name(code), near)
		} else if near == "" {
			n.d.notef(n.line(), "unknown language %s", quote.Name(code))
		}
	}
	return err
}
