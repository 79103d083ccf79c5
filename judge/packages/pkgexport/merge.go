package pkgexport

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// merged returns a Go program as a single file of the given name. It reports false if that is not
// possible: if the program has files or packages beside its package main, or if two of its files
// import different packages under the same name.
func (v *program) merged(name string) (*program, bool) {
	imports := map[string]string{} // paths by name
	var names, bodies []string
	for file := range v.files {
		if file != "go.mod" {
			names = append(names, file)
		}
	}
	slices.Sort(names)
	for _, file := range names {
		text := v.files[file]
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || strings.Contains(file, "/") || path.Ext(file) != ".go" || directives(f) {
			return nil, false
		}
		for _, spec := range f.Imports {
			of, err := strconv.Unquote(spec.Path.Value)
			local := packageName(of)
			if spec.Name != nil {
				local = spec.Name.Name
			}
			first, _, _ := strings.Cut(of, "/")
			if err != nil || local == "." || local == "_" || of == "C" || imports[local] != "" && imports[local] != of || !standard(first) {
				return nil, false
			}
			imports[local] = of
		}
		at := func(p token.Pos) int { return set.Position(p).Offset }
		from := at(f.Name.End())
		body := ""
		for _, d := range f.Decls {
			if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
				body += string(text[from:at(d.Pos())])
				from = at(d.End())
			}
		}
		doc := ""
		if f.Doc != nil {
			doc = string(text[at(f.Doc.Pos()):at(f.Doc.End())]) + "\n\n"
		}
		bodies = append(bodies, doc+strings.Trim(body+string(text[from:]), "\n")+"\n")
	}
	var lines []string
	for local, of := range imports {
		line := strconv.Quote(of)
		if local != packageName(of) {
			line = local + " " + line
		}
		lines = append(lines, "\t"+line+"\n")
	}
	slices.Sort(lines)
	text := "package main\n\nimport (\n" + strings.Join(lines, "") + ")\n\n" + strings.Join(bodies, "\n")
	return &program{files: map[string][]byte{name: []byte(text)}, language: v.language}, true
}

// packageName returns the name of a package of Go's standard library.
func packageName(of string) string {
	if base := path.Base(of); base != "v2" {
		return base
	}
	return path.Base(path.Dir(of))
}

// directives reports whether a file has comments that mean something to the go command.
func directives(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "// +build") {
				return true
			}
		}
	}
	return false
}

// standard reports whether a package whose path begins with this word belongs to Go.
func standard(first string) bool {
	return slices.Contains([]string{
		"bufio", "bytes", "cmp", "container", "context", "encoding", "errors", "fmt", "hash", "io", "iter", "log", "maps",
		"math", "os", "path", "regexp", "slices", "sort", "strconv", "strings", "sync", "text", "time", "unicode", "unsafe",
	}, first)
}
