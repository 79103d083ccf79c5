package pkgformat

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// cmsFile describes a task of CMS in the layout of the Italian olympiads.
const cmsFile = "task.yaml"

// cmsReader reads a task of CMS. The layout has Italian and English names for everything.
type cmsReader struct {
	p     *Package
	root  node
	count int // n_input; -1 if it is not given
	total float64
	kind  string // score_type
	rules node   // score_type_parameters
	tests []cmsTest
	parts []cmsPart
}

// cmsTest is a test of gen/GEN, or an input if there is no such file.
type cmsTest struct {
	args    []string // of the generator
	copied  string   // path of the input to copy; "" for none
	line    int      // in gen/GEN; 0 if it has no line there
	subtask int      // number of the subtask, from 1; 0 if there are none
}

// cmsPart is a subtask: its points, and the numbers of its tests.
type cmsPart struct {
	points float64
	tests  []int
}

func isCMS(_ *Package, list listing) (bool, error) {
	return list.file(cmsFile) && !list.file(metadataFile) && (list.folder("input") || list.folder("gen") || list.folder("sol")), nil
}

// readCMS reads a task as CMS' loader italy_yaml does, and makes what cmsMake would make.
func (p *Package) readCMS() error {
	p.Format = CMS
	p.setDefaults()
	p.Time.Fallback = plainCPU
	p.InputProtocol, p.Validation.Protocol = problem.CMS, problem.CMS
	p.Data, p.composed = &Group{}, map[string][]string{}
	data, err := p.files.read(cmsFile, maxDocument)
	if err != nil {
		return err
	}
	r := &cmsReader{p: p, count: -1, total: 100}
	if r.root, err = p.files.yaml(cmsFile, data, &p.notes); err != nil {
		return err
	}
	for _, step := range []func() error{r.keys, r.programs, r.statements, r.list, r.points, r.make} {
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
}

// keys reads task.yaml.
func (r *cmsReader) keys() error {
	p := r.p
	p.InFile, p.OutFile = "input.txt", "output.txt"
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
			return p.named(cmsFile, n.line(), name, to)
		}
	}
	given := func(n node) error {
		s, err := n.number(0)
		if err != nil || s == 0 {
			return err
		}
		p.Time.Limit, p.Time.From = time.Duration(min(s, longest.Seconds())*float64(time.Second)), fmt.Sprintf("%s:%d", cmsFile, n.line())
		return nil
	}
	memory := func(n node) error {
		size, err := n.number(0)
		if err == nil && size >= 1 {
			p.Limits.Memory = limits.Bytes(min(size, 1<<24)) * limits.MiB
		}
		return err
	}
	unsupported := func(what string) func(node) error {
		return func(n node) error {
			if on, err := n.text(); err != nil || slices.Contains([]string{"", "false", "False", "no", "0"}, on) {
				return err
			}
			return n.wrong("judge has only tasks whose submissions are programs", "%s are not supported", what)
		}
	}
	number := func(to *float64) func(node) error {
		return func(n node) (err error) { *to, err = n.number(0); return err }
	}
	count := -1.0
	known := map[string]func(node) error{
		"name": nil, "nome_breve": nil, "title": text(&p.Name), "nome": text(&p.Name),
		"time_limit": given, "timeout": given, "memory_limit": memory, "memlimit": memory,
		"infile": file(&p.InFile), "outfile": file(&p.OutFile), "total_value": number(&r.total), "n_input": number(&count),
		"score_type": text(&r.kind), "score_type_parameters": func(n node) error { r.rules = n; return nil },
		"output_only": unsupported("tasks whose submissions are outputs"), "num_processes": nil, "user_io": nil,
		"output_only_testcases":     unsupported("tests whose outputs are submitted"),
		"output_optional_testcases": unsupported("tests whose outputs are submitted"),
	}
	for _, key := range cmsIgnored {
		known[key] = nil
	}
	if err := r.root.each(known); err != nil {
		return err
	}
	r.count = int(min(count, maxCMS+1))
	if r.count > maxCMS {
		return p.files.errorf(cmsFile, 0, "", "n_input is more than %d", maxCMS)
	}
	return nil
}

