package mutate

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/build"
)

// program is a Go program, and the importer through which the type checker sees it.
type program struct {
	dir    string // folder of package main, as a slash path within the source
	module string // the module path; "" without a module
	goMod  string // the language version, in the form of types.Config
	texts  map[string][]byte
	std    *library
	own    map[string]*types.Package // packages of the module, by path
}

// checked is the type-checked package main.
type checked struct {
	fset  *token.FileSet
	files map[string]*ast.File
	pkg   *types.Package
	info  *types.Info
	errs  []types.Error
}

func newProgram(s *build.Source, l build.Language, dir string) (*program, error) {
	std, err := findLibrary(l)
	if err != nil {
		return nil, err
	}
	p := &program{dir: dir, texts: s.Texts(), std: std, own: map[string]*types.Package{}}
	for line := range strings.Lines(string(p.texts["go.mod"])) {
		switch words := strings.Fields(line); {
		case len(words) != 2:
		case words[0] == "module":
			p.module = strings.Trim(words[1], `"`)
		case words[0] == "go":
			p.goMod = "go" + words[1]
		}
	}
	return p, nil
}

// check parses and type-checks the package made of these texts. It returns syntax errors; type
// errors are in errs.
func (p *program) check(texts map[string][]byte) (*checked, error) {
	c := &checked{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	c.info = &types.Info{
		Types:  map[ast.Expr]types.TypeAndValue{},
		Defs:   map[*ast.Ident]types.Object{},
		Uses:   map[*ast.Ident]types.Object{},
		Scopes: map[ast.Node]*types.Scope{},
	}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(c.fset, name, texts[name], parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		c.files[name] = f
		files = append(files, f)
	}
	config := types.Config{
		GoVersion: p.goMod,
		Importer:  p,
		Sizes:     types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) {
			if e := err.(types.Error); !strings.HasPrefix(e.Msg, "\t") { // a message that begins with a tab continues the previous one
				c.errs = append(c.errs, e)
			}
		},
	}
	c.pkg, _ = config.Check("main", c.fset, files, c.info)
	return c, nil
}

// Import returns a package of the program's module or of the standard library.
func (p *program) Import(name string) (*types.Package, error) {
	dir, ok := strings.CutPrefix(name, p.module+"/")
	if p.module == "" || !ok {
		return p.std.Import(name)
	}
	if pkg := p.own[name]; pkg != nil {
		return pkg, nil
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, file := range slices.Sorted(maps.Keys(p.texts)) {
		if path.Dir(file) != dir || !strings.HasSuffix(file, ".go") {
			continue
		}
		f, err := parser.ParseFile(fset, file, p.texts[file], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{GoVersion: p.goMod, Importer: p, IgnoreFuncBodies: true}
	pkg, err := config.Check(name, fset, files, nil)
	p.own[name] = pkg
	return pkg, err
}

// library imports packages of Go's standard library from their sources, and keeps them.
type library struct {
	context gobuild.Context
	mu      sync.Mutex
	known   map[string]*types.Package
}

var libraries sync.Map // *library by GOROOT, which never changes

// findLibrary returns the standard library of the toolchain that builds a language.
func findLibrary(l build.Language) (*library, error) {
	command := l.Root
	if len(command) == 0 {
		command = []string{"go", "env", "GOROOT"}
	}
	out, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w (hint: mutants need the sources of Go's standard library)", strings.Join(command, " "), err)
	}
	root := strings.TrimSpace(string(out))
	lib := &library{context: gobuild.Default, known: map[string]*types.Package{"unsafe": types.Unsafe}}
	lib.context.GOROOT, lib.context.CgoEnabled = root, false
	found, _ := libraries.LoadOrStore(root, lib)
	return found.(*library), nil
}

// Import is safe for concurrent use.
func (l *library) Import(name string) (*types.Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return locked{l}.Import(name)
}

// locked is a library whose mutex is already held. Packages import other packages through it.
type locked struct{ *library }

func (l locked) Import(name string) (*types.Package, error) {
	if pkg := l.known[name]; pkg != nil {
		return pkg, nil
	}
	var found *gobuild.Package
	var err error
	for _, below := range []string{"src", "src/vendor"} {
		if found, err = l.context.ImportDir(filepath.Join(l.context.GOROOT, below, name), 0); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, file := range found.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(found.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	config := types.Config{
		Importer:         l,
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            types.SizesFor("gc", runtime.GOARCH),
		Error:            func(error) {}, // ignore errors: only the declarations matter
	}
	pkg, _ := config.Check(name, fset, files, nil)
	l.known[name] = pkg
	return pkg, nil
}
