package pkgimport

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/pkgformat"
)

// endings are those of statements, the best to read first.
var endings = []string{".md", ".txt", ".tex", ".html", ".pdf"}

// statementFolder has a statement as the package has it, below the reference.
const statementFolder = "statement"

// statement takes the text in English, or in the first language. A text that is to be
// read as it is becomes the problem's; any other is kept as a file that the problem's
// names.
func (p *plan) statement() error {
	p.doc.input, p.doc.output = "See the statement.", "See the statement."
	list := slices.Clone(p.Package.Statements)
	rank := func(s pkgformat.Statement) int {
		n := slices.Index(endings, path.Ext(s.Path))
		if s.Language != "en" {
			n += len(endings)
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b pkgformat.Statement) int { return rank(a) - rank(b) })
	if len(list) == 0 {
		p.doc.statement = "The package " + p.Package.ID() + " has no statement that could be taken in."
		p.note("there is no statement")
		return nil
	}
	if len(list) > 1 {
		p.note("left out: all statements but %s", list[0].Path)
	}
	text, err := p.Package.Bytes(list[0].Path)
	if err != nil {
		return err
	}
	ext := path.Ext(list[0].Path)
	if (ext == ".md" || ext == ".txt") && utf8.Valid(text) && len(strings.TrimSpace(string(text))) > 0 {
		p.sections(strings.TrimPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\uFEFF"))
		return nil
	}
	file := filepath.Join("reference", p.ID, statementFolder, path.Base(list[0].Path))
	p.doc.statement = "The statement of the package is in " + filepath.ToSlash(file) + "."
	p.note("the statement is no text to be read as it is: it is kept as %s", file)
	return p.put(file, text)
}

// heading begins what a statement says of input and output.
var heading = regexp.MustCompile(`(?im)^#{1,6}[ \t]*(input|output)[ \t]*#*[ \t]*$`)

// sections splits a statement where it has headings for input and output, in this order.
func (p *plan) sections(text string) {
	p.doc.statement = text
	at := heading.FindAllStringSubmatchIndex(text, -1)
	if len(at) != 2 || !strings.EqualFold(text[at[0][2]:at[0][3]], "input") || !strings.EqualFold(text[at[1][2]:at[1][3]], "output") {
		return
	}
	parts := []string{text[:at[0][0]], text[at[0][1]:at[1][0]], text[at[1][1]:]}
	for i, part := range parts {
		if parts[i] = strings.TrimSpace(part); parts[i] == "" {
			return
		}
	}
	p.doc.statement, p.doc.input, p.doc.output = parts[0], parts[1], parts[2]
}
