package pkgimport

import (
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"tribunal/judge/internal/repo"
	"tribunal/judge/packages/draft"
)

// statementFile is a statement that stays in a file of its own.
type statementFile struct{ language, title, file string }

// statement writes the statements. The English statement, or else the one in the first language,
// becomes the text in the problem's file if it is Markdown or plain text. All others stay files,
// with their pictures.
func (p *plan) statement() error {
	p.doc.input, p.doc.output = "See the statement.", "See the statement."
	best := p.Problem.Text("")
	if best == nil {
		p.doc.statement = "The package " + p.Package.ID + " has no statement."
		p.note("there is no statement")
		return nil
	}
	files, err := p.Package.StatementFiles()
	if err != nil {
		return err
	}
	text, err := best.Read()
	if err != nil {
		return err
	}
	if best.Language != "en" {
		p.doc.language = best.Language
	}
	folder := "." // of the statement that becomes text in the problem's file
	ext := path.Ext(best.Path)
	if (ext == ".md" || ext == ".txt") && utf8.Valid(text) && len(strings.TrimSpace(string(text))) > 0 {
		folder = p.folderOf(best.Path)
		plain := strings.TrimPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\uFEFF")
		if ext == ".txt" {
			plain = unwrapped(plain)
		}
		p.sections(plain)
		for rel := range files {
			if p.Package.Show(rel) == best.Path {
				delete(files, rel)
			}
		}
	} else {
		p.doc.language = "" // the language of the text in the problem's file
		p.doc.statement = "The statement of the package is in a file."
		for rel, name := range files {
			if p.Package.Show(rel) == best.Path {
				p.doc.statement = "The statement of the package is in " + path.Join(filepath.ToSlash(repo.Statements(p.ID)), name) + "."
			}
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(files)) {
		name := files[rel]
		if beside, ok := strings.CutPrefix(rel, folder+"/"); ok && !p.isStatement(rel) {
			name = beside // the text in the problem's file names its pictures so
		}
		if !validFileName().MatchString(name) {
			p.note("left out: %s: its name is not valid for a statement file", rel)
			continue
		}
		if err := p.copy(rel, filepath.Join(repo.Statements(p.ID), filepath.FromSlash(name))); err != nil {
			return err
		}
		for _, t := range p.Problem.Texts {
			if t.Path == p.Package.Show(rel) {
				title := strings.Join(strings.Fields(t.Title), " ")
				if title == p.doc.title {
					title = ""
				}
				p.doc.texts = append(p.doc.texts, statementFile{t.Language, title, name})
			}
		}
	}
	return nil
}

// folderOf returns the folder, in the package, of the statement with this path in messages.
func (p *plan) folderOf(shown string) string {
	for _, s := range p.Package.Statements {
		if p.Package.Show(s.Path) == shown {
			return path.Dir(s.Path)
		}
	}
	return "."
}

// isStatement reports whether a file of the package is a statement.
func (p *plan) isStatement(rel string) bool {
	return slices.ContainsFunc(p.Package.Statements, func(s draft.Statement) bool { return s.Path == rel })
}

var validFileName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$`)
})

// wrapping matches what judge export writes around the text of a plain statement: title and limits, and the samples.
var wrapping = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\A[^\n]+\n=+\n\nTime limit: [^\n]+\nMemory limit: [^\n]+\n\n(.*?)(\n## Sample input 1\n\n.*)?\z`)
})

// unwrapped returns a plain statement without what the problem's file says elsewhere, if it has been exported.
func unwrapped(text string) string {
	if m := wrapping().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// heading matches the headings of the sections about input and output.
var heading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)^#{1,6}[ \t]*(input|output)[ \t]*#*[ \t]*$`) })

// sections splits a statement at its headings for input and output, if it has both in this order.
func (p *plan) sections(text string) {
	p.doc.statement = text
	at := heading().FindAllStringSubmatchIndex(text, -1)
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
