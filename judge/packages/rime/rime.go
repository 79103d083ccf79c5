// Package rime loads problems of Rime and rime-plus.
package rime

import (
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

const (
	rimeProblem = "PROBLEM"
	project     = "PROJECT"
	solution    = "SOLUTION"
	testset     = "TESTSET"
)

// Family describes problems of Rime.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "rime", Main: ".", Points: draft.ByCases, Compare: draft.AsSaid, Inputs: problem.Testlib, Outputs: problem.Rime, Output: 64 * limits.MiB}},
	Origin:  "Rime and rime-plus", Signs: "PROBLEM beside folders with SOLUTION or TESTSET",
	Lacks: "Python other than calls with literals, reactive programs, mergers, merged tests, scoring judges",
	Empty: "add *.in beside TESTSET, each with *.diff, or a generator in TESTSET",
	Is:    is, Read: read,
}

// reader reads a problem of Rime, or of its extension rime-plus.
type reader struct {
	*draft.Draft
	reference string // name of the solution that makes the answers; "" for the first right one
	strict    bool   // a wrong solution fails all its challenge cases; with rime-plus one is enough
	solutions []*program
	tests     string // folder of the test set
	subtasks  []subtask

	generators []*program
}

// program is a program that a call such as cxx_solution describes.
type program struct {
	call       *pyCall
	file, rel  string // the file with the call, and the source
	language   string // before the first _ of the call
	challenges *pyArg // nil if there is no such argument
	variant    string
	mainClass  string
	calls      []pyCall // the other calls of the file
}

// subtask is a set of cases that gives points if all of them are accepted.
type subtask struct {
	name     string
	points   float64
	patterns []string
}

// is reports whether PROBLEM lies beside folders with solutions or tests.
func is(p *draft.Draft, list draft.Listing) (bool, error) {
	for _, e := range list {
		for _, name := range []string{solution, testset} {
			if file, _, err := p.Tree.Kind(path.Join(e.Name, name)); e.Dir && (file || err != nil) {
				return file && list.File(rimeProblem), err
			}
		}
	}
	return false, nil
}

// read reads a problem of Rime. Its files are Python, of which calls with literals are read.
func read(p *draft.Draft) error {
	p.Compare = diff.Options{Mode: diff.Exact}
	p.Inclusion = &draft.Inclusion{Wanted: []string{}}
	r := &reader{Draft: p}
	return draft.InOrder(r.project, r.problem, r.folders, r.promises, r.make)
}

// project reads PROJECT in the folder around the package, if the user named a folder around both.
func (r *reader) project() error {
	outer := *r.Draft
	outer.Tree = r.Tree.Around()
	dir := path.Dir(r.Tree.Sub)
	rel := path.Join(dir, project)
	if r.Tree.Sub == "" {
		return nil
	}
	if file, _, err := outer.Tree.Kind(rel); err != nil || !file {
		return err
	}
	calls, err := python(&outer, rel)
	r.strict = err == nil
	for _, c := range calls {
		switch plugin, _ := c.text(0, "name"); {
		case c.name == "use_plugin" && strings.HasPrefix(plugin, "rime_plus"):
			r.strict = false
		case c.name == "project":
			if folder, ok := c.text(0, "library_dir"); ok {
				r.Inclusion.Folders = []string{path.Join(dir, folder)}
			}
		}
	}
	return err
}

// get returns an argument by its name, or else by its position; nil if there is none.
func (c *pyCall) get(at int, name string) *pyArg {
	for i := range c.named {
		if c.named[i].name == name {
			return &c.named[i]
		}
	}
	if 0 <= at && at < len(c.args) {
		return &c.args[at]
	}
	return nil
}

// text returns an argument that is a text.
func (c *pyCall) text(at int, name string) (string, bool) {
	if a := c.get(at, name); a != nil {
		s, ok := a.value.(string)
		return s, ok
	}
	return "", false
}

