package statement

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// Of returns the text of a statement of a problem: the one in a file, or the one in the problem's own
// file if file is nil. It has no facts and samples yet. The file must be [Readable].
func Of(p *problem.Problem, file *problem.Text) (Document, error) {
	d := Document{ID: p.ID, Title: p.Title, Language: cmp.Or(p.Language, "en"), Open: p.Beside}
	if file != nil {
		data, err := file.Read()
		if err != nil {
			return d, err
		}
		d.Title, d.Language, d.Open = cmp.Or(file.Title, p.Title), file.Language, file.Beside
		d.Parts = []Part{{Format: path.Ext(file.Path), Text: string(data), File: file.Path, Line: 1}}
		return d, nil
	}
	source, err := yamlstrict.Read(p.Path)
	if err != nil {
		return d, err
	}
	lines := strings.Split(string(source), "\n")
	for _, part := range []struct{ key, heading, text string }{{"statement", "", p.Statement}, {"input", "Input", p.Input}, {"output", "Output", p.Output}} {
		if part.text != "" {
			made := Part{Heading: part.heading, Format: ".md", Text: part.text, File: p.Path, Line: p.Place.LineOf(part.key)}
			made.Whole = !isLiteral(lines, made.Line)
			if !made.Whole {
				made.Line++
			}
			d.Parts = append(d.Parts, made)
		}
	}
	if len(p.Rulings) > 0 {
		var b strings.Builder
		for _, ruling := range p.Rulings {
			b.WriteString("- " + indent(strings.TrimSpace(ruling), 2) + "\n")
		}
		d.Parts = append(d.Parts, Part{Heading: "Remarks", Format: ".md", Text: b.String(), File: p.Path, Line: p.Place.LineOf("rulings"), Whole: true})
	}
	return d, nil
}

// isLiteral reports whether the value of the key in a line is a block whose lines follow.
func isLiteral(lines []string, line int) bool {
	if line < 1 || line > len(lines) {
		return false
	}
	_, value, _ := strings.Cut(lines[line-1], ":")
	return strings.HasPrefix(strings.TrimSpace(value), "|")
}

// Facts returns what a page says below the title: limits, files, and where the problem comes from.
func Facts(p *problem.Problem, l limits.Limits) (facts []Fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, Fact{name, value})
		}
	}
	if l.CPU > 0 {
		add("Time limit", duration(l.CPU))
	}
	if l.Memory > 0 {
		add("Memory limit", strings.Replace(l.Memory.Human(), ".0 ", " ", 1))
	}
	if l.CPUs > 1 {
		add("CPUs", strconv.Itoa(l.CPUs))
	}
	add("Input file", p.InFile)
	add("Output file", p.OutFile)
	add("Author", strings.Join(p.Authors, ", "))
	add("Source", p.Source)
	add("License", p.License)
	return facts
}

// duration returns a time limit in seconds, or in milliseconds below one.
func duration(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// Samples returns the samples of a problem as its statement shows them. Errors are
// [*yamlstrict.Error]s.
func Samples(p *problem.Problem, set *cases.Set) (list []Sample, err error) {
	if p.Shown != nil {
		shown, err := p.Shown()
		for _, s := range shown {
			list = append(list, Sample{Input: s.Input, Output: s.Output, Turns: Turns(s.Interaction)})
		}
		return list, err
	}
	for _, name := range p.Samples {
		i := slices.IndexFunc(set.Cases, func(c cases.Case) bool { return c.Name == name })
		if i < 0 {
			return nil, p.Errorf("samples", "it must be the group/name of a case", "sample %s is not a case of %s", name, p.ID)
		}
		c := &set.Cases[i]
		s := Sample{Note: c.Note}
		switch {
		case c.Given != nil:
			if s.Input, err = textOf(c.Given.Input); err == nil {
				s.Output, err = textOf(c.Given.Output)
			}
			if err != nil {
				return nil, err
			}
		case c.Input == nil || c.Output == nil:
			return nil, c.Errorf("", "give it a literal input and a pinned output", "a sample of the statement must be written out in the case file")
		default:
			s.Input, s.Output = *c.Input, *c.Output
		}
		list = append(list, s)
	}
	return list, nil
}

// textOf reads as much of a content as a page shows, and a little more.
func textOf(open func() (content.Content, error)) (string, error) {
	c, err := open()
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(c.Reader(), 2*maxSample))
	if err != nil {
		return "", fmt.Errorf("sample: %w", err)
	}
	return string(data), nil
}
