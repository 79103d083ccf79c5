// Package cms loads tasks of CMS and task-maker.
package cms

import (
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// file describes a task of CMS in the layout of the Italian olympiads. Task-maker makes it of
// cmsOrig, if there is such a file.
const (
	file = "task.yaml"
	orig = "task.yaml.orig"
)

// reader reads a task of CMS. The layout has Italian and English names for everything.
type reader struct {
	p       *draft.Draft
	file    string // cmsFile or cmsOrig
	root    yamlloose.Node
	count   int // n_input; -1 if it is not given
	total   float64
	kind    string         // score_type
	rules   yamlloose.Node // score_type_parameters
	manager string         // path of the program that talks to submissions; "" for none
	io      string         // user_io
	listed  string         // the file that lists the tests: cmsGEN, cmsCases, or "" if the folder input does
	whole   bool           // a subtask has the sum of its tests instead of the worst
	tests   []test
	parts   []cmsPart
}

// test is a test that a file lists, or an input if there is no such file.
type test struct {
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

func is(_ *draft.Draft, list draft.Listing) (bool, error) {
	return list.File(file, orig) && !list.File(draft.MetadataFile) && (list.Folder("input") || list.Folder("gen") || list.Folder("sol")), nil
}

// Family are tasks of CMS.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "cms", Main: file, Points: draft.ByGroups, Compare: draft.ByTokens, Inputs: problem.CMS, Outputs: problem.CMS, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "CMS, task-maker, the Italian olympiads", Signs: "task.yaml or task.yaml.orig and input/, gen/ or sol/, without problem.yaml",
	Lacks: "several processes, controllers, BatchAndOutput, GroupThreshold, graders except in C, C++ and Pascal",
	Marks: []string{file},
	Is:    is,
	Read:  read,
}

// read reads a task as CMS' loader italy_yaml does, and makes what cmsMake would make. It also
// reads what only task-maker knows.
func read(p *draft.Draft) error {
	p.Submitted = func(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
		return draft.Defining([]string{"EVAL 1"}, s, languages)
	}
	p.FilesKeys = `write infile: "" and outfile: "" in ` + file
	r := &reader{p: p, count: -1, total: 100, file: orig, io: "std_io"}
	data, err := p.Tree.Read(orig, tree.MaxDocument)
	if data == nil && err == nil {
		p.InFile, p.OutFile = "input.txt", "output.txt"
		r.file, r.io = file, "fifo_io"
		data, err = p.Tree.Read(file, tree.MaxDocument)
	}
	if err != nil {
		return err
	}
	if r.root, err = p.Yaml(r.file, data); err != nil {
		return err
	}
	return draft.Steps(r.keys, r.programs, r.statements, r.list, r.inherit, r.points, r.promises, r.make)
}

// ignored are keys that matter to contests, not to judging.
var ignored = []string{
	"author", "version", "token_mode", "token_max_number", "token_min_interval", "token_gen_initial", "token_gen_number",
	"token_gen_interval", "token_gen_max", "token_initial", "token_gen_time", "token_max", "token_total", "feedback_level",
	"score_mode", "score_precision", "max_submission_number", "max_user_test_number", "min_submission_interval",
	"min_user_test_interval", "public_testcases", "risultati", "primary_language", "only_gen", "difficulty", "syllabuslevel",
	"controller_time_limit", "controller_wall_time_limit", "controller_memory_limit", "controller_process_limit",
	"interactive_concurrent",
}

// keys reads task.yaml.
func (r *reader) keys() error {
	p := r.p
	text := func(to *string) func(yamlloose.Node) error {
		return func(n yamlloose.Node) (err error) { *to, err = n.Text(); return err }
	}
	file := func(to *string) func(yamlloose.Node) error {
		return func(n yamlloose.Node) error {
			name, err := n.Text()
			*to = ""
			if err != nil {
				return err
			}
			return p.Named(r.file, n.Line(), name, to)
		}
	}
	given := func(n yamlloose.Node) error {
		s, err := n.Number(0)
		if err != nil || s == 0 {
			return err
		}
		p.Time.Limit, p.Time.From = time.Duration(min(s, yamlloose.Longest.Seconds())*float64(time.Second)), fmt.Sprintf("%s:%d", r.file, n.Line())
		return nil
	}
	memory := func(n yamlloose.Node) error {
		size, err := n.Number(0)
		if err == nil && size >= 1 {
			p.Limits.Memory = limits.Bytes(min(size, 1<<24)) * limits.MiB
		}
		return err
	}
	is := func(n yamlloose.Node) (bool, error) {
		on, err := n.Text()
		return err == nil && !slices.Contains([]string{"", "false", "False", "no", "0"}, on), err
	}
	unsupported := func(n yamlloose.Node) error {
		if on, err := is(n); err != nil || !on {
			return err
		}
		return n.Wrong("judge has only tasks all of whose tests want programs, or all outputs", "tests whose outputs are submitted beside a program are not supported")
	}
	number := func(to *float64) func(yamlloose.Node) error {
		return func(n yamlloose.Node) (err error) { *to, err = n.Number(0); return err }
	}
	count := -1.0
	known := map[string]func(yamlloose.Node) error{
		"name": nil, "nome_breve": nil, "title": text(&p.Title), "nome": text(&p.Title),
		"time_limit": given, "timeout": given, "memory_limit": memory, "memlimit": memory,
		"infile": file(&p.InFile), "outfile": file(&p.OutFile), "total_value": number(&r.total), "n_input": number(&count),
		"score_type": text(&r.kind), "score_type_parameters": func(n yamlloose.Node) error { r.rules = n; return nil },
		"output_only":   func(n yamlloose.Node) (err error) { p.OutputOnly, err = is(n); return err },
		"num_processes": r.processes, "user_io": r.userIO,
		"output_only_testcases": unsupported, "output_optional_testcases": unsupported,
	}
	for _, key := range ignored {
		known[key] = nil
	}
	if err := r.root.Each(known); err != nil {
		return err
	}
	r.count = int(min(count, draft.MaxListed+1))
	if r.count > draft.MaxListed {
		return p.Tree.Errorf(r.file, 0, "", "n_input is more than %d", draft.MaxListed)
	}
	return nil
}

// The largest numbers of tests and subtasks.
const (
	maxParts = 1000
)
