// Package cms loads tasks of CMS and task-maker.
package cms

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// file describes a task of CMS in the layout of the Italian olympiads. Task-maker makes it of
// orig, if there is such a file.
const (
	file = "task.yaml"
	orig = "task.yaml.orig"
)

// reader reads a task of CMS. The layout has Italian and English names for everything.
type reader struct {
	*draft.Draft
	file    string // the constant file or orig
	root    yamlloose.Node
	count   int // n_input; -1 if it is not given
	total   float64
	kind    string         // score_type
	rules   yamlloose.Node // score_type_parameters
	manager string         // path of the program that talks to submissions; "" for none
	io      string         // user_io
	listed  string         // the file that lists the tests: gen, cases, or "" if the folder input does
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

// Family describes tasks of CMS.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "cms", Main: file, Points: draft.ByGroups, Compare: draft.ByTokens, Inputs: problem.CMS, Outputs: problem.CMS, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "CMS, task-maker, the Italian olympiads", Signs: "task.yaml or task.yaml.orig and input/, gen/ or sol/, without problem.yaml",
	Lacks: "several processes, controllers, BatchAndOutput, GroupThreshold, graders except in C, C++ and Pascal",
	Marks: []string{file},
	Is:    is, Read: read,
}

// read reads a task as CMS' loader italy_yaml does, and makes what cmsMake would make. It also
// reads what only task-maker knows.
func read(p *draft.Draft) error {
	p.Submitted = func(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
		return draft.Defining([]string{"EVAL 1"}, s, languages)
	}
	p.FilesKeys = `write infile: "" and outfile: "" in ` + file
	r := &reader{Draft: p, count: -1, total: 100, file: orig, io: "std_io"}
	data, err := p.Tree.Read(orig, tree.MaxDocument)
	if data == nil && err == nil {
		p.InFile, p.OutFile = "input.txt", "output.txt"
		r.file, r.io = file, "fifo_io"
		data, err = p.Tree.Read(file, tree.MaxDocument)
	}
	if err != nil {
		return err
	}
	if r.root, err = p.YAML(r.file, data); err != nil {
		return err
	}
	return draft.InOrder(r.keys, r.programs, r.statements, r.list, r.inherit, r.points, r.promises, r.make)
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
			return r.UseFile(r.file, n.Line(), name, to)
		}
	}
	given := func(n yamlloose.Node) error {
		s, err := n.Number(0)
		if err != nil || s == 0 {
			return err
		}
		r.Time.Limit, r.Time.From = time.Duration(min(s, yamlloose.Longest.Seconds())*float64(time.Second)), fmt.Sprintf("%s:%d", r.file, n.Line())
		return nil
	}
	memory := func(n yamlloose.Node) error {
		size, err := n.Number(0)
		if err == nil && size >= 1 {
			r.Limits.Memory = limits.Bytes(min(size, 1<<24)) * limits.MiB
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
		"name": nil, "nome_breve": nil, "title": text(&r.Title), "nome": text(&r.Title),
		"time_limit": given, "timeout": given, "memory_limit": memory, "memlimit": memory,
		"infile": file(&r.InFile), "outfile": file(&r.OutFile), "total_value": number(&r.total), "n_input": number(&count),
		"score_type": text(&r.kind), "score_type_parameters": func(n yamlloose.Node) error { r.rules = n; return nil },
		"output_only":   func(n yamlloose.Node) (err error) { r.OutputOnly, err = is(n); return err },
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
		return r.Tree.Errorf(r.file, 0, "", "n_input is more than %d", draft.MaxListed)
	}
	return nil
}

// The largest numbers of tests and subtasks.
const (
	maxParts = 1000
)

// program returns the first program in dir with one of the names; "" if there is none. It is
// composed with the other files of its folder that it may include.
func (r *reader) program(dir string, names ...string) (string, error) {
	for _, name := range names {
		if _, isDir, err := r.Tree.Kind(path.Join(dir, name)); err != nil || isDir {
			return path.Join(dir, name), err
		}
		if rel, err := r.First(path.Join(dir, name), append(draft.CmsExtensions, "")...); err != nil {
			return "", err
		} else if rel != "" {
			return rel, r.Compose(rel)
		}
	}
	return "", nil
}

// programs reads checker, validator, graders and solutions.
func (r *reader) programs() error {
	for _, dir := range []string{"check", "cor"} {
		rel, err := r.program(dir, "controller")
		if err != nil {
			return err
		}
		if rel != "" {
			return r.Tree.Errorf(rel, 0, "", "tasks whose controller starts submissions (Interactive) are not supported")
		}
		if rel, err = r.program(dir, "manager"); err != nil {
			return err
		}
		if rel != "" && r.OutputOnly {
			return r.Tree.Errorf(rel, 0, "leave out output_only", "a manager of a task whose submissions are outputs")
		}
		if rel != "" {
			if err := r.Adapt(rel, draft.Adapter{Script: draft.Manager}); err != nil {
				return err
			}
			r.Validation.Interactive = true
			r.manager, r.InFile, r.OutFile = rel, "", ""
			return r.validator()
		}
	}
	for _, dir := range []string{"check", "cor"} {
		rel, err := r.program(dir, "checker", "correttore")
		if err != nil {
			return err
		}
		if rel != "" {
			r.Validation.Programs = []string{rel}
			break
		}
	}
	return r.validator()
}

