package statement

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed page.html
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("statement").Parse(pageText))
})

// maxSample bounds the bytes of a sample's input or output in a page.
const maxSample = 64 << 10

// HTML returns the page as HTML: one file that needs no others.
func (p *Page) HTML() ([]byte, error) {
	var b bytes.Buffer
	var facts []Fact
	for _, f := range p.Facts {
		facts = append(facts, Fact{p.say(f.Name), f.Value})
	}
	err := pageTemplate().Execute(&b, map[string]any{
		"ID": p.ID, "Title": p.title(), "Language": p.Language, "Facts": facts, "Body": template.HTML(p.Body()),
	})
	return b.Bytes(), err
}

func (p *Page) title() string {
	if p.Title == "" {
		return p.ID
	}
	return p.Title
}

// Body returns the text and the samples as HTML, to be put into a page.
func (p *Page) Body() string {
	var b strings.Builder
	shown := 0
	samples := func(b *strings.Builder, which string) {
		for shown < len(p.Samples) {
			shown++
			p.writeSample(b, shown, p.Samples[shown-1])
			if which == "nextsample" {
				return
			}
		}
	}
	for i, part := range p.Parts {
		if part.Heading != "" {
			b.WriteString("<h2>" + html.EscapeString(p.say(part.Heading)) + "</h2>\n")
		}
		writeHTML(&b, p.bodies[i], samples)
	}
	samples(&b, "")
	return b.String()
}

// writeSample writes a sample, with input and output side by side if the page is wide enough.
func (p *Page) writeSample(b *strings.Builder, number int, s Sample) {
	fmt.Fprintf(b, "<section class=\"sample\">\n")
	if len(s.Turns) > 0 {
		fmt.Fprintf(b, "<h3>%s %d</h3>\n<div class=\"talk\"><div class=\"sides\"><span>%s</span><span>%s</span></div>\n",
			p.say("Sample interaction"), number, p.say("Read"), p.say("Write"))
		for _, t := range s.Turns {
			switch t.From {
			case Pass:
				b.WriteString("<hr>\n")
			case Judge:
				b.WriteString("<pre class=\"read\">" + sampleText(t.Text) + "</pre>\n")
			default:
				b.WriteString("<pre class=\"write\">" + sampleText(t.Text) + "</pre>\n")
			}
		}
		b.WriteString("</div>\n")
	} else {
		fmt.Fprintf(b, "<div class=\"pair\"><div><h3>%s %d</h3>\n<pre>%s</pre></div>\n<div><h3>%s %d</h3>\n<pre>%s</pre></div></div>\n",
			p.say("Sample input"), number, sampleText(s.Input), p.say("Sample output"), number, sampleText(s.Output))
	}
	if s.Note != "" {
		b.WriteString("<p class=\"note\">" + html.EscapeString(s.Note) + "</p>\n")
	}
	b.WriteString("</section>\n")
}

// sampleText returns the text of a sample as HTML, cut if it is long.
func sampleText(text string) string {
	rest := ""
	if len(text) > maxSample {
		rest = fmt.Sprintf("\n… and %d more bytes", len(text)-maxSample)
		text = text[:maxSample]
		for !utf8.ValidString(text) && len(text) > maxSample-utf8.UTFMax {
			text = text[:len(text)-1]
		}
	}
	// A newline directly after <pre> would be dropped.
	return "\n" + html.EscapeString(strings.ToValidUTF8(text, "\uFFFD")+rest)
}

// Rich reports whether the page has formulas or images, which plain text cannot show.
func (p *Page) Rich() bool {
	rich := false
	for _, body := range p.bodies {
		walk(body, func(n *node) { rich = rich || n.tag == mathTag || n.tag == "img" })
	}
	return rich
}