// problem reads PROBLEM.
func (r *reader) problem() error {
	calls, err := python(r.Draft, rimeProblem)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(calls, func(c pyCall) bool { return c.name == "problem" })
	if i < 0 {
		return r.Tree.Errorf(rimeProblem, 0, "write problem(title='…', id='A', time_limit=1.0)", "no call of problem")
	}
	c := &calls[i]
	r.Title, _ = c.text(2, "title")
	r.reference, _ = c.text(1, "reference_solution")
	limit := c.get(0, "time_limit")
	if limit == nil {
		return r.Tree.Errorf(rimeProblem, c.line, "write time_limit=1.0", "problem has no time_limit")
	}
	seconds, ok := limit.value.(float64)
	if !ok || !(seconds >= 0.001) || seconds > yamlloose.Longest.Seconds() {
		return r.Tree.Errorf(rimeProblem, limit.line, "write time_limit=1.0", "time_limit must be a number of seconds above 0")
	}
	r.Time.Limit, r.Time.From = time.Duration(seconds*float64(time.Second)), rimeProblem
	for j := range calls {
		if j != i {
			r.Note(rimeProblem, calls[j].line, "not read: %s", quote.Name(calls[j].name))
		}
	}
	return nil
}

// folders reads the solutions and the test set, each of which is a folder of the package.
func (r *reader) folders() error {
	list, err := r.ListSkipping(".")
	if err != nil {
		return err
	}
	for _, e := range list {
		solution, _, err := r.Tree.Kind(path.Join(e.Name, solution))
		if err != nil {
			return err
		}
		tests, _, err := r.Tree.Kind(path.Join(e.Name, testset))
		switch {
		case err != nil:
			return err
		case tests && r.tests != "":
			return r.Tree.Errorf(path.Join(e.Name, testset), 0, "put all tests into one folder", "a second test set; the first is %s", r.tests)
		case tests:
			r.tests = e.Name
		case solution:
			one, err := r.solution(e.Name)
			if err != nil {
				r.NoteSkipped(err, e.Name)
			} else {
				r.solutions = append(r.solutions, one)
			}
		}
	}
	if r.tests == "" {
		return r.Tree.Errorf(".", 0, "a test set is a folder with a file "+testset, "no test set")
	}
	return r.testset()
}

// program reads a call that names a program, such as cxx_judge; nil if it does not end with the
// suffix.
func (r *reader) program(c *pyCall, dir, file, suffix string) (*program, error) {
	language, ok := strings.CutSuffix(c.name, suffix)
	if !ok {
		return nil, nil
	}
	src, ok := c.text(0, "src")
	rel := path.Join(dir, src)
	if !ok {
		return nil, r.Tree.Errorf(file, c.line, "write "+c.name+"(src='main.cc')", "%s names no source", c.name)
	}
	if there, _, err := r.Tree.Kind(rel); err != nil {
		return nil, err
	} else if !there {
		return nil, r.Tree.Errorf(file, c.line, "src names a file beside "+path.Base(file), "there is no %s", rel)
	}
	one := &program{call: c, file: file, rel: rel, language: language}
	if language == "cxx" && path.Ext(rel) == ".c" {
		r.Describe(rel).Language = "cpp"
	}
	for i := range c.named {
		a := &c.named[i]
		switch a.name {
		case "src", "encoding", "compile_flags", "run_flags", "testlib":
		case "challenge_cases":
			if one.challenges = a; a.value == nil {
				one.challenges = nil
			}
		case "mainclass":
			one.mainClass, _ = a.value.(string)
		case "variant":
			name, _ := a.value.(pyName)
			one.variant = string(name)
		case "dependency":
			r.Inclusion.Wanted = append(r.Inclusion.Wanted, words(a.value)...)
		case "flags":
			r.flags(rel, file, a)
		default:
			r.Note(file, a.line, "not read: %s", quote.Name(a.name))
		}
	}
	return one, nil
}

