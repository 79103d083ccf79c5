package watchmode

import (
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
)

// Part is a part of a problem to which a file can belong.
type Part string

// The parts.
const (
	Machine    Part = "machine"   // runner.yaml, for every problem
	Statement  Part = "statement" // problems/<id>.yaml
	Cases      Part = "cases"     // the cases of one group
	Lock       Part = "lock"
	Solver     Part = "reference"
	Generator  Part = "generator"
	Checker    Part = "checker"
	Brute      Part = "brute"
	Examples   Part = "example" // one example submission
	Contestant Part = "submission"
)

// Effect is a part of a problem that a changed file affects.
type Effect struct {
	Problem string // "" means every watched problem
	Part    Part
	Name    string // the group of Cases; the path of Examples, as layout names it
}

// layout knows which file belongs to which part of a problem.
type layout interface {
	// Affects returns the parts to which a path belongs, none for a file that nothing reads.
	Affects(path string) []Effect
	// learn reads again of which files the problems are made. A file that no longer exists affects
	// the programs that used it, so callers ask Affects before and after.
	learn(problems []string, languages map[string]build.Language)
	// places returns the files and folders that hold the problems. outside returns the folders of
	// other sources, which learn has found.
	places() []string
	outside() []string
}

// handed is the watched submission, in either layout.
type handed struct {
	path  string // cleaned; "" if there is none
	owner string // its problem
}

func (h handed) affects(path string) []Effect {
	if h.path != "" && (path == h.path || below(path, h.path)) {
		return []Effect{{Problem: h.owner, Part: Contestant}}
	}
	return nil
}

// repositoryLayout is the layout of the repository's problems.
type repositoryLayout struct {
	root   string
	handed handed
	own    map[string][]program
	loose  map[string][]program // folders of programs that could not be read
}

// program identifies one of a problem's own programs.
type program struct {
	problem string
	part    Part
}

// folders holds the folders of a problem's own programs below reference/<id>.
var folders = map[Part]string{Solver: ".", Generator: "gen", Checker: "check", Brute: "brute"}

// learn reads of which files the problems' own programs are made: exactly those that a build would
// use, also in folders of imported packages.
func (l *repositoryLayout) learn(problems []string, languages map[string]build.Language) {
	before := l.own
	l.own, l.loose = map[string][]program{}, map[string][]program{}
	for _, id := range problems {
		for part, folder := range folders {
			at := filepath.Join("reference", id, folder)
			p := program{id, part}
			if !build.HasSource(filepath.Join(l.root, at), languages) {
				continue
			}
			source, err := build.OpenOwn(l.root, filepath.ToSlash(at), languages)
			if err != nil {
				l.loose[at] = append(l.loose[at], p)
				for file, programs := range before { // the mistake may be in one of them
					if slices.Contains(programs, p) {
						l.own[file] = append(l.own[file], p)
					}
				}
				continue
			}
			for _, file := range source.Files() {
				file = filepath.FromSlash(file)
				l.own[file] = append(l.own[file], p)
			}
		}
	}
}

func (l *repositoryLayout) places() []string {
	var list []string
	for _, name := range []string{"reference", "problems", "cases", "runner.yaml", "go.mod"} {
		list = append(list, filepath.Join(l.root, name))
	}
	return list
}

// outside returns the folders of source files that are neither below reference/ nor, as go.mod, in
// the root.
func (l *repositoryLayout) outside() (list []string) {
	for file := range l.own {
		if !below(file, "reference") && filepath.Dir(file) != "." {
			list = append(list, filepath.Join(l.root, filepath.Dir(file)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (l *repositoryLayout) Affects(path string) []Effect {
	list := l.handed.affects(path)
	rel, err := filepath.Rel(l.root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return list
	}
	for _, p := range l.own[rel] {
		list = append(list, Effect{Problem: p.problem, Part: p.part})
	}
	for folder, programs := range l.loose {
		if below(rel, folder) && !below(rel, filepath.Join(folder, "submissions")) {
			for _, p := range programs {
				list = append(list, Effect{Problem: p.problem, Part: p.part})
			}
		}
	}
	return append(list, document(rel)...)
}

// document returns the parts to which a file belongs by its path alone.
func document(rel string) []Effect {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	last := parts[len(parts)-1]
	name, isYAML := strings.CutSuffix(last, ".yaml")
	switch {
	case rel == "runner.yaml":
		return []Effect{{Part: Machine}}
	case rel == "go.mod":
		return []Effect{{Part: Solver}}
	case len(parts) == 2 && parts[0] == "problems" && isYAML:
		return []Effect{{Problem: name, Part: Statement}}
	case len(parts) == 2 && parts[0] == "problems" && strings.HasSuffix(last, ".yml"):
		return []Effect{{Problem: last, Part: Statement}} // an error that the loader tells
	case len(parts) == 2 && parts[0] == "cases":
		return []Effect{{Problem: last, Part: Cases}} // the folder as a whole
	case len(parts) == 3 && parts[0] == "cases" && last == "lock.yaml":
		return []Effect{{Problem: parts[1], Part: Lock}}
	case len(parts) == 3 && parts[0] == "cases" && last == "mutants.yaml":
		return nil
	case len(parts) == 3 && parts[0] == "cases" && isYAML:
		return []Effect{{Problem: parts[1], Part: Cases, Name: name}}
	case len(parts) == 3 && parts[0] == "cases" && strings.HasSuffix(last, ".yml"):
		return []Effect{{Problem: parts[1], Part: Cases}} // an error that the loader tells
	case len(parts) >= 4 && parts[0] == "cases":
		return []Effect{{Problem: parts[1], Part: Cases, Name: parts[2]}} // a case has files of its own
	case len(parts) >= 4 && parts[0] == "reference" && slices.Contains([]string{"output_validators", "input_validators", "answer_validators", "graders"}, parts[2]):
		return []Effect{{Problem: parts[1], Part: Checker}} // any file there is part of one
	case len(parts) >= 5 && parts[0] == "reference" && parts[2] == "submissions":
		return []Effect{{Problem: parts[1], Part: Examples, Name: filepath.Join(parts[:5]...)}}
	}
	return nil
}

// below reports whether a path lies in a folder.
func below(path, folder string) bool {
	return strings.HasPrefix(path, folder+string(filepath.Separator))
}
