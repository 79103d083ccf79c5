package watchmode

import (
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
)

// Part is a part of a problem to which a file can belong.
type Part string

const (
	Machine    Part = "machine"   // runner.yaml, for every problem
	Statement  Part = "statement" // problems/<id>.yaml
	Cases      Part = "cases"     // the cases of one group, or of all
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
	Name    string // for Cases, the group, "" for all; for Examples, the path of the example below the root
}

// layout maps files to the parts of problems.
type layout interface {
	// Affects returns the parts to which a path belongs; none if no problem uses the file.
	Affects(path string) []Effect
	// readSources finds the source files of all programs again. Callers call Affects before and
	// after it, because a file that was removed still affects the programs that used it.
	readSources(problems []string, languages map[string]build.Language)
	// roots returns the files and folders that hold the problems.
	roots() []string
	// outside returns the folders, outside of roots, of sources that readSources has found.
	outside() []string
}

// watchedSubmission is the submission of [Options].
type watchedSubmission struct {
	path    string // cleaned; "" if there is none
	problem string // the problem on which it is judged
}

func (h watchedSubmission) affects(path string) []Effect {
	if h.path != "" && (path == h.path || below(path, h.path)) {
		return []Effect{{Problem: h.problem, Part: Contestant}}
	}
	return nil
}

// repositoryLayout is the layout of the repository's problems.
type repositoryLayout struct {
	root       string
	submission watchedSubmission
	own        map[string][]program // programs by source file, as a path below root
	unreadable map[string][]program // programs whose sources could not be found, by folder
}

// program identifies one of a problem's own programs.
type program struct {
	problem string
	part    Part
}

// folders holds the folders of a problem's own programs, below reference/<id>.
var folders = map[Part]string{Solver: ".", Generator: "gen", Checker: "check", Brute: "brute"}

// readSources finds the source files of the problems' own programs: the files that a build would
// use, including those of Go packages that the programs import.
func (l *repositoryLayout) readSources(problems []string, languages map[string]build.Language) {
	before := l.own
	l.own, l.unreadable = map[string][]program{}, map[string][]program{}
	for _, id := range problems {
		for part, folder := range folders {
			at := filepath.Join("reference", id, folder)
			p := program{id, part}
			if !build.HasSource(filepath.Join(l.root, at), languages) {
				continue
			}
			source, err := build.OpenOwn(l.root, filepath.ToSlash(at), languages)
			if err != nil {
				l.unreadable[at] = append(l.unreadable[at], p)
				for file, programs := range before { // keep the old sources: the mistake may be in one of them
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

func (l *repositoryLayout) roots() []string {
	var list []string
	for _, name := range []string{"reference", "problems", "cases", "runner.yaml", "go.mod"} {
		list = append(list, filepath.Join(l.root, name))
	}
	return list
}

// outside returns the folders of source files that are neither below reference/ nor directly in the
// root, where go.mod is.
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
	list := l.submission.affects(path)
	rel, err := filepath.Rel(l.root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return list
	}
	for _, p := range l.own[rel] {
		list = append(list, Effect{Problem: p.problem, Part: p.part})
	}
	for folder, programs := range l.unreadable {
		if below(rel, folder) && !below(rel, filepath.Join(folder, "submissions")) {
			for _, p := range programs {
				list = append(list, Effect{Problem: p.problem, Part: p.part})
			}
		}
	}
	return append(list, documentEffects(rel)...)
}

// documentEffects returns the parts to which a file belongs by its path alone.
func documentEffects(rel string) []Effect {
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
		return []Effect{{Problem: last, Part: Statement}} // the loader reports the wrong name
	case len(parts) == 2 && parts[0] == "cases":
		return []Effect{{Problem: last, Part: Cases}} // the whole folder, such as after its removal
	case len(parts) == 3 && parts[0] == "cases" && last == "lock.yaml":
		return []Effect{{Problem: parts[1], Part: Lock}}
	case len(parts) == 3 && parts[0] == "cases" && last == "mutants.yaml":
		return nil
	case len(parts) == 3 && parts[0] == "cases" && isYAML:
		return []Effect{{Problem: parts[1], Part: Cases, Name: name}}
	case len(parts) == 3 && parts[0] == "cases" && strings.HasSuffix(last, ".yml"):
		return []Effect{{Problem: parts[1], Part: Cases}} // the loader reports the wrong name
	case len(parts) >= 4 && parts[0] == "cases":
		return []Effect{{Problem: parts[1], Part: Cases, Name: parts[2]}} // a file that a case of the group names
	case len(parts) >= 4 && parts[0] == "reference" && slices.Contains([]string{"output_validators", "input_validators", "answer_validators", "graders"}, parts[2]):
		return []Effect{{Problem: parts[1], Part: Checker}} // any file in these folders is part of a validator or a grader
	case len(parts) >= 5 && parts[0] == "reference" && parts[2] == "submissions":
		return []Effect{{Problem: parts[1], Part: Examples, Name: filepath.Join(parts[:5]...)}}
	}
	return nil
}

func below(path, folder string) bool {
	return strings.HasPrefix(path, folder+string(filepath.Separator))
}