// words returns the texts of a list.
func words(value any) (all []string) {
	items, _ := value.([]any)
	for _, v := range items {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// solution reads the folder of a solution.
func (r *reader) solution(dir string) (*program, error) {
	file := path.Join(dir, solution)
	calls, err := python(r.Draft, file)
	if err != nil {
		return nil, err
	}
	var found *program
	var others []pyCall
	for i := range calls {
		one, err := r.program(&calls[i], dir, file, "_solution")
		switch {
		case err != nil:
			return nil, err
		case one == nil:
			others = append(others, calls[i])
		case found != nil:
			return nil, r.Tree.Errorf(file, calls[i].line, "put it into a folder of its own", "a second solution")
		default:
			found = one
		}
	}
	if found == nil { // the source of a known language is the solution
		list, err := r.Tree.List(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.Dir || !slices.Contains([]string{".c", ".cc", ".cxx", ".cpp", ".java", ".kt", ".rs", ".go", ".py", ".sh", ".pl", ".rb"}, path.Ext(e.Name)) {
				continue
			}
			if found != nil {
				return nil, r.Tree.Errorf(file, 0, "write cxx_solution(src='main.cc')", "several sources, and no call names one")
			}
			found = &program{call: &pyCall{line: 1}, file: file, rel: path.Join(dir, e.Name), language: "auto"}
		}
		if found == nil {
			return nil, r.Tree.Errorf(file, 0, "write cxx_solution(src='main.cc')", "no solution")
		}
	}
	found.calls = others
	return found, nil
}

// testset reads TESTSET.
func (r *reader) testset() error {
	file := path.Join(r.tests, testset)
	calls, err := python(r.Draft, file)
	if err != nil {
		return err
	}
	var judges []*program
	var reactive *pyCall
	for i := range calls {
		c := &calls[i]
		known := false
		for suffix, add := range map[string]func(*program){
			"_generator": func(one *program) { r.generators = append(r.generators, one) },
			"_validator": func(one *program) { r.InputPrograms = append(r.InputPrograms, one.rel) },
			"_judge":     func(one *program) { judges = append(judges, one) },
			"_reactive":  func(*program) { reactive = c },
		} {
			if c.name == "scoring_judge" {
				break
			}
			one, err := r.program(c, r.tests, file, suffix)
			if err != nil {
				return err
			}
			if one != nil {
				known = true
				add(one)
			}
		}
		switch {
		case known:
		case strings.HasSuffix(c.name, "_merger"):
			return r.Tree.Errorf(file, c.line, "merge the inputs, and leave it out", "%s, which changes inputs, is not supported", c.name)
		case c.name == "subtask_testset":
			if err := r.subtask(file, c); err != nil {
				return err
			}
		default:
			r.Note(file, c.line, "not read: %s", quote.Name(c.name))
		}
	}
	if reactive != nil {
		return r.Tree.Errorf(file, reactive.line, "write an interactor that talks by standard input and output", "programs that start the submission themselves are not supported")
	}
	for i, one := range judges {
		protocol := problem.Rime
		if one.variant == "testlib_judge_runner" || one.language == "testlib" {
			protocol = problem.Testlib
		}
		if i > 0 && protocol != r.Validation.Protocol {
			return r.Tree.Errorf(file, one.call.line, "give all the same variant", "judges of two kinds are not supported")
		}
		r.Validation.Protocol = protocol
		r.Validation.Programs = append(r.Validation.Programs, one.rel)
	}
	return nil
}

// subtask reads a call of subtask_testset.
func (r *reader) subtask(file string, c *pyCall) error {
	s := subtask{points: 100, patterns: []string{"*"}}
	s.name, _ = c.text(0, "name")
	if a := c.get(1, "score"); a != nil {
		var ok bool
		if s.points, ok = a.value.(float64); !ok || s.points < 0 {
			return r.Tree.Errorf(file, a.line, "write score=30", "score must be a number that is not negative")
		}
	}
	if a := c.get(2, "input_patterns"); a != nil {
		s.patterns = words(a.value)
	}
	if s.name == "" {
		return r.Tree.Errorf(file, c.line, "write subtask_testset(name='small', …)", "a subtask without a name")
	}
	r.subtasks = append(r.subtasks, s)
	return nil
}

// verdicts are the names of verdicts in rime-plus.
var verdicts = map[pyName]verdict.Set{"AC": draft.Accepted, "WA": draft.Wrong, "TLE": draft.Slow, "RE": draft.Crashed}
