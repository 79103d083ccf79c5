package pkgexport

import (
	"cmp"
	"fmt"
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

// frontFile is the name of the file that withMain adds to a program.
const frontFile = "testlib.go"

// withMain returns a copy of a Go program with another main function. front is the text of the file
// that defines the new main function and testlibExit. The original main function becomes ownMain,
// and every use of os.Exit in the program a use of testlibExit.
func (v *program) withMain(front string) (*program, error) {
	w := &program{files: map[string][]byte{}, language: v.language}
	for name, text := range v.files {
		if path.Dir(name) == "." && path.Ext(name) == ".go" {
			var err error
			if text, err = redirect(name, text); err != nil {
				return nil, err
			}
		}
		w.files[name] = text
	}
	if w.files[frontFile] != nil {
		return nil, fmt.Errorf("contains a file %s, a name that the export needs", frontFile)
	}
	w.files[frontFile] = []byte(front)
	return w, nil
}

// redirect renames the function main to ownMain and every os.Exit to testlibExit in the text of a
// file. If the file has an os.Exit, redirect appends a line that still uses the import of os.
func redirect(name string, text []byte) ([]byte, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	change := func(n ast.Node, text string) {
		edits = append(edits, edit{set.Position(n.Pos()).Offset, set.Position(n.End()).Offset, text})
	}
	exits := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "main" {
				change(n.Name, "ownMain")
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "os" && n.Sel.Name == "Exit" {
				change(n, "testlibExit")
				exits = true
			}
		}
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.Write(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(text[at:])
	if exits { // the import may have no other use
		b.WriteString("\nvar _ = os.Exit\n")
	}
	return []byte(b.String()), nil
}
