package pkgformat

import (
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/quote"
)

const (
	maxGenerated  = 1 << 17 // cases that generators.yaml lists
	generatedBase = "testcase"
)

// generate makes the cases that generators.yaml lists and data/ lacks, and adds them to the files of
// the package.
func (p *kattisReader) generate() error {
	data, err := p.files.read(generatorsFile, maxDocument)
	if data == nil || err != nil {
		return err
	}
	have, err := p.inputs("data/secret")
	if err != nil {
		return err
	}
	root, err := p.yaml(generatorsFile, data)
	if err == nil {
		var r *generatorReader
		if r, err = p.readGenerators(root); err == nil {
			return r.make()
		}
	}
	if len(have) > 0 {
		p.noteSkipped(err, generatorsFile)
		return nil
	}
	return err
}

// inputs returns the inputs below a folder, as paths below data/ without an extension.
func (p *kattisReader) inputs(dir string) (list []string, err error) {
	err = p.files.walk(dir, func(rel string, e *entry) (bool, error) {
		if name, ok := strings.CutSuffix(rel, ".in"); ok && !e.dir {
			list = append(list, strings.TrimPrefix(name, "data/"))
		}
		return e.dir, nil
	})
	return list, err
}

// generatedCase is a case that BAPCtools' generators.yaml lists.
type generatedCase struct {
	name     string // path below data without an extension
	line     int    // in generators.yaml
	program  string // path of the generator; "" if none makes the case
	args     []string
	copied   string            // path in the package, without extension, of files to copy; "" for none
	texts    map[string]string // contents by extension
	links    map[string]string // extension of the file with the same content, by extension
	solution string            // path of the program that makes the answer; "" for none
	included *generatedCase    // the case whose files this case has; nil if it has its own
}

// generatorSettings are the settings that folders pass to what is in them.
type generatorSettings struct {
	solution string // "" for none
	salt     string
}

// generatorReader reads generators.yaml.
type generatorReader struct {
	p        *kattisReader
	implicit map[string][]string // the files of the generators that the key generators defines, by path
	cases    []*generatedCase
	groups   map[string]node               // settings files as mappings, by path in the package
	byKey    map[string][][]*generatedCase // the cases of each folder or entry of this key, for include
	names    map[string]*generatedCase
	written  map[string]bool // paths of the files of the package that no program made
	numbered int             // numbered cases in the whole file
	number   int             // of the last numbered case
}

// generatorRoots lists the folders of data/ in the order in which their cases are numbered.
var generatorRoots = []string{"sample", "secret", "invalid_output", "invalid_answer", "invalid_input", "valid_output"}

// generatedExtensions lists the extensions of files that generators may make, the longest first.
var generatedExtensions = []string{
	".in.statement", ".ans.statement", ".in.download", ".ans.download",
	".interaction", ".yaml", ".hint", ".desc", ".ans", ".out", ".in",
}

// imageExtensions lists the extensions of pictures of cases, which are only copied.
var imageExtensions = []string{".png", ".jpg", ".svg"}

// readGenerators reads generators.yaml, whose root is n.
func (p *kattisReader) readGenerators(n node) (*generatorReader, error) {
	r := &generatorReader{
		p: p, implicit: map[string][]string{}, groups: map[string]node{}, byKey: map[string][][]*generatedCase{},
		names: map[string]*generatedCase{}, written: map[string]bool{},
	}
	var err error
	if r.numbered, err = r.count(n); err != nil {
		return nil, err
	}
	solution, err := p.defaultSolution()
	if err == nil {
		_, err = r.folder(n, "", generatorSettings{solution: solution})
	}
	return r, err
}

// defaultSolution returns the path of the submission that makes answers if generators.yaml names
// none: the first in submissions/accepted, or "".
func (p *kattisReader) defaultSolution() (string, error) {
	list, err := p.listSkipping("submissions/accepted")
	for _, e := range list {
		if !companion(e.name) {
			return path.Join("submissions/accepted", e.name), err
		}
	}
	return "", err
}

