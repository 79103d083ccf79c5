package kattis

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// metadata holds values of problem.yaml that are needed while the package is read.
type metadata struct {
	types      []string
	validation []string // legacy: default or custom, then more words
	flags      []string // validator_flags
	line       int      // line of type or of validation, whichever comes last
	passes     float64
	grading    draft.Settings // legacy: the key grading, which applies to all groups
}

// formats maps the values of problem_format_version to the formats that this package distinguishes.
var formats = map[string]string{
	"": Legacy, "legacy": Legacy, "legacy-icpc": Legacy,
	"2023-07": Draft, "2023-07-draft": Draft,
	"2025-09": Latest, "2025-09-draft": Latest, "draft": Latest,
}

// readMetadata reads problem.yaml, if there is one. It accepts the keys of all formats in every
// format, because real packages mix them.
func (p *reader) readMetadata() (*metadata, error) {
	m := &metadata{}
	root, err := p.Document(draft.MetadataFile)
	if err != nil {
		return nil, err
	}
	if err := p.readFormat(root); err != nil {
		return nil, err
	}
	if err := p.sparing(root, spareMetadata).Each(p.metadataKeys(root, m)); err != nil {
		return nil, err
	}
	return m, p.setTypes(m)
}

// version sets the version of the format.
func (p *reader) version(format string) {
	p.Begin(&kattisFormats[slices.IndexFunc(kattisFormats, func(f draft.Format) bool { return f.Name == format })])
	if p.ReadOnly = format == Latest; format == Legacy {
		p.Time.ACToLimit, p.Time.LimitToTLE = 5, 2
	}
}

func (p *reader) readFormat(root yamlloose.Node) error {
	keys, err := root.Pairs()
	if err != nil {
		return err
	}
	format, known := Legacy, true
	for _, k := range keys {
		if k.Key != "problem_format_version" {
			continue
		}
		k.Value.Key = k.Key
		version, err := k.Value.Text()
		if err != nil {
			return err
		}
		format, known = formats[strings.TrimSpace(version)]
		if !known {
			return k.Value.Errorf("the formats are legacy, legacy-icpc, 2023-07-draft and 2025-09", "unknown problem_format_version %s", quote.Name(version))
		}
	}
	p.version(format)
	return nil
}

func (p *reader) metadataKeys(root yamlloose.Node, m *metadata) map[string]func(yamlloose.Node) error {
	at := func(read func(yamlloose.Node) error) func(yamlloose.Node) error {
		return func(n yamlloose.Node) error { m.line = n.Line(); return read(n) }
	}
	flags := func(n yamlloose.Node) (err error) {
		if m.flags, err = n.ShellWords(); len(m.flags) > draft.MaxArgs {
			return n.Errorf("", "more than %d arguments", draft.MaxArgs)
		}
		return err
	}
	return map[string]func(yamlloose.Node) error{
		"problem_format_version": nil,
		"type":                   at(func(n yamlloose.Node) (err error) { m.types, err = typeWords(n); return err }),
		"name":                   p.readNames,
		"uuid":                   yamlloose.Into(&p.UUID),
		"version":                nil,
		"author":                 p.readAuthors,
		"credits": func(n yamlloose.Node) error {
			if n.Kind() == yaml.MappingNode {
				return n.Each(map[string]func(yamlloose.Node) error{
					"authors": p.readAuthors, "contributors": nil, "testers": nil, "translators": nil, "packagers": nil, "acknowledgements": nil,
				})
			}
			return p.readAuthors(n)
		},
		"source":        p.readSource,
		"source_url":    nil,
		"license":       yamlloose.Into(&p.License),
		"rights_owner":  nil,
		"embargo_until": nil,
		"limits":        func(n yamlloose.Node) error { return n.Each(p.limitKeys(m)) },
		"validation": at(func(n yamlloose.Node) (err error) {
			m.validation, err = typeWords(n)
			p.Validation.Line = n.Line()
			return err
		}),
		"validator_flags":       flags,
		"output_validator_args": flags,
		"grading":               func(n yamlloose.Node) error { return n.Each(p.gradingKeys(m)) },
		"keywords":              yamlloose.WordsInto(&p.Keywords),
		"languages":             p.readLanguages,
		"allow_file_writing": func(n yamlloose.Node) error {
			writes, err := n.Flag()
			p.ReadOnly = !writes
			return err
		},
		"constants": p.readConstants,
		"libraries": func(n yamlloose.Node) error { n.Doc.Notef(n.Line(), "libraries are not supported"); return nil },
	}
}