// maxCMS is the largest number of tests.
const maxCMS = 100_000

// cmsExtensions are the extensions of the sources that cmsMake and CMS know, the preferred ones first.
var cmsExtensions = []string{".cpp", ".cc", ".c", ".py", ".java", ".pas", ".sh", ".rs", ".go", ".hs", ".cs", ".php"}

// program returns the first program in dir with one of the names; "" if there is none. It is
// composed with the other files of its folder that it may include.
func (r *cmsReader) program(dir string, names ...string) (string, error) {
	for _, name := range names {
		if _, isDir, err := r.p.files.kind(path.Join(dir, name)); err != nil || isDir {
			return path.Join(dir, name), err
		}
		for _, ext := range append(cmsExtensions, "") {
			rel := path.Join(dir, name+ext)
			if file, _, err := r.p.files.kind(rel); err != nil {
				return "", err
			} else if file {
				return rel, r.compose(rel)
			}
		}
	}
	return "", nil
}

// compose adds the headers or modules beside a program to it.
func (r *cmsReader) compose(rel string) error {
	endings := []string{".h", ".hpp"}
	if path.Ext(rel) == ".py" {
		endings = []string{".py"}
	}
	list, err := r.p.listSkipping(path.Dir(rel))
	all := []string{rel}
	for _, e := range list {
		if !e.dir && e.name != path.Base(rel) && slices.Contains(endings, path.Ext(e.name)) {
			all = append(all, path.Join(path.Dir(rel), e.name))
		}
	}
	r.p.composed[rel] = all
	return err
}

// programs reads checker, validator, graders and solutions.
func (r *cmsReader) programs() error {
	p := r.p
	for _, dir := range []string{"check", "cor"} {
		rel, err := r.program(dir, "manager")
		if err != nil {
			return err
		}
		if rel != "" {
			return p.files.errorf(rel, 0, "", "tasks whose manager talks to submissions (Communication) are not supported")
		}
	}
	for _, dir := range []string{"check", "cor"} {
		rel, err := r.program(dir, "checker", "correttore")
		if err != nil {
			return err
		}
		if rel != "" {
			p.Validation.Programs = []string{rel}
			break
		}
	}
	rel, err := r.program("gen", "validator", "valida", "validatore")
	if err != nil {
		return err
	}
	if rel != "" {
		p.InputValidators = []string{rel}
	}
	return r.solutions()
}

// solutions reads the programs in sol/. Those called solution promise to be accepted.
func (r *cmsReader) solutions() error {
	p := r.p
	list, err := p.listSkipping("sol")
	if err != nil {
		return err
	}
	var headers []string
	graders := map[string]string{} // by language
	for _, e := range list {
		switch ext := path.Ext(e.name); {
		case e.dir:
		case ext == ".h" || ext == ".hpp":
			headers = append(headers, e.name)
		case e.name == "grader.cpp" || e.name == "grader.c":
			graders[ext[1:]] = e.name
		case strings.TrimSuffix(e.name, ext) == "grader" && slices.Contains(cmsExtensions, ext):
			p.noteFile("sol", "graders in languages in which none is supported, so no submission is", path.Join("sol", e.name))
			graders[ext[1:]] = ""
		}
	}
	for _, language := range sortedKeys(graders) {
		if graders[language] != "" {
			p.Include = append(p.Include, Include{language, "sol", append([]string{graders[language]}, headers...)})
			p.Languages = append(p.Languages, language)
		}
	}
	if len(graders) > 0 && len(p.Include) == 0 {
		return p.files.errorf("sol", 0, "add grader.cpp or grader.c", "no grader is in a supported language")
	}
	for _, e := range list {
		ext := path.Ext(e.name)
		base := strings.TrimSuffix(e.name, ext)
		rel := path.Join("sol", e.name)
		switch {
		case e.dir && len(graders) == 0:
		case e.dir || !slices.Contains(cmsExtensions, ext) || ext == ".sh" || base == "grader" || base == "stub":
			continue
		case ext == ".pas" && strings.HasSuffix(base, "lib"), strings.HasPrefix(base, "template"):
			continue
		case len(graders) > 0 && graders[ext[1:]] == "" && ext != ".cc":
			p.noteFile("sol", "submissions in languages without a supported grader, not judged", rel)
			continue
		}
		s := problem.Submission{Path: rel}
		if base == "solution" || base == "soluzione" {
			s.Model = !slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Model }) && slices.Contains([]string{".cpp", ".c", ".cc"}, ext)
			s.Expect = problem.Expect{Final: accepted, From: "its name"}
		} else {
			p.noteFile("sol", "submissions that promise nothing", rel)
		}
		p.Submissions = append(p.Submissions, s)
	}
	return nil
}

