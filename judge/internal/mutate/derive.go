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

// Derive returns the schema of a program of a [build.OpenOwn] source in Go. Only the
// program's own package is mutated. For the same source it is always the same.
//
// In a schema each statement or condition that has mutants stands beside a copy for
// each of them, behind a guard that costs next to nothing: a mutant is literally its
// source. The exception is what cannot be copied, such as a declaration: there the
// value is worked out before. A mutant that does not compile is left out.
func Derive(s *build.Source, languages map[string]build.Language) (*Schema, error) {
	if s.Language != "go" {
		return nil, fmt.Errorf("%s: a program in %s (hint: mutants are made of references in Go alone)", s.Name, s.Language)
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
		return nil, fmt.Errorf("%s: %w (hint: mutants are made of programs that compile)", s.Name, c.errs[0])
	}
	d := &derivation{program: p, checked: c, prefix: prefix(texts)}
	for _, name := range files {
		d.collect(name, string(texts[name]))
	}
	helper := path.Join(dir, helperFile)
	if _, taken := s.Texts()[helper]; taken {
		return nil, fmt.Errorf("%s: has a file %s, as a schema needs it (hint: rename it)", s.Name, helperFile)
	}
	out, err := d.settle(helper)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	schema := d.schema(s.Files())
	schema.Source, err = s.With(out, languages)
	return schema, err
}

// prefix returns what no text contains.
func prefix(texts map[string][]byte) string {
	p := "tribunal"
	for slices.ContainsFunc(slices.Collect(maps.Values(texts)), func(text []byte) bool {
		return strings.Contains(string(text), p) || strings.Contains(string(text), openMark)
	}) && len(p) < 100 {
		p += "X"
	}
	return p
}

// derivation is a schema in the making.
type derivation struct {
	*program
	*checked
	prefix string
	files  []*file
	slots  []*slot
	makers map[types.Object]bool // functions that only make an error
	left   int
}

// file is one that is mutated.
type file struct {
	name, text string
	plain      []*rewrite // of main and os.Exit
	tail       string     // to be added at the end
}

// collect finds the slots of a file.
func (d *derivation) collect(name, text string) {
	f := &file{name: name, text: text}
	d.files = append(d.files, f)
	if d.makers == nil {
		d.makers = d.errorMakers()
	}
	g := &gatherer{derivation: d, file: f, tree: d.checked.files[name]}
	g.handOver()
	for _, decl := range g.tree.Decls {
		g.decl(decl)
	}
	for _, s := range g.found {
		if g.types(s) {
			d.slots = append(d.slots, s)
		} else {
			d.left += len(s.drafts)
		}
	}
}

// handOver makes the program's main and its calls of os.Exit tell what was passed.
func (g *gatherer) handOver() {
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
		g.file.tail = fmt.Sprintf("\nvar _ = %s.Exit\n", osName) // else the import may be one too many
	}
}

// settle leaves out what does not compile, and returns the schema's texts.
func (d *derivation) settle(helper string) (map[string][]byte, error) {
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
		if !d.refuse(c, out) {
			return nil, fmt.Errorf("the schema: %w", c.errs[0])
		}
	}
}

// number gives slots and drafts their numbers.
func (d *derivation) number() {
	d.slots = slices.DeleteFunc(d.slots, func(s *slot) bool { return len(s.left()) == 0 })
	slices.SortStableFunc(d.slots, func(a, b *slot) int {
		return cmp.Or(cmp.Compare(a.file.name, b.file.name), a.start-b.start, b.end-a.end)
	})
	words := codes(len(d.slots))
	for i, s := range d.slots {
		s.number, s.code = i, words[i]
		slices.SortStableFunc(s.drafts, func(a, b *draft) int { return cmp.Or(a.start-b.start, a.end-b.end) })
		for k, m := range s.left() {
			m.variant = k + 1
		}
	}
	for i, m := range d.drafts() {
		m.draft.id = i + 1
	}
}

// placed is a draft with its slot.
type placed struct {
	*draft
	slot *slot
}

// drafts returns all drafts that are left in source order.
func (d *derivation) drafts() []placed {
	var list []placed
	for _, s := range d.slots {
		for _, m := range s.left() {
			list = append(list, placed{m, s})
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.slot.file.name, b.slot.file.name), a.start-b.start, a.end-b.end)
	})
	return list
}

// render returns the texts of the schema.
func (d *derivation) render(helper string) map[string][]byte {
	out := map[string][]byte{}
	for _, f := range d.files {
		list := slices.Clone(f.plain)
		for _, s := range d.slots {
			if s.file == f {
				list = append(list, s.rewrites(d.prefix)...)
			}
		}
		out[f.name] = []byte(nest(list).inside(f.text, 0, len(f.text)) + f.tail)
	}
	var mutants [][2]int
	for _, m := range d.drafts() {
		mutants = append(mutants, [2]int{m.slot.number, m.variant})
	}
	out[helper] = []byte(helpers(d.prefix, d.slots, mutants))
	return out
}

// refuse takes back the drafts in which the errors are, or else the slots. It returns
// false if there is nothing to take back.
func (d *derivation) refuse(c *checked, out map[string][]byte) bool {
	byID := map[int]*draft{}
	for _, m := range d.drafts() {
		byID[m.id] = m.draft
	}
	done := false
	for _, e := range c.errs {
		at := c.fset.Position(e.Pos)
		text := string(out[at.Filename])
		id := innermost(text[:min(at.Offset, len(text))])
		if m := byID[id]; m != nil && !m.refused {
			m.refused, done = true, true
			d.left++
		}
	}
	if done {
		return true
	}
	// An error outside of the variants is of the slot that begins next, unless what
	// went wrong is told at the end of a function.
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
		for _, s := range d.slots {
			if slices.ContainsFunc(s.left(), func(m *draft) bool { return m.id == id }) {
				for _, m := range s.left() {
					m.refused, done = true, true
					d.left++
				}
			}
		}
	}
	return done
}

// innermost returns the ID of the variant that a text ends in, or 0.
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

// schema returns what was derived, but for the source. below are the paths of the
// source's files below the repository's root.
func (d *derivation) schema(below []string) *Schema {
	schema := &Schema{Sites: len(d.slots), Left: d.left}
	for _, m := range d.drafts() {
		text := m.slot.file.text
		before, after := m.before, m.after
		if before == "" && after == "" {
			before, after = text[m.start:m.end], m.text
		}
		line := strings.Count(text[:m.start], "\n") + 1
		schema.Mutants = append(schema.Mutants, Mutant{
			ID:     m.id,
			Site:   m.slot.number,
			File:   full(m.slot.file.name, below),
			Line:   line,
			Column: m.start - strings.LastIndexByte(text[:m.start], '\n'),
			Func:   m.slot.fn,
			Op:     m.op,
			Before: oneLine(before),
			After:  oneLine(after),
		})
		schema.edits = append(schema.edits, edit{text, m.start, m.end, m.text})
	}
	return schema
}

// full returns the shortest of the paths that end in a file's path.
func full(file string, paths []string) string {
	found := ""
	for _, p := range paths {
		if (p == file || strings.HasSuffix(p, "/"+file)) && (found == "" || len(p) < len(found)) {
			found = p
		}
	}
	return cmp.Or(found, file)
}

// offset returns where a position is in the file.
func (g *gatherer) offset(at token.Pos) int { return g.fset.Position(at).Offset }
