package pkgformat_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/pkgformat"
)

// describe returns the problem that a package makes, a line for each part: all fields that are not zero, what the
// problem reads, and the source of a contestant's submission if there is one.
func describe(pack *pkgformat.Package, contestant string) (string, error) {
	p, err := pack.Problem()
	if err != nil {
		return "", err
	}
	d := &description{pack: pack}
	d.problem(p)
	if contestant != "" {
		source, err := p.Contestant(contestant, "", languages())
		d.source("contestant", source, err)
	}
	return d.String(), d.err
}

type description struct {
	strings.Builder
	pack *pkgformat.Package
	err  error
}

func (d *description) line(format string, args ...any) {
	d.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (d *description) problem(p *problem.Problem) {
	v := reflect.ValueOf(*p)
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch name {
		case "Path", "Root", "Files", "Place": // the same for every package, or functions
			continue
		case "Notes":
			for _, note := range p.Notes {
				d.line("Note %s", note)
			}
			continue
		case "Texts", "Submissions", "Include", "InputValidators", "AnswerValidators", "Exceptions":
			for j := range f.Len() {
				d.line("%s %s", strings.TrimSuffix(name, "s"), brief(f.Index(j)))
			}
			continue
		case "Groups":
			if p.Groups != nil {
				d.group(p.Groups, "")
			}
			continue
		case "Scoring":
			if p.Groups != nil && !p.Scoring {
				d.line("No points")
			}
			continue
		case "Validator":
			for v := p.Validator; v != nil; v = v.Then {
				one := *v
				one.Then = nil
				d.line("Validator %s", brief(reflect.ValueOf(one)))
			}
			continue
		}
		if text := brief(f); text != "" {
			d.line("%s %s", name, text)
		}
	}
	d.cases(p)
	d.programs(p)
	for _, t := range p.Texts {
		text, err := t.Read()
		d.line("Text %s reads %s", path.Base(t.Path), short(text, err))
	}
	if shown, err := p.Shown(); err != nil || shown != nil {
		d.line("Shown %s %s", brief(reflect.ValueOf(shown)), message(err))
	}
	for _, i := range p.Include {
		texts, err := i.Read()
		for _, name := range sorted(texts) {
			d.line("Include for %s: %s %s", i.Language, name, short(texts[name], nil))
		}
		if err != nil {
			d.line("Include for %s: %s", i.Language, message(err))
		}
	}
}

// cases describes the cases to judge, and those that test validators.
func (d *description) cases(p *problem.Problem) {
	set, err := p.Read()
	if err != nil {
		d.err = err
		return
	}
	for _, c := range set.Cases {
		in, inErr := c.Given.Input()
		out, outErr := c.Given.Output()
		c.File, c.OutputFile = "", ""
		if strings.HasPrefix(c.Name, c.Group+"/") {
			c.Group = ""
		}
		if c.Compare != nil && *c.Compare == p.Compare {
			c.Compare = nil
		}
		files := ""
		if c.Given.Files != nil {
			all, err := c.Given.Files()
			for _, name := range sorted(all) {
				files += fmt.Sprintf(" beside %s %s", name, short(all[name], nil))
			}
			files += message(err)
		}
		d.line("Case %s: %s gives %s%s", brief(reflect.ValueOf(c)), held(in, inErr), held(out, outErr), files)
	}
	tests, err := p.Tests()
	if err != nil {
		d.line("Tests %s", message(err))
	}
	for _, t := range tests {
		text, err := t.Read()
		in, inErr := t.Case.Given.Input()
		d.line("Test %s of %d right=%v valid=%v: %s on %s", t.Case.Name, t.Of, t.Right, t.Valid, held(text, err), held(in, inErr))
	}
}

// group describes a group with points and those in it.
func (d *description) group(g *points.Group, indent string) {
	d.line("%sGroup %s %v: %s %s", indent, g.Name, g.Cases, strings.TrimPrefix(fmt.Sprintf("%T", g.Rule), "points."), brief(reflect.ValueOf(g.Rule)))
	for _, inner := range g.Groups {
		d.group(inner, indent+"  ")
	}
}

