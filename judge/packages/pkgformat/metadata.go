package pkgformat

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
)

// metadata holds values of problem.yaml that are needed while the package is read.
type metadata struct {
	types      []string
	validation []string // legacy: default or custom, then more words
	flags      []string // validator_flags
	line       int      // line of type or of validation, whichever comes last
	passes     float64
	grading    Settings // legacy: the key grading, which applies to all groups
}

// formats maps the values of problem_format_version to the formats that this package distinguishes.
var formats = map[string]string{
	"": Legacy, "legacy": Legacy, "legacy-icpc": Legacy,
	"2023-07": Draft, "2023-07-draft": Draft,
	"2025-09": Latest, "2025-09-draft": Latest, "draft": Latest,
}

// readMetadata reads problem.yaml, if there is one. It accepts the keys of all formats in every
// format, because real packages mix them.
func (p *kattisReader) readMetadata() (*metadata, error) {
	m := &metadata{}
	data, err := p.files.read(metadataFile, maxDocument)
	if err != nil {
		return nil, err
	}
	if data == nil {
		p.version(Legacy)
		return m, nil
	}
	root, err := p.yaml(metadataFile, data)
	if err != nil {
		return nil, err
	}
	if err := p.readFormat(root); err != nil {
		return nil, err
	}
	if err := p.sparing(root, spareMetadata).each(p.metadataKeys(root, m)); err != nil {
		return nil, err
	}
	return m, p.setTypes(m)
}

// version sets the version of the format.
func (p *kattisReader) version(format string) {
	p.begin(&kattisFormats[slices.IndexFunc(kattisFormats, func(f Format) bool { return f.Name == format })])
	if p.ReadOnly = format == Latest; format == Legacy {
		p.Time.ACToLimit, p.Time.LimitToTLE = 5, 2
	}
}

func (p *kattisReader) readFormat(root node) error {
	keys, err := root.pairs()
	if err != nil {
		return err
	}
	format, known := Legacy, true
	for _, k := range keys {
		if k.key != "problem_format_version" {
			continue
		}
		k.value.key = k.key
		version, err := k.value.text()
		if err != nil {
			return err
		}
		format, known = formats[strings.TrimSpace(version)]
		if !known {
			return k.value.errorf("the formats are legacy, legacy-icpc, 2023-07-draft and 2025-09", "unknown problem_format_version %s", quote.Name(version))
		}
	}
	p.version(format)
	return nil
}

func (p *kattisReader) metadataKeys(root node, m *metadata) map[string]func(node) error {
	at := func(read func(node) error) func(node) error {
		return func(n node) error { m.line = n.line(); return read(n) }
	}
	flags := func(n node) (err error) {
		if m.flags, err = n.shellWords(); len(m.flags) > maxArgs {
			return n.errorf("", "more than %d arguments", maxArgs)
		}
		return err
	}
	return map[string]func(node) error{
		"problem_format_version": nil,
		"type":                   at(func(n node) (err error) { m.types, err = typeWords(n); return err }),
		"name":                   p.readNames,
		"uuid":                   into(&p.UUID),
		"version":                nil,
		"author":                 p.readAuthors,
		"credits": func(n node) error {
			if n.kind() == yaml.MappingNode {
				return n.each(map[string]func(node) error{
					"authors": p.readAuthors, "contributors": nil, "testers": nil, "translators": nil, "packagers": nil, "acknowledgements": nil,
				})
			}
			return p.readAuthors(n)
		},
		"source":                p.readSource,
		"source_url":            nil,
		"license":               into(&p.License),
		"rights_owner":          nil,
		"embargo_until":         nil,
		"limits":                func(n node) error { return n.each(p.limitKeys(m)) },
		"validation":            at(func(n node) (err error) { m.validation, err = typeWords(n); p.Validation.Line = n.line(); return err }),
		"validator_flags":       flags,
		"output_validator_args": flags,
		"grading":               func(n node) error { return n.each(p.gradingKeys(m)) },
		"keywords":              wordsInto(&p.Keywords),
		"languages":             p.readLanguages,
		"allow_file_writing": func(n node) error {
			writes, err := n.flag()
			p.ReadOnly = !writes
			return err
		},
		"constants": p.readConstants,
		"libraries": func(n node) error { n.d.notef(n.line(), "libraries are not supported"); return nil },
	}
}

