// Package tps loads tasks of TPS.
package tps

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

const (
	tpsProblem   = "problem.json"
	subtasks     = "subtasks.json"
	tpsSolutions = "solutions.json"
	tpsData      = "gen/data"
	tpsChecker   = "checker/checker.cpp"
)

// Family describes tasks of TPS.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "tps", Main: subtasks, Points: draft.ByCases, Compare: draft.ByTokens, Inputs: problem.Testlib, Outputs: problem.CMS, Output: 64 * limits.MiB}},
	Origin:  "TPS, the tool of the IOI", Signs: "problem.json and gen/data",
	Lacks: "several processes, the type TwoSteps, validators of single subtasks",
	Empty: "list them in " + tpsData + " after @subtask NAME",
	Is: func(p *draft.Draft, list draft.Listing) (bool, error) {
		file, _, err := p.Tree.Kind(tpsData)
		return file && list.File(tpsProblem), err
	},
	Read: read,
}

// reader reads a task of TPS.
type reader struct {
	*draft.Draft
	points map[string]float64 // by subtask
	sets   map[string]*tpsSet // by name, subtasks included
	order  []string           // names of the subtasks
	inputs []draft.Step
	joined []draft.Joined // inputs with what is put around each
	// standard means that submissions talk to the manager by standard input and output, instead of
	// files that their arguments name.
	standard bool
}

// tpsSet is a test set: its cases in order, each once.
type tpsSet struct {
	cases []*draft.Case
	has   map[*draft.Case]bool
}

func (s *tpsSet) add(list ...*draft.Case) {
	for _, c := range list {
		if !s.has[c] {
			s.cases, s.has[c] = append(s.cases, c), true
		}
	}
}

// read reads a task of TPS, the tool of the IOI: gen/data lists the tests, and subtasks.json what
// they are worth.
func read(p *draft.Draft) error {
	p.Inclusion = &draft.Inclusion{Wanted: []string{}, Except: p.Tree.At("solution")}
	r := &reader{Draft: p, points: map[string]float64{}, sets: map[string]*tpsSet{}}
	return draft.InOrder(r.problem, r.subtasks, r.tests, r.solutions, r.make)
}

// document returns the keys of a file of JSON; none if it does not exist.
func (r *reader) document(rel string) ([]yamlloose.Pair, error) {
	data, err := r.Tree.Read(rel, tree.MaxDocument)
	if err != nil || data == nil {
		return nil, err
	}
	// JSON is YAML but for tabs, which no text of JSON holds.
	root, err := r.YAML(rel, []byte(strings.ReplaceAll(string(data), "\t", " ")))
	if err != nil {
		return nil, err
	}
	return root.Pairs()
}

// problem reads problem.json, the checker and the graders.
func (r *reader) problem() error {
	list, err := r.document(tpsProblem)
	if err != nil {
		return err
	}
	grader, checker, given, kind := true, true, false, ""
	for _, k := range list {
		v := k.Value
		v.Key = k.Key
		switch k.Key {
		case "title":
			r.Title, err = v.Text()
		case "type":
			if kind, err = v.Text(); err == nil && !slices.Contains([]string{"Batch", "OutputOnly", "Communication"}, kind) {
				err = v.Wrong("Batch, OutputOnly and Communication are", "tasks of the type %s are not supported", quote.Name(kind))
			}
		case "time_limit":
			var seconds float64
			if seconds, err = v.Number(0.001); err == nil {
				r.Time.Limit, r.Time.From = time.Duration(min(seconds, yamlloose.Longest.Seconds())*float64(time.Second)), tpsProblem
			}
		case "memory_limit":
			var size float64
			if size, err = v.Number(1); err == nil {
				r.Limits.Memory = limits.Bytes(min(size, 1<<20)) * limits.MiB
			}
		case "has_grader":
			grader, err = v.Flag()
		case "has_checker":
			given = true
			checker, err = v.Flag()
		case "num_processes":
			var count float64
			if count, err = v.Number(1); err == nil && count > 1 {
				err = v.Wrong("judge runs one", "a manager that talks to several processes of a submission is not supported")
			}
		case "user_io":
			var io string
			if io, err = v.Text(); err == nil && io != "std_io" && io != "fifo_io" {
				err = v.Wrong("write std_io or fifo_io", "%s is no way to talk to a manager", quote.Name(io))
			}
			r.standard = io == "std_io"
		}
		if err != nil {
			return err
		}
	}
	r.OutputOnly, r.Validation.Interactive = kind == "OutputOnly", kind == "Communication"
	if file, _, err := r.Tree.Kind(tpsChecker); err != nil {
		return err
	} else if !file && checker && (given || !r.Validation.Interactive) {
		return r.Tree.Errorf(tpsChecker, 0, "add it, or has_checker: false to "+tpsProblem, "no such file")
	} else if file && checker {
		r.Validation.Programs = []string{tpsChecker}
	}
	if r.Validation.Interactive {
		if err := r.manager(); err != nil {
			return err
		}
	}
	return r.graders(grader)
}

