package watchmode

import (
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
)

// Part is a piece of a problem that a file can belong to.
type Part string

// The parts.
const (
	Machine   Part = "machine"   // runner.yaml, for every problem
	Statement Part = "statement" // problems/<id>.yaml
	Cases     Part = "cases"     // the cases of one group
	Lock      Part = "lock"
	Solver    Part = "reference"
	Generator Part = "generator"
	Checker   Part = "checker"
	Brute     Part = "brute"
	Examples  Part = "example" // one example submission
	Handed    Part = "submission"
)

// Effect is something that a changed file concerns.
type Effect struct {
	Problem string // "" is every problem that is watched
	Part    Part
	Name    string // the group of Cases; the path of Examples, as layout names it
}

// layout knows which file concerns what.
type layout interface {
	// Affects returns what a path concerns: nothing for a file that nobody reads.
	Affects(path string) []Effect
	// learn reads again what the problems are made of. What was known before still counts for
	// the paths of the batch that asks: a file that is gone concerns who used it.
	learn(problems []string, languages map[string]build.Language)
	// places are the files and folders in which everything is, but for what outside returns,
	// which learn has found.
	places() []string
	outside() []string
}

// handed is the submission that is watched, of either layout.
type handed struct {
	path  string // "" without one; cleaned
	owner string // its problem
}

func (h handed) affects(path string) []Effect {
	if h.path != "" && (path == h.path || below(path, h.path)) {
		return []Effect{{Problem: h.owner, Part: Handed}}
	}
	return nil
}

// repository is the layout of the repository's problems.
type repository struct {
	root   string
	handed handed
	own    map[string][]program
	loose  map[string][]program // folders of programs that could not be read
}

// program is one of a problem's own programs.
type program struct {
	problem string
	part    Part
}

// folders are where a problem's own programs lie below reference/<id>.
var folders = map[Part]string{Solver: ".", Generator: "gen", Checker: "check", Brute: "brute"}

// learn reads which files the problems' own programs are made of: exactly those that a build
// would take, also where another folder lends a package.
func (l *repository) learn(problems []string, languages map[string]build.Language) {
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
				for file, programs := range before { // one of them may be what is to be mended
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

func (l *repository) places() []string {
	var list []string
	for _, name := range []string{"reference", "problems", "cases", "runner.yaml", "go.mod"} {
		list = append(list, filepath.Join(l.root, name))
	}
	return list
}

// outside returns the folders of files that programs are made of and that lie neither below
// reference/ nor, as go.mod, at the top.
func (l *repository) outside() (list []string) {
	for file := range l.own {
		if !below(file, "reference") && filepath.Dir(file) != "." {
			list = append(list, filepath.Join(l.root, filepath.Dir(file)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (l *repository) Affects(path string) []Effect {
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

// document tells what a file concerns by its place alone.
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
		return []Effect{{Problem: parts[1], Part: Cases, Name: parts[2]}} // what a case has in files of its own
	case len(parts) >= 4 && parts[0] == "reference" && slices.Contains([]string{"output_validators", "input_validators", "answer_validators", "graders"}, parts[2]):
		return []Effect{{Problem: parts[1], Part: Checker}} // whatever is there is a part of it
	case len(parts) >= 5 && parts[0] == "reference" && parts[2] == "submissions":
		return []Effect{{Problem: parts[1], Part: Examples, Name: filepath.Join(parts[:5]...)}}
	}
	return nil
}

// below reports whether a path lies in a folder.
func below(path, folder string) bool {
	return strings.HasPrefix(path, folder+string(filepath.Separator))
}