// folder reads a folder below data/; dir is "" for data/ itself. It returns the cases in it and its
// folders, with those included.
func (r *generatorReader) folder(n node, dir string, s generatorSettings) (list []*generatedCase, err error) {
	var data, include, generators node
	known := map[string]func(node) error{
		"data": set(&data, keep), "include": set(&include, keep),
		"type": nil, "version": nil, "gitignore_generated": nil, "parallel": nil,
		"visualizer": func(v node) error {
			v.d.notef(v.line(), "visualizers are not run")
			return nil
		},
	}
	r.settings(known, &s)
	for _, name := range settingsFiles {
		known[name] = func(v node) error {
			r.groups[path.Join("data", dir, name)] = v
			return nil
		}
	}
	if dir == "" {
		known["generators"] = set(&generators, keep)
	}
	if err := withNulls(n, known, &s); err != nil {
		return nil, err
	}
	if err := r.programs(generators); err != nil {
		return nil, err
	}
	keys, err := include.texts()
	if err != nil {
		return nil, err
	}
	var included []*generatedCase
	for _, key := range keys {
		known := r.byKey[key]
		if len(known) != 1 {
			return nil, include.errorf("a folder or case that stands before is included by its name", "include: %d folders or cases are called %s", len(known), quote.Name(key))
		}
		included = append(included, known[0]...)
	}
	if data.n != nil {
		if list, err = r.inside(data, dir, s); err != nil {
			return nil, err
		}
	}
	for _, c := range included {
		name := path.Join(dir, path.Base(c.name))
		if other := r.names[name]; other != nil {
			if other != c && other.included != c {
				return nil, include.errorf("", "include: %s would be %s, which is another case", c.name, name)
			}
			continue
		}
		one := &generatedCase{name: name, line: include.line(), included: c}
		if err := r.add(one); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// keep is a reader for set that leaves the value to be read later.
func keep(n node) (node, error) { return n, nil }

// settings adds readers of the keys that folders and cases share.
func (r *generatorReader) settings(known map[string]func(node) error, s *generatorSettings) {
	known["random_salt"] = set(&s.salt, node.text)
	known["solution"] = func(v node) error {
		text, err := v.text()
		s.solution = strings.TrimPrefix(path.Clean(text), "/")
		return err
	}
	known["retries"] = func(v node) error {
		v.d.notef(v.line(), "retries: every generator is run once")
		return nil
	}
}

// withNulls is like each, but a solution of null means that there is none.
func withNulls(n node, known map[string]func(node) error, s *generatorSettings) error {
	list, err := n.pairs()
	for _, k := range list {
		if k.key == "solution" && k.value.n == nil {
			s.solution = ""
		}
	}
	if err != nil {
		return err
	}
	return n.each(known)
}

// programs reads the generators that consist of several files.
func (r *generatorReader) programs(n node) error {
	list, err := n.pairs()
	for _, k := range list {
		files, err := k.value.texts()
		if err != nil {
			return err
		}
		for i := range files {
			files[i] = path.Join("generators", files[i])
		}
		if len(files) > 0 {
			r.implicit[path.Join("generators", k.key)] = files
		}
	}
	return err
}

// inside reads the value of the key data of a folder and returns the cases in it.
func (r *generatorReader) inside(data node, dir string, s generatorSettings) (cases []*generatedCase, err error) {
	list, numbered, err := entries(data)
	if err != nil {
		return nil, err
	}
	if dir == "" && numbered {
		return nil, data.errorf("name the folders sample and secret", "data/ cannot be numbered")
	}
	folders, folder := 0, 0
	for _, e := range slices.Concat(list...) {
		if !isCase(e.value) {
			folders++
		}
	}
	for _, e := range r.order(list, dir) {
		key := e.key
		if key == "~" || key == "null" {
			key = ""
		}
		if key == "" && !numbered {
			return nil, data.d.t.errorf(generatorsFile, e.line, "", "an empty name outside of a numbered list")
		}
		var sub []*generatedCase
		if isCase(e.value) {
			sub, err = r.some(e, key, dir, numbered, s)
		} else {
			name := key
			if numbered {
				folder++
				name = numberedName(folder, folders, key)
			}
			if !validName(name) {
				return nil, data.d.t.errorf(generatorsFile, e.line, "", "invalid name %s", quote.Name(name))
			}
			sub, err = r.folder(e.value, path.Join(dir, name), s)
		}
		if err != nil {
			return nil, err
		}
		r.byKey[key] = append(r.byKey[key], sub)
		cases = append(cases, sub...)
	}
	return cases, nil
}

// order returns the entries of a folder in the order in which their cases are numbered: that of
// lists, and in mappings by name.
func (r *generatorReader) order(list [][]pair, dir string) (all []pair) {
	for _, entry := range list {
		if dir != "" {
			slices.SortFunc(entry, func(a, b pair) int { return strings.Compare(a.key, b.key) })
			all = append(all, entry...)
			continue
		}
		for _, root := range generatorRoots {
			if i := slices.IndexFunc(entry, func(e pair) bool { return e.key == root }); i >= 0 {
				all = append(all, entry[i])
			}
		}
		for _, e := range entry {
			if !slices.Contains(generatorRoots, e.key) {
				e.value.d.notef(e.line, "not made: data/ has no folder %s", quote.Name(e.key))
			}
		}
	}
	return all
}
