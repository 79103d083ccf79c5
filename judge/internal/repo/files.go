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

// Reference is the folder of the reference solver of a problem below the root. The problem's
// other programs are below it.
func Reference(id string) string { return filepath.Join("reference", id) }

// OutputValidators is the folder of the programs that decide about outputs, each in a folder
// of its own.
func OutputValidators(id string) string { return filepath.Join(Reference(id), "output_validators") }

// InputValidators is the folder of the programs that look at inputs, each in a folder of its
// own.
func InputValidators(id string) string { return filepath.Join(Reference(id), "input_validators") }

// Statements is the folder of statements that are files, and of their pictures.
func Statements(id string) string { return filepath.Join(Reference(id), "statement") }

// Include is the folder of the files that submissions get, in a folder for each language.
func Include(id string) string { return filepath.Join(Reference(id), "submission_include") }

// Graders is the folder of the programs that make points, each in a folder of its own.
func Graders(id string) string { return filepath.Join(Reference(id), "graders") }

// Lone reports whether a folder is that of a program that stands alone in it, as in a package:
// a validator or a grader, which may be scripts.
func Lone(id, folder string) bool {
	return slices.Contains([]string{OutputValidators(id), InputValidators(id), Graders(id)}, filepath.Dir(folder))
}

// Submissions is the folder of the submissions that come with a problem, in folders that
// name their verdicts.
func Submissions(id string) string { return filepath.Join(Reference(id), "submissions") }

// Bare returns a problem of which it is known where its programs and cases are, and nothing
// of what its file says.
func Bare(root, id string) *problem.Problem {
	reference := Reference(id)
	return &problem.Problem{
		ID: id, Path: filepath.Join(root, "problems", id+".yaml"), Root: root,
		Reference: reference, Generator: filepath.Join(reference, "gen"), Brute: filepath.Join(reference, "brute"),
		Check: filepath.Join(reference, "check"), Compare: diff.Options{Mode: diff.Exact},
		Read:  func() (*cases.Set, error) { return cases.Read(root, id) },
		Files: &files{root: root, id: id},
	}
}

// files reads the programs of a problem.
type files struct {
	root, id string
	terms    problem.Terms
	include  []problem.Include
}

// Program implements [problem.Files].
func (f *files) Program(folder string, languages map[string]build.Language) (*build.Source, error) {
	dir := filepath.Join(f.root, folder)
	if _, err := os.Stat(dir); err != nil {
		return nil, &yamlstrict.Error{File: dir, Msg: "no such folder", Hint: "the problem needs its program there", Err: err}
	}
	if Lone(f.id, folder) {
		root, err := os.OpenRoot(f.root)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		source, err := build.OpenProgram(root, filepath.ToSlash(folder), dir, languages)
		if err == nil && source.Language == build.Binary { // which is opened once more, and root is closed then
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
	// Below a reference lie submissions, which must never be taken for it.
	if !build.HasSource(dir, languages) {
		return nil, &yamlstrict.Error{File: dir, Msg: "no program there", Hint: "the problem needs " + filepath.Join(dir, "main.go")}
	}
	return build.OpenOwn(f.root, filepath.ToSlash(folder), languages)
}

// Show implements [problem.Files].
func (f *files) Show(path string) string { return filepath.Join(f.root, path) }

// Own implements [problem.Files].
func (f *files) Own(s *problem.Submission, languages map[string]build.Language) (*build.Source, error) {
	source, err := build.Open(f.Show(s.Path), "", languages)
	return f.taken(source, err, languages)
}

// Contestant implements [problem.Files].
func (f *files) Contestant(name, language string, languages map[string]build.Language) (*build.Source, error) {
	source, err := build.Submission(name, language, languages)
	return f.taken(source, err, languages)
}

// Take implements [problem.Files].
func (f *files) Take(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	return f.taken(s, nil, languages)
}

// taken returns a submission with what the problem has for it, or as one that is refused.
func (f *files) taken(s *build.Source, err error, languages map[string]build.Language) (*build.Source, error) {
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

// includes lists what submissions get, by language.
func includes(root, id string) (list []problem.Include, err error) {
	folders, err := Entries(filepath.Join(root, Include(id)))
	for _, e := range folders {
		if dir := filepath.Join(root, Include(id), e.Name()); e.IsDir() {
			list = append(list, problem.Include{Language: e.Name(), Read: func() (map[string][]byte, error) { return texts(dir) }})
		}
	}
	return list, err
}

// texts returns the files below a folder, but for what is ignored, by slash paths.
func texts(dir string) (map[string][]byte, error) {
	all := map[string][]byte{}
	list, err := Entries(dir)
	for _, e := range list {
		file := filepath.Join(dir, e.Name())
		if e.IsDir() {
			below, err := texts(file)
			if err != nil {
				return nil, err
			}
			for name, text := range below {
				all[e.Name()+"/"+name] = text
			}
			continue
		}
		text, err := yamlstrict.Read(file)
		if err != nil {
			return nil, err
		}
		all[e.Name()] = text
	}
	return all, err
}

// submissions lists the submissions that come with a problem by folder and name. A folder
// that names no verdict has none.
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

// Partially is the folder of submissions that get some of the points, and not all.
const Partially = "partially_accepted"

// expected returns what the folder of a submission promises, false for one that promises
// nothing.
func expected(folder string) (problem.Expect, bool) {
	if folder == Partially {
		return problem.Expect{Partial: true, From: "its folder"}, true
	}
	want, ok := verdict.OfFolder(folder)
	return problem.Expect{Final: verdict.SetOf(want), From: "its folder"}, ok
}

// Ignored reports whether a file is nobody's: hidden, or dropped by an editor.
func Ignored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~")
}

// Entries lists a folder without what is ignored. One that does not exist is empty.
func Entries(dir string) ([]fs.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, yamlstrict.FileError(dir, err)
	}
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return Ignored(e.Name()) }), nil
}