// manager reads the program that talks to submissions. What it prints are the points, or what the checker
// judges.
func (r *reader) manager() error {
	rel, err := r.First("grader/manager", ".cpp", ".cc", ".c", ".py")
	if err == nil && rel == "" {
		err = r.Tree.Errorf("grader/manager.cpp", 0, "add it", "no such file, but the type is Communication")
	}
	if err != nil {
		return err
	}
	a := draft.Adapter{Script: draft.Manager, Log: "manager.log"}
	if len(r.Validation.Programs) > 0 {
		a.Then = tpsChecker
		r.Note(tpsProblem, 0, "the checker gets an empty answer, because no answers are made in a task of the type Communication")
	}
	return r.Adapt(rel, a)
}

// graders reads what is added to submissions, and the statement.
func (r *reader) graders(grader bool) error {
	for _, dir := range []string{"cpp", "java", "pas"} {
		rel := "grader/" + dir
		if _, there, err := r.Tree.Kind(rel); err != nil || !there || !grader {
			if err != nil {
				return err
			}
			continue
		}
		files, err := r.Included(rel)
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(name string) bool { return name == "Makefile" })
		language := map[string]string{"pas": "pascal"}[dir]
		if language == "" {
			language = dir
		}
		r.AddInclude(language, rel, files)
	}
	if file, _, err := r.Tree.Kind("statement/index.md"); err != nil {
		return err
	} else if file {
		r.Statements = []draft.Statement{{Language: "en", Path: "statement/index.md"}}
	}
	return nil
}