// statements finds the statement in statement/ or testo/.
func (r *cmsReader) statements() error {
	for _, dir := range []string{"statement", "testo"} {
		for _, ext := range []string{".md", ".txt", ".tex", ".pdf"} {
			rel := path.Join(dir, dir+ext)
			if file, _, err := r.p.files.kind(rel); err != nil {
				return err
			} else if file {
				language := "it"
				if pairs, err := r.root.pairs(); err == nil {
					for _, k := range pairs {
						if code, _ := k.value.text(); k.key == "primary_language" && code != "" {
							language = code
						}
					}
				}
				r.p.Statements = append(r.p.Statements, Statement{language, rel})
			}
		}
	}
	return nil
}

// points arranges the cases into groups with points: a group for each subtask, or all tests in one
// if there are none. A first subtask without points holds samples.
func (r *cmsReader) points() error {
	p := r.p
	total := 0.0
	for _, part := range r.parts {
		total += part.points
	}
	if math.Abs(total-100) > 1e-6 && r.kind == "" && r.parts != nil {
		p.note("gen/GEN", 0, "the points of all subtasks are %v, but CMS wants 100", total)
	}
	if r.parts == nil {
		total = r.total
	}
	secret := &Group{Name: "secret", Settings: Settings{Aggregation: "sum", MaxScore: &total}}
	for i := range r.parts {
		part := &r.parts[i]
		g := &Group{Name: fmt.Sprintf("secret/%d", i+1), Settings: Settings{Aggregation: "min", MaxScore: &part.points}}
		if i == 0 && part.points == 0 && len(r.parts) > 1 {
			g = &Group{Name: "sample"}
			p.Data.Groups = append(p.Data.Groups, g)
		} else {
			secret.Groups = append(secret.Groups, g)
		}
		r.cases(g, part.tests)
	}
	if r.parts == nil {
		all := make([]int, len(r.tests))
		for i := range all {
			all[i] = i
		}
		r.cases(secret, all)
	}
	p.Data.Groups = append(p.Data.Groups, secret)
	p.Scoring = total > 0
	return nil
}

// cases adds the tests with these numbers to a group. A test that is in several subtasks is a case
// in each.
func (r *cmsReader) cases(g *Group, numbers []int) {
	for _, i := range numbers {
		c := &Case{
			Name: fmt.Sprintf("%s/%03d", g.Name, i), Group: g.Name,
			Input: fmt.Sprintf("input/input%d.txt", i), Answer: fmt.Sprintf("output/output%d.txt", i),
		}
		c.InputArgs.All = []string{"/dev/stdin"}
		if n := r.tests[i].subtask; n > 0 {
			c.InputArgs.All = append(c.InputArgs.All, fmt.Sprint(n))
		}
		g.Cases = append(g.Cases, c)
		r.p.Cases = append(r.p.Cases, c)
	}
}
