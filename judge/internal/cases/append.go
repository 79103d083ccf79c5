package cases

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/internal/yamltext"
)

// MaxLiteral is the size of the largest input that [Append] writes into a case file.
const MaxLiteral = 64 << 10

// Append returns the edit that adds a case at the end of its group's file, which need not exist. It
// uses Name (group/name), Note, and either Input, or Generate with Seed. All other bytes stay as
// they are, except that a missing end marker is added. Append reads the result again to check that it
// has the cases from before and the new one, without an output.
//
// Every failure is a [*yamlstrict.Error]: a malformed or taken name, an input that is not text or
// larger than [MaxLiteral], or a layout that cannot be extended.
func (s *Set) Append(root string, c Case) (Edit, error) {
	group, short, _ := strings.Cut(c.Name, "/")
	e := Edit{Path: filepath.Join(root, "cases", s.Problem, group+".yaml")}
	bad := func(hint, format string, args ...any) error {
		return &yamlstrict.Error{File: e.Path, Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
	if !groupName().MatchString(group) || !groupName().MatchString(short) || group+".yaml" == lockFile || group+".yaml" == mutantsFile {
		return e, bad("a name is GROUP/NAME, and both parts match "+namePattern, "bad case name %q", c.Name)
	}
	for i := range s.Cases {
		if s.Cases[i].Name == c.Name {
			return e, s.Cases[i].Errorf("name", "choose another name", "another case has that name")
		}
	}
	if c.Input != nil && len(*c.Input) > MaxLiteral {
		return e, bad("generated cases may be of any size: judge gen --save", "an input of %d bytes is too large for a case file", len(*c.Input))
	}
	before := []Case{}
	text := "cases:\n...\n"
	for _, old := range s.read {
		if old.Path == e.Path {
			e.Old, text = old.Old, string(withEnd(e.Path, old.Old))
		}
	}
	if e.Old != nil {
		var err error
		if before, err = parse(e.Path, e.Old); err != nil {
			return e, err
		}
	}
	end := strings.LastIndex(text, "\n...") + 1
	column := 2
	if dash := firstItem().FindStringSubmatch(text); dash != nil {
		column = len(dash[1])
	}
	c = Case{Name: c.Name, Note: c.Note, Input: c.Input, Generate: c.Generate, Seed: c.Seed}
	item, err := c.text(short, column)
	if err != nil {
		return e, bad("an input that is not text must be generated", "the input: %v", err)
	}
	// There should be an empty line between two cases, unless it would become part of a text.
	for _, gaps := range [][2]string{{"\n", "\n"}, {"\n", ""}, {"", "\n"}, {"", ""}} {
		if e.Old == nil || strings.HasSuffix(text[:end], "\n\n") {
			gaps[0] = ""
		}
		e.Text = []byte(text[:end] + gaps[0] + item + gaps[1] + text[end:])
		if c.appended(e, before) {
			return e, nil
		}
	}
	return e, bad("add it by hand", "case %s cannot be added to this file", short)
}

// firstItem finds the indentation of the items in a case file.
var firstItem = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^( *)- +[a-z]+:`) })

// text returns the case as a list item indented to column, with its last line end.
func (c *Case) text(short string, column int) (string, error) {
	indent := strings.Repeat(" ", column)
	var b strings.Builder
	fmt.Fprintf(&b, "%s- name: %s\n", indent, short)
	if c.Note != "" {
		fmt.Fprintf(&b, "%s  note: %s\n", indent, inline(c.Note, plainNote()))
	}
	switch {
	case c.InputFile != "":
		fmt.Fprintf(&b, "%s  input_file: %s\n", indent, filepath.Base(c.InputFile))
	case c.Input != nil:
		scalar, err := yamltext.Scalar(*c.Input, column+2)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s  input: %s\n", indent, scalar)
	default:
		var words []string
		for _, w := range c.Generate {
			words = append(words, inline(w, plainWord()))
		}
		fmt.Fprintf(&b, "%s  generate: [%s]\n%s  seed: %d\n", indent, strings.Join(words, ", "), indent, *c.Seed)
	}
	c.settings(&b, indent)
	switch {
	case c.OutputFile != "":
		fmt.Fprintf(&b, "%s  output_file: %s\n", indent, filepath.Base(c.OutputFile))
	case c.Output != nil:
		scalar, err := yamltext.Scalar(*c.Output, column+2)
		if err != nil {
			return "", err
		}
		if c.Pinned {
			fmt.Fprintf(&b, "%s  pinned: true\n", indent)
		}
		fmt.Fprintf(&b, "%s  output: %s\n", indent, scalar)
	}
	return b.String(), nil
}

// settings writes the settings of the case besides input and output.
func (c *Case) settings(b *strings.Builder, indent string) {
	list := func(key string, words []string) {
		if words == nil {
			return
		}
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, inline(w, plainWord()))
		}
		fmt.Fprintf(b, "%s  %s: [%s]\n", indent, key, strings.Join(quoted, ", "))
	}
	list("args", c.Args)
	if c.FilesDir != "" {
		fmt.Fprintf(b, "%s  files: %s\n", indent, filepath.Base(c.FilesDir))
	}
	if c.Points > 0 {
		fmt.Fprintf(b, "%s  points: %s\n", indent, strconv.FormatFloat(c.Points, 'g', -1, 64))
	}
	list("output_validator_args", c.Flags)
	if c.Asked != "" {
		fmt.Fprintf(b, "%s  output_validator: %s\n", indent, inline(c.Asked, plainWord()))
	}
	byName := func(key string, args map[string][]string) {
		if len(args) > 0 {
			fmt.Fprintf(b, "%s  %s:\n", indent, key)
		}
		for _, name := range slices.Sorted(maps.Keys(args)) {
			list("  "+inline(name, plainWord()), append([]string{}, args[name]...))
		}
	}
	byName("input_validator_args", c.InputArgs)
	byName("answer_validator_args", c.AnswerArgs)
}

// Text returns a case file with the group's cases: their Name, Note, input (Input, InputFile, or
// Generate with Seed), own settings, and expected output (Output, which may be Pinned, or
// OutputFile). It fails for malformed names and for texts that are not UTF-8.
func Text(group string, list []Case) ([]byte, error) {
	var b strings.Builder
	b.WriteString("cases:\n")
	for i := range list {
		item, err := list[i].text(list[i].Short(), 2)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].Name, err)
		}
		b.WriteString(item)
		if !strings.HasSuffix(item, "\n\n") { // otherwise the empty line would become part of the text
			b.WriteString("\n")
		}
	}
	b.WriteString("...\n")
	text := []byte(b.String())
	_, err := parse(group+".yaml", text)
	return text, err
}

// Texts that YAML reads unchanged without quotes.
var (
	plainNote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ,.;()'/_-]*$`) })
	plainWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._/-]*$|^-[A-Za-z]+=[A-Za-z0-9._/-]+$`)
	})
)

// inline returns a text of one line as a YAML scalar. Strings quoted by strconv.Quote are valid
// YAML.
func inline(text string, plain *regexp.Regexp) string {
	if plain.MatchString(text) && !strings.EqualFold(text, "null") {
		return text
	}
	return strconv.Quote(text)
}

// appended reports whether a file holds the cases from before, followed by c.
func (c *Case) appended(e Edit, before []Case) bool {
	after, err := parse(e.Path, e.Text)
	if err != nil || len(after) != len(before)+1 {
		return false
	}
	content := func(c Case) Case {
		return Case{Name: c.Name, Note: c.Note, Input: c.Input, Generate: c.Generate, Seed: c.Seed, Pinned: c.Pinned, Output: c.Output}
	}
	last := after[len(before)]
	return slices.EqualFunc(before, after[:len(before)], func(a, b Case) bool { return reflect.DeepEqual(content(a), content(b)) }) &&
		reflect.DeepEqual(content(last), content(Case{Name: c.Name, Note: c.Note, Input: c.Input, Generate: c.Generate, Seed: c.Seed}))
}
