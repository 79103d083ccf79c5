package repo

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Reference returns the folder of a problem's reference solver, below the root. The folders of the
// problem's other programs are in it.
func Reference(id string) string { return filepath.Join("reference", id) }

// OutputValidators returns the folder of the output validators, each in a folder of its own.
func OutputValidators(id string) string { return filepath.Join(Reference(id), "output_validators") }

// InputValidators returns the folder of the input validators, each in a folder of its own.
func InputValidators(id string) string { return filepath.Join(Reference(id), "input_validators") }

// AnswerValidators returns the folder of the answer validators, each in a folder of its own.
func AnswerValidators(id string) string { return filepath.Join(Reference(id), "answer_validators") }

// Statements returns the folder of further statements and their pictures.
func Statements(id string) string { return filepath.Join(Reference(id), "statement") }

// Include returns the folder of the files that are added to submissions, in a folder for each
// language.
func Include(id string) string { return filepath.Join(Reference(id), "submission_include") }

// Graders returns the folder of the graders, each in a folder of its own.
func Graders(id string) string { return filepath.Join(Reference(id), "graders") }

// Standalone reports whether a folder holds exactly one validator or grader. Such programs are
// opened like those of packages: they may be scripts.
func Standalone(id, folder string) bool {
	return slices.Contains([]string{OutputValidators(id), InputValidators(id), AnswerValidators(id), Graders(id)}, filepath.Dir(folder))
}

// Submissions returns the folder of the example submissions, in folders named for their verdicts.
func Submissions(id string) string { return filepath.Join(Reference(id), "submissions") }

// Bare returns a problem with the paths of its programs and cases, without reading its file.
func Bare(root, id string) *problem.Problem {
	reference := Reference(id)
	return &problem.Problem{
		ID: id, Path: filepath.Join(root, "problems", id+".yaml"), Root: root,
		Reference: reference, Generator: filepath.Join(reference, "gen"), Brute: filepath.Join(reference, "brute"),
		Check: filepath.Join(reference, "check"), Draw: filepath.Join(reference, "draw"), Compare: diff.Options{Mode: diff.Exact},
		Read:  func() (*cases.Set, error) { return cases.Read(root, id) },
		Files: &files{root: root, id: id},
	}
}

// files implements [problem.Files].
type files struct {
	root, id string
	terms    problem.Terms
	include  []problem.Include
}

func (f *files) Program(folder string, languages map[string]build.Language) (*build.Source, error) {
	dir := filepath.Join(f.root, folder)
	if _, err := os.Stat(dir); err != nil {
		return nil, &yamlstrict.Error{File: dir, Msg: "no such folder", Hint: "the problem needs its program there", Err: err}
	}
	if Standalone(f.id, folder) {
		root, err := os.OpenRoot(f.root)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		source, err := build.OpenProgram(root, filepath.ToSlash(folder), dir, languages)
		if err == nil && source.Language == build.Binary { // Build opens the executable later, when root is closed
			var list []fs.DirEntry
			if list, err = Entries(dir); err == nil {
				source, err = build.Open(filepath.Join(dir, list[0].Name()), "", languages)
			}
		}
		if err != nil {
			return nil, build.Located(dir, err)
		}
		return source, nil
	}
	// A folder may hold only submissions below it, which are not its program.
	if !build.HasSource(dir, languages) {
		return nil, &yamlstrict.Error{File: dir, Msg: "contains no program", Hint: "the problem needs " + filepath.Join(dir, build.MainFiles)}
	}
	return build.OpenOwn(f.root, filepath.ToSlash(folder), languages)
}

func (f *files) Show(path string) string { return filepath.Join(f.root, path) }

func (f *files) Own(s *problem.Submission, languages map[string]build.Language) (*build.Source, error) {
	source, err := build.Open(f.Show(s.Path), "", languages)
	return f.accept(source, err, languages)
}

func (f *files) Contestant(name, language string, languages map[string]build.Language) (*build.Source, error) {
	source, err := build.Submission(name, language, f.id, languages)
	return f.accept(source, err, languages)
}

func (f *files) Take(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	return f.accept(s, nil, languages)
}

// accept adds the problem's include files and compilation limits to a submission, or marks it as
// refused if it breaks the problem's terms. If err is not nil, accept returns it.
func (f *files) accept(s *build.Source, err error, languages map[string]build.Language) (*build.Source, error) {
	if err != nil {
		return nil, err
	}
	if why := f.terms.Refusal(s); why != "" {
		return s.Refused(why), nil
	}
	if s, err = problem.With(s, f.include, languages); err != nil {
		return nil, err
	}
	return s.Within(f.terms.Compile), nil
}

// includes lists the files that are added to submissions, by language.
func includes(root, id string) (list []problem.Include, err error) {
	folders, err := Entries(filepath.Join(root, Include(id)))
	for _, e := range folders {
		if dir := filepath.Join(root, Include(id), e.Name()); e.IsDir() {
			list = append(list, problem.Include{Language: e.Name(), Read: func() (map[string][]byte, error) { return readFiles(dir) }})
		}
	}
	return list, err
}

// readFiles returns the contents of the files below a folder, by slash path. It skips ignored
// files.
func readFiles(dir string) (map[string][]byte, error) {
	all := map[string][]byte{}
	list, err := Entries(dir)
	for _, e := range list {
		file := filepath.Join(dir, e.Name())
		if e.IsDir() {
			below, err := readFiles(file)
			if err != nil {
				return nil, err
			}
			for name, text := range below {
				all[e.Name()+"/"+name] = text
			}
			continue
		}
		if !e.Type().IsRegular() {
			return nil, &yamlstrict.Error{File: file, Msg: "not a regular file", Hint: "symbolic links are not followed, because submissions get these files"}
		}
		text, err := yamlstrict.Read(file)
		if err != nil {
			return nil, err
		}
		all[e.Name()] = text
	}
	return all, err
}

// submissions lists the example submissions of a problem, sorted by folder and name. It skips
// folders that are not named for a verdict.
func submissions(root, id string) ([]problem.Submission, error) {
	var list []problem.Submission
	top := filepath.Join(root, Submissions(id))
	folders, err := Entries(top)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		expect, ok := expected(f.Name())
		if !ok || !f.IsDir() {
			continue
		}
		files, err := Entries(filepath.Join(top, f.Name()))
		if err != nil {
			return nil, err
		}
		for _, e := range files {
			list = append(list, problem.Submission{
				Path: filepath.Join(Submissions(id), f.Name(), e.Name()), Expect: expect,
			})
		}
	}
	return list, nil
}

// Partially is the name of the folder of submissions that get some points, but not all.
const Partially = "partially_accepted"

// expected returns what the name of a folder promises of its submissions, and false if it is not a
// folder of submissions.
func expected(folder string) (problem.Expect, bool) {
	if folder == Partially {
		return problem.Expect{Partial: true, From: "its folder"}, true
	}
	want, ok := verdict.OfFolder(folder)
	return problem.Expect{Final: verdict.SetOf(want), From: "its folder"}, ok
}

// Ignored reports whether a file is hidden or a temporary file of an editor.
func Ignored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~")
}

// Entries lists a folder without ignored files. A folder that does not exist is empty.
func Entries(dir string) ([]fs.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, yamlstrict.FileError(dir, err)
	}
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return Ignored(e.Name()) }), nil
}
