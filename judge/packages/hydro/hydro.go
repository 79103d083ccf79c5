// Package hydro loads problems of Hydro.
package hydro

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

const (
	folder = "testdata"
	config = "testdata/config.yaml"
)

// Family describes problems of Hydro.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "hydro", Main: config, Points: draft.ByCases, Compare: draft.AsSaid, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 64 * limits.MiB}},
	Origin:  "Hydro", Signs: "testdata/ with config.yaml or beside problem.yaml",
	Lacks: "other types than default and interactive, subtasks of type max, checkers but testlib's",
	Empty: "add testdata/1.in with testdata/1.out, or cases to " + config,
	Is: func(p *draft.Draft, list draft.Listing) (bool, error) {
		file, _, err := p.Tree.Kind(config)
		return list.Folder(folder) && !list.Folder("data") && (file || list.File(draft.MetadataFile)), err
	},
	Read: read,
}

// reader reads a problem of Hydro.
type reader struct {
	*draft.Draft
	subtasks []*subtask
	checker  string // path; "" for a comparison
	kind     string // checker_type
}

// subtask is a subtask; those that config.yaml does not list come from the names of the files.
type subtask struct {
	id       int
	kind     string  // min or sum
	score    float64 // 0 if it is not given
	requires []string
	limits   problem.Exception
	cases    []test
	place    yamlloose.Node
	listed   bool // config.yaml lists its cases
}

// test is a case.
type test struct {
	input, output string // paths; "" for no file
	score         float64
	limits        problem.Exception
}

// read reads problem.yaml, the statements and testdata/config.yaml.
func read(of *draft.Draft) error {
	r := &reader{Draft: of}
	r.Limits.Memory = 256 * limits.MiB
	r.Time.Limit, r.Time.From = time.Second, folder
	return draft.InOrder(r.metadata, r.statements, r.config, r.detect, r.group, r.Measure)
}

func (r *reader) metadata() error {
	root, err := r.Document(draft.MetadataFile)
	if err != nil {
		return err
	}
	return root.Each(map[string]func(yamlloose.Node) error{
		"title": yamlloose.Into(&r.Title), "tag": func(n yamlloose.Node) (err error) { r.Keywords, err = n.Texts(); return err },
		"pid": nil, "owner": nil, "nSubmit": nil, "nAccept": nil, "difficulty": nil,
	})
}

