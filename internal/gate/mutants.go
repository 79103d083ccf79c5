package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A mutant is a change of one place in a file: the text from begin to end becomes another.
type mutant struct {
	file       string
	line       int
	begin, end int // offsets
	from, to   string
}

// mutantsCommand is gate mutants.
func mutantsCommand(args []string) int {
	flags := flag.NewFlagSet("gate mutants", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "`number` that decides which places change")
	count := flags.Int("count", 5, "`number` of mutants of each package")
	short := flags.Bool("short", false, "run only the tests of T1")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "gate: no package (hint: gate mutants ./folder...)")
		return 2
	}
	survived, tried := 0, 0
	for _, pkg := range flags.Args() {
		if out, err := exec.Command("go", "test", "-vet=off", "-short="+strconv.FormatBool(*short), pkg).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%sgate: %s: its tests fail without a mutant (hint: mend them first)\n", out, pkg)
			return 2
		}
		list, err := mutantsOf(pkg)
		if err != nil {
			fmt.Fprintf(os.Stderr, "gate: %v\n", err)
			return 2
		}
		rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for done := 0; done < *count && len(list) > 0; list = list[1:] {
			m := list[0]
			start := time.Now()
			verdict, err := try(m, pkg, *short)
			if err != nil {
				fmt.Fprintf(os.Stderr, "gate: %v\n", err)
				return 2
			}
			if verdict == "" {
				continue // it does not compile
			}
			done++
			tried++
			if verdict == "survived" {
				survived++
			}
			fmt.Printf("%-8s %4.0f s  %s:%d: %s → %s\n", verdict, time.Since(start).Seconds(), m.file, m.line, m.from, m.to)
		}
	}
	fmt.Printf("%d of %d mutants killed\n", tried-survived, tried)
	return 0
}

// try runs the tests of a package with a mutant in it. It returns "killed", "survived", or "" if it does not compile.
func try(m mutant, pkg string, short bool) (string, error) {
	dir, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(changed, []byte(string(text[:m.begin])+m.to+string(text[m.end:])), 0o644); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	if err := exec.Command("go", "build", "-overlay="+list, "-o="+os.DevNull, pkg).Run(); err != nil {
		return "", nil
	}
	// Endless loops are ended by the timeout, and killed so.
	cmd := exec.Command("go", "test", "-overlay="+list, "-count=1", "-failfast", "-vet=off", "-timeout=4m", "-short="+strconv.FormatBool(short), pkg)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "killed", nil
	}
	return "survived", err
}

// swapped are the operators that a mutant exchanges.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

// mutantsOf returns all mutants of the files of a package, given as ./folder, that are built on this host: another
// operator, a condition negated, a number one higher, the other truth value, a call left out.
func mutantsOf(pkg string) (list []mutant, err error) {
	out, err := exec.Command("go", "list", "-f", `{{range .GoFiles}}{{.}} {{end}}`, pkg).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		file := filepath.Join(pkg, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := mutantsIn(file, text)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func mutantsIn(file string, text []byte) (list []mutant, err error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	add := func(from, to token.Pos, text2 string) {
		p := fset.Position(from)
		end := fset.Position(to).Offset
		list = append(list, mutant{file, p.Line, p.Offset, end, string(text[p.Offset:end]), text2})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			if other, ok := swapped[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
			}
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), "!("+string(text[fset.Position(n.Cond.Pos()).Offset:fset.Position(n.Cond.End()).Offset])+")")
		case *ast.BasicLit:
			if value, err := strconv.ParseInt(n.Value, 0, 64); err == nil && n.Kind == token.INT {
				add(n.Pos(), n.End(), strconv.FormatInt(value+1, 10))
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				add(n.Pos(), n.End(), other)
			}
		case *ast.ExprStmt:
			if _, ok := n.X.(*ast.CallExpr); ok {
				add(n.Pos(), n.End(), "{}")
			}
		}
		return true
	})
	return list, nil
}
