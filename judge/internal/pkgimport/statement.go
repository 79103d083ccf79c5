package pkgimport

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// statementFolder has a statement as the package has it, below the reference.
const statementFolder = "statement"

// statement takes the text in English, or in the first language. A text that is to be
// read as it is becomes the problem's; any other is kept as a file that the problem's
// names.
func (p *plan) statement() error {
	p.doc.input, p.doc.output = "See the statement.", "See the statement."
	list := p.Problem.Texts
	best := p.Problem.Text()
	if best == nil {
		p.doc.statement = "The package " + p.Package.ID() + " has no statement that could be taken in."
		p.note("there is no statement")
		return nil
	}
	if len(list) > 1 {
		p.note("left out: all statements but %s", strings.TrimPrefix(best.Path, p.Package.Show(".")+"/"))
	}
	text, err := best.Read()
	if err != nil {
		return err
	}
	ext := path.Ext(best.Path)
	if (ext == ".md" || ext == ".txt") && utf8.Valid(text) && len(strings.TrimSpace(string(text))) > 0 {
		p.sections(strings.TrimPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\uFEFF"))
		return nil
	}
	file := filepath.Join("reference", p.ID, statementFolder, path.Base(best.Path))
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
