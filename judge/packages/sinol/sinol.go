// Package sinol loads packages of SIO2.
package sinol

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
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// sinolFile describes a sinol package of SIO2. All its files are named after the task.
const sinolFile = "config.yml"

// reader reads a sinol package.
type reader struct {
	*draft.Draft
	root      yamlloose.Node
	id        string // the name of the task
	contest   string // sinol_contest_type
	scores    map[int]float64
	requires  map[int][]int
	limits    map[string]*sinolLimits // by language; "" for all
	files     []string                // extra_compilation_files
	args      map[string][]string     // extra_compilation_args and extra_execution_files, by ending
	expected  yamlloose.Node
	processes yamlloose.Node // num_processes
	tests     map[int][]test // by group
}

// test is a test: the name after that of the task, such as 1a, and the path of the input.
type test struct{ name, input string }

// Family describes packages of SIO2.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "sinol", Main: sinolFile, Points: draft.ByGroups, Compare: draft.ByTokens, Inputs: problem.SIO2, Outputs: problem.SIO2, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "SIO2, sinol-make", Signs: "prog/ and config.yml or in/, without problem.yaml",
	Lacks: "interactors of several processes, points that depend on times",
	Marks: []string{"prog"},
	Empty: "add in/abc1a.in with out/abc1a.out if the task is called abc, or prog/abcingen.cpp, which makes inputs",
	Is:    is, Read: read,
}

func is(_ *draft.Draft, list draft.Listing) (bool, error) {
	return list.Folder("prog") && (list.File(sinolFile) || list.Folder("in")) && !list.File(draft.MetadataFile), nil
}

// read reads a sinol package as sinol-make does.
func read(p *draft.Draft) error {
	r := &reader{Draft: p, contest: "default", limits: map[string]*sinolLimits{}, args: map[string][]string{}, requires: map[int][]int{}}
	var err error
	if r.root, err = p.Document(sinolFile); err != nil {
		return err
	}
	return draft.InOrder(r.keys, r.name, r.programs, r.list, r.limited, r.points, r.solutions, r.answers)
}

// keys reads config.yml.
func (r *reader) keys() error {
	text := func(to *string) func(yamlloose.Node) error {
		return func(n yamlloose.Node) (err error) { *to, err = n.Text(); return err }
	}
	files := func(key string, n yamlloose.Node) error {
		list, err := n.Texts()
		r.args[key] = append(r.args[key], list...)
		return err
	}
	list := func(to *[]string) func(yamlloose.Node) error {
		return func(n yamlloose.Node) (err error) { *to, err = n.Texts(); return err }
	}
	group := func(n yamlloose.Node, key string) (int, error) {
		g, err := strconv.Atoi(key)
		if err != nil || g < 0 || g > draft.MaxListed {
			return 0, n.Errorf("", "%s is not the number of a group", quote.Name(key))
		}
		return g, nil
	}
	known := map[string]func(yamlloose.Node) error{
		"title": text(&r.Title), "sinol_task_id": text(&r.id), "sinol_contest_type": text(&r.contest),
		"scores": eachPair(func(key string, n yamlloose.Node) error {
			g, err := group(n, key)
			if err != nil {
				return err
			}
			if r.scores == nil {
				r.scores = map[int]float64{}
			}
			r.scores[g], err = n.Number(0)
			return err
		}),
		"subtask_dependencies": eachPair(func(key string, n yamlloose.Node) error {
			g, err := group(n, key)
			if err != nil {
				return err
			}
			words, err := n.Texts()
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
		"extra_execution_files": func(n yamlloose.Node) error { // by language, or for all languages
			if n.IsMapping() {
				return eachPair(files)(n)
			}
			list, err := n.Texts()
			r.files = append(r.files, list...)
			return err
		},
		"num_processes":         func(n yamlloose.Node) error { r.processes = n; return nil },
		"sinol_expected_scores": func(n yamlloose.Node) error { r.expected = n; return nil },
		"override_limits":       eachPair(r.override),
	}
	maps.Copy(known, r.limitKeys(""))
	pairs, err := r.root.Pairs()
	if err != nil {
		return err
	}
	for _, k := range pairs { // SIO2 has many more keys, for its own pages and tools
		if read := known[k.Key]; read != nil && k.Value.Raw != nil {
			if err := r.root.Read(k, read); err != nil {
				return err
			}
		}
	}
	return nil
}

// name finds the name of the task: that in config.yml, or that of the package.
func (r *reader) name() error {
	if r.id != "" {
		return nil
	}
	list, err := r.ListSkipping("prog")
	if err != nil {
		return err
	}
	for _, name := range []string{filepath.Base(r.Root), r.ID} {
		if slices.ContainsFunc(list, func(e tree.Entry) bool { return strings.HasPrefix(e.Name, name) }) {
			r.id = name
			return nil
		}
	}
	return r.Tree.Errorf("prog", 0, "write sinol_task_id into config.yml", "no program is named like the package, %s", r.ID)
}

// program returns the program of the task with an ending such as chk; "" if there is none.
func (r *reader) program(role string) (string, error) {
	for _, ext := range append([]string{".sh"}, draft.CmsExtensions...) {
		rel := path.Join("prog", r.id+role+ext)
		if file, _, err := r.Tree.Kind(rel); err != nil {
			return "", err
		} else if !file || ext == ".sh" && role != "ingen" {
			continue
		}
		if ext == ".sh" {
			return rel, nil
		}
		list, err := r.Tree.List("prog")
		all := []string{rel}
		for _, e := range list {
			if ext := path.Ext(e.Name); !e.Dir && (ext == ".h" || ext == ".hpp") {
				all = append(all, path.Join("prog", e.Name))
			}
		}
		r.Describe(rel).Files = all
		if role == "ingen" || role == "inwer" {
			r.Describe(rel).Macros = []string{"_" + strings.ToUpper(role) + " 1"}
		}
		return rel, err
	}
	return "", nil
}

// programs reads checker, input validator and the files that are added to submissions.
func (r *reader) programs() error {
	interactor, err := r.program("soc")
	if err != nil {
		return err
	}
	checker, err := r.program("chk")
	if err != nil {
		return err
	}
	switch {
	case interactor != "" && r.processes.Raw != nil && strings.TrimSpace(r.processes.Raw.Value) != "1":
		return r.processes.Wrong("judge runs one", "interactors that talk to several processes of a submission are not supported")
	case interactor != "":
		if err := r.Adapt(interactor, draft.Adapter{Script: talker}); err != nil {
			return err
		}
		if r.Validation.Interactive = true; checker != "" {
			r.Note(checker, 0, "not used: the interactor judges")
		}
	case checker != "":
		r.Validation.Programs = []string{checker}
	}
	validator, err := r.program("inwer")
	if err != nil {
		return err
	}
	if validator != "" {
		r.InputPrograms = []string{validator}
	}
	for _, ext := range []string{".md", ".txt", ".tex", ".pdf"} {
		rel := path.Join("doc", r.id+"zad"+ext)
		if file, _, err := r.Tree.Kind(rel); err != nil {
			return err
		} else if file {
			r.Statements = append(r.Statements, draft.Statement{Language: "pl", Path: rel})
		}
	}
	return r.include()
}

// include adds extra files to submissions: headers and modules, and the sources among the arguments
// of compilers.
func (r *reader) include() error {
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
				if file, _, err := r.Tree.Kind(path.Join("prog", name)); err != nil {
					return err
				} else if !file {
					r.Note(sinolFile, 0, "the compiler's argument %s is ignored", quote.Name(name))
				} else if !slices.Contains(files, name) {
					files = append(files, name)
				}
			}
		}
		for _, name := range files {
			if file, _, err := r.Tree.Kind(path.Join("prog", name)); err != nil {
				return err
			} else if !file {
				return r.Tree.Errorf(sinolFile, 0, "add it", "prog/%s, which is added to submissions, does not exist", name)
			}
		}
		if files != nil {
			r.AddInclude(language, "prog", files)
		}
	}
	slices.SortFunc(r.Include, func(a, b problem.Include) int { return strings.Compare(a.Language, b.Language) })
	return nil
}

