package pkgformat

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
)

const (
	rbxFile   = "problem.rbx.yml"
	rbxHeader = "rbx.h"
)

// rbxMade is the folder of the inputs and answers that programs make, which rbx keeps in build/.
const rbxMade = ".made"

// rbxReader reads a problem of rbx.
type rbxReader struct {
	p             *Package
	vars          *rbxVars
	generators    map[string]string // paths by name
	found         map[string]string // paths by those without an extension
	communication bool
	validator     string   // for every group that names no other; "" for none
	validators    []string // extraValidators, for all groups
	script        *rbxScript
	groups        []*rbxGroup
	byName        map[string]*rbxGroup
	solutions     []*node
	unitTests     *node
	scripts       map[string]string // the texts that programs print, by path of the program
	steps         []Step
	required      map[string][]string // by group, all groups on which it depends
}

// rbxFamily are packages of rbx.
var rbxFamily = Family{
	Formats: []Format{{Name: "rbx", Main: rbxFile, Points: ByCases, Compare: AsSaid, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 4 * limits.MiB}},
	Origin:  "rbx, robox.io", Signs: rbxFile,
	Lacks: "profiles in .limits/, outputValidators, checkers for BOCA, Python in vars",
	Marks: []string{rbxFile},
	Empty: "list them, or globs that match files, under testcases in " + rbxFile,
	Is:    func(_ *Package, list listing) (bool, error) { return list.file(rbxFile), nil },
	Read:  readRbx,
}

