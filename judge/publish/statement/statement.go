// Package statement reads the statements of problems, in all formats that packages have, and writes
// them as pages that people can publish.
//
// [Read] makes a [Page] of a [Document]. Every reader (markdown.go, latex.go, html.go) makes the same
// tree of nodes (node.go), and the writers decide what of it may be in a page. What cannot be shown
// as it was meant is a [Fault], and its source stays readable in the page.
//
// Nothing here runs programs or uses the network, and a page neither: it is one file, without
// scripts, whose images are part of it.
package statement

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/publish/texmath"
)

// Document is a statement to read.
type Document struct {
	ID, Title string
	Language  string // of the text, such as en
	Facts     []Fact // such as limits and authors, shown below the title
	Parts     []Part
	Samples   []Sample
	// Open reads an image, see Beside of [problem.Text]; nil means that there are no images.
	Open func(name string, max int64) ([]byte, error)
}

// Fact is a line below the title.
type Fact struct{ Name, Value string }

// Part is a piece of a statement.
type Part struct {
	Heading string // "" for none
	Format  string // extension of its file: .md, .tex, .html or .txt
	Text    string
	File    string // for faults
	Line    int    // of the first line of Text in the file; 0 if unknown
	Whole   bool   // the lines of Text are not those of the file: every fault is at Line
}

// Sample is a test case that the statement shows.
type Sample struct {
	Input, Output string
	Note          string // in plain text; may be ""
	Turns         []Turn // of an interaction; then there are neither input nor output
}

// Turn is what one side writes in an interaction.
type Turn struct {
	From Side
	Text string
}

type Side int

const (
	Judge Side = iota
	Submission
	Pass // a new run of the submission begins
)

// Turns reads an interaction as Kattis writes it: lines that begin with < are from the judge, with >
// from the submission, and --- stands between runs.
func Turns(text string) (turns []Turn) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		side := Judge
		switch {
		case strings.HasPrefix(line, "---"):
			turns = append(turns, Turn{From: Pass})
			continue
		case strings.HasPrefix(line, ">"):
			side = Submission
		case !strings.HasPrefix(line, "<"):
			continue
		}
		line = line[1:]
		if n := len(turns); n > 0 && turns[n-1].From == side {
			turns[n-1].Text += "\n" + line
			continue
		}
		turns = append(turns, Turn{side, line})
	}
	return turns
}

// Fault is something in a statement that a page cannot show as it was meant.
type Fault struct {
	*yamlstrict.Error
	// Unknown means that the statement need not be wrong: it uses something that other tools may
	// know, such as a command of a style file.
	Unknown bool
}

// Page is a statement that has been read.
type Page struct {
	Document
	Faults []Fault // in the order of the text; at most maxFaults
	// Images are the files that the page shows, or would show if they were images, by their paths
	// from the statement.
	Images []string
	bodies [][]*node
	// verbatim is whether the source of a part can be written as Markdown.
	verbatim []bool
}

const (
	maxFaults = 100
	maxSource = 1 << 20 // bytes of a part
)

var formats = []string{".md", ".tex", ".html", ".txt"}

// Readable reports whether a statement in a file of that name can be read.
func Readable(file string) bool { return slices.Contains(formats, path.Ext(file)) }

