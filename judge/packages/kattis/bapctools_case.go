package kattis

import (
	"crypto/sha512"
	"encoding/binary"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// some reads an entry that describes a case, or several with the key count.
func (r *generatorReader) some(e yamlloose.Pair, key, dir string, numbered bool, s generatorSettings) ([]*generatedCase, error) {
	counts, err := countsOf(e.Value)
	if err != nil {
		return nil, err
	}
	width := 0
	if len(counts) > 0 && slices.Max(counts)-slices.Min(counts) == len(counts)-1 {
		for _, c := range counts {
			width = max(width, len(strconv.Itoa(c)))
		}
	}
	var made []*generatedCase
	for i := range max(1, len(counts)) {
		name, count := key, 1
		if numbered {
			r.number++
			name = numberedName(r.number, r.numbered, key)
		}
		if counts != nil {
			count = counts[i]
			name += "-" + padded(count, width)
		}
		if !validName(name) {
			return nil, e.Value.Doc.Tree.Errorf(draft.GeneratorsFile, e.Line, "", "invalid name %s", quote.Name(name))
		}
		c := &generatedCase{name: path.Join(dir, name), line: e.Line, texts: map[string]string{}, links: map[string]string{}}
		if err := r.read(c, e.Value, count, counts != nil, s); err != nil {
			return nil, err
		}
		if err := r.add(c); err != nil {
			return nil, err
		}
		made = append(made, c)
	}
	return made, nil
}

// add adds a case, whose name must be new.
func (r *generatorReader) add(c *generatedCase) error {
	if first := r.names[c.name]; first != nil {
		return r.p.Tree.Errorf(draft.GeneratorsFile, c.line, "", "the case %s is in line %d, too", c.name, first.line)
	}
	if len(r.cases) == maxGenerated {
		return r.p.Tree.Errorf(draft.GeneratorsFile, c.line, "", "more than %d cases", maxGenerated)
	}
	r.names[c.name] = c
	r.cases = append(r.cases, c)
	return nil
}

// read reads how a case is made.
func (r *generatorReader) read(c *generatedCase, n yamlloose.Node, count int, counted bool, s generatorSettings) error {
	command := ""
	known := map[string]func(yamlloose.Node) error{
		"generate": yamlloose.Set(&command, yamlloose.Node.Text), "count": nil,
		"copy": func(v yamlloose.Node) error {
			text, err := v.Text()
			c.copied = path.Join("generators", text)
			return err
		},
		"match": func(v yamlloose.Node) error {
			v.Doc.Notef(v.Line(), "match: not checked")
			return nil
		},
	}
	for _, ext := range generatedExtensions {
		known[ext[1:]] = func(v yamlloose.Node) error { return c.text(ext, v) }
	}
	r.settings(known, &s)
	switch n.Kind() {
	case yaml.ScalarNode:
		text, err := n.Text()
		if err != nil {
			return err
		}
		if file, ok := strings.CutSuffix(text, ".in"); ok {
			c.copied = path.Join("generators", file)
		} else {
			command = text
		}
	case yaml.MappingNode:
		if err := withNulls(n, known, &s); err != nil {
			return err
		}
	}
	c.solution = s.solution
	if command == "" {
		return nil
	}
	return r.command(c, command, count, counted, s.salt)
}

var (
	seedUse = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{seed(:[0-9]+)?\}`) })
	maxSeed = uint32(1) << 31
)

// command sets the generator of a case and its arguments. The seed is the one that BAPCtools
// computes: it depends on the salt, on the count unless it is 1, and on the command.
func (r *generatorReader) command(c *generatedCase, command string, count int, counted bool, salt string) error {
	fail := func(hint, format string, args ...any) error {
		return r.p.Tree.Errorf(draft.GeneratorsFile, c.line, hint, format, args...)
	}
	text, ok := r.p.Fill([]byte(command), tree.MaxDocument)
	if !ok {
		return fail("", "a command of more than %d MiB", tree.MaxDocument>>20)
	}
	command = string(text)
	if counted {
		command = strings.ReplaceAll(command, "{count}", strconv.Itoa(count))
	}
	words, ok := yamlloose.SplitShell(command)
	if !ok || len(words) == 0 {
		return fail("", "invalid command %s", quote.Name(command))
	}
	if count != 1 {
		salt += ":" + strconv.Itoa(count-1)
	}
	sum := sha512.Sum512([]byte(salt + strings.TrimSpace(command)))
	seed := strconv.FormatUint(uint64(binary.BigEndian.Uint32(sum[len(sum)-4:])%maxSeed), 10)
	if len(seedUse().FindAllString(strings.Join(words[1:], " "), 2)) > 1 {
		return fail("", "{seed} stands twice in a command")
	}
	for _, w := range words[1:] {
		w = strings.ReplaceAll(w, "{name}", generatedBase)
		c.args = append(c.args, seedUse().ReplaceAllLiteralString(w, seed))
	}
	if path.IsAbs(words[0]) {
		return fail("give its path below generators/", "there is no generator %s", quote.Name(words[0]))
	}
	c.program = path.Join("generators", words[0])
	if r.implicit[c.program] == nil {
		if file, dir, err := r.p.Tree.Kind(c.program); err != nil {
			return err
		} else if !file && !dir {
			return fail("name a file or folder in generators/", "there is no generator %s", quote.Name(words[0]))
		}
	}
	return nil
}

// text reads the content of a file of a case, or to which other file it is equal.
func (c *generatedCase) text(ext string, v yamlloose.Node) error {
	if v.Kind() != yaml.MappingNode {
		text, err := v.Text()
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		c.texts[ext] = text
		return err
	}
	if ext == ".yaml" {
		data, err := v.Marshal()
		c.texts[ext] = string(data)
		return err
	}
	return v.Each(map[string]func(yamlloose.Node) error{"link": func(v yamlloose.Node) error {
		target, err := v.Text()
		kind, _, _ := strings.Cut(ext[1:], ".")
		if of, _, _ := strings.Cut(target, "."); err == nil && (of != kind || "."+target == ext) {
			return v.Errorf("", "%s cannot be a link to %s", ext[1:], quote.Name(target))
		}
		c.links[ext] = "." + target
		return err
	}})
}