// readRbx reads a problem of rbx: problem.rbx.yml names everything else.
func readRbx(p *Package) error {
	p.windows, p.answersTalk, p.looseTests = map[string]bool{}, true, true
	p.Compare = diff.Options{Mode: diff.Tokens}
	p.inclusion = &inclusion{made: map[string][]byte{}, wanted: []string{}, folders: []string{p.files.at(".")}}
	for dir := p.files.sub; dir != "" && dir != "."; {
		dir = path.Dir(dir)
		p.inclusion.folders = append(p.inclusion.folders, dir)
	}
	r := &rbxReader{p: p, vars: &rbxVars{}, generators: map[string]string{}, found: map[string]string{}, scripts: map[string]string{}, byName: map[string]*rbxGroup{}}
	for _, step := range []func() error{r.document, r.header, r.readSolutions, r.tests, r.points, r.readUnitTests, r.make} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// document reads problem.rbx.yml.
func (r *rbxReader) document() error {
	p := r.p
	data, err := p.files.read(rbxFile, maxDocument)
	if err != nil {
		return err
	}
	root, err := p.yaml(rbxFile, data)
	if err != nil {
		return err
	}
	var checker, interactor, testcases, modifiers *node
	keep := func(to **node) func(node) error {
		return func(n node) error { *to = &n; return nil }
	}
	err = root.each(map[string]func(node) error{
		"name": into(&p.Title), "titles": r.titles, "type": r.kind, "scoring": r.scoring,
		"timeLimit":   r.timeLimit,
		"memoryLimit": memoryInto(&p.Limits.Memory),
		"outputLimit": bytesInto(&p.Limits.Output, limits.KiB),
		"modifiers":   keep(&modifiers),
		"checker":     keep(&checker), "interactor": keep(&interactor),
		"validator": r.mainValidator, "extraValidators": r.extraValidators,
		"outputValidators": r.outputValidators,
		"generators":       r.generatorList,
		"generatorScript":  func(n node) (err error) { r.script, err = r.readScript(n); return err },
		"solutions":        func(n node) error { r.solutions = n.items(); return r.list(n) },
		"testcases":        keep(&testcases), "unitTests": keep(&r.unitTests),
		"vars": func(n node) error { return r.vars.read(n) }, "statements": r.statements,
		"tutorials": nil, "stresses": nil, "timing": nil, "visualizer": nil, "solutionVisualizer": nil,
	})
	if err != nil {
		return err
	}
	if p.Time.Limit == 0 {
		return p.files.errorf(rbxFile, 0, "write timeLimit: 1000, in milliseconds", "no timeLimit")
	}
	if modifiers != nil {
		if err := r.modifiers(*modifiers); err != nil {
			return err
		}
	}
	if err := r.vars.expand(&p.notes); err != nil {
		return err
	}
	if interactor != nil {
		if p.Validation.Interactor, err = r.code(*interactor, "legacy", "capture"); err != nil {
			return err
		}
	}
	switch {
	case r.communication && interactor == nil:
		return p.files.errorf(rbxFile, 0, "write interactor: {path: interactor.cpp}", "type: communication without an interactor")
	case !r.communication && interactor != nil:
		return interactor.wrong("write type: communication", "only problems of that type have one")
	}
	if p.Validation.Interactive = r.communication; p.Validation.Interactive {
		p.Limits.Output = max(p.Limits.Output, 64*limits.MiB) // rbx has none
	}
	if checker != nil {
		if err := r.checker(*checker); err != nil {
			return err
		}
	}
	if testcases == nil {
		return p.files.errorf(rbxFile, 0, "write testcases: with at least one group", "no testcases")
	}
	if err := r.list(*testcases); err != nil {
		return err
	}
	for _, item := range testcases.items() {
		g, err := r.group(*item)
		if err != nil {
			return err
		}
		if r.byName[g.name] != nil {
			return p.files.errorf(rbxFile, g.line, "rename one", "a second group %s", quote.Name(g.name))
		}
		r.groups, r.byName[g.name] = append(r.groups, g), g
	}
	return nil
}

// list checks that a value is a list.
func (r *rbxReader) list(n node) error {
	if n.items() == nil {
		return n.wrong("begin each entry with -", "a text or a mapping instead of a list")
	}
	return nil
}

func (r *rbxReader) titles(n node) error {
	list, err := n.pairs()
	for _, k := range list {
		if r.p.Names[k.key], err = k.value.text(); err != nil {
			return err
		}
	}
	return err
}

func (r *rbxReader) kind(n node) error {
	kind, err := n.text()
	switch {
	case err != nil:
		return err
	case strings.EqualFold(kind, "communication"):
		r.communication = true
	case !strings.EqualFold(kind, "batch"):
		return n.wrong("the types are batch and communication", "unknown type %s", quote.Name(kind))
	}
	return nil
}

func (r *rbxReader) scoring(n node) error {
	kind, err := n.text()
	switch {
	case err != nil:
		return err
	case strings.EqualFold(kind, "points"):
		r.p.Scoring = true
	case !strings.EqualFold(kind, "binary"):
		return n.wrong("it is binary or points", "unknown kind of scoring %s", quote.Name(kind))
	}
	return nil
}

// outputValidators notes the validators of answers.
func (r *rbxReader) outputValidators(n node) error {
	if len(n.items()) > 0 {
		n.d.notef(n.line(), "outputValidators are not run")
	}
	return r.list(n)
}

// statements lists the statements that are in the package.
func (r *rbxReader) statements(n node) error {
	for _, item := range n.items() {
		if !item.isMapping() {
			return item.wrong("write language: en, file: statement.tex", "a text or a list instead of a mapping")
		}
		list, err := item.pairs()
		if err != nil {
			return err
		}
		language, file := "en", ""
		for _, k := range list {
			switch k.key {
			case "language":
				language, err = k.value.text()
			case "file", "path":
				file, err = k.value.text()
			}
			if err != nil {
				return err
			}
		}
		rel := path.Clean(file)
		if file == "" || !fs.ValidPath(rel) {
			continue // it extends another one
		}
		if there, _, err := r.p.files.kind(rel); err != nil {
			return err
		} else if !there {
			n.d.notef(item.line(), "there is no %s", quote.Name(rel))
			continue
		}
		r.p.Statements = append(r.p.Statements, Statement{language, rel})
	}
	return r.list(n)
}

// path returns the path in the package that a value is.
func (r *rbxReader) path(n node) (string, error) {
	name, err := n.text()
	if err != nil {
		return "", err
	}
	rel := path.Clean(name)
	if name == "" || !fs.ValidPath(rel) || rel == "." {
		return "", n.wrong("write a path below the folder of "+rbxFile, "%s is no path in the package", quote.Name(name))
	}
	return rel, nil
}

// rbxItem holds the keys of a program.
type rbxItem struct {
	path, language string
	at             node // the value of path
}

// item reads the keys that every program has. more are those that this one may have besides.
func (r *rbxReader) item(n node, more map[string]func(node) error) (i rbxItem, err error) {
	known := map[string]func(node) error{
		"path": func(n node) (err error) { i.at = n; i.path, err = r.path(n); return err },
		"language": func(n node) error {
			name, err := n.text()
			i.language = rbxLanguage(name)
			return err
		},
		"compilationFiles": nil,
		"executionFiles": func(n node) error {
			if len(n.items()) > 0 {
				n.d.notef(n.line(), "executionFiles are not given to programs that run")
			}
			return nil
		},
	}
	for key, read := range more {
		known[key] = read
	}
	if err := n.each(known); err != nil {
		return i, err
	}
	if i.path == "" {
		return i, n.wrong("write path: name.cpp", "a program without a path")
	}
	return i, nil
}

// code returns the path of a program that must exist. Of the keys in more it takes no notice.
func (r *rbxReader) code(n node, more ...string) (string, error) {
	unread := map[string]func(node) error{}
	for _, key := range more {
		unread[key] = nil
	}
	i, err := r.item(n, unread)
	if err != nil {
		return "", err
	}
	file, _, err := r.p.files.kind(i.path)
	if err == nil && !file {
		err = i.at.wrong("add it", "there is no %s", quote.Name(i.path))
	}
	if i.language != "" {
		r.p.program(i.path).language = i.language
	}
	return i.path, err
}

// mainValidator reads the validator that a group may replace.
func (r *rbxReader) mainValidator(n node) (err error) {
	if r.validator, err = r.code(n); err == nil {
		r.addValidators(r.validator)
	}
	return err
}

// addValidators adds input validators that are not yet known.
func (r *rbxReader) addValidators(list ...string) {
	p := r.p
	for _, rel := range list {
		if !slices.Contains(p.InputPrograms, rel) {
			p.InputPrograms = append(p.InputPrograms, rel)
		}
	}
}

// extraValidators reads the validators that run besides.
func (r *rbxReader) extraValidators(n node) (err error) {
	r.validators, err = r.codes(n)
	return err
}

// codes returns the paths of the programs in a list. A path may be a pattern.
func (r *rbxReader) codes(n node) (all []string, err error) {
	for _, item := range n.items() {
		i, err := r.item(*item, nil)
		if err != nil {
			return nil, err
		}
		list := []string{i.path}
		if strings.Contains(i.path, "*") {
			list, err = r.glob(i.path, i.at)
		} else {
			_, err = r.code(*item)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	r.addValidators(all...)
	return all, r.list(n)
}

func (r *rbxReader) generatorList(n node) error {
	for _, item := range n.items() {
		var name string
		i, err := r.item(*item, map[string]func(node) error{"name": into(&name)})
		if err != nil {
			return err
		}
		if _, err := r.code(*item, "name"); err != nil {
			return err
		}
		r.generators[name] = i.path
	}
	return r.list(n)
}
