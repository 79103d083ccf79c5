package pkgformat

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
)

const (
	tpsProblem   = "problem.json"
	tpsSubtasks  = "subtasks.json"
	tpsSolutions = "solutions.json"
	tpsData      = "gen/data"
	tpsChecker   = "checker/checker.cpp"
)

// tpsFamily are tasks of TPS.
var tpsFamily = Family{
	Formats: []Format{{Name: "tps", Main: tpsSubtasks, Points: ByCases, Compare: ByTokens, Inputs: problem.Testlib, Outputs: problem.CMS, Output: 64 * limits.MiB}},
	Origin:  "TPS, the tool of the IOI", Signs: "problem.json and gen/data",
	Lacks: "several processes, the type TwoSteps, validators of single subtasks",
	Empty: "list them in " + tpsData + " after @subtask NAME",
	Is: func(p *Package, list listing) (bool, error) {
		file, _, err := p.files.kind(tpsData)
		return file && list.file(tpsProblem), err
	},
	Read: readTPS,
}

// tpsReader reads a task of TPS.
type tpsReader struct {
	p      *Package
	points map[string]float64 // by subtask
	sets   map[string]*tpsSet // by name, subtasks included
	order  []string           // names of the subtasks
	inputs []Step
	joined []joined // inputs with what is put around each
	// standard means that submissions talk to the manager by standard input and output, instead of
	// files that their arguments name.
	standard bool
}

// tpsSet is a test set: its cases in order, each once.
type tpsSet struct {
	cases []*Case
	has   map[*Case]bool
}

func (s *tpsSet) add(list ...*Case) {
	for _, c := range list {
		if !s.has[c] {
			s.cases, s.has[c] = append(s.cases, c), true
		}
	}
}

// readTPS reads a task of TPS, the tool of the IOI: gen/data lists the tests, and subtasks.json what
// they are worth.
func readTPS(p *Package) error {
	p.inclusion = &inclusion{wanted: []string{}, except: p.files.at("solution")}
	r := &tpsReader{p: p, points: map[string]float64{}, sets: map[string]*tpsSet{}}
	for _, step := range []func() error{r.problem, r.subtasks, r.tests, r.solutions, r.make} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// document returns the keys of a file of JSON; none if it does not exist.
func (r *tpsReader) document(rel string) ([]pair, error) {
	data, err := r.p.files.read(rel, maxDocument)
	if err != nil || data == nil {
		return nil, err
	}
	// JSON is YAML but for tabs, which no text of JSON holds.
	root, err := r.p.yaml(rel, []byte(strings.ReplaceAll(string(data), "\t", " ")))
	if err != nil {
		return nil, err
	}
	return root.pairs()
}

// problem reads problem.json, the checker and the graders.
func (r *tpsReader) problem() error {
	p := r.p
	list, err := r.document(tpsProblem)
	if err != nil {
		return err
	}
	grader, checker, given, kind := true, true, false, ""
	for _, k := range list {
		v := k.value
		v.key = k.key
		switch k.key {
		case "title":
			p.Title, err = v.text()
		case "type":
			if kind, err = v.text(); err == nil && !slices.Contains([]string{"Batch", "OutputOnly", "Communication"}, kind) {
				err = v.wrong("Batch, OutputOnly and Communication are", "tasks of the type %s are not supported", quote.Name(kind))
			}
		case "time_limit":
			var seconds float64
			if seconds, err = v.number(0.001); err == nil {
				p.Time.Limit, p.Time.From = time.Duration(min(seconds, longest.Seconds())*float64(time.Second)), tpsProblem
			}
		case "memory_limit":
			var size float64
			if size, err = v.number(1); err == nil {
				p.Limits.Memory = limits.Bytes(min(size, 1<<20)) * limits.MiB
			}
		case "has_grader":
			grader, err = v.flag()
		case "has_checker":
			given = true
			checker, err = v.flag()
		case "num_processes":
			var count float64
			if count, err = v.number(1); err == nil && count > 1 {
				err = v.wrong("judge runs one", "a manager that talks to several processes of a submission is not supported")
			}
		case "user_io":
			var io string
			if io, err = v.text(); err == nil && io != "std_io" && io != "fifo_io" {
				err = v.wrong("write std_io or fifo_io", "%s is no way to talk to a manager", quote.Name(io))
			}
			r.standard = io == "std_io"
		}
		if err != nil {
			return err
		}
	}
	p.OutputOnly, p.Validation.Interactive = kind == "OutputOnly", kind == "Communication"
	if file, _, err := p.files.kind(tpsChecker); err != nil {
		return err
	} else if !file && checker && (given || !p.Validation.Interactive) {
		return p.files.errorf(tpsChecker, 0, "add it, or has_checker: false to "+tpsProblem, "no such file")
	} else if file && checker {
		p.Validation.Programs = []string{tpsChecker}
	}
	if p.Validation.Interactive {
		if err := r.manager(); err != nil {
			return err
		}
	}
	return r.graders(grader)
}

// manager reads the program that talks to submissions. What it prints are the points, or what the checker
// judges.
func (r *tpsReader) manager() error {
	p := r.p
	for _, ext := range []string{".cpp", ".cc", ".c", ".py"} {
		rel := "grader/manager" + ext
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if file {
			a := adapter{script: manager, log: "manager.log"}
			if len(p.Validation.Programs) > 0 {
				a.then = tpsChecker
				p.note(tpsProblem, 0, "the checker gets an empty answer, because no answers are made in a task of the type Communication")
			}
			return p.adapt(rel, a)
		}
	}
	return p.files.errorf("grader/manager.cpp", 0, "add it", "no such file, but the type is Communication")
}

// graders reads what is added to submissions, and the statement.
func (r *tpsReader) graders(grader bool) error {
	p := r.p
	for _, dir := range []string{"cpp", "java", "pas"} {
		rel := "grader/" + dir
		if _, there, err := p.files.kind(rel); err != nil || !there || !grader {
			if err != nil {
				return err
			}
			continue
		}
		files, err := p.included(rel)
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(name string) bool { return name == "Makefile" })
		language := map[string]string{"pas": "pascal"}[dir]
		if language == "" {
			language = dir
		}
		p.include(language, rel, files)
	}
	if file, _, err := p.files.kind("statement/index.md"); err != nil {
		return err
	} else if file {
		p.Statements = []Statement{{"en", "statement/index.md"}}
	}
	return nil
}

