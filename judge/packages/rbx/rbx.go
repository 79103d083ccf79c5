// Package rbx loads problems of rbx.
package rbx

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

const (
	file   = "problem.rbx.yml"
	header = "rbx.h"
)

// made is the folder of the inputs and answers that programs make, which rbx keeps in build/.
const made = ".made"

// reader reads a problem of rbx.
type reader struct {
	*draft.Draft
	vars          *vars
	generators    map[string]string // paths by name
	found         map[string]string // paths by those without an extension
	communication bool
	validator     string   // for every group that names no other; "" for none
	validators    []string // extraValidators, for all groups
	script        *script
	groups        []*group
	byName        map[string]*group
	solutions     []*yamlloose.Node
	unitTests     *yamlloose.Node
	scripts       map[string]string // the texts that programs print, by path of the program
	steps         []draft.Step
	required      map[string][]string // by group, all groups on which it depends
}

// Family describes packages of rbx.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "rbx", Main: file, Points: draft.ByCases, Compare: draft.AsSaid, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 4 * limits.MiB}},
	Origin:  "rbx, robox.io", Signs: file,
	Lacks: "profiles in .limits/, outputValidators, checkers for BOCA, Python in vars",
	Marks: []string{file}, Empty: "list them, or globs that match files, under testcases in " + file,
	Is: func(_ *draft.Draft, list draft.Listing) (bool, error) { return list.File(file), nil }, Read: read,
}

// read reads a problem of rbx: problem.rbx.yml names everything else.
func read(p *draft.Draft) error {
	p.Windows, p.AnswersTalk, p.LooseTests = map[string]bool{}, true, true
	p.Compare = diff.Options{Mode: diff.Tokens}
	p.Inclusion = &draft.Inclusion{Made: map[string][]byte{}, Wanted: []string{}, Folders: []string{p.Tree.At(".")}}
	for dir := p.Tree.Sub; dir != "" && dir != "."; {
		dir = path.Dir(dir)
		p.Inclusion.Folders = append(p.Inclusion.Folders, dir)
	}
	r := &reader{Draft: p, vars: &vars{}, generators: map[string]string{}, found: map[string]string{}, scripts: map[string]string{}, byName: map[string]*group{}}
	return draft.InOrder(r.document, r.header, r.readSolutions, r.tests, r.points, r.readUnitTests, r.make)
}

// document reads problem.rbx.yml.
func (r *reader) document() error {
	root, err := r.Document(file)
	if err != nil {
		return err
	}
	var checker, interactor, testcases, modifiers *yamlloose.Node
	keep := func(to **yamlloose.Node) func(yamlloose.Node) error {
		return func(n yamlloose.Node) error { *to = &n; return nil }
	}
	err = root.Each(map[string]func(yamlloose.Node) error{
		"name": yamlloose.Into(&r.Title), "titles": r.titles, "type": r.kind, "scoring": r.scoring,
		"timeLimit":   r.timeLimit,
		"memoryLimit": yamlloose.MemoryInto(&r.Limits.Memory),
		"outputLimit": yamlloose.BytesInto(&r.Limits.Output, limits.KiB),
		"modifiers":   keep(&modifiers),
		"checker":     keep(&checker), "interactor": keep(&interactor),
		"validator": r.mainValidator, "extraValidators": r.extraValidators,
		"outputValidators": r.outputValidators,
		"generators":       r.generatorList,
		"generatorScript":  func(n yamlloose.Node) (err error) { r.script, err = r.readScript(n); return err },
		"solutions":        func(n yamlloose.Node) error { r.solutions = n.Items(); return r.list(n) },
		"testcases":        keep(&testcases), "unitTests": keep(&r.unitTests),
		"vars": func(n yamlloose.Node) error { return r.vars.read(n) }, "statements": r.statements,
		"tutorials": nil, "stresses": nil, "timing": nil, "visualizer": nil, "solutionVisualizer": nil,
	})
	if err != nil {
		return err
	}
	if r.Time.Limit == 0 {
		return r.Tree.Errorf(file, 0, "write timeLimit: 1000, in milliseconds", "no timeLimit")
	}
	if modifiers != nil {
		if err := r.modifiers(*modifiers); err != nil {
			return err
		}
	}
	if err := r.vars.expand(&r.Notebook); err != nil {
		return err
	}
	if interactor != nil {
		if r.Validation.Interactor, err = r.code(*interactor, "legacy", "capture"); err != nil {
			return err
		}
	}
	switch {
	case r.communication && interactor == nil:
		return r.Tree.Errorf(file, 0, "write interactor: {path: interactor.cpp}", "type: communication without an interactor")
	case !r.communication && interactor != nil:
		return interactor.Wrong("write type: communication", "only problems of that type have one")
	}
	if r.Validation.Interactive = r.communication; r.Validation.Interactive {
		r.Limits.Output = max(r.Limits.Output, 64*limits.MiB) // rbx has none
	}
	if checker != nil {
		if err := r.checker(*checker); err != nil {
			return err
		}
	}
	if testcases == nil {
		return r.Tree.Errorf(file, 0, "write testcases: with at least one group", "no testcases")
	}
	if err := r.list(*testcases); err != nil {
		return err
	}
	for _, item := range testcases.Items() {
		g, err := r.group(*item)
		if err != nil {
			return err
		}
		if r.byName[g.name] != nil {
			return r.Tree.Errorf(file, g.line, "rename one", "a second group %s", quote.Name(g.name))
		}
		r.groups, r.byName[g.name] = append(r.groups, g), g
	}
	return nil
}

