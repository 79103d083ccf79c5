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

// isCase reports whether a value describes a case; otherwise it describes a folder.
func isCase(n yamlloose.Node) bool {
	if n.Kind() != yaml.MappingNode {
		return n.Kind() != yaml.SequenceNode
	}
	for i := 0; i < len(n.Raw.Content); i += 2 {
		key := n.Raw.Content[i].Value
		if slices.Contains([]string{"generate", "copy", "count", "match"}, key) || slices.Contains(generatedExtensions, "."+key) {
			return true
		}
	}
	return false
}

// entries returns the keys and values of a value of the key data. Those of a list are numbered.
func entries(n yamlloose.Node) (list [][]yamlloose.Pair, numbered bool, err error) {
	if n.Kind() != yaml.SequenceNode {
		one, err := n.Pairs()
		return [][]yamlloose.Pair{one}, false, err
	}
	for i := range n.Raw.Content {
		one, err := n.Item(i).Pairs()
		if err != nil {
			return nil, false, err
		}
		if len(one) != 1 {
			return nil, false, n.Item(i).Errorf("indent what belongs to the case by one more level", "an element of a numbered list needs one key, not %d", len(one))
		}
		list = append(list, one)
	}
	return list, true, nil
}

// count returns the number of numbered cases below a folder.
func (r *generatorReader) count(n yamlloose.Node) (total int, err error) {
	list, err := n.Pairs()
	for _, key := range list {
		if err != nil || key.Key != "data" {
			continue
		}
		list, numbered, err := entries(key.Value)
		if err != nil {
			return 0, err
		}
		for _, e := range slices.Concat(list...) {
			more := 0
			switch {
			case !isCase(e.Value):
				more, err = r.count(e.Value)
			case numbered:
				var counts []int
				counts, err = countsOf(e.Value)
				more = max(1, len(counts))
			}
			if total += more; err != nil {
				return 0, err
			}
		}
	}
	return total, err
}

// countsOf returns the numbers of the cases that one entry describes; nil for one case without a
// number.
func countsOf(n yamlloose.Node) ([]int, error) {
	if n.Kind() != yaml.MappingNode {
		return nil, nil
	}
	list, err := n.Pairs()
	i := slices.IndexFunc(list, func(k yamlloose.Pair) bool { return k.Key == "count" && k.Value.Raw != nil })
	if i < 0 || err != nil {
		return nil, err
	}
	v := list[i].Value
	words, err := v.Texts()
	if err != nil {
		return nil, err
	}
	lo, hi, isRange := "1", "", false
	if v.Kind() == yaml.ScalarNode {
		hi, isRange = words[0], true
		if a, b, ok := strings.Cut(words[0], "..="); ok {
			lo, hi = a, b
		}
	}
	const most = 100
	var counts []int
	if isRange {
		a, err1 := strconv.ParseInt(lo, 10, 32)
		b, err2 := strconv.ParseInt(hi, 10, 32)
		if err1 != nil || err2 != nil || a > b || b-a >= most {
			return nil, v.Errorf("", "count: 1 to %d numbers such as 5, 3..=7 or [1, 4] are needed, not %s", most, quote.Name(words[0]))
		}
		for i := a; i <= b; i++ {
			counts = append(counts, int(i))
		}
		return counts, nil
	}
	for _, w := range words {
		i, err := strconv.Atoi(w)
		if err != nil || slices.Contains(counts, i) {
			return nil, v.Errorf("", "count: a list of different integers is needed")
		}
		counts = append(counts, i)
	}
	if len(counts) == 0 || len(counts) > most {
		return nil, v.Errorf("", "count: 1 to %d numbers are needed", most)
	}
	return counts, nil
}

func numberedName(i, of int, key string) string {
	digits := strconv.Itoa(i)
	name := strings.Repeat("0", max(0, len(strconv.Itoa(of))-len(digits))) + digits
	if key != "" {
		name += "-" + key
	}
	return name
}

var caseName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}$`) })

func validName(name string) bool {
	return caseName().MatchString(name) && !strings.HasSuffix(name, ".in")
}

// padded writes a number with zeros after its sign, so that it has the width.
func padded(i, width int) string {
	text := strconv.Itoa(i)
	sign := len(text) - len(strings.TrimPrefix(text, "-"))
	return text[:sign] + strings.Repeat("0", max(0, width-len(text))) + text[sign:]
}