// subtasks reads subtasks.json.
func (r *reader) subtasks() error {
	list, err := r.document(subtasks)
	if err != nil {
		return err
	}
	validator := func(v *yamlloose.Node) (string, error) {
		name, err := v.Text()
		rel := path.Join("validator", name)
		if file, _, bad := r.Tree.Kind(rel); err == nil && (bad != nil || !file) {
			err = v.Wrong("it names a file in validator/", "there is no %s", rel)
		}
		return rel, err
	}
	for _, k := range list {
		if k.Key == "global_validators" {
			for _, item := range k.Value.Items() {
				rel, err := validator(item)
				if err != nil {
					return err
				}
				r.InputPrograms = append(r.InputPrograms, rel)
			}
		}
		if k.Key != "subtasks" {
			continue
		}
		all, err := k.Value.Pairs()
		if err != nil {
			return err
		}
		for _, s := range all {
			keys, err := s.Value.Pairs()
			if err != nil {
				return err
			}
			r.points[s.Key] = 0
			for _, k := range keys {
				k.Value.Key = k.Key
				if k.Key == "validators" && len(k.Value.Items()) > 0 {
					r.Note(subtasks, k.Line, "validators of single subtasks are not run")
				}
				if k.Key != "score" {
					continue
				}
				if r.points[s.Key], err = k.Value.Number(0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tests reads gen/data.
func (r *reader) tests() error {
	data, err := r.Tree.Read(tpsData, tree.MaxDocument)
	if err != nil {
		return err
	}
	set, prefix, number := "", "", 0
	taken := map[string]bool{}
	for i, line := range strings.Split(string(data), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		bad := func(hint, format string, args ...any) error {
			return r.Tree.Errorf(tpsData, i+1, hint, format, args...)
		}
		switch command := words[0]; {
		case command == "@subtask" || command == "@testset":
			if len(words) < 2 {
				return bad("write "+command+" NAME", "%s has no name", command)
			}
			set, prefix, number = words[1], words[1], 0
			if command == "@subtask" {
				prefix = fmt.Sprint(len(r.order))
				r.order = append(r.order, set)
			}
			r.sets[set] = &tpsSet{has: map[*draft.Case]bool{}}
		case command[0] == '@' && command != "@include":
			return bad("they are @subtask, @testset and @include", "unknown command %s", quote.Name(command))
		case set == "":
			return bad("begin with @subtask NAME", "no subtask and no test set yet")
		case command == "@include":
			for _, name := range words[1:] {
				included, known := r.sets[name]
				if !known {
					return bad("a test set comes before those that include it", "undefined test set %s", quote.Name(name))
				}
				if err := r.Tree.Spend(tpsData, 8*len(included.cases)); err != nil {
					return err
				}
				r.sets[set].add(included.cases...)
			}
		default:
			number++
			name, submitted := fmt.Sprintf("%s-%02d", prefix, number), ""
			if r.OutputOnly {
				name = fmt.Sprintf("%02d", len(r.Cases)+1)
				submitted = name + ".out"
			}
			if taken[name] {
				return bad("give the test sets different names", "a second test %s", quote.Name(name))
			}
			taken[name] = true
			c := &draft.Case{Name: "tests/" + name, Group: "tests", Input: "tests/" + name + ".in", Answer: "tests/" + name + ".out", Submitted: submitted}
			if r.Validation.Interactive && !r.standard {
				c.Args = []string{"/dev/stdin", "/dev/stdout"}
			}
			if err := r.input(c, words, i+1); err != nil {
				return err
			}
			r.sets[set].add(c)
			r.Cases = append(r.Cases, c)
		}
	}
	return nil
}

// input finds the input of a case, or adds the step that makes it by the words of its line. If each
// input is to begin or end with a file of gen/, that step makes only what is between.
func (r *reader) input(c *draft.Case, words []string, line int) error {
	if file, _, err := r.Tree.Kind(c.Input); err != nil || file {
		return err
	}
	if before, after, err := r.around(); err != nil {
		return err
	} else if before != nil || after != nil {
		made := c.Input
		c.Input = tpsMade + made
		defer func() {
			r.joined = append(r.joined, draft.Joined{Rel: made, Of: slices.Concat(before, []string{c.Input}, after)})
			c.Input = made
		}()
	}
	command := words[0]
	if command == "manual" || command == "copy" {
		rel := path.Join("gen", strings.Join(words[1:], " "))
		if command == "manual" {
			rel = path.Join("gen/manual", strings.Join(words[1:], " "))
		}
		c.Input = rel
		if file, _, err := r.Tree.Kind(rel); err != nil {
			return err
		} else if !file {
			return r.Tree.Errorf(tpsData, line, "add it", "there is no %s", rel)
		}
		return nil
	}
	program, err := r.First("gen/"+command, ".cpp", ".cc", ".c", ".py", ".java", ".pas", ".sh")
	if err == nil && program == "" {
		err = r.Tree.Errorf(tpsData, line, "generators are programs in gen/", "there is no generator %s", quote.Name(command))
	}
	r.inputs = append(r.inputs, draft.Step{Program: program, Args: words[1:], Stdout: c.Input, From: fmt.Sprintf("%s:%d", tpsData, line)})
	return err
}

// tpsMade is the folder of the inputs without what is put around each.
const tpsMade = ".made/"

// around returns the paths of the files that each input begins and ends with; nil if there are none.
func (r *reader) around() (before, after []string, err error) {
	for rel, to := range map[string]*[]string{"gen/input.header": &before, "gen/input.footer": &after} {
		file, _, bad := r.Tree.Kind(rel)
		if err = cmp.Or(err, bad); file {
			*to = []string{rel}
		}
	}
	return before, after, err
}

// verdicts maps the verdicts of solutions.json to those of cases.
var verdicts = map[string]verdict.Set{
	"model_solution": draft.Accepted, "correct": draft.Accepted, "time_limit": draft.Slow, "memory_limit": draft.Crashed, "incorrect": draft.Wrong,
	"runtime_error": draft.Crashed, "failed": draft.Rejected, "time_limit_and_runtime_error": draft.Slow | draft.Crashed, "partially_correct": 0,
}