// statementName matches the files with statements, which end with a language.
var statementName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^problem(?:_([A-Za-z_-]+))?\.md$`) })

func (r *reader) statements() error {
	list, err := r.ListSkipping(".")
	for _, e := range list {
		if m := statementName().FindStringSubmatch(e.Name); m != nil && !e.Dir {
			r.Statements = append(r.Statements, draft.Statement{Language: cmp.Or(m[1], "en"), Path: e.Name})
		}
	}
	return err
}

// languages are the languages of Hydro, by their names without a version.
var languages = map[string]string{
	"c": "c", "cc": "cpp", "py": "python3", "java": "java", "go": "go", "rs": "rust", "pas": "pascal", "js": "javascript", "kt": "kotlin",
	"cs": "csharp", "hs": "haskell", "php": "php", "rb": "ruby",
}

// config reads config.yaml.
func (r *reader) config() error {
	root, err := r.Document(config)
	if err != nil {
		return err
	}
	ignored := func(n yamlloose.Node) error {
		r.Note(config, n.Line(), "%s is ignored", n.Key)
		return nil
	}
	err = root.Each(map[string]func(yamlloose.Node) error{
		"type": func(n yamlloose.Node) error {
			kind, err := n.Text()
			if err == nil && kind != "default" && kind != "interactive" {
				err = n.Wrong("default and interactive are", "problems of the type %s are not supported", quote.Name(kind))
			}
			return err
		},
		"time": yamlloose.SecondsInto(&r.Time.Limit), "memory": yamlloose.MemoryInto(&r.Limits.Memory),
		"filename": func(n yamlloose.Node) error {
			name, err := n.Text()
			if err != nil || name == "" {
				return err
			}
			r.FilesKeys = "leave out filename in " + config
			return cmp.Or(r.UseFile(config, n.Line(), name+".in", &r.InFile), r.UseFile(config, n.Line(), name+".out", &r.OutFile))
		},
		"checker_type": yamlloose.Into(&r.kind), "checker": func(n yamlloose.Node) (err error) { r.checker, err = r.program(n); return err },
		"interactor": func(n yamlloose.Node) (err error) {
			r.Validation.Interactive = true
			r.Validation.Interactor, err = r.program(n)
			return err
		},
		"validator": func(n yamlloose.Node) error {
			rel, err := r.program(n)
			r.InputPrograms = []string{rel}
			return err
		},
		"user_extra_files": func(n yamlloose.Node) error {
			list, err := r.files(n)
			for i := range list {
				list[i] = strings.TrimPrefix(list[i], folder+"/")
			}
			r.AddInclude("default", folder, list)
			return err
		},
		"judge_extra_files": func(n yamlloose.Node) (err error) { r.Validation.Headers, err = r.files(n); return err },
		"langs": func(n yamlloose.Node) error {
			list, err := n.Texts()
			for _, name := range list {
				short, _, _ := strings.Cut(name, ".")
				if own := cmp.Or(languages[short], short); !slices.Contains(r.Languages, own) {
					r.Languages = append(r.Languages, own)
				}
			}
			return err
		},
		"cases": func(n yamlloose.Node) error {
			all := &subtask{kind: "sum", id: 1, place: n, listed: true}
			r.subtasks = []*subtask{all}
			return r.cases(n, all)
		},
		"subtasks": func(n yamlloose.Node) error {
			for i, item := range n.Items() {
				if err := r.subtask(*item, i+1); err != nil {
					return err
				}
			}
			return nil
		},
		"time_limit_rate": ignored, "memory_limit_rate": ignored, "detail": nil, "score": nil, "subType": nil, "target": nil,
	})
	if err != nil {
		return err
	}
	if header, err := r.First(folder+"/testlib", ".h"); err != nil {
		return err
	} else if header != "" && !slices.Contains(r.Validation.Headers, header) { // Hydro has its own
		r.Validation.Headers = append(r.Validation.Headers, header)
	}
	return r.judging(root)
}

// judging decides how outputs are judged.
func (r *reader) judging(root yamlloose.Node) error {
	r.Compare = diff.Options{Mode: diff.Tokens}
	switch kind := cmp.Or(r.kind, "default"); {
	case r.Validation.Interactive:
	case kind == "strict":
		r.Compare.Mode = diff.Exact
	case kind == "testlib" && r.checker != "":
		r.Validation.Programs = []string{r.checker}
	case kind == "default":
		r.Note(config, 0, "outputs are compared word by word: where lines break does not count, but Hydro wants the same words on each line")
	default:
		return r.Tree.Errorf(config, root.Line(), "write a checker for testlib, and checker_type: testlib", "checkers of the type %s are not supported", quote.Name(kind))
	}
	return nil
}

// subtask reads an item of subtasks.
func (r *reader) subtask(n yamlloose.Node, number int) error {
	s := &subtask{kind: "min", id: number, place: n}
	id := float64(number)
	err := n.Each(map[string]func(yamlloose.Node) error{
		"score": yamlloose.NumberInto(&s.score, 0), "id": yamlloose.NumberInto(&id, 1),
		"time": yamlloose.SecondsInto(&s.limits.CPU), "memory": yamlloose.MemoryInto(&s.limits.Memory),
		"type": func(n yamlloose.Node) (err error) {
			if s.kind, err = n.Text(); err == nil && s.kind != "min" && s.kind != "sum" {
				err = n.Wrong("write min or sum", "subtasks of the type %s are not supported", quote.Name(s.kind))
			}
			return err
		},
		"if":    func(n yamlloose.Node) (err error) { s.requires, err = n.Texts(); return err },
		"cases": func(n yamlloose.Node) error { s.listed = true; return r.cases(n, s) },
	})
	s.id = int(min(id, draft.MaxListed))
	r.subtasks = append(r.subtasks, s)
	return err
}

// cases reads a list of cases.
func (r *reader) cases(n yamlloose.Node, s *subtask) error {
	for _, item := range n.Items() {
		var t test
		err := item.Each(map[string]func(yamlloose.Node) error{
			"input":  func(n yamlloose.Node) (err error) { t.input, err = r.file(n); return err },
			"output": func(n yamlloose.Node) (err error) { t.output, err = r.file(n); return err },
			"score":  yamlloose.NumberInto(&t.score, 0), "time": yamlloose.SecondsInto(&t.limits.CPU), "memory": yamlloose.MemoryInto(&t.limits.Memory), "id": nil,
		})
		if err == nil && t.input == "" {
			err = item.Wrong("write input: 1.in", "a case without an input")
		}
		if err != nil {
			return err
		}
		s.cases = append(s.cases, t)
	}
	return nil
}

// file returns the path of a file in testdata/ that a value names; it must exist.
func (r *reader) file(n yamlloose.Node) (string, error) {
	name, err := n.Text()
	rel := path.Join(folder, name)
	if err != nil {
		return "", err
	}
	file, _, err := r.Tree.Kind(rel)
	if err == nil && (!file || !strings.HasPrefix(rel, folder+"/")) {
		err = n.Wrong("add it", "there is no %s", quote.Name(rel))
	}
	return rel, err
}

// program returns the path of a program, which is a name or a mapping with it.
func (r *reader) program(n yamlloose.Node) (rel string, err error) {
	if n.Kind() != yaml.MappingNode {
		return r.file(n)
	}
	err = n.Each(map[string]func(yamlloose.Node) error{"file": func(n yamlloose.Node) (err error) { rel, err = r.file(n); return err }, "lang": nil})
	return rel, err
}

func (r *reader) files(n yamlloose.Node) (list []string, err error) {
	items := n.Items()
	for _, item := range items {
		rel, err := r.file(*item)
		if err != nil {
			return nil, err
		}
		list = append(list, rel)
	}
	return list, nil
}

// inputName matches the names of inputs, with the number of the subtask and that of the test.
var inputName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([\w.-]*?(?:(\d+)[-_])?\d+)\.(?:in|IN|txt|TXT|in\.txt|IN\.TXT)$`)
})

