package report

import (
	"html"
	"html/template"
	"strconv"
	"strings"
)

// htmlRows collects rows of tables. The page about a class has tens of thousands of cells, on which
// a template would spend most of the time.
type htmlRows struct{ b strings.Builder }

// begin begins a row with its heading.
func (r *htmlRows) begin(heading string) {
	r.b.WriteString("<tr><th scope=\"row\">")
	r.b.WriteString(html.EscapeString(heading))
}

// verdict adds a cell with a verdict.
func (r *htmlRows) verdict(c gradedCell) {
	r.open("v " + c.Kind)
	if c.Link != "" {
		r.b.WriteString("<a href=\"#" + html.EscapeString(c.Link) + "\">" + html.EscapeString(c.Verdict) + "</a>")
	} else {
		r.b.WriteString(html.EscapeString(c.Verdict))
	}
}

// usage adds a cell with a measurement and its bar. The cell is empty if nothing was measured.
func (r *htmlRows) usage(u gradedUsage) {
	switch {
	case u.Text == "":
		r.b.WriteString("<td>")
		return
	case u.Over:
		r.b.WriteString("<td class=\"use over\" style=\"--p:")
	default:
		r.b.WriteString("<td class=\"use\" style=\"--p:")
	}
	r.b.WriteString(strconv.Itoa(u.Percent))
	r.b.WriteString("\">")
	r.b.WriteString(html.EscapeString(u.Text))
}

// text adds a cell with a text, which may be empty, and ends the line.
func (r *htmlRows) text(class, text string) {
	if text == "" {
		r.b.WriteString("<td>\n")
		return
	}
	r.open(class)
	r.b.WriteString(html.EscapeString(text))
	r.b.WriteByte('\n')
}

func (r *htmlRows) open(class string) {
	r.b.WriteString("<td class=\"")
	r.b.WriteString(html.EscapeString(class))
	r.b.WriteString("\">")
}

func (r *htmlRows) html() template.HTML { return template.HTML(r.b.String()) }

// HTML returns the cell with a measurement.
func (u gradedUsage) HTML() template.HTML {
	var r htmlRows
	r.usage(u)
	return r.html()
}