// typeWords reads a list of texts, or one text, and splits each at commas and spaces.
func typeWords(n yamlloose.Node) ([]string, error) {
	list, err := n.Words()
	if err != nil {
		return nil, err
	}
	var words []string
	for _, s := range list {
		words = append(words, strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	return words, nil
}

func (p *reader) readNames(n yamlloose.Node) error {
	if n.Kind() != yaml.MappingNode {
		name, err := n.Text()
		if err == nil {
			p.Title, p.Names["en"] = name, name
		}
		return err
	}
	keys, err := n.Pairs()
	if err != nil {
		return err
	}
	for i, k := range keys {
		name, err := k.Value.Text()
		if err != nil {
			return err
		}
		p.Names[k.Key] = name
		if i == 0 || k.Key == "en" {
			p.Title = name
		}
	}
	return nil
}

// readSource reads the contest or collection that the problem is from. It reads only the first
// entry of a list.
func (p *reader) readSource(n yamlloose.Node) (err error) {
	if n.Kind() == yaml.SequenceNode && len(n.Raw.Content) > 0 {
		n = n.Doc.Node(n.Raw.Content[0])
	}
	if n.Kind() == yaml.MappingNode {
		return n.Each(map[string]func(yamlloose.Node) error{"name": yamlloose.Into(&p.Source), "url": nil})
	}
	p.Source, err = n.Text()
	return err
}

// readAuthors reads the names of people, without their mail addresses.
func (p *reader) readAuthors(n yamlloose.Node) error {
	people, err := persons(n)
	for _, text := range people {
		name, _, _ := strings.Cut(text, "<")
		if name = strings.Join(strings.Fields(name), " "); name != "" {
			p.Authors = append(p.Authors, name)
		}
	}
	return err
}

func (p *reader) limitKeys(m *metadata) map[string]func(yamlloose.Node) error {
	t := &p.Time
	return map[string]func(yamlloose.Node) error{
		"time_limit": func(n yamlloose.Node) error {
			t.From = fmt.Sprintf("%s:%d", draft.MetadataFile, n.Line())
			return yamlloose.SecondsInto(&t.Limit)(n)
		},
		"time_resolution":    yamlloose.SecondsInto(&t.Resolution),
		"time_multiplier":    yamlloose.NumberInto(&t.ACToLimit, 1),
		"time_safety_margin": yamlloose.NumberInto(&t.LimitToTLE, 1),
		"time_multipliers": func(n yamlloose.Node) error {
			return n.Each(map[string]func(yamlloose.Node) error{
				"ac_to_time_limit":  yamlloose.NumberInto(&t.ACToLimit, 1),
				"time_limit_to_tle": yamlloose.NumberInto(&t.LimitToTLE, 1),
			})
		},
		"memory":             yamlloose.MemoryInto(&p.Limits.Memory),
		"output":             yamlloose.BytesInto(&p.Limits.Output, limits.MiB),
		"code":               yamlloose.BytesInto(&p.Code, limits.KiB),
		"compilation_time":   yamlloose.SecondsInto(&p.Compile.CPU),
		"compilation_memory": yamlloose.MemoryInto(&p.Compile.Memory),
		"validation_time":    yamlloose.SecondsInto(&p.Validate.CPU),
		"validation_memory":  yamlloose.MemoryInto(&p.Validate.Memory),
		"validation_output":  yamlloose.BytesInto(&p.Validate.Output, limits.MiB),
		"validation_passes":  yamlloose.NumberInto(&m.passes, 1),
	}
}

func (p *reader) gradingKeys(m *metadata) map[string]func(yamlloose.Node) error {
	keys := legacyScoreKeys(&m.grading)
	keys["objective"] = func(n yamlloose.Node) error {
		s, err := n.Text()
		if err == nil && s != "min" && s != "max" {
			err = n.Errorf("write min or max", "unknown objective %s", quote.Name(s))
		}
		p.minimize = s == "min"
		return err
	}
	keys["show_test_data_groups"] = nil
	keys["custom_scoring"] = func(n yamlloose.Node) (err error) {
		p.Validation.Score, err = n.Flag()
		return err
	}
	return keys
}

// setTypes sets the fields that the words of type and of validation decide.
func (p *reader) setTypes(m *metadata) error {
	bad := func(hint, format string, args ...any) error {
		return p.Tree.Errorf(draft.MetadataFile, m.line, hint, format, args...)
	}
	words := slices.Clone(m.types)
	if len(m.validation) > 0 {
		if how := m.validation[0]; how != "default" && how != "custom" {
			return bad("begin with default or custom", "unknown validation %s", quote.Name(how))
		}
		words = append(words, m.validation[1:]...)
	}
	passFail, multi := false, false
	for _, w := range words {
		switch w {
		case "pass-fail":
			passFail = true
		case "scoring":
			p.Scoring = true
		case "interactive":
			p.Validation.Interactive = true
		case "multi-pass", "multipass":
			multi = true
		case "submit-answer":
			p.OutputOnly = true
		case "score":
			p.Validation.Score = true
		default:
			return bad("the types are pass-fail, scoring, interactive, multi-pass and submit-answer", "unknown type %s", quote.Name(w))
		}
	}
	if passFail && p.Scoring {
		return bad("", "both pass-fail and scoring")
	}
	if p.OutputOnly {
		p.Note(draft.MetadataFile, m.line, "submit-answer problems are not supported")
		if multi || p.Validation.Interactive {
			return bad("", "submit-answer problems cannot be interactive or multi-pass")
		}
	}
	if multi {
		p.Validation.Passes = max(2, int(min(m.passes, 1<<20)))
	}
	return nil
}

// readStatements finds the files problem.EXTENSION and problem.LANGUAGE.EXTENSION.
func (p *reader) readStatements() error {
	for _, dir := range []string{"statement", "problem_statement", "."} {
		list, err := p.ListSkipping(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			parts := strings.Split(e.Name, ".")
			known := slices.Contains([]string{"tex", "md", "pdf", "html", "txt"}, parts[len(parts)-1])
			if e.Dir || parts[0] != "problem" || len(parts) < 2 || len(parts) > 3 || !known {
				continue
			}
			s := draft.Statement{Language: "en", Path: path.Join(dir, e.Name)}
			if len(parts) == 3 {
				s.Language = parts[1]
			}
			p.Statements = append(p.Statements, s)
		}
	}
	return nil
}

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

var constantName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// readConstants reads a mapping from names to values. A name may have several values: n: {value: 5,
// tex: $5$} defines n and n.tex.
func (p *reader) readConstants(n yamlloose.Node) error {
	keys, err := n.Pairs()
	if err != nil || len(keys) == 0 {
		return err
	}
	p.Constants = map[string]string{}
	for _, k := range keys {
		if !constantName().MatchString(k.Key) {
			k.Value.Doc.Notef(k.Line, "constant %s is never filled in: a name has letters, digits and _, and no digit first", quote.Name(k.Key))
			continue
		}
		if k.Value.Kind() != yaml.MappingNode {
			if p.Constants[k.Key], err = k.Value.Text(); err != nil {
				return err
			}
			continue
		}
		values, err := k.Value.Pairs()
		if err != nil {
			return err
		}
		for _, v := range values {
			name := k.Key + "." + v.Key
			if v.Key == "value" {
				name = k.Key
			}
			if p.Constants[name], err = v.Value.Text(); err != nil {
				return err
			}
		}
	}
	return nil
}