// typeWords reads a list of texts, or one text, and splits each at commas and spaces.
func typeWords(n node) ([]string, error) {
	list, err := n.words()
	if err != nil {
		return nil, err
	}
	var words []string
	for _, s := range list {
		words = append(words, strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	return words, nil
}

func (p *kattisReader) readNames(n node) error {
	if n.kind() != yaml.MappingNode {
		name, err := n.text()
		if err == nil {
			p.Title, p.Names["en"] = name, name
		}
		return err
	}
	keys, err := n.pairs()
	if err != nil {
		return err
	}
	for i, k := range keys {
		name, err := k.value.text()
		if err != nil {
			return err
		}
		p.Names[k.key] = name
		if i == 0 || k.key == "en" {
			p.Title = name
		}
	}
	return nil
}

// readSource reads the contest or collection that the problem is from. It reads only the first
// entry of a list.
func (p *kattisReader) readSource(n node) (err error) {
	if n.kind() == yaml.SequenceNode && len(n.n.Content) > 0 {
		n = n.d.node(n.n.Content[0])
	}
	if n.kind() == yaml.MappingNode {
		return n.each(map[string]func(node) error{"name": into(&p.Source), "url": nil})
	}
	p.Source, err = n.text()
	return err
}

// readAuthors reads the names of people, without their mail addresses.
func (p *kattisReader) readAuthors(n node) error {
	people, err := persons(n)
	for _, text := range people {
		name, _, _ := strings.Cut(text, "<")
		if name = strings.Join(strings.Fields(name), " "); name != "" {
			p.Authors = append(p.Authors, name)
		}
	}
	return err
}

func (p *kattisReader) limitKeys(m *metadata) map[string]func(node) error {
	t := &p.Time
	return map[string]func(node) error{
		"time_limit": func(n node) error {
			t.From = fmt.Sprintf("%s:%d", metadataFile, n.line())
			return secondsInto(&t.Limit)(n)
		},
		"time_resolution":    secondsInto(&t.Resolution),
		"time_multiplier":    numberInto(&t.ACToLimit, 1),
		"time_safety_margin": numberInto(&t.LimitToTLE, 1),
		"time_multipliers": func(n node) error {
			return n.each(map[string]func(node) error{
				"ac_to_time_limit":  numberInto(&t.ACToLimit, 1),
				"time_limit_to_tle": numberInto(&t.LimitToTLE, 1),
			})
		},
		"memory":             memoryInto(&p.Limits.Memory),
		"output":             bytesInto(&p.Limits.Output, limits.MiB),
		"code":               bytesInto(&p.Code, limits.KiB),
		"compilation_time":   secondsInto(&p.Compile.CPU),
		"compilation_memory": memoryInto(&p.Compile.Memory),
		"validation_time":    secondsInto(&p.Validate.CPU),
		"validation_memory":  memoryInto(&p.Validate.Memory),
		"validation_output":  bytesInto(&p.Validate.Output, limits.MiB),
		"validation_passes":  numberInto(&m.passes, 1),
	}
}

func (p *kattisReader) gradingKeys(m *metadata) map[string]func(node) error {
	keys := legacyScoreKeys(&m.grading)
	keys["objective"] = func(n node) error {
		s, err := n.text()
		if err == nil && s != "min" && s != "max" {
			err = n.errorf("write min or max", "unknown objective %s", quote.Name(s))
		}
		p.minimize = s == "min"
		return err
	}
	keys["show_test_data_groups"] = nil
	keys["custom_scoring"] = func(n node) (err error) {
		p.Validation.Score, err = n.flag()
		return err
	}
	return keys
}

// setTypes sets the fields that the words of type and of validation decide.
func (p *kattisReader) setTypes(m *metadata) error {
	bad := func(hint, format string, args ...any) error {
		return p.files.errorf(metadataFile, m.line, hint, format, args...)
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
		p.note(metadataFile, m.line, "submit-answer problems are not supported")
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
func (p *kattisReader) readStatements() error {
	for _, dir := range []string{"statement", "problem_statement", "."} {
		list, err := p.listSkipping(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			parts := strings.Split(e.name, ".")
			known := slices.Contains([]string{"tex", "md", "pdf", "html", "txt"}, parts[len(parts)-1])
			if e.dir || parts[0] != "problem" || len(parts) < 2 || len(parts) > 3 || !known {
				continue
			}
			s := Statement{Language: "en", Path: path.Join(dir, e.name)}
			if len(parts) == 3 {
				s.Language = parts[1]
			}
			p.Statements = append(p.Statements, s)
		}
	}
	return nil
}
