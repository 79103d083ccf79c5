package pkgexport

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

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