// programs describes the sources of all programs and submissions.
func (d *description) programs(p *problem.Problem) {
	var all []string
	for v := p.Validator; v != nil; v = v.Then {
		all = append(all, v.Program)
	}
	for _, v := range slices.Concat(p.InputValidators, p.AnswerValidators) {
		all = append(all, v.Program)
	}
	if p.Grader != nil {
		all = append(all, p.Grader.Program)
	}
	for _, rel := range all {
		source, err := p.Program(rel, languages())
		d.source(rel, source, err)
	}
	for i := range p.Submissions {
		source, err := p.Own(&p.Submissions[i], languages())
		d.source(p.Submissions[i].Path, source, err)
	}
}

// source describes the files of a program: those that are not the package's own with their content.
func (d *description) source(rel string, source *build.Source, err error) {
	if err != nil {
		d.line("Program %s: %s", rel, message(err))
		return
	}
	text := ""
	for _, name := range sorted(source.Texts()) {
		data := source.Texts()[name]
		text += " " + name
		own, err := d.pack.Draft().Bytes(rel)
		if err != nil {
			own, err = d.pack.Draft().Bytes(path.Join(rel, name))
		}
		if err != nil || !bytes.Equal(own, data) {
			text += " " + short(data, nil)
		}
	}
	d.line("Program %s in %s, main %s:%s", rel, source.Language, source.Main(), text)
}

// brief returns the exported fields of a value that are not zero.
func brief(v reflect.Value) string {
	if !v.IsValid() || v.IsZero() {
		return ""
	}
	if err, is := v.Interface().(error); is {
		return err.Error()
	}
	switch v.Kind() {
	case reflect.Func:
		return ""
	case reflect.Pointer, reflect.Interface:
		if v.Elem().IsZero() && v.Elem().Kind() != reflect.Struct {
			return fmt.Sprint(v.Elem().Interface())
		}
		return brief(v.Elem())
	case reflect.Struct:
		var parts []string
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			text := brief(v.Field(i))
			switch {
			case text == "" && v.Field(i).Kind() == reflect.Pointer && !v.Field(i).IsNil() && f.Type.Elem().Kind() != reflect.Struct:
				text = fmt.Sprint(v.Field(i).Elem().Interface())
				fallthrough
			case text != "" && v.Field(i).Kind() != reflect.Bool:
				if v.Field(i).Kind() == reflect.Struct || v.Field(i).Kind() == reflect.Pointer && v.Field(i).Elem().Kind() == reflect.Struct {
					text = "{" + text + "}"
				}
				parts = append(parts, f.Name+"="+text)
			case text != "":
				parts = append(parts, f.Name)
			}
		}
		return strings.Join(parts, " ")
	case reflect.Slice, reflect.Array:
		var parts []string
		for i := range v.Len() {
			text := brief(v.Index(i))
			switch v.Index(i).Kind() {
			case reflect.Struct:
				text = "{" + text + "}"
			case reflect.String:
				text = quoted(v.Index(i).String())
			case reflect.Float64:
				text = fmt.Sprint(v.Index(i).Float())
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Map:
		var parts []string
		for _, key := range v.MapKeys() {
			parts = append(parts, fmt.Sprintf("%v:%v", key.Interface(), v.MapIndex(key).Interface()))
		}
		slices.Sort(parts)
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.String:
		return quoted(v.String())
	}
	return fmt.Sprint(v.Interface())
}

// quoted returns a text in quotes, unless it is one word.
func quoted(text string) string {
	if q := strconv.Quote(text); text == "" || strings.ContainsAny(text, " {}[]=") || q[1:len(q)-1] != text {
		return q
	}
	return text
}

// held describes a content.
func held(c content.Content, err error) string {
	if err != nil {
		return message(err)
	}
	data, err := c.Bytes()
	return short(data, err)
}

// short returns a text in quotes, or its size and a checksum if it is long.
func short(text []byte, err error) string {
	const most = 160
	switch {
	case err != nil:
		return message(err)
	case len(text) > most:
		return fmt.Sprintf("%d bytes #%08x", len(text), crc32.ChecksumIEEE(text))
	}
	return strconv.Quote(string(text))
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return "error: " + err.Error()
}

func sorted(texts map[string][]byte) []string {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
