package problem

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// TestProtocols checks that each constant of type Protocol has a complete row, so that a new one cannot be
// forgotten.
func TestProtocols(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "protocol.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var constants []Protocol
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "Protocol" {
				text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				constants = append(constants, Protocol(text))
			}
		}
		return true
	})
	if !slices.Equal(constants, Protocols()) {
		t.Errorf("the constants are %q, the rows %q: add a row with everything about the protocol", constants, Protocols())
	}
	for _, p := range Protocols() {
		switch r := p.Rules(); {
		case r.Args == "":
			t.Errorf("%s has no arguments", p)
		case r.Interactor != "" && (r.Accepts == nil || r.Refuses == nil):
			t.Errorf("%s has interactors, but no exit statuses by which they accept and refuse", p)
		case r.Interactor == "" && (r.Accepts != nil || r.Plain):
			t.Errorf("%s has no interactors, but says something of them", p)
		case r.Ours != "" && r.Ours.Rules().Ours != r.Ours:
			t.Errorf("%s is imported as %s, which problems of the repository cannot have", p, r.Ours)
		}
	}
	if r := Protocol("").Rules(); r.Args != ICPC.Rules().Args {
		t.Errorf("the default has the arguments %s", r.Args)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown protocol has rules")
		}
	}()
	Protocol("foo").Rules()
}