// list checks that a value is a list.
func (r *reader) list(n yamlloose.Node) error {
	if n.Items() == nil {
		return n.Wrong("begin each entry with -", "a text or a mapping instead of a list")
	}
	return nil
}

func (r *reader) titles(n yamlloose.Node) error {
	list, err := n.Pairs()
	for _, k := range list {
		if r.Names[k.Key], err = k.Value.Text(); err != nil {
			return err
		}
	}
	return err
}

func (r *reader) kind(n yamlloose.Node) error {
	kind, err := n.Text()
	switch {
	case err != nil:
		return err
	case strings.EqualFold(kind, "communication"):
		r.communication = true
	case !strings.EqualFold(kind, "batch"):
		return n.Wrong("the types are batch and communication", "unknown type %s", quote.Name(kind))
	}
	return nil
}

func (r *reader) scoring(n yamlloose.Node) error {
	kind, err := n.Text()
	switch {
	case err != nil:
		return err
	case strings.EqualFold(kind, "points"):
		r.Scoring = true
	case !strings.EqualFold(kind, "binary"):
		return n.Wrong("it is binary or points", "unknown kind of scoring %s", quote.Name(kind))
	}
	return nil
}

// outputValidators notes the validators of answers.
func (r *reader) outputValidators(n yamlloose.Node) error {
	if len(n.Items()) > 0 {
		n.Doc.Notef(n.Line(), "outputValidators are not run")
	}
	return r.list(n)
}

// statements lists the statements that are in the package.
func (r *reader) statements(n yamlloose.Node) error {
	for _, item := range n.Items() {
		if !item.IsMapping() {
			return item.Wrong("write language: en, file: statement.tex", "a text or a list instead of a mapping")
		}
		list, err := item.Pairs()
		if err != nil {
			return err
		}
		language, file := "en", ""
		for _, k := range list {
			switch k.Key {
			case "language":
				language, err = k.Value.Text()
			case "file", "path":
				file, err = k.Value.Text()
			}
			if err != nil {
				return err
			}
		}
		rel := path.Clean(file)
		if file == "" || !fs.ValidPath(rel) {
			continue // it extends another one
		}
		if there, _, err := r.Tree.Kind(rel); err != nil {
			return err
		} else if !there {
			n.Doc.Notef(item.Line(), "there is no %s", quote.Name(rel))
			continue
		}
		r.Statements = append(r.Statements, draft.Statement{Language: language, Path: rel})
	}
	return r.list(n)
}

// path returns the path in the package that a value is.
func (r *reader) path(n yamlloose.Node) (string, error) {
	name, err := n.Text()
	if err != nil {
		return "", err
	}
	rel := path.Clean(name)
	if name == "" || !fs.ValidPath(rel) || rel == "." {
		return "", n.Wrong("write a path below the folder of "+file, "%s is no path in the package", quote.Name(name))
	}
	return rel, nil
}

// item holds the keys of a program.
type item struct {
	path, language string
	at             yamlloose.Node // the value of path
}

// item reads the keys that every program has. more are those that this one may have besides.
func (r *reader) item(n yamlloose.Node, more map[string]func(yamlloose.Node) error) (i item, err error) {
	known := map[string]func(yamlloose.Node) error{
		"path": func(n yamlloose.Node) (err error) { i.at = n; i.path, err = r.path(n); return err },
		"language": func(n yamlloose.Node) error {
			name, err := n.Text()
			i.language = language(name)
			return err
		},
		"compilationFiles": nil,
		"executionFiles": func(n yamlloose.Node) error {
			if len(n.Items()) > 0 {
				n.Doc.Notef(n.Line(), "executionFiles are not given to programs that run")
			}
			return nil
		},
	}
	for key, read := range more {
		known[key] = read
	}
	if err := n.Each(known); err != nil {
		return i, err
	}
	if i.path == "" {
		return i, n.Wrong("write path: name.cpp", "a program without a path")
	}
	return i, nil
}

// code returns the path of a program that must exist. Of the keys in more it takes no notice.
func (r *reader) code(n yamlloose.Node, more ...string) (string, error) {
	unread := map[string]func(yamlloose.Node) error{}
	for _, key := range more {
		unread[key] = nil
	}
	i, err := r.item(n, unread)
	if err != nil {
		return "", err
	}
	file, _, err := r.Tree.Kind(i.path)
	if err == nil && !file {
		err = i.at.Wrong("add it", "there is no %s", quote.Name(i.path))
	}
	if i.language != "" {
		r.Describe(i.path).Language = i.language
	}
	return i.path, err
}

// mainValidator reads the validator that a group may replace.
func (r *reader) mainValidator(n yamlloose.Node) (err error) {
	if r.validator, err = r.code(n); err == nil {
		r.addValidators(r.validator)
	}
	return err
}

// addValidators adds input validators that are not yet known.
func (r *reader) addValidators(list ...string) {
	for _, rel := range list {
		if !slices.Contains(r.InputPrograms, rel) {
			r.InputPrograms = append(r.InputPrograms, rel)
		}
	}
}

// extraValidators reads the validators that run besides.
func (r *reader) extraValidators(n yamlloose.Node) (err error) {
	r.validators, err = r.codes(n)
	return err
}

// codes returns the paths of the programs in a list. A path may be a pattern.
func (r *reader) codes(n yamlloose.Node) (all []string, err error) {
	for _, item := range n.Items() {
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

func (r *reader) generatorList(n yamlloose.Node) error {
	for _, item := range n.Items() {
		var name string
		i, err := r.item(*item, map[string]func(yamlloose.Node) error{"name": yamlloose.Into(&name)})
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