// processes reads how many processes of a submission the manager talks to.
func (r *reader) processes(n yamlloose.Node) error {
	count, err := n.Number(0)
	if err == nil && count > 1 {
		err = n.Wrong("judge runs one", "a manager that talks to several processes of a submission is not supported")
	}
	return err
}

// userIO reads where submissions find the pipes of the manager.
func (r *reader) userIO(n yamlloose.Node) error {
	io, err := n.Text()
	if err == nil && io != "std_io" && io != "fifo_io" {
		err = n.Wrong("write std_io or fifo_io", "%s is no way to talk to a manager", quote.Name(io))
	}
	r.io = io
	return err
}

// validator reads the input validator, and then the solutions.
func (r *reader) validator() error {
	rel, err := r.program("gen", "validator", "valida", "validatore")
	if err != nil {
		return err
	}
	if rel != "" {
		r.InputPrograms = []string{rel}
	}
	return r.solutions()
}

// graders reads the programs in sol/ that are linked with submissions, and the headers beside them. It
// returns their names by extension; that of an unsupported one is "".
func (r *reader) graders(list []tree.Entry) (map[string]string, error) {
	bases := []string{"grader", "stub"}
	if r.manager != "" {
		slices.Reverse(bases)
	}
	headers := map[string][]string{} // by extension of graders
	graders := map[string]string{}
	for _, base := range bases {
		for _, e := range list {
			ext := path.Ext(e.Name)
			if e.Dir || strings.TrimSuffix(e.Name, ext) != base || !slices.Contains(draft.CmsExtensions, ext) {
				continue
			}
			if _, known := graders[ext[1:]]; known {
				continue
			}
			graders[ext[1:]] = ""
			if ext == ".c" || ext == ".cpp" || ext == ".pas" {
				graders[ext[1:]] = e.Name
			} else {
				r.NoteFile("sol", "graders in languages in which none is supported, so no submission is", path.Join("sol", e.Name))
			}
		}
	}
	for _, e := range list {
		switch ext := path.Ext(e.Name); {
		case e.Dir:
		case ext == ".h" || ext == ".hpp":
			headers["c"], headers["cpp"] = append(headers["c"], e.Name), append(headers["cpp"], e.Name)
		case strings.HasSuffix(e.Name, "lib.pas"):
			headers["pas"] = append(headers["pas"], e.Name)
		}
	}
	for _, ext := range draft.SortedKeys(graders) {
		language := ext
		if ext == "pas" {
			language = "pascal"
		}
		if graders[ext] != "" {
			r.AddInclude(language, "sol", append([]string{graders[ext]}, headers[ext]...))
			r.Languages = append(r.Languages, language)
		}
	}
	if len(graders) > 0 && len(r.Include) == 0 {
		return nil, r.Tree.Errorf("sol", 0, "add grader.cpp, grader.c or grader.pas", "no grader is in a supported language")
	}
	return graders, nil
}

// solutions reads the programs in sol/. Those called solution promise to be accepted.
func (r *reader) solutions() error {
	list, err := r.ListSkipping("sol")
	if err != nil {
		return err
	}
	graders, err := r.graders(list)
	if err != nil {
		return err
	}
	for _, e := range list {
		ext := path.Ext(e.Name)
		base := strings.TrimSuffix(e.Name, ext)
		rel := path.Join("sol", e.Name)
		switch {
		case e.Dir && len(graders) == 0:
		case e.Dir || !slices.Contains(draft.CmsExtensions, ext) || ext == ".sh" && !official(base) || base == "grader" || base == "stub":
			continue
		case ext == ".pas" && strings.HasSuffix(base, "lib"), strings.HasPrefix(base, "template"):
			continue
		case len(graders) > 0 && graders[ext[1:]] == "" && ext != ".cc":
			r.NoteFile("sol", "submissions in languages without a supported grader, not judged", rel)
			continue
		}
		s := problem.Submission{Path: rel}
		if official(base) {
			s.Model = !slices.ContainsFunc(r.Submissions, func(s problem.Submission) bool { return s.Model }) && slices.Contains([]string{".cpp", ".c", ".cc"}, ext)
			s.Expect = problem.Expect{Final: draft.Accepted, From: "its name"}
		}
		r.Submissions = append(r.Submissions, s)
	}
	return nil
}

// statements finds the statement in statement/ or testo/.
func (r *reader) statements() error {
	for _, dir := range []string{"statement", "testo"} {
		for _, ext := range []string{".md", ".txt", ".tex", ".pdf"} {
			rel := path.Join(dir, dir+ext)
			if file, _, err := r.Tree.Kind(rel); err != nil {
				return err
			} else if file {
				language := "it"
				if pairs, err := r.root.Pairs(); err == nil {
					for _, k := range pairs {
						if code, _ := k.Value.Text(); k.Key == "primary_language" && code != "" {
							language = code
						}
					}
				}
				r.Statements = append(r.Statements, draft.Statement{Language: language, Path: rel})
			}
		}
	}
	return nil
}

// official reports whether a program in sol/ with that name, but for the extension, makes the outputs.
func official(base string) bool { return base == "solution" || base == "soluzione" }
