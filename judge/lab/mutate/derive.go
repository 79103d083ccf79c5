package mutate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/build"
)

// Derive returns the schema of a [build.OpenOwn] source. If that is in Go: It mutates only the package main
// itself, not the packages that it imports. The same source always gives the same schema.
//
// A site is a statement, condition or value that has mutants. The schema contains the site and a
// copy of it for each mutant, with the mutant's change; a guard, which costs next to nothing,
// chooses among them. Values that cannot be copied, such as those of a declaration, are computed
// before the statement. Mutants that do not compile are left out.
//
// Sources in C, C++ and Python have mutants too, but each is a program of its own, and which of them
// compile is only known when [Measure] has built them.
func Derive(s *build.Source, languages map[string]build.Language) (*Schema, error) {
	if _, known := tokenLanguageOf(s.Language); known {
		return deriveSeparate(s, languages), nil
	}
	if s.Language != "go" {
		return nil, fmt.Errorf("%s: written in %s (hint: references in Go, C, C++ and Python have mutants)", s.Name, s.Language)
	}
	texts := s.Code(languages)
	files := slices.Sorted(maps.Keys(texts))
	dir := path.Dir(files[0])
	p, err := newProgram(s, languages["go"], dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	c, err := p.check(texts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if len(c.errs) > 0 {
		return nil, fmt.Errorf("%s: %w (hint: mutants need a reference that compiles)", s.Name, c.errs[0])
	}
	d := &derivation{program: p, checked: c, prefix: prefix(texts)}
	for _, name := range files {
		d.collect(name, string(texts[name]))
	}
	helper := path.Join(dir, helperFile)
	if _, taken := s.Texts()[helper]; taken {
		return nil, fmt.Errorf("%s: has a file %s, whose name the schema needs (hint: rename it)", s.Name, helperFile)
	}
	out, err := d.compile(helper)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	schema := d.schema(s.Files())
	schema.Source, err = s.With(out, languages)
	return schema, err
}

// prefix returns a prefix for names that occurs in none of the texts.
func prefix(texts map[string][]byte) string {
	p := "tribunal"
	for slices.ContainsFunc(slices.Collect(maps.Values(texts)), func(text []byte) bool {
		return strings.Contains(string(text), p) || strings.Contains(string(text), openMark)
	}) && len(p) < 100 {
		p += "X"
	}
	return p
}

// derivation is the state of one Derive.
type derivation struct {
	*program
	*checked
	prefix  string
	files   []*file
	sites   []*site
	makers  map[types.Object]bool // functions that only construct an error
	dropped int                   // number of drafts that were dropped
}

// file is a file that is mutated.
type file struct {
	name, text string
	plain      []*rewrite // renames main and redirects os.Exit
	tail       string     // appended to the text
}

// collect finds the sites of a file.
func (d *derivation) collect(name, text string) {
	f := &file{name: name, text: text}
	d.files = append(d.files, f)
	if d.makers == nil {
		d.makers = d.errorMakers()
	}
	g := &gatherer{derivation: d, file: f, tree: d.checked.files[name]}
	g.hookExits()
	for _, decl := range g.tree.Decls {
		g.decl(decl)
	}
	for _, s := range g.found {
		if g.nameTypes(s) {
			d.sites = append(d.sites, s)
		} else {
			d.dropped += len(s.drafts)
		}
	}
}

// hookExits renames the program's main and redirects its calls of os.Exit to the helper file, which
// reports the reached sites before the program ends.
func (g *gatherer) hookExits() {
	at := func(n ast.Node) (int, int) { return g.offset(n.Pos()), g.offset(n.End()) }
	osName := ""
	ast.Inspect(g.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "main" && n.Recv == nil {
				start, end := at(n.Name)
				g.file.plain = append(g.file.plain, &rewrite{start: start, end: end, make: func(string) string { return g.prefix + "Main" }})
			}
		case *ast.SelectorExpr:
			if f, ok := g.info.Uses[n.Sel].(*types.Func); ok && f.FullName() == "os.Exit" {
				start, end := at(n)
				g.file.plain = append(g.file.plain, &rewrite{start: start, end: end, make: func(string) string { return g.prefix + "Exit" }})
				osName = g.file.text[g.offset(n.X.Pos()):g.offset(n.X.End())]
			}
		}
		return true
	})
	if osName != "" {
		g.file.tail = fmt.Sprintf("\nvar _ = %s.Exit\n", osName) // otherwise the import of os might be unused
	}
}

// compile drops the drafts that do not compile, and returns the files of the schema.
func (d *derivation) compile(helper string) (map[string][]byte, error) {
	for {
		d.number()
		out := d.render(helper)
		c, err := d.check(out)
		if err != nil {
			return nil, fmt.Errorf("the schema: %w", err)
		}
		if len(c.errs) == 0 {
			return out, nil
		}
		if !d.dropFailing(c, out) {
			return nil, fmt.Errorf("the schema: %w", c.errs[0])
		}
	}
}

