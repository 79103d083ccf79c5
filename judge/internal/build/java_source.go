package build

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"sync"
)

// javaType is a class, interface, enum, record or annotation at the top level of a source.
type javaType struct {
	name   string
	public bool
	main   bool // its body declares a void method main
}

// declaration matches what precedes the body of a type.
var declaration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\bpublic\b[^;]*)?\b(?:class|interface|enum|record)\s+([^\s<({]+)`)
})

// javaTypes guesses the types at the top level of a Java source. The compiler knows them, but only
// once the file has the right name, which costs a second compilation if the guess is wrong. compact
// reports whether the file declares main outside of all types.
func javaTypes(text []byte) (types []javaType, compact bool) {
	main := mainMarks["java"]().pattern.MatchString
	heads, bodies := blocks(braces.code(text))
	for i, head := range heads {
		compact = compact || main(head)
		if found := declaration().FindStringSubmatch(head); found != nil {
			methods, _ := blocks(bodies[i])
			types = append(types, javaType{found[2], found[1] != "", slices.ContainsFunc(methods, main)})
		}
	}
	return types, compact
}

// blocks returns the contents of the outermost braces of a code, and what precedes each.
func blocks(code string) (heads, bodies []string) {
	depth, begin := 0, 0
	for i, c := range code + "}" {
		switch {
		case c == '{':
			if depth++; depth == 1 {
				heads, begin = append(heads, code[begin:i]), i+1
			}
		case c == '}' && depth > 0:
			if depth--; depth == 0 || i == len(code) {
				bodies, begin = append(bodies, code[begin:i]), i+1
			}
		}
	}
	return heads, bodies
}

// nameAfterClass renames a single Java file after its public type, because the compiler requires
// that name. In a compact source file, types are members, after which no file need be named.
func (s *Source) nameAfterClass(file string) {
	types, compact := javaTypes(s.files[file])
	if i := slices.IndexFunc(types, func(t javaType) bool { return t.public }); i >= 0 && !compact {
		s.nameJava(file, types[i].name)
	}
}

// nameJava renames a file, unless the name is too long: then the compiler reports that.
func (s *Source) nameJava(file, name string) {
	if len(name)+len(".java") > maxName {
		return
	}
	text := s.files[file]
	delete(s.files, file)
	s.main = path.Join(path.Dir(file), name+".java")
	s.files[s.main] = text
}

// wrongName matches what javac says of a file that is not named after its public type, or whose name
// a compact source file cannot have.
var wrongName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m): error: (?:.* should be declared in a file named ([\pL\pM\pN\p{Sc}\p{Pc}]+)\.java|bad file name: .*)$`)
})

// named returns a single Java source under the name that the compiler asked for in err; nil if it
// asked for none.
func (s *Source) named(l Language, err error) *Source {
	fault, failed := errors.AsType[*CompileError](err)
	if !failed || s.Language != "java" || s.code != nil || len(s.sources(l)) != 1 {
		return nil
	}
	found := wrongName().FindStringSubmatch(fault.Output)
	if found == nil {
		return nil
	}
	other := *s
	other.files = maps.Clone(s.files)
	other.nameJava(s.main, cmp.Or(found[1], "Main"))
	return &other
}