// Read reads a document. It never fails: what it cannot read is among the faults.
func Read(d Document) *Page {
	p := &Page{Document: d}
	images := &imageReader{open: d.Open}
	for _, part := range d.Parts {
		r, faults := &reader{page: p, part: part}, len(p.Faults)
		text := strings.TrimPrefix(strings.ReplaceAll(part.Text, "\r\n", "\n"), "\uFEFF")
		if len(text) > maxSource {
			r.fault(0, false, "", "the statement is larger than %d MiB", maxSource>>20)
			text = ""
		}
		text = strings.ToValidUTF8(text, "\uFFFD")
		switch part.Format {
		case ".tex":
			r.latex(text)
		case ".html":
			h := &htmlReader{builder: &r.builder, fault: r.fault}
			h.read(text, 1)
		case ".txt":
			r.enter("pre", map[string]string{"class": "plain"})
			r.text(text)
			r.leave("pre")
		default:
			r.markdown(text)
		}
		if r.full {
			r.fault(0, false, "", "a part of the statement is left out, because it is too large or nested too deeply")
		}
		images.resolve(r, r.root.kids)
		r.placeSamples(r.root.kids)
		if part.Format != ".tex" {
			r.placeholders(r.root.kids, text)
		}
		slices.SortStableFunc(p.Faults[faults:], func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
		p.bodies = append(p.bodies, p.untitled(r.root.kids))
		p.verbatim = append(p.verbatim, part.Format == ".md" && !r.altered && !r.full)
	}
	p.Images = images.opened
	return p
}

// untitled returns nodes without a heading at the beginning that repeats the title of the page.
func (p *Page) untitled(list []*node) []*node {
	for i, n := range list {
		if n.tag == "" && strings.TrimSpace(n.text) == "" {
			continue
		}
		if len(n.tag) == 2 && n.tag[0] == 'h' && strings.EqualFold(plain(n.kids), p.title()) {
			return list[i+1:]
		}
		break
	}
	return list
}

// A reader reads one part.
type reader struct {
	builder
	page    *Page
	part    Part
	macros  map[string]texmath.Macro
	altered bool // the page does not have all that the source has, such as HTML that is not allowed
}

// fault adds a fault in a line of the part, from 1; 0 means the whole part. Faults that differ only
// in their lines are one.
func (r *reader) fault(line int, unknown bool, hint, format string, args ...any) {
	switch {
	case r.part.Whole:
		line = r.part.Line
	case line > 0 && r.part.Line > 0:
		line += r.part.Line - 1
	default:
		line = 0
	}
	msg := fmt.Sprintf(format, args...)
	for _, f := range r.page.Faults {
		if f.File == r.part.File && f.Msg == msg {
			return
		}
	}
	if len(r.page.Faults) < maxFaults {
		r.page.Faults = append(r.page.Faults, Fault{&yamlstrict.Error{File: r.part.File, Line: line, Msg: msg, Hint: hint}, unknown})
	}
}

// unknown adds a fault about a command that is not understood.
func (r *reader) unknown(line int, what string) {
	r.fault(line, true, "docs/statements.md lists what is understood", "the LaTeX %s is not understood", what)
}

// formula adds a formula. open means that the dollars at its end are missing.
func (r *reader) formula(source string, display bool, line int, open bool) {
	n := &node{tag: mathTag, text: strings.TrimSpace(source), line: line}
	if display {
		n.attr = map[string]string{"display": "block"}
	}
	if open {
		r.fault(line, false, "", "a $$ without its $$: %s", excerpt(source))
	} else if expanded, err := texmath.Expand(n.text, r.macros); err != nil {
		r.fault(line, false, "", "formula %s: %v", excerpt(n.source()), err)
	} else if made, err := texmath.Convert(expanded, display); err != nil {
		e := err.(*texmath.Error)
		r.fault(line, e.Unknown != "", "", "formula %s: %s", excerpt(n.source()), e.Msg)
	} else {
		n.text, n.made = expanded, made
	}
	r.add(n)
}

// placeSamples turns paragraphs like {{nextsample}} into places for samples.
func (r *reader) placeSamples(list []*node) {
	walk(list, func(n *node) {
		if n.tag != "p" || len(n.kids) == 0 || len(n.kids) > 4 {
			return
		}
		switch text := plain(n.kids); text {
		case "{{nextsample}}", "{{remainingsamples}}":
			n.tag, n.text, n.kids = sampleTag, strings.Trim(text, "{}"), nil
		}
	})
}

// placeholder matches what other tools replace: constants of Kattis, parameters of Library Checker.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{ *[A-Za-z_][A-Za-z0-9_.]* *\}\}|@\{[A-Za-z_][A-Za-z0-9_.]*\}`)
})

// placeholders finds placeholders in texts other than code.
func (r *reader) placeholders(list []*node, source string) {
	text := "" // of neighbouring nodes, because goldmark splits texts
	for i, n := range list {
		if n.tag == "" {
			text += n.text
			if i+1 < len(list) && list[i+1].tag == "" {
				continue
			}
			for _, found := range placeholder().FindAllString(text, -1) {
				line := 1 + strings.Count(source[:max(0, strings.Index(source, found))], "\n")
				r.fault(line, true, "", "%s stays as it is: its value is not known", found)
			}
			text = ""
		} else if n.tag != "code" && n.tag != "pre" {
			r.placeholders(n.kids, source)
		}
	}
}

// excerpt returns the beginning of a text on one line.
func excerpt(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}