// number assigns numbers and codes to the sites, and IDs to the drafts.
func (d *derivation) number() {
	d.sites = slices.DeleteFunc(d.sites, func(s *site) bool { return len(s.kept()) == 0 })
	slices.SortStableFunc(d.sites, func(a, b *site) int {
		return cmp.Or(cmp.Compare(a.file.name, b.file.name), a.start-b.start, b.end-a.end)
	})
	words := codes(len(d.sites))
	for i, s := range d.sites {
		s.number, s.code = i, words[i]
		slices.SortStableFunc(s.drafts, func(a, b *draft) int { return cmp.Or(a.start-b.start, a.end-b.end) })
		for k, m := range s.kept() {
			m.variant = k + 1
		}
	}
	for i, m := range d.drafts() {
		m.draft.id = i + 1
	}
}

// placed is a draft with its site.
type placed struct {
	*draft
	site *site
}

// drafts returns the drafts that were not dropped, in source order.
func (d *derivation) drafts() []placed {
	var list []placed
	for _, s := range d.sites {
		for _, m := range s.kept() {
			list = append(list, placed{m, s})
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.site.file.name, b.site.file.name), a.start-b.start, a.end-b.end)
	})
	return list
}

// render returns the files of the schema.
func (d *derivation) render(helper string) map[string][]byte {
	out := map[string][]byte{}
	for _, f := range d.files {
		list := slices.Clone(f.plain)
		for _, s := range d.sites {
			if s.file == f {
				list = append(list, s.rewrites(d.prefix)...)
			}
		}
		out[f.name] = []byte(nest(list).inside(f.text, 0, len(f.text)) + f.tail)
	}
	var mutants [][2]int
	for _, m := range d.drafts() {
		mutants = append(mutants, [2]int{m.site.number, m.variant})
	}
	out[helper] = []byte(helpers(d.prefix, d.sites, mutants))
	return out
}

// dropFailing drops the drafts that contain errors. If there are no such drafts, it drops all
// drafts of the sites to which the errors can be traced. It returns false if it dropped nothing.
func (d *derivation) dropFailing(c *checked, out map[string][]byte) bool {
	byID := map[int]*draft{}
	for _, m := range d.drafts() {
		byID[m.id] = m.draft
	}
	done := false
	for _, e := range c.errs {
		at := c.fset.Position(e.Pos)
		text := string(out[at.Filename])
		id := innermost(text[:min(at.Offset, len(text))])
		if m := byID[id]; m != nil && !m.dropped {
			m.dropped, done = true, true
			d.dropped++
		}
	}
	if done {
		return true
	}
	// An error outside of the variants belongs to the site that begins next, unless the type
	// checker reports it at the end of a function.
	for _, e := range c.errs {
		at := c.fset.Position(e.Pos)
		text := string(out[at.Filename])
		before, after := text[:min(at.Offset, len(text))], text[min(at.Offset, len(text)):]
		if strings.Contains(e.Msg, "missing return") {
			after = before[max(0, strings.LastIndex(before, openMark)):]
		}
		_, after, _ = strings.Cut(after, openMark)
		digits, _, _ := strings.Cut(after, "*/")
		id, _ := strconv.Atoi(digits)
		for _, s := range d.sites {
			if slices.ContainsFunc(s.kept(), func(m *draft) bool { return m.id == id }) {
				for _, m := range s.kept() {
					m.dropped, done = true, true
					d.dropped++
				}
			}
		}
	}
	return done
}

// innermost returns the ID of the innermost variant that has not ended at the end of a text, or 0
// if there is none.
func innermost(text string) int {
	open := strings.LastIndex(text, openMark)
	if open < 0 {
		return 0
	}
	digits, _, _ := strings.Cut(text[open+len(openMark):], "*/")
	if strings.Contains(text[open:], "/*"+digits+closeMark) {
		return 0
	}
	id, _ := strconv.Atoi(digits)
	return id
}

// schema returns the schema without its Source. below lists the source's files as paths below the
// repository's root.
func (d *derivation) schema(below []string) *Schema {
	schema := &Schema{Sites: len(d.sites), Left: d.dropped}
	for _, m := range d.drafts() {
		text := m.site.file.text
		before, after := m.before, m.after
		if before == "" && after == "" {
			before, after = text[m.start:m.end], m.text
		}
		line := strings.Count(text[:m.start], "\n") + 1
		schema.Mutants = append(schema.Mutants, Mutant{
			ID:     m.id,
			Site:   m.site.number,
			File:   full(m.site.file.name, below),
			Line:   line,
			Column: m.start - strings.LastIndexByte(text[:m.start], '\n'),
			Func:   m.site.fn,
			Op:     m.op,
			Before: oneLine(before),
			After:  oneLine(after),
		})
		schema.edits = append(schema.edits, edit{text, m.start, m.end, m.text})
	}
	return schema
}

// full returns the shortest of the paths that end in file, or file itself if no path does.
func full(file string, paths []string) string {
	found := ""
	for _, p := range paths {
		if (p == file || strings.HasSuffix(p, "/"+file)) && (found == "" || len(p) < len(found)) {
			found = p
		}
	}
	return cmp.Or(found, file)
}

// offset returns the byte offset of a position in its file.
func (g *gatherer) offset(at token.Pos) int { return g.fset.Position(at).Offset }
