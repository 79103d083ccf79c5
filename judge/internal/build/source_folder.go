package build

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
)

// openFolder reads a folder of sources: all files below the folder, except hidden ones, what tools
// have made, and the folders that t excludes. A folder of Go files without a go.mod is one package:
// its Go files are its own, without tests.
func openFolder(s *Source, languages map[string]Language, t *tree) (*Source, error) {
	top, err := t.files()
	if err != nil {
		return nil, err
	}
	s.files = map[string][]byte{}
	if s.Language == "" {
		if s.Language, err = s.folderLanguage(t, top, languages); err != nil {
			return nil, err
		}
	}
	leaveOut := func(rel string) { s.choice.LeftOut = append(s.choice.LeftOut, rel) }
	onePackage := s.Language == "go" && !top["go.mod"]
	var total limits.Bytes
	err = t.walk(func(rel string, d fs.DirEntry) (bool, error) {
		switch {
		case d.IsDir() && isProduct(rel, top):
			leaveOut(rel)
			return false, nil
		case d.IsDir() && onePackage && t.hasGo(rel):
			s.choice.Ignored = append(s.choice.Ignored, rel) // another package
			return false, nil
		case d.IsDir():
			return !slices.Contains(t.excluded, rel), nil
		case !t.takes(rel, d):
			return false, t.irregular(rel)
		case onePackage && path.Ext(rel) == ".go" && (strings.Contains(rel, "/") || strings.HasSuffix(rel, "_test.go")):
			s.choice.Ignored = append(s.choice.Ignored, rel)
			return false, nil
		case onePackage && !t.hasGo("."):
			return false, nil // findMain reports that there is no source
		}
		f, info, err := t.open(rel)
		if err != nil {
			return false, err
		}
		defer f.Close()
		if total += limits.Bytes(info.Size()); total > MaxSource {
			return false, fmt.Errorf("%s: sources of more than %s, with %s (hint: is it the right folder?)", t.name, MaxSource, rel)
		}
		text, err := regular.Read(f, info)
		if err != nil {
			return false, t.fail(rel, err)
		}
		s.read = append(s.read, rel)
		if s.files[rel] = text; len(s.files) > MaxFiles {
			return false, fmt.Errorf("%s: more than %d files (hint: is it the right folder?)", t.name, MaxFiles)
		}
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	return s, s.findMain(languages)
}

// hasGo reports whether a folder itself, not a subfolder, has a file of Go.
func (t *tree) hasGo(rel string) bool {
	list, err := t.list(rel)
	return err == nil && slices.ContainsFunc(list, func(d fs.DirEntry) bool { return !d.IsDir() && path.Ext(d.Name()) == ".go" })
}

// folderLanguage returns the language of a folder: that of its own files or, if none of them is a
// source, that of the files in subfolders, of those of tests only if there are no others. Among
// several languages it is that of the files that are called main or like the problem.
func (s *Source) folderLanguage(t *tree, topFiles map[string]bool, languages map[string]Language) (string, error) {
	found, named, aside := map[string]bool{}, map[string]bool{}, map[string]bool{}
	other, packed := "", ""
	look := func(file string) {
		if IsArchive(file) {
			packed = max(packed, file)
		}
		start := t.start(file)
		if o := foreignLanguage(languages, path.Base(file), start); o != "" {
			other = max(other, o)
			return
		}
		for _, l := range matches(languages, path.Base(file), start) {
			switch {
			case s.isAside(file):
				aside[l] = true
				continue
			case slices.Contains(mainNames, stem(file)), Like(s.problem, file) != Other:
				named[l] = true
			}
			found[l] = true
		}
	}
	for file := range topFiles {
		look(file)
	}
	if len(found) == 0 {
		if err := t.walk(func(rel string, d fs.DirEntry) (bool, error) {
			if t.takes(rel, d) && path.Dir(rel) != "." {
				look(rel)
			}
			return !d.IsDir() || !isProduct(rel, topFiles), nil
		}); err != nil {
			return "", err
		}
	}
	if len(found) == 0 {
		found = aside
	}
	if len(found) == 0 && other != "" {
		return "", &ForeignError{t.name, other}
	}
	if found["cpp"] {
		delete(found, "c") // a C++ program may include C files
	}
	if len(found) > 1 {
		delete(found, "bash") // authors use a shell script beside the sources to run them
	}
	for l := range found {
		if languages[l].Shebang == nil {
			continue
		}
		// The first line of one file decides the language of all files with the same extensions.
		for other := range found {
			if languages[other].Shebang == nil && !slices.ContainsFunc(languages[other].Match, func(ending string) bool {
				return !slices.Contains(languages[l].Match, ending)
			}) {
				delete(found, other)
			}
		}
	}
	var list []string
	for l := range found {
		list = append(list, l)
	}
	slices.Sort(list)
	if len(list) > 1 {
		called := slices.DeleteFunc(slices.Clone(list), func(l string) bool { return !named[l] })
		if len(called) == 1 {
			return called[0], nil
		}
	}
	switch len(list) {
	case 0:
		return "", &ExtensionError{Name: t.name, folder: true, packed: packed, languages: known(languages)}
	case 1:
		return list[0], nil
	}
	return "", s.unclear("files of several languages: %s (hint: choose the language, on a command line with --lang)", strings.Join(list, ", "))
}

// sources returns the files to compile, sorted: s.code if it is set, else those of the language.
func (s *Source) sources(l Language) []string {
	if s.code != nil {
		return slices.Clone(s.code)
	}
	var list []string
	for file := range s.files {
		if slices.Contains(l.Match, path.Ext(file)) || len(s.files) == 1 {
			list = append(list, file)
		}
	}
	slices.Sort(list)
	return list
}

// IsHeader reports whether a file's extension, in capitals or not, is that of a header of C or C++.
func IsHeader(name string) bool {
	return slices.Contains([]string{".h", ".hh", ".hpp", ".hxx"}, strings.ToLower(path.Ext(name)))
}

// headers lists the extensions of files that compilers read although they are not sources.
var headers = []string{".h", ".hh", ".hpp", ".hxx", ".mod", ".sum"}

// data returns the files that the program may open at run time: those that no compiler reads. It
// returns nil if there are none. In bash it returns the other scripts, too, because a script may
// source them from its working directory.
func (s *Source) data(l Language) map[string][]byte {
	var files map[string][]byte
	for file, text := range s.files {
		if ext := path.Ext(file); slices.Contains(l.Match, ext) && s.Language != "bash" || slices.Contains(headers, ext) || file == s.main {
			continue
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[file] = text
	}
	return files
}
