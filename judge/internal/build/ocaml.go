package build

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// inOrder returns the files to compile, in the order that the compiler requires.
func (s *Source) inOrder(l Language) []string {
	list := s.sources(l)
	if s.Language == "ocaml" {
		return s.dependenciesFirst(list)
	}
	if (s.Language == "c" || s.Language == "cpp") && s.code == nil {
		var includes strings.Builder
		for _, file := range list {
			includes.WriteString(namesIn(s.Language, s.files[file]).parts + "\n")
		}
		return slices.DeleteFunc(list, func(file string) bool { // the compiler gets it where another includes it
			name := path.Base(file) + `"`
			return file != s.main && (strings.Contains(includes.String(), `"`+name) || strings.Contains(includes.String(), "/"+name))
		})
	}
	return list
}

// ocamlWord matches names in an OCaml source; names of modules begin with a capital letter.
var ocamlWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w[\w']*`) })

// dependenciesFirst sorts OCaml sources so that each comes after the modules that it names, because
// a module may only use modules compiled before it. The main file comes as late as possible. The
// compiler reports cycles. The list must be sorted, so that each module comes before its interface.
func (s *Source) dependenciesFirst(list []string) []string {
	files := map[string][]string{} // files by the name of their module
	for _, file := range list {
		name := []rune(stem(path.Base(file)))
		if len(name) > 0 {
			name[0] = unicode.ToUpper(name[0])
		}
		files[string(name)] = append(files[string(name)], file)
	}
	var sorted []string
	seen := map[string]bool{}
	var visit func(file string)
	visit = func(file string) {
		if seen[file] {
			return
		}
		seen[file] = true
		for _, word := range ocamlWord().FindAllString(codeOnly(s.Language, s.files[file]), -1) {
			for _, needed := range files[word] {
				visit(needed)
			}
		}
		if path.Ext(file) == ".ml" && s.files[file+"i"] != nil {
			visit(file + "i") // its interface
		}
		sorted = append(sorted, file)
	}
	for _, file := range list {
		if file != s.main {
			visit(file)
		}
	}
	visit(s.main)
	return sorted
}
