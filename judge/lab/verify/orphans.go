package verify

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// programs holds the names of the folders, below the reference's, with the problem's other
// programs.
var programs = []string{"gen", "check", "brute", "draw"}

const unused = "nothing uses it"

// checkOrphans finds files and folders of a problem that nothing uses.
func checkOrphans(_ context.Context, s *subject) error {
	dir := s.path("cases", s.p.ID)
	list, err := repo.Entries(dir)
	if err != nil {
		return err
	}
	beside := map[string]bool{} // files that cases name, and the folders that contain them
	for _, c := range s.set.Cases {
		for _, file := range []string{c.InputFile, c.OutputFile, c.FilesDir} {
			beside[file], beside[filepath.Dir(file)] = true, true
		}
	}
	for _, e := range list {
		file := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && beside[file]:
			if err := s.orphansBeside(file, beside); err != nil {
				return err
			}
		case e.IsDir() || filepath.Ext(e.Name()) != ".yaml":
			// All .yaml files are used: reading the cases refuses any that is neither a group nor
			// has a reserved name.
			s.findAt(file, "groups of cases are files NAME.yaml", unused)
		}
	}
	if err := s.orphansOfReference(); err != nil {
		return err
	}
	if err := s.orphansOfIncludes(); err != nil {
		return err
	}
	return s.orphansOfSubmissions()
}

// orphansBeside finds files in a folder of case data that no case uses.
func (s *subject) orphansBeside(dir string, used map[string]bool) error {
	list, err := repo.Entries(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if file := filepath.Join(dir, e.Name()); !used[file] {
			s.findAt(file, "cases name files of this folder in input_file, output_file and files", unused)
		}
	}
	return nil
}

// orphansOfReference finds program folders that contain no program, and files below the reference's
// folder that no program uses.
func (s *subject) orphansOfReference() error {
	folder := s.p.Reference
	if !s.own(folder) {
		s.findAt(s.path(folder), "the problem needs "+s.path(folder, build.MainFiles), "contains no reference solver")
	}
	if !exists(s.path(folder)) {
		return nil
	}
	all := append(under(folder, programs...), folder)
	for v := s.p.Validator; v != nil; v = v.Then {
		all = append(all, v.Program)
	}
	for _, v := range slices.Concat(s.p.InputValidators, s.p.AnswerValidators) {
		all = append(all, v.Program)
	}
	if s.p.Grader != nil {
		all = append(all, s.p.Grader.Program)
	}
	used, err := s.sources(all)
	if err != nil {
		return err
	}
	for _, name := range programs {
		if dir := filepath.Join(folder, name); exists(s.path(dir)) && !s.own(dir) {
			s.findAt(s.path(dir), "its main file is "+build.MainFiles, "contains no program")
		}
	}
	return filepath.WalkDir(s.path(folder), func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return yamlstrict.FileError(file, err)
		}
		below, err := filepath.Rel(s.env.Root, file)
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case repo.Ignored(name) || name == "testdata" || below == repo.Statements(s.p.ID) && s.p.Origin != "" || below == repo.Submissions(s.p.ID) || below == repo.Include(s.p.ID):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case used[below] && d.IsDir() && repo.Standalone(s.p.ID, below): // the compiler gets the whole folder
			return fs.SkipDir
		case below == repo.Statements(s.p.ID):
			shown, err := s.statementFiles()
			if err != nil {
				return err
			}
			maps.Copy(used, shown)
			return nil
		case strings.HasPrefix(below, repo.Statements(s.p.ID)+string(filepath.Separator)):
			if !d.IsDir() && !used[below] {
				s.findAt(file, "remove it, or show it in a statement", unused)
			}
			return nil
		case used[below], filepath.Ext(name) == ".md":
			return nil
		case s.p.Origin != "": // part of an imported package
			return nil
		case d.IsDir():
			s.findAt(file, "programs are in "+strings.Join(programs, ", ")+"; packages that they import are used too", unused)
			return fs.SkipDir
		case filepath.Ext(name) == ".go": // a test, or a file for another operating system
			return nil
		}
		s.findAt(file, "remove it, or embed it into a program", unused)
		return nil
	})
}

// sources returns the source files of the programs in these folders, and all folders that contain
// them, as paths below the root.
func (s *subject) sources(folders []string) (map[string]bool, error) {
	used := map[string]bool{}
	for _, folder := range folders {
		used[folder] = true
		if exists(s.path(folder)) {
			for at := filepath.Dir(folder); at != "."; at = filepath.Dir(at) {
				used[at] = true
			}
		}
		if !s.own(folder) {
			continue
		}
		source, err := s.caseData().Source(folder)
		if err != nil {
			return nil, err
		}
		for _, file := range source.Files() {
			for at := file; at != "."; at = path.Dir(at) {
				used[filepath.FromSlash(at)] = true
			}
		}
	}
	maps.Copy(s.used, used)
	return used, nil
}

// under joins folder with each of the names.
func under(folder string, names ...string) []string {
	var list []string
	for _, name := range names {
		list = append(list, filepath.Join(folder, name))
	}
	return list
}

// orphansOfIncludes finds files and folders in the include folder that are added to no submission.
func (s *subject) orphansOfIncludes() error {
	dir := s.path(repo.Include(s.p.ID))
	list, err := repo.Entries(dir)
	if err != nil {
		return err
	}
	known := []string{"default"}
	for language := range s.judge.Builder.Languages() {
		known = append(known, problem.Codes(language)...)
	}
	for _, e := range list {
		if file := filepath.Join(dir, e.Name()); !e.IsDir() || !slices.Contains(known, e.Name()) {
			s.findAt(file, "put files to include into a folder named after a language, or default", unused)
		}
	}
	for _, i := range s.p.Include {
		if _, err := i.Read(); err != nil {
			return err
		}
	}
	return nil
}

// orphansOfSubmissions finds example submissions outside of the folders named for verdicts.
func (s *subject) orphansOfSubmissions() error {
	dir := s.path(repo.Submissions(s.p.ID))
	list, err := repo.Entries(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		file := filepath.Join(dir, e.Name())
		switch _, known := verdict.OfFolder(e.Name()); {
		case e.IsDir() && e.Name() == repo.Partially && s.p.Scoring:
		case e.IsDir() && !known:
			s.findAt(file, "the folders are "+verdict.Folders(), "is not the folder of a verdict")
		case !e.IsDir() && filepath.Ext(e.Name()) != ".md":
			s.findAt(file, "move it into the folder of the verdict that it must get", "is not in the folder of a verdict")
		}
	}
	return nil
}

// checkStrays finds files and folders that belong to no problem.
func checkStrays(v *verification) error {
	for _, top := range []string{"problems", "cases", "reference"} {
		dir := filepath.Join(v.env.Root, top)
		list, err := repo.Entries(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			id, ext := e.Name(), filepath.Ext(e.Name())
			if top == "problems" {
				id = strings.TrimSuffix(id, ".yaml")
			}
			switch {
			case slices.Contains(v.env.Known, id) && e.IsDir() == (top != "problems"):
			case ext == ".md" && !e.IsDir():
			case e.IsDir() && v.used[filepath.Join(top, id)]:
			default:
				v.findAt(filepath.Join(dir, e.Name()), "there is no problem "+strings.TrimSuffix(id, ext), unused)
			}
		}
	}
	return nil
}
