package build

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// inOrder returns the files to compile in the order that the compiler wants them.
func (s *Source) inOrder(l Language) []string {
	list := s.sources(l)
	if s.Language == "ocaml" {
		return s.dependenciesFirst(list)
	}
	return list
}

// ocamlWord is a name in an OCaml source; that of a module begins with a capital.
var ocamlWord = regexp.MustCompile(`\w[\w']*`)

// dependenciesFirst sorts OCaml sources so that each comes after those it names: a
// module may only use what has been compiled. The main file comes as late as that lets
// it. A word in a comment counts as well, which does no harm unless it makes a circle;
// circles are left to the compiler to tell of.
func (s *Source) dependenciesFirst(list []string) []string {
	files := map[string][]string{} // by module, the interface first
	for _, file := range list {
		name := []rune(stem(path.Base(file)))
		if len(name) > 0 {
			name[0] = unicode.ToUpper(name[0])
		}
		files[string(name)] = append(files[string(name)], file)
	}
	for _, of := range files {
		slices.SortFunc(of, func(a, b string) int { return strings.Compare(path.Ext(b), path.Ext(a)) })
	}
	var sorted []string
	seen := map[string]bool{}
	var visit func(file string)
	visit = func(file string) {
		if seen[file] {
			return
		}
		seen[file] = true
		for _, word := range ocamlWord.FindAll(s.files[file], -1) {
			if needed := files[string(word)]; !slices.Contains(needed, file) {
				for _, file := range needed {
					visit(file)
				}
			}
		}
		if face := file + "i"; s.files[face] != nil && path.Ext(face) == ".mli" {
			visit(face)
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