// detect finds the cases of the subtasks that do not list any, if none does, by the names of the files.
func (r *reader) detect() error {
	if slices.ContainsFunc(r.subtasks, func(s *subtask) bool { return s.listed }) {
		return nil
	}
	list, err := r.Tree.List(folder)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b tree.Entry) int { return draft.Natural(a.Name, b.Name) })
	names := draft.Listing(list)
	for _, e := range list {
		m := inputName().FindStringSubmatch(e.Name)
		if m == nil || e.Dir {
			continue
		}
		to := strings.NewReplacer("input", "output", "INPUT", "OUTPUT")
		answers := []string{m[1] + ".out", m[1] + ".ans", m[1] + ".OUT", m[1] + ".ANS", m[1] + ".out.txt", to.Replace(m[1]) + ".out", to.Replace(m[1]) + ".txt"}
		at := slices.IndexFunc(answers, func(name string) bool { return name != e.Name && names.File(name) })
		if at < 0 {
			continue
		}
		kind, id := "sum", 1
		if digits := m[2]; digits != "" {
			kind, id = "min", 0
			for _, d := range digits[:min(len(digits), 6)] {
				id = 10*id + int(d-'0')
			}
		}
		i := slices.IndexFunc(r.subtasks, func(s *subtask) bool { return s.id == id })
		if i < 0 {
			i, r.subtasks = len(r.subtasks), append(r.subtasks, &subtask{id: id, kind: kind})
		}
		r.subtasks[i].cases = append(r.subtasks[i].cases, test{input: path.Join(folder, e.Name), output: path.Join(folder, answers[at])})
	}
	return nil
}
