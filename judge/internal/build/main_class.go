package build

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/limits"
)

// classes reports whether the source's language starts programs by the name of a class. The judge
// finds the class in the compiled files, because sources can hide it from any pattern.
func (s *Source) classes() bool { return s.Language == "java" || s.Language == "kotlin" }

// classFile is the file of a stored program that contains the name of the class to start.
const classFile = ".main"

// writeClass finds the class to start among the files of the program in dir and writes its name to
// classFile there. If there is no such class, the error is a *CompileError; if there are several, an *UnclearError.
func (s *Source) writeClass(l Language, dir string) error {
	if !s.classes() || !slices.Contains(l.Run, "{main}") {
		return nil
	}
	all, err := s.readClasses(dir)
	if err != nil {
		return err
	}
	name, err := s.mainClass(l, all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, classFile), []byte(name), 0o644)
}

// startClass returns the name of the class to start, for the program stored in dir. If the language
// starts no classes, it returns the main file.
func (s *Source) startClass(dir string) (string, error) {
	if !s.classes() {
		return s.main, nil
	}
	name, err := os.ReadFile(filepath.Join(dir, classFile))
	if errors.Is(err, fs.ErrNotExist) { // a build command of runner.yaml may make no classes
		return s.guessClass(), nil
	}
	return string(name), err
}

// readClasses reads the class files of the program in dir, in the order of their paths, or those in
// its archive, if it has one. It skips class files that were submitted.
func (s *Source) readClasses(dir string) ([]class, error) {
	var list []class
	add := func(data []byte) {
		if c, err := readClass(data); err == nil {
			list = append(list, c)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, exeName+".jar")); err == nil {
		err = readArchive(filepath.Join(dir, exeName+".jar"), add) // fills list
		return list, err
	}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(file) != ".class" {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if handedIn, ok := s.files[filepath.ToSlash(rel)]; err == nil && !(ok && bytes.Equal(handedIn, data)) {
			add(data)
		}
		return err
	})
	return list, err
}

// readArchive calls add for the class files of an archive, except those of Kotlin's library.
func readArchive(name string, add func([]byte)) error {
	archive, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer archive.Close()
	for _, f := range archive.File {
		if path.Ext(f.Name) != ".class" || strings.HasPrefix(f.Name, "kotlin/") || limits.Bytes(f.UncompressedSize64) > maxResult {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(io.LimitReader(in, int64(maxResult)))
		if err := errors.Join(err, in.Close()); err != nil {
			return err
		}
		add(data)
	}
	return nil
}

// mainClass returns the name of the class to start.
func (s *Source) mainClass(l Language, all []class) (string, error) {
	inherit(all)
	candidates := slices.DeleteFunc(slices.Clone(all), func(c class) bool { return c.starts == noMain })
	if s.entry != "" {
		for _, c := range candidates {
			if s.entry == c.name || s.entry == c.simpleName() || s.entry == c.source || s.entry == stem(c.source) {
				return c.name, nil
			}
		}
		return stemOf(s.entry, l), nil // there is no such class: the run will fail
	}
	// The criteria, the most important first. A criterion that no candidate meets is ignored.
	best := func(better func(c class) bool) {
		if slices.ContainsFunc(candidates, better) {
			candidates = slices.DeleteFunc(candidates, func(c class) bool { return !better(c) })
		}
	}
	best(func(c class) bool { return c.starts == classicMain || c.starts == instanceMain && c.version >= java25 })
	best(func(c class) bool { return c.starts > inheritedMain })
	best(func(c class) bool { return !c.nested })
	best(func(c class) bool { return c.simpleName() == "Main" })
	single := len(s.sources(l)) == 1
	if name := path.Base(s.main); single || s.choice.Main != "" {
		best(func(c class) bool { return c.source == name })
		best(func(c class) bool { return c.simpleName() == stem(name) })
	}
	if single && s.Language == "java" {
		types, _ := javaTypes(s.files[s.main])
		for _, t := range types {
			best(func(c class) bool { return c.simpleName() == t.name })
		}
	}
	if s.Language == "kotlin" { // the class of functions outside of all classes ends in Kt
		best(func(c class) bool { return strings.HasSuffix(c.name, "Kt") })
	}
	switch {
	case len(candidates) == 0:
		return "", &CompileError{Output: "no class has a main method (hint: " + mainMethod[s.Language] + ")"}
	case len(candidates) == 1, s.first:
		return candidates[0].name, nil
	}
	var names []string
	for _, c := range candidates {
		names = append(names, c.name)
	}
	return "", s.unclear("several classes with a main method: %s (hint: name the right one Main)", strings.Join(names, ", "))
}

// stemOf returns a name without its extension, if that is one of the language.
func stemOf(name string, l Language) string {
	if slices.Contains(l.Match, path.Ext(name)) {
		return stem(name)
	}
	return name
}

// java25 is the first version of class files whose main method need not be public static.
const java25 = 69

// mainMethod is the hint for a program without a main method.
var mainMethod = map[string]string{"java": "public static void main(String[] args)", "kotlin": "fun main()"}

// inherit marks the classes that can start by a main method that they inherit.
func inherit(all []class) {
	byName := map[string]class{}
	for _, c := range all {
		byName[c.name] = c
	}
	for i := range all {
		c := &all[i]
		for super, n := byName[c.super], 0; super.name != "" && n < len(all); super, n = byName[super.super], n+1 {
			if c.starts == noMain && !c.abstract && super.gives > noMain {
				c.starts = inheritedMain
			}
		}
	}
}

// simpleName returns the name of a class without its package.
func (c class) simpleName() string { return c.name[strings.LastIndexByte(c.name, '.')+1:] }

// kotlinMain matches a function main in a source.
var kotlinMain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(?:@JvmStatic\s+)?(?:suspend\s+)?fun\s+main\s*\(`)
})

// javaPackage matches the package of a source.
var javaPackage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bpackage\s([^;{}]*);`) })

// guessClass guesses, from the sources alone, the class that mainClass would find; "" if the
// sources do not show it. In Kotlin the guess is the name of the main file without its extension.
func (s *Source) guessClass() string {
	var likely []string
	for _, file := range slices.Sorted(maps.Keys(s.files)) {
		switch path.Ext(file) {
		case ".java":
			types, _ := javaTypes(s.files[file])
			pack := ""
			if found := javaPackage().FindStringSubmatch(braces.code(s.files[file])); found != nil {
				pack = strings.Join(strings.Fields(found[1]), "") + "."
			}
			for _, t := range types {
				if t.main {
					likely = append(likely, pack+t.name)
				}
			}
		case ".kt":
			if kotlinMain().Match(s.files[file]) {
				likely = append(likely, stem(path.Base(file)))
			}
		}
	}
	at := -1
	if entry := strings.TrimSuffix(strings.TrimSuffix(s.entry, ".java"), ".kt"); entry != "" {
		at = slices.IndexFunc(likely, func(name string) bool { return name == entry || class{name: name}.simpleName() == entry })
		if at < 0 {
			return entry
		}
	} else if at = slices.IndexFunc(likely, func(name string) bool { return strings.EqualFold(class{name: name}.simpleName(), "Main") }); at < 0 {
		if len(likely) == 1 || len(likely) > 1 && (s.first || len(s.files) == 1) {
			at = 0
		}
	}
	if at < 0 {
		return ""
	}
	return likely[at]
}
