package pkgformat

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
)

// sinolFile describes a sinol package of SIO2. All its files are named after the task.
const sinolFile = "config.yml"

// sinolReader reads a sinol package.
type sinolReader struct {
	p         *Package
	root      node
	id        string // the name of the task
	contest   string // sinol_contest_type
	scores    map[int]float64
	requires  map[int][]int
	limits    map[string]*sinolLimits // by language; "" for all
	files     []string                // extra_compilation_files
	args      map[string][]string     // extra_compilation_args and extra_execution_files, by ending
	expected  node
	processes node                // num_processes
	tests     map[int][]sinolTest // by group
}

// sinolTest is a test: the name after that of the task, such as 1a, and the path of the input.
type sinolTest struct{ name, input string }

// sinolFamily are packages of SIO2.
var sinolFamily = Family{
	Formats: []Format{{Name: "sinol", Main: sinolFile, Points: ByGroups, Compare: ByTokens, Inputs: problem.SIO2, Outputs: problem.SIO2, Output: 64 * limits.MiB, Fallback: PlainCPU}},
	Origin:  "SIO2, sinol-make", Signs: "prog/ and config.yml or in/, without problem.yaml",
	Lacks: "interactors of several processes, points that depend on times",
	Marks: []string{"prog"},
	Empty: "add in/abc1a.in with out/abc1a.out if the task is called abc, or prog/abcingen.cpp, which makes inputs",
	Is:    isSinol,
	Read:  readSinol,
}

func isSinol(_ *Package, list listing) (bool, error) {
	return list.folder("prog") && (list.file(sinolFile) || list.folder("in")) && !list.file(metadataFile), nil
}

