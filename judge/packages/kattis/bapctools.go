package kattis

import (
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

const (
	maxGenerated  = 1 << 17 // cases that generators.yaml lists
	generatedBase = "testcase"
)

// generate makes the cases that generators.yaml lists and data/ lacks, and adds them to the files of
// the package.
func (p *reader) generate() error {
	data, err := p.Tree.Read(draft.GeneratorsFile, tree.MaxDocument)
	if data == nil || err != nil {
		return err
	}
	have, err := p.inputs("data/secret")
	if err != nil {
		return err
	}
	root, err := p.YAML(draft.GeneratorsFile, data)
	if err == nil {
		var r *generatorReader
		if r, err = p.readGenerators(root); err == nil {
			return r.make()
		}
	}
	if len(have) > 0 {
		p.NoteSkipped(err, draft.GeneratorsFile)
		return nil
	}
	return err
}

// inputs returns the inputs below a folder, as paths below data/ without an extension.
func (p *reader) inputs(dir string) (list []string, err error) {
	err = p.Tree.Walk(dir, func(rel string, e *tree.Entry) (bool, error) {
		if name, ok := strings.CutSuffix(rel, ".in"); ok && !e.Dir {
			list = append(list, strings.TrimPrefix(name, "data/"))
		}
		return e.Dir, nil
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
	p        *reader
	implicit map[string][]string // the files of the generators that the key generators defines, by path
	cases    []*generatedCase
	groups   map[string]yamlloose.Node     // settings files as mappings, by path in the package
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
func (p *reader) readGenerators(n yamlloose.Node) (*generatorReader, error) {
	r := &generatorReader{
		p: p, implicit: map[string][]string{}, groups: map[string]yamlloose.Node{}, byKey: map[string][][]*generatedCase{},
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
func (p *reader) defaultSolution() (string, error) {
	list, err := p.ListSkipping("submissions/accepted")
	for _, e := range list {
		if !draft.Companion(e.Name) {
			return path.Join("submissions/accepted", e.Name), err
		}
	}
	return "", err
}

// folder reads a folder below data/; dir is "" for data/ itself. It returns the cases in it and its
// folders, with those included.
func (r *generatorReader) folder(n yamlloose.Node, dir string, s generatorSettings) (list []*generatedCase, err error) {
	var data, include, generators yamlloose.Node
	known := map[string]func(yamlloose.Node) error{
		"data": yamlloose.Set(&data, keep), "include": yamlloose.Set(&include, keep),
		"type": nil, "version": nil, "gitignore_generated": nil, "parallel": nil,
		"visualizer": func(v yamlloose.Node) error {
			v.Doc.Notef(v.Line(), "visualizers are not run")
			return nil
		},
	}
	r.settings(known, &s)
	for _, name := range settingsFiles {
		known[name] = func(v yamlloose.Node) error {
			r.groups[path.Join("data", dir, name)] = v
			return nil
		}
	}
	if dir == "" {
		known["generators"] = yamlloose.Set(&generators, keep)
	}
	if err := withNulls(n, known, &s); err != nil {
		return nil, err
	}
	if err := r.programs(generators); err != nil {
		return nil, err
	}
	keys, err := include.Texts()
	if err != nil {
		return nil, err
	}
	var included []*generatedCase
	for _, key := range keys {
		known := r.byKey[key]
		if len(known) != 1 {
			return nil, include.Errorf("a folder or case that stands before is included by its name", "include: %d folders or cases are called %s", len(known), quote.Name(key))
		}
		included = append(included, known[0]...)
	}
	if data.Raw != nil {
		if list, err = r.inside(data, dir, s); err != nil {
			return nil, err
		}
	}
	for _, c := range included {
		name := path.Join(dir, path.Base(c.name))
		if other := r.names[name]; other != nil {
			if other != c && other.included != c {
				return nil, include.Errorf("", "include: %s would be %s, which is another case", c.name, name)
			}
			continue
		}
		one := &generatedCase{name: name, line: include.Line(), included: c}
		if err := r.add(one); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// keep is a reader for set that leaves the value to be read later.
func keep(n yamlloose.Node) (yamlloose.Node, error) { return n, nil }

// settings adds readers of the keys that folders and cases share.
func (r *generatorReader) settings(known map[string]func(yamlloose.Node) error, s *generatorSettings) {
	known["random_salt"] = yamlloose.Set(&s.salt, yamlloose.Node.Text)
	known["solution"] = func(v yamlloose.Node) error {
		text, err := v.Text()
		s.solution = strings.TrimPrefix(path.Clean(text), "/")
		return err
	}
	known["retries"] = func(v yamlloose.Node) error {
		v.Doc.Notef(v.Line(), "retries: every generator is run once")
		return nil
	}
}

// withNulls is like each, but a solution of null means that there is none.
func withNulls(n yamlloose.Node, known map[string]func(yamlloose.Node) error, s *generatorSettings) error {
	list, err := n.Pairs()
	for _, k := range list {
		if k.Key == "solution" && k.Value.Raw == nil {
			s.solution = ""
		}
	}
	if err != nil {
		return err
	}
	return n.Each(known)
}

// programs reads the generators that consist of several files.
func (r *generatorReader) programs(n yamlloose.Node) error {
	list, err := n.Pairs()
	for _, k := range list {
		files, err := k.Value.Texts()
		if err != nil {
			return err
		}
		for i := range files {
			files[i] = path.Join("generators", files[i])
		}
		if len(files) > 0 {
			r.implicit[path.Join("generators", k.Key)] = files
		}
	}
	return err
}

// inside reads the value of the key data of a folder and returns the cases in it.
func (r *generatorReader) inside(data yamlloose.Node, dir string, s generatorSettings) (cases []*generatedCase, err error) {
	list, numbered, err := entries(data)
	if err != nil {
		return nil, err
	}
	if dir == "" && numbered {
		return nil, data.Errorf("name the folders sample and secret", "data/ cannot be numbered")
	}
	folders, folder := 0, 0
	for _, e := range slices.Concat(list...) {
		if !isCase(e.Value) {
			folders++
		}
	}
	for _, e := range r.order(list, dir) {
		key := e.Key
		if key == "~" || key == "null" {
			key = ""
		}
		if key == "" && !numbered {
			return nil, data.Doc.Tree.Errorf(draft.GeneratorsFile, e.Line, "", "an empty name outside of a numbered list")
		}
		var sub []*generatedCase
		if isCase(e.Value) {
			sub, err = r.some(e, key, dir, numbered, s)
		} else {
			name := key
			if numbered {
				folder++
				name = numberedName(folder, folders, key)
			}
			if !validName(name) {
				return nil, data.Doc.Tree.Errorf(draft.GeneratorsFile, e.Line, "", "invalid name %s", quote.Name(name))
			}
			sub, err = r.folder(e.Value, path.Join(dir, name), s)
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
func (r *generatorReader) order(list [][]yamlloose.Pair, dir string) (all []yamlloose.Pair) {
	for _, entry := range list {
		if dir != "" {
			slices.SortFunc(entry, func(a, b yamlloose.Pair) int { return strings.Compare(a.Key, b.Key) })
			all = append(all, entry...)
			continue
		}
		for _, root := range generatorRoots {
			if i := slices.IndexFunc(entry, func(e yamlloose.Pair) bool { return e.Key == root }); i >= 0 {
				all = append(all, entry[i])
			}
		}
		for _, e := range entry {
			if !slices.Contains(generatorRoots, e.Key) {
				e.Value.Doc.Notef(e.Line, "not made: data/ has no folder %s", quote.Name(e.Key))
			}
		}
	}
	return all
}
