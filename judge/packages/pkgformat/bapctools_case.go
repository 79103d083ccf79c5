package pkgformat

import (
	"crypto/sha512"
	"encoding/binary"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/quote"

	"gopkg.in/yaml.v3"
)

// some reads an entry that describes a case, or several with the key count.
func (r *generatorReader) some(e pair, key, dir string, numbered bool, s generatorSettings) ([]*generatedCase, error) {
	counts, err := countsOf(e.value)
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
			return nil, e.value.d.t.errorf(generatorsFile, e.line, "", "invalid name %s", quote.Name(name))
		}
		c := &generatedCase{name: path.Join(dir, name), line: e.line, texts: map[string]string{}, links: map[string]string{}}
		if err := r.read(c, e.value, count, counts != nil, s); err != nil {
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
		return r.p.files.errorf(generatorsFile, c.line, "", "the case %s is in line %d, too", c.name, first.line)
	}
	if len(r.cases) == maxGenerated {
		return r.p.files.errorf(generatorsFile, c.line, "", "more than %d cases", maxGenerated)
	}
	r.names[c.name] = c
	r.cases = append(r.cases, c)
	return nil
}

// read reads how a case is made.
func (r *generatorReader) read(c *generatedCase, n node, count int, counted bool, s generatorSettings) error {
	command := ""
	known := map[string]func(node) error{
		"generate": set(&command, node.text), "count": nil,
		"copy": func(v node) error {
			text, err := v.text()
			c.copied = path.Join("generators", text)
			return err
		},
		"match": func(v node) error {
			v.d.notef(v.line(), "match: not checked")
			return nil
		},
	}
	for _, ext := range generatedExtensions {
		known[ext[1:]] = func(v node) error { return c.text(ext, v) }
	}
	r.settings(known, &s)
	switch n.kind() {
	case yaml.ScalarNode:
		text, err := n.text()
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
		return r.p.files.errorf(generatorsFile, c.line, hint, format, args...)
	}
	text, ok := r.p.Fill([]byte(command), maxDocument)
	if !ok {
		return fail("", "a command of more than %d MiB", maxDocument>>20)
	}
	command = string(text)
	if counted {
		command = strings.ReplaceAll(command, "{count}", strconv.Itoa(count))
	}
	words, ok := splitShell(command)
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
		if file, dir, err := r.p.files.kind(c.program); err != nil {
			return err
		} else if !file && !dir {
			return fail("name a file or folder in generators/", "there is no generator %s", quote.Name(words[0]))
		}
	}
	return nil
}

// text reads the content of a file of a case, or to which other file it is equal.
func (c *generatedCase) text(ext string, v node) error {
	if v.kind() != yaml.MappingNode {
		text, err := v.text()
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		c.texts[ext] = text
		return err
	}
	if ext == ".yaml" {
		data, err := v.marshal()
		c.texts[ext] = string(data)
		return err
	}
	return v.each(map[string]func(node) error{"link": func(v node) error {
		target, err := v.text()
		kind, _, _ := strings.Cut(ext[1:], ".")
		if of, _, _ := strings.Cut(target, "."); err == nil && (of != kind || "."+target == ext) {
			return v.errorf("", "%s cannot be a link to %s", ext[1:], quote.Name(target))
		}
		c.links[ext] = "." + target
		return err
	}})
}
