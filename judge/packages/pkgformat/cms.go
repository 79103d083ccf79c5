package pkgformat

import (
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// cmsFile describes a task of CMS in the layout of the Italian olympiads. Task-maker makes it of
// cmsOrig, if there is such a file.
const (
	cmsFile = "task.yaml"
	cmsOrig = "task.yaml.orig"
)

// cmsReader reads a task of CMS. The layout has Italian and English names for everything.
type cmsReader struct {
	p       *Package
	file    string // cmsFile or cmsOrig
	root    node
	count   int // n_input; -1 if it is not given
	total   float64
	kind    string // score_type
	rules   node   // score_type_parameters
	manager string // path of the program that talks to submissions; "" for none
	io      string // user_io
	listed  string // the file that lists the tests: cmsGEN, cmsCases, or "" if the folder input does
	whole   bool   // a subtask has the sum of its tests instead of the worst
	tests   []cmsTest
	parts   []cmsPart
}

// cmsTest is a test that a file lists, or an input if there is no such file.
type cmsTest struct {
	generator string   // path; "" for the generator of the package
	args      []string // of the generator
	copied    string   // path of the input to copy; "" for none
	line      int      // in the file that lists it; 0 if it has no line there
	subtask   int      // number of the subtask, from 1; 0 if there are none
}

// cmsPart is a subtask: its points, and the numbers of its tests.
type cmsPart struct {
	name      string // "" if it has none
	points    float64
	tests     []int
	line      int      // in the file that lists it
	on        []string // names of the subtasks whose tests are its tests, too; * for all
	validator string   // path of a validator for its own tests only; "" for that of the package
	args      []string // of validator
}

func isCMS(_ *Package, list listing) (bool, error) {
	return list.file(cmsFile, cmsOrig) && !list.file(metadataFile) && (list.folder("input") || list.folder("gen") || list.folder("sol")), nil
}

// cmsFamily are tasks of CMS.
var cmsFamily = Family{
	Formats: []Format{{Name: "cms", Main: cmsFile, Points: ByGroups, Compare: ByTokens, Inputs: problem.CMS, Outputs: problem.CMS, Output: 64 * limits.MiB, Fallback: PlainCPU}},
	Origin:  "CMS, task-maker, the Italian olympiads", Signs: "task.yaml or task.yaml.orig and input/, gen/ or sol/, without problem.yaml",
	Lacks: "several processes, controllers, BatchAndOutput, GroupThreshold, graders except in C, C++ and Pascal",
	Marks: []string{cmsFile},
	Is:    isCMS,
	Read:  readCMS,
}

// readCMS reads a task as CMS' loader italy_yaml does, and makes what cmsMake would make. It also
// reads what only task-maker knows.
func readCMS(p *Package) error {
	p.submitted = func(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
		return defining([]string{"EVAL 1"}, s, languages)
	}
	p.filesKeys = `write infile: "" and outfile: "" in ` + cmsFile
	r := &cmsReader{p: p, count: -1, total: 100, file: cmsOrig, io: "std_io"}
	data, err := p.files.read(cmsOrig, maxDocument)
	if data == nil && err == nil {
		p.InFile, p.OutFile = "input.txt", "output.txt"
		r.file, r.io = cmsFile, "fifo_io"
		data, err = p.files.read(cmsFile, maxDocument)
	}
	if err != nil {
		return err
	}
	if r.root, err = p.yaml(r.file, data); err != nil {
		return err
	}
	for _, step := range []func() error{r.keys, r.programs, r.statements, r.list, r.inherit, r.points, r.promises, r.make} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// cmsIgnored are keys that matter to contests, not to judging.
var cmsIgnored = []string{
	"author", "version", "token_mode", "token_max_number", "token_min_interval", "token_gen_initial", "token_gen_number",
	"token_gen_interval", "token_gen_max", "token_initial", "token_gen_time", "token_max", "token_total", "feedback_level",
	"score_mode", "score_precision", "max_submission_number", "max_user_test_number", "min_submission_interval",
	"min_user_test_interval", "public_testcases", "risultati", "primary_language", "only_gen", "difficulty", "syllabuslevel",
	"controller_time_limit", "controller_wall_time_limit", "controller_memory_limit", "controller_process_limit",
	"interactive_concurrent",
}

// keys reads task.yaml.
func (r *cmsReader) keys() error {
	p := r.p
	text := func(to *string) func(node) error {
		return func(n node) (err error) { *to, err = n.text(); return err }
	}
	file := func(to *string) func(node) error {
		return func(n node) error {
			name, err := n.text()
			*to = ""
			if err != nil {
				return err
			}
			return p.named(r.file, n.line(), name, to)
		}
	}
	given := func(n node) error {
		s, err := n.number(0)
		if err != nil || s == 0 {
			return err
		}
		p.Time.Limit, p.Time.From = time.Duration(min(s, longest.Seconds())*float64(time.Second)), fmt.Sprintf("%s:%d", r.file, n.line())
		return nil
	}
	memory := func(n node) error {
		size, err := n.number(0)
		if err == nil && size >= 1 {
			p.Limits.Memory = limits.Bytes(min(size, 1<<24)) * limits.MiB
		}
		return err
	}
	is := func(n node) (bool, error) {
		on, err := n.text()
		return err == nil && !slices.Contains([]string{"", "false", "False", "no", "0"}, on), err
	}
	unsupported := func(n node) error {
		if on, err := is(n); err != nil || !on {
			return err
		}
		return n.wrong("judge has only tasks all of whose tests want programs, or all outputs", "tests whose outputs are submitted beside a program are not supported")
	}
	number := func(to *float64) func(node) error {
		return func(n node) (err error) { *to, err = n.number(0); return err }
	}
	count := -1.0
	known := map[string]func(node) error{
		"name": nil, "nome_breve": nil, "title": text(&p.Title), "nome": text(&p.Title),
		"time_limit": given, "timeout": given, "memory_limit": memory, "memlimit": memory,
		"infile": file(&p.InFile), "outfile": file(&p.OutFile), "total_value": number(&r.total), "n_input": number(&count),
		"score_type": text(&r.kind), "score_type_parameters": func(n node) error { r.rules = n; return nil },
		"output_only":   func(n node) (err error) { p.OutputOnly, err = is(n); return err },
		"num_processes": r.processes, "user_io": r.userIO,
		"output_only_testcases": unsupported, "output_optional_testcases": unsupported,
	}
	for _, key := range cmsIgnored {
		known[key] = nil
	}
	if err := r.root.each(known); err != nil {
		return err
	}
	r.count = int(min(count, maxListed+1))
	if r.count > maxListed {
		return p.files.errorf(r.file, 0, "", "n_input is more than %d", maxListed)
	}
	return nil
}

// The largest numbers of tests and subtasks.
const (
	maxParts = 1000
)