// subtasks reads subtasks.json.
func (r *tpsReader) subtasks() error {
	p := r.p
	list, err := r.document(tpsSubtasks)
	if err != nil {
		return err
	}
	validator := func(v *node) (string, error) {
		name, err := v.text()
		rel := path.Join("validator", name)
		if file, _, bad := p.files.kind(rel); err == nil && (bad != nil || !file) {
			err = v.wrong("it names a file in validator/", "there is no %s", rel)
		}
		return rel, err
	}
	for _, k := range list {
		if k.key == "global_validators" {
			for _, item := range k.value.items() {
				rel, err := validator(item)
				if err != nil {
					return err
				}
				p.InputPrograms = append(p.InputPrograms, rel)
			}
		}
		if k.key != "subtasks" {
			continue
		}
		all, err := k.value.pairs()
		if err != nil {
			return err
		}
		for _, s := range all {
			keys, err := s.value.pairs()
			if err != nil {
				return err
			}
			r.points[s.key] = 0
			for _, k := range keys {
				k.value.key = k.key
				if k.key == "validators" && len(k.value.items()) > 0 {
					p.note(tpsSubtasks, k.line, "validators of single subtasks are not run")
				}
				if k.key != "score" {
					continue
				}
				if r.points[s.key], err = k.value.number(0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tests reads gen/data.
func (r *tpsReader) tests() error {
	p := r.p
	data, err := p.files.read(tpsData, maxDocument)
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
			return p.files.errorf(tpsData, i+1, hint, format, args...)
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
			r.sets[set] = &tpsSet{has: map[*Case]bool{}}
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
				if err := p.files.spend(tpsData, 8*len(included.cases)); err != nil {
					return err
				}
				r.sets[set].add(included.cases...)
			}
		default:
			number++
			name, submitted := fmt.Sprintf("%s-%02d", prefix, number), ""
			if p.OutputOnly {
				name = fmt.Sprintf("%02d", len(p.Cases)+1)
				submitted = name + ".out"
			}
			if taken[name] {
				return bad("give the test sets different names", "a second test %s", quote.Name(name))
			}
			taken[name] = true
			c := &Case{Name: "tests/" + name, Group: "tests", Input: "tests/" + name + ".in", Answer: "tests/" + name + ".out", Submitted: submitted}
			if p.Validation.Interactive && !r.standard {
				c.Args = []string{"/dev/stdin", "/dev/stdout"}
			}
			if err := r.input(c, words, i+1); err != nil {
				return err
			}
			r.sets[set].add(c)
			p.Cases = append(p.Cases, c)
		}
	}
	return nil
}

// input finds the input of a case, or adds the step that makes it by the words of its line. If each
// input is to begin or end with a file of gen/, that step makes only what is between.
func (r *tpsReader) input(c *Case, words []string, line int) error {
	p := r.p
	if file, _, err := p.files.kind(c.Input); err != nil || file {
		return err
	}
	if before, after, err := r.around(); err != nil {
		return err
	} else if before != nil || after != nil {
		made := c.Input
		c.Input = tpsMade + made
		defer func() {
			r.joined = append(r.joined, joined{made, slices.Concat(before, []string{c.Input}, after)})
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
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if !file {
			return p.files.errorf(tpsData, line, "add it", "there is no %s", rel)
		}
		return nil
	}
	for _, ext := range []string{".cpp", ".cc", ".c", ".py", ".java", ".pas", ".sh"} {
		program := "gen/" + command + ext
		file, _, err := p.files.kind(program)
		if err != nil {
			return err
		}
		if file {
			r.inputs = append(r.inputs, Step{Program: program, Args: words[1:], Stdout: c.Input, From: fmt.Sprintf("%s:%d", tpsData, line)})
			return nil
		}
	}
	return p.files.errorf(tpsData, line, "generators are programs in gen/", "there is no generator %s", quote.Name(command))
}

// tpsMade is the folder of the inputs without what is put around each.
const tpsMade = ".made/"

// around returns the paths of the files that each input begins and ends with; nil if there are none.
func (r *tpsReader) around() (before, after []string, err error) {
	for rel, to := range map[string]*[]string{"gen/input.header": &before, "gen/input.footer": &after} {
		file, _, bad := r.p.files.kind(rel)
		if err = cmp.Or(err, bad); file {
			*to = []string{rel}
		}
	}
	return before, after, err
}

// tpsVerdicts maps the verdicts of solutions.json to those of cases.
var tpsVerdicts = map[string]verdict.Set{
	"model_solution": accepted, "correct": accepted, "time_limit": slow, "memory_limit": crashed, "incorrect": wrong,
	"runtime_error": crashed, "failed": rejected, "time_limit_and_runtime_error": slow | crashed, "partially_correct": 0,
}
