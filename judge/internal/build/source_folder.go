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

// openFolder reads a folder of sources. A folder of Go files without a go.mod is one package: its
// source consists of its own Go files without tests. Any other source consists of all files below
// the folder, except hidden ones, Python's caches and the folders that t excludes.
func openFolder(s *Source, languages map[string]Language, t *tree) (*Source, error) {
	top, err := t.files()
	if err != nil {
		return nil, err
	}
	s.files = map[string][]byte{}
	if s.Language == "" {
		if s.Language, err = folderLanguage(t, top, languages); err != nil {
			return nil, err
		}
	}
	onePackage := s.Language == "go" && !top["go.mod"]
	var total limits.Bytes
	err = t.walk(func(rel string, d fs.DirEntry) (bool, error) {
		switch {
		case d.IsDir():
			return d.Name() != "__pycache__" && !onePackage && !slices.Contains(t.excluded, rel), nil
		case !t.takes(rel, d):
			return false, t.irregular(rel)
		case onePackage && (!strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go")):
			return false, nil
		}
		f, info, err := t.open(rel)
		if err != nil {
			return false, err
		}
		defer f.Close()
		if total += limits.Bytes(info.Size()); total > maxSource {
			return false, fmt.Errorf("%s: sources of more than %s, with %s (hint: is it the right folder?)", t.name, maxSource, rel)
		}
		text, err := regular.Read(f, info)
		if err != nil {
			return false, t.fail(rel, err)
		}
		s.read = append(s.read, rel)
		if s.files[rel] = text; len(s.files) > maxFiles {
			return false, fmt.Errorf("%s: more than %d files (hint: is it the right folder?)", t.name, maxFiles)
		}
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	return s, s.findMain(languages)
}

// folderLanguage returns the language of a folder: that of its own files or, if none of them is a
// source, that of the files in subfolders.
func folderLanguage(t *tree, topFiles map[string]bool, languages map[string]Language) (string, error) {
	found := map[string]bool{}
	other := ""
	look := func(file string) {
		start := t.start(file)
		if o := foreignLanguage(languages, path.Base(file), start); o != "" {
			other = max(other, o)
			return
		}
		for _, l := range matches(languages, path.Base(file), start) {
			found[l] = true
		}
	}
	for file := range topFiles {
		look(file)
	}
	if len(found) == 0 {
		if err := t.walk(func(rel string, d fs.DirEntry) (bool, error) {
			if t.takes(rel, d) {
				look(rel)
			}
			return true, nil
		}); err != nil {
			return "", err
		}
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
	switch len(list) {
	case 0:
		return "", &ExtensionError{Name: t.name, folder: true, languages: known(languages)}
	case 1:
		return list[0], nil
	}
	return "", fmt.Errorf("%s: files of several languages: %s (hint: add --lang)", t.name, strings.Join(list, ", "))
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
