package build

import (
	"bytes"
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
		return s.findGoProgram(context, list)
	}
	if len(list) == 1 && !s.builds(context, list[0], path.Base(list[0])) && s.builds(context, list[0], "main.go") {
		text := s.files[list[0]]
		delete(s.files, list[0])
		s.main = "main.go"
		s.files[s.main] = text
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
func (s *Source) findGoProgram(context gobuild.Context, list []string) error {
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
	switch {
	case programs["."] || len(folders) == 0: // if there is no program at all, the compiler reports the error
	case len(folders) == 1 || s.first:
		s.folder = folders[0]
	default:
		return s.unclear("several programs: %s (hint: keep one, or move the right one to the top)", strings.Join(folders, ", "))
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