// readSinol reads a sinol package as sinol-make does.
func readSinol(p *Package) error {
	data, err := p.files.read(sinolFile, maxDocument)
	if err != nil {
		return err
	}
	r := &sinolReader{p: p, contest: "default", limits: map[string]*sinolLimits{}, args: map[string][]string{}, requires: map[int][]int{}}
	if r.root, err = p.yaml(sinolFile, data); err != nil {
		return err
	}
	for _, step := range []func() error{r.keys, r.name, r.programs, r.list, r.limited, r.points, r.solutions, r.answers} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// keys reads config.yml.
func (r *sinolReader) keys() error {
	p := r.p
	text := func(to *string) func(node) error {
		return func(n node) (err error) { *to, err = n.text(); return err }
	}
	files := func(key string, n node) error {
		list, err := n.texts()
		r.args[key] = append(r.args[key], list...)
		return err
	}
	list := func(to *[]string) func(node) error {
		return func(n node) (err error) { *to, err = n.texts(); return err }
	}
	group := func(n node, key string) (int, error) {
		g, err := strconv.Atoi(key)
		if err != nil || g < 0 || g > maxListed {
			return 0, n.errorf("", "%s is not the number of a group", quote.Name(key))
		}
		return g, nil
	}
	known := map[string]func(node) error{
		"title": text(&p.Title), "sinol_task_id": text(&r.id), "sinol_contest_type": text(&r.contest),
		"scores": eachPair(func(key string, n node) error {
			g, err := group(n, key)
			if err != nil {
				return err
			}
			if r.scores == nil {
				r.scores = map[int]float64{}
			}
			r.scores[g], err = n.number(0)
			return err
		}),
		"subtask_dependencies": eachPair(func(key string, n node) error {
			g, err := group(n, key)
			if err != nil {
				return err
			}
			words, err := n.texts()
			for _, word := range words {
				on, err := group(n, word)
				if err != nil {
					return err
				}
				r.requires[g] = append(r.requires[g], on)
			}
			return err
		}),
		"extra_compilation_files": list(&r.files), "extra_compilation_args": eachPair(files),
		"extra_execution_files": func(n node) error { // by language, or for all languages
			if n.isMapping() {
				return eachPair(files)(n)
			}
			list, err := n.texts()
			r.files = append(r.files, list...)
			return err
		},
		"num_processes":         func(n node) error { r.processes = n; return nil },
		"sinol_expected_scores": func(n node) error { r.expected = n; return nil },
		"override_limits":       eachPair(r.override),
	}
	maps.Copy(known, r.limitKeys(""))
	pairs, err := r.root.pairs()
	if err != nil {
		return err
	}
	for _, k := range pairs { // SIO2 has many more keys, for its own pages and tools
		if read := known[k.key]; read != nil && k.value.n != nil {
			if err := r.root.read(k, read); err != nil {
				return err
			}
		}
	}
	return nil
}

// name finds the name of the task: that in config.yml, or that of the package.
func (r *sinolReader) name() error {
	if r.id != "" {
		return nil
	}
	list, err := r.p.listSkipping("prog")
	if err != nil {
		return err
	}
	for _, name := range []string{filepath.Base(r.p.Root), r.p.ID} {
		if slices.ContainsFunc(list, func(e entry) bool { return strings.HasPrefix(e.name, name) }) {
			r.id = name
			return nil
		}
	}
	return r.p.files.errorf("prog", 0, "write sinol_task_id into config.yml", "no program is named like the package, %s", r.p.ID)
}

// program returns the program of the task with an ending such as chk; "" if there is none.
func (r *sinolReader) program(role string) (string, error) {
	for _, ext := range append([]string{".sh"}, cmsExtensions...) {
		rel := path.Join("prog", r.id+role+ext)
		if file, _, err := r.p.files.kind(rel); err != nil {
			return "", err
		} else if !file || ext == ".sh" && role != "ingen" {
			continue
		}
		if ext == ".sh" {
			return rel, nil
		}
		list, err := r.p.files.list("prog")
		all := []string{rel}
		for _, e := range list {
			if ext := path.Ext(e.name); !e.dir && (ext == ".h" || ext == ".hpp") {
				all = append(all, path.Join("prog", e.name))
			}
		}
		r.p.program(rel).files = all
		if role == "ingen" || role == "inwer" {
			r.p.program(rel).macros = []string{"_" + strings.ToUpper(role) + " 1"}
		}
		return rel, err
	}
	return "", nil
}

// programs reads checker, input validator and the files that are added to submissions.
func (r *sinolReader) programs() error {
	p := r.p
	interactor, err := r.program("soc")
	if err != nil {
		return err
	}
	checker, err := r.program("chk")
	if err != nil {
		return err
	}
	switch {
	case interactor != "" && r.processes.n != nil && strings.TrimSpace(r.processes.n.Value) != "1":
		return r.processes.wrong("judge runs one", "interactors that talk to several processes of a submission are not supported")
	case interactor != "":
		if err := p.adapt(interactor, adapter{script: talker}); err != nil {
			return err
		}
		if p.Validation.Interactive = true; checker != "" {
			p.note(checker, 0, "not used: the interactor judges")
		}
	case checker != "":
		p.Validation.Programs = []string{checker}
	}
	validator, err := r.program("inwer")
	if err != nil {
		return err
	}
	if validator != "" {
		p.InputPrograms = []string{validator}
	}
	for _, ext := range []string{".md", ".txt", ".tex", ".pdf"} {
		rel := path.Join("doc", r.id+"zad"+ext)
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if file {
			p.Statements = append(p.Statements, Statement{"pl", rel})
		}
	}
	return r.include()
}

// include adds extra files to submissions: headers and modules, and the sources among the arguments
// of compilers.
func (r *sinolReader) include() error {
	headers := []string{".h", ".hpp"}
	for language, endings := range map[string][]string{"cpp": {"cpp", "cc"}, "c": {"c"}, "python3": {"py"}} {
		var files []string
		for _, name := range r.files {
			if ext := path.Ext(name); ext == ".py" && language == "python3" || language != "python3" && slices.Contains(headers, ext) {
				files = append(files, name)
			}
		}
		for _, ending := range endings {
			for _, name := range r.args[ending] {
				if file, _, err := r.p.files.kind(path.Join("prog", name)); err != nil {
					return err
				} else if !file {
					r.p.note(sinolFile, 0, "the compiler's argument %s is ignored", quote.Name(name))
				} else if !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
		for _, name := range files {
			if file, _, err := r.p.files.kind(path.Join("prog", name)); err != nil {
				return err
			} else if !file {
				return r.p.files.errorf(sinolFile, 0, "add it", "prog/%s, which is added to submissions, does not exist", name)
			}
		}
		if files != nil {
			r.p.include(language, "prog", files)
		}
	}
	slices.SortFunc(r.p.Include, func(a, b problem.Include) int { return strings.Compare(a.Language, b.Language) })
	return nil
}

// solutions reads the solutions and what config.yml expects of them.
func (r *sinolReader) solutions() error {
	p := r.p
	list, err := p.listSkipping("prog")
	if err != nil {
		return err
	}
	match := regexp.MustCompile(`^` + regexp.QuoteMeta(r.id) + `[bs]?[0-9]*(_.*)?\.(c|cpp|cc|py|rs|java|pas)$`)
	expected := map[string]node{}
	pairs, err := r.expected.pairs()
	for _, k := range pairs {
		expected[k.key] = k.value
	}
	for _, e := range list {
		if err != nil || e.dir || !match.MatchString(e.name) {
			continue
		}
		s := problem.Submission{Path: path.Join("prog", e.name)}
		main := strings.TrimSuffix(e.name, path.Ext(e.name)) == r.id
		if want, known := expected[e.name]; known {
			s.Expect, err = r.promise(want)
		} else if main {
			s.Expect = problem.Expect{Final: accepted, From: "its name"}
		} else {
			p.noteFile("prog", "submissions that promise nothing", s.Path)
		}
		s.Model = main && s.Path == r.model()
		p.Submissions = append(p.Submissions, s)
	}
	return err
}

// sinolStatuses are the statuses of a group, the worst first, with the verdicts of its cases.
var sinolStatuses = []struct {
	name string
	set  verdict.Set
}{
	{"CE", failed}, {"TL", slow}, {"ML", verdict.MLE.Class() | crashed}, {"RE", crashed}, {"WA", wrong}, {"OK", accepted},
}

// promise reads an entry of sinol_expected_scores.
func (r *sinolReader) promise(n node) (e problem.Expect, err error) {
	e.From = fmt.Sprintf("%s:%d", sinolFile, n.line())
	groups := func(n node) error {
		list, err := n.pairs()
		if err != nil {
			return err
		}
		for _, k := range list {
			status := ""
			if err := k.value.each(map[string]func(node) error{
				"points": nil, "status": func(n node) (err error) { status, err = n.text(); return err },
			}); err != nil {
				return err
			}
			g, _ := strconv.Atoi(k.key)
			if r.tests[g] == nil || len(r.requires[g]) > 0 && status != "OK" {
				continue
			}
			at := slices.IndexFunc(sinolStatuses, func(s struct {
				name string
				set  verdict.Set
			}) bool {
				return s.name == status
			})
			if at < 0 {
				return k.value.errorf("", "unknown status %s", quote.Name(status))
			}
			rule := problem.Rule{Cases: r.group(g), Required: sinolStatuses[at].set, From: e.From}
			for _, s := range sinolStatuses[at:] {
				rule.Permitted |= s.set
			}
			e.Rules = append(e.Rules, rule)
		}
		return nil
	}
	err = n.each(map[string]func(node) error{"expected": groups, "points": func(n node) error {
		score, err := n.number(0)
		if err == nil && r.p.Scoring && r.contest != "oi" {
			e.Score = &[2]float64{score, score}
		}
		return err
	}})
	return e, err
}
