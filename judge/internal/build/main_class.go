package build

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
)

var (
	javaMain    = regexp.MustCompile(`\bpublic\s+static\s+(final\s+)?void\s+main\s*\(|\bstatic\s+public\s+(final\s+)?void\s+main\s*\(`)
	javaPublic  = regexp.MustCompile(`(?m)^public\s+(?:(?:final|abstract|strictfp|sealed)\s+)*(?:class|record|enum|interface)\s+(\w+)`)
	javaClass   = regexp.MustCompile(`\b(?:class|record|enum|interface)\s+(\w+)`)
	javaPackage = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)
)

// settleJava finds the class to start, and renames a single file after its public
// class, as the compiler wants it. Which class holds a main is read from the text;
// a comment that looks like one may mislead it, and Main is preferred.
func (s *Source) settleJava(list []string) error {
	var candidates []string
	for _, file := range list {
		text := s.files[file]
		if !javaMain.Match(text) {
			continue
		}
		class := strings.TrimSuffix(path.Base(file), path.Ext(file))
		if m := javaPublic.FindSubmatch(text); m != nil {
			class = string(m[1])
			if len(list) == 1 {
				delete(s.files, file)
				file = path.Join(path.Dir(file), class+".java")
				s.files[file] = text
			}
		} else if start := javaMain.FindIndex(text); start != nil {
			// The class that was opened last before the method.
			if before := javaClass.FindAllSubmatch(text[:start[0]], -1); before != nil {
				class = string(before[len(before)-1][1])
			}
		}
		if p := javaPackage.FindSubmatch(text); p != nil {
			class = string(p[1]) + "." + class
		}
		s.main = file
		candidates = append(candidates, class)
	}
	if s.entry != "" {
		candidates = []string{strings.TrimSuffix(s.entry, ".java")}
	}
	for _, class := range candidates {
		if class == "Main" || strings.HasSuffix(class, ".Main") {
			candidates = []string{class}
			break
		}
	}
	switch {
	case len(candidates) == 1, len(candidates) > 1 && s.first:
		s.class = candidates[0]
	case len(candidates) == 0:
		s.main, s.class = list[0], "Main" // the compiler or the run will tell
		if len(list) > 1 && !s.first {
			return fmt.Errorf("%s: no class with a main method (hint: public static void main(String[] args))", s.Name)
		}
	default:
		return fmt.Errorf("%s: several classes with a main method: %s (hint: call the right one Main)", s.Name, strings.Join(candidates, ", "))
	}
	return nil
}

var (
	kotlinMain    = regexp.MustCompile(`(?m)^\s*(?:@JvmStatic\s+)?(?:suspend\s+)?fun\s+main\s*\(`)
	kotlinTop     = regexp.MustCompile(`(?m)^(?:suspend\s+)?fun\s+main\s*\(`)
	kotlinObject  = regexp.MustCompile(`\b(?:class|object)\s+(\w+)`)
	kotlinName    = regexp.MustCompile(`(?m)^\s*@file\s*:\s*JvmName\s*\(\s*"(\w+)"\s*\)`)
	kotlinPackage = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)`)
)

// kotlinClass returns the class that holds the main of a file. A function outside of all
// classes belongs to one that the compiler names after the file: solveKt for solve.kt,
// with a capital; one in an object belongs to that, or to the class round it.
func kotlinClass(file string, text []byte) string {
	class := kotlinFileClass(stem(path.Base(file)))
	if m := kotlinName.FindSubmatch(text); m != nil {
		class = string(m[1])
	}
	if start := kotlinMain.FindIndex(text); start != nil && !kotlinTop.Match(text) {
		if before := kotlinObject.FindAllSubmatch(text[:start[0]], -1); before != nil {
			class = string(before[len(before)-1][1])
		}
	}
	if p := kotlinPackage.FindSubmatch(text); p != nil {
		class = string(p[1]) + "." + class
	}
	return class
}

// kotlinFileClass returns the name of the class for what stands outside of classes in
// a file of that name, without its ending.
func kotlinFileClass(name string) string {
	var b strings.Builder
	for i, r := range name {
		letter := r == '_' || r == '$' || unicode.IsLetter(r)
		switch {
		case i == 0 && letter:
			r = unicode.ToUpper(r)
		case i == 0 && unicode.IsDigit(r):
			b.WriteByte('_')
		case !letter && !unicode.IsDigit(r):
			r = '_'
		}
		b.WriteRune(r)
	}
	return b.String() + "Kt"
}
