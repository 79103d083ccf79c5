package build

import (
	"bytes"
	"cmp"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// findGoMain finds the program in submissions that the go command would not build as they are. It
// renames a single file that the go command ignores, such as _a.go or a_windows.go, to main.go. In
// a module without a program at its top, it selects the program in a subfolder.
func (s *Source) findGoMain(l Language, list []string) error {
	if s.folder != "" || s.code != nil {
		return nil
	}
	context := goContext(l)
	if _, module := s.files["go.mod"]; module {
		return s.findGoProgram(l, context, list)
	}
	if len(list) == 1 && !s.builds(context, list[0], path.Base(list[0])) && s.builds(context, list[0], "main.go") {
		text := s.files[list[0]]
		delete(s.files, list[0])
		s.main = "main.go"
		s.files[s.main] = text
	}
	takes := func(file string) bool { return s.builds(context, file, strings.TrimLeft(path.Base(file), "_.")) }
	if !slices.ContainsFunc(list, takes) {
		return nil
	}
	for _, file := range list { // the go command would not heed the conditions of files that it gets by name
		if len(list) > 1 && !takes(file) {
			delete(s.files, file)
			s.choice.Ignored = append(s.choice.Ignored, file)
		}
	}
	return nil
}

// builds reports whether the go command would build a file of the source if it had this name.
func (s *Source) builds(context gobuild.Context, file, name string) bool {
	context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.files[file])), nil }
	ok, err := context.MatchFile("", name)
	return ok && err == nil && !strings.HasSuffix(name, "_test.go")
}

// findGoProgram sets s.folder to the folder of the only program in a module, unless there is a
// program at the top.
func (s *Source) findGoProgram(l Language, context gobuild.Context, list []string) error {
	programs := map[string]bool{}
	for _, file := range list {
		if !s.inModule(path.Dir(file)) || !s.builds(context, file, path.Base(file)) {
			continue
		}
		text, err := parser.ParseFile(token.NewFileSet(), "", s.files[file], parser.PackageClauseOnly)
		if err == nil && text.Name.Name == "main" {
			programs[path.Dir(file)] = true
		}
	}
	folders := slices.Sorted(maps.Keys(programs))
	called := slices.DeleteFunc(slices.Clone(folders), func(folder string) bool { return Like(s.problem, folder) != Same })
	switch {
	case programs["."] || len(folders) == 0: // if there is no program at all, the compiler reports the error
	case len(folders) == 1 || s.first:
		s.folder = folders[0]
	case len(called) == 1:
		s.folder = called[0]
	default:
		return s.unclear("several programs: %s (hint: keep one, or move the right one to the top)", strings.Join(folders, ", "))
	}
	return s.oneGoMain(l, context, list)
}

// oneGoMain leaves out the main files beside the one that is called like the problem, which the go command
// would compile with it.
func (s *Source) oneGoMain(l Language, context gobuild.Context, list []string) error {
	marked, _ := s.mainCandidates(l, slices.DeleteFunc(slices.Clone(list), func(file string) bool {
		return path.Dir(file) != cmp.Or(s.folder, ".") || !s.builds(context, file, path.Base(file))
	}))
	called := slices.DeleteFunc(slices.Clone(marked), func(file string) bool { return Like(s.problem, file) == Other })
	switch {
	case len(marked) < 2 || s.first:
		return nil
	case len(called) != 1:
		return s.unclear("several main files: %s (hint: hand in one program)", strings.Join(marked, ", "))
	}
	for _, file := range marked {
		if file != called[0] {
			delete(s.files, file)
			s.choice.LeftOut = append(s.choice.LeftOut, file)
		}
	}
	return nil
}

// inModule reports whether a folder may hold a package of the module.
func (s *Source) inModule(folder string) bool {
	for ; folder != "."; folder = path.Dir(folder) {
		name := path.Base(folder)
		if name[0] == '_' || name[0] == '.' || name == "testdata" || name == "vendor" || s.files[folder+"/go.mod"] != nil {
			return false
		}
	}
	return true
}