// solutions reads the solutions and what config.yml expects of them.
func (r *reader) solutions() error {
	list, err := r.ListSkipping("prog")
	if err != nil {
		return err
	}
	match := regexp.MustCompile(`^` + regexp.QuoteMeta(r.id) + `[bs]?[0-9]*(_.*)?\.(c|cpp|cc|py|rs|java|pas)$`)
	expected := map[string]yamlloose.Node{}
	pairs, err := r.expected.Pairs()
	for _, k := range pairs {
		expected[k.Key] = k.Value
	}
	for _, e := range list {
		if err != nil || e.Dir || !match.MatchString(e.Name) {
			continue
		}
		s := problem.Submission{Path: path.Join("prog", e.Name)}
		main := strings.TrimSuffix(e.Name, path.Ext(e.Name)) == r.id
		if want, known := expected[e.Name]; known {
			s.Expect, err = r.promise(want)
		} else if main {
			s.Expect = problem.Expect{Final: draft.Accepted, From: "its name"}
		} else {
			r.NoteFile("prog", "submissions that promise nothing", s.Path)
		}
		s.Model = main && s.Path == r.model()
		r.Submissions = append(r.Submissions, s)
	}
	return err
}

// statuses are the statuses of a group, the worst first, with the verdicts of its cases.
var statuses = []struct {
	name string
	set  verdict.Set
}{
	{"CE", draft.Failed}, {"TL", draft.Slow}, {"ML", verdict.MLE.Class() | draft.Crashed}, {"RE", draft.Crashed}, {"WA", draft.Wrong}, {"OK", draft.Accepted},
}

// promise reads an entry of sinol_expected_scores.
func (r *reader) promise(n yamlloose.Node) (e problem.Expect, err error) {
	e.From = fmt.Sprintf("%s:%d", sinolFile, n.Line())
	groups := func(n yamlloose.Node) error {
		list, err := n.Pairs()
		if err != nil {
			return err
		}
		for _, k := range list {
			status := ""
			if err := k.Value.Each(map[string]func(yamlloose.Node) error{
				"points": nil, "status": func(n yamlloose.Node) (err error) { status, err = n.Text(); return err },
			}); err != nil {
				return err
			}
			g, _ := strconv.Atoi(k.Key)
			if r.tests[g] == nil || len(r.requires[g]) > 0 && status != "OK" {
				continue
			}
			at := slices.IndexFunc(statuses, func(s struct {
				name string
				set  verdict.Set
			}) bool {
				return s.name == status
			})
			if at < 0 {
				return k.Value.Errorf("", "unknown status %s", quote.Name(status))
			}
			rule := problem.Rule{Cases: r.group(g), Required: statuses[at].set, From: e.From}
			for _, s := range statuses[at:] {
				rule.Permitted |= s.set
			}
			e.Rules = append(e.Rules, rule)
		}
		return nil
	}
	err = n.Each(map[string]func(yamlloose.Node) error{"expected": groups, "points": func(n yamlloose.Node) error {
		score, err := n.Number(0)
		if err == nil && r.Scoring && r.contest != "oi" {
			e.Score = &[2]float64{score, score}
		}
		return err
	}})
	return e, err
}
