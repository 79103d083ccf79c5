package kattis

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// readPairs reads a folder of x.in with x.ans or x.out, and the folders in it. The
// name of a case is its path; what stands in no folder is in the group tests. The
// group sample comes first, and numbers in names count as numbers: 2 before 10.
func (p *Package) readPairs() error {
	p.Format = Pairs
	p.setDefaults()
	if err := p.readTiming(); err != nil {
		return err
	}
	files := map[string]*entry{} // those of cases, by path
	var inputs []string
	err := p.files.walk(".", func(rel string, e *entry) (bool, error) {
		ext := path.Ext(rel)
		switch ofCase := ext == ".in" || isAnswer(rel); {
		case e.dir && ofCase:
			return false, p.files.errorf(rel, 0, "", "a folder where a file of a case belongs")
		case e.dir:
			return rel != submissionsDir, nil
		case !ofCase:
			p.odd(path.Dir(rel), "files that are not read", rel)
			return true, nil
		case ext == ".in":
			inputs = append(inputs, rel)
		}
		files[rel] = e
		return true, nil
	})
	if err != nil {
		return err
	}
	groups := map[string]*Group{}
	p.Data = &Group{}
	for _, rel := range inputs {
		c, err := p.pair(rel, files)
		if err != nil {
			return err
		}
		g := groups[c.Group]
		if g == nil {
			g = &Group{Name: c.Group}
			groups[c.Group] = g
		}
		g.Cases = append(g.Cases, c)
	}
	for _, rel := range sortedKeys(files) {
		if isAnswer(rel) && files[strings.TrimSuffix(rel, path.Ext(rel))+".in"] == nil {
			p.odd(path.Dir(rel), "answers without an input, which are no cases", rel)
		}
	}
	if err := p.order(groups); err != nil {
		return err
	}
	return p.readSubmissions()
}

func isAnswer(rel string) bool { return path.Ext(rel) == ".ans" || path.Ext(rel) == ".out" }

// pair makes a case of an input and its answer.
func (p *Package) pair(rel string, files map[string]*entry) (*Case, error) {
	base := strings.TrimSuffix(rel, ".in")
	c := &Case{Name: base, Group: path.Dir(base), Input: rel}
	if c.Group == "." {
		c.Group, c.Name = "tests", "tests/"+base
	}
	for _, ext := range []string{".out", ".ans"} {
		if files[base+ext] == nil {
			continue
		}
		if c.Answer != "" {
			p.odd(path.Dir(rel), "not read, since there is an .ans as well", c.Answer)
		}
		c.Answer = base + ext
	}
	if c.Answer == "" {
		return nil, p.files.errorf(rel, 0, "add "+path.Base(base)+".ans beside it", "an input without an answer")
	}
	var err error
	if c.InputSize, err = p.files.size(path.Dir(rel), files[rel]); err != nil {
		return nil, err
	}
	c.AnswerSize, err = p.files.size(path.Dir(rel), files[c.Answer])
	return c, err
}

// order makes the groups those of the package, each in natural order.
func (p *Package) order(groups map[string]*Group) error {
	for _, name := range sortedKeys(groups) {
		g := groups[name]
		slices.SortFunc(g.Cases, func(a, b *Case) int { return natural(a.Name, b.Name) })
		for i := 1; i < len(g.Cases); i++ {
			if c := g.Cases[i]; c.Name == g.Cases[i-1].Name {
				return p.files.errorf(c.Input, 0, "rename it", "two cases are called %s", c.Name)
			}
		}
		p.Data.Groups = append(p.Data.Groups, g)
	}
	slices.SortFunc(p.Data.Groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), natural(a.Name, b.Name))
	})
	for _, g := range p.Data.Groups {
		p.Cases = append(p.Cases, g.Cases...)
	}
	return nil
}

func rank(group string) int {
	if first, _, _ := strings.Cut(group, "/"); first == "sample" || first == "samples" {
		return 0
	}
	return 1
}

// natural compares texts with the numbers in them as numbers. Texts that differ only
// in zeros before numbers are not equal.
func natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := digits(x), digits(y)
		if n == 0 || m == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		u, v := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
		if d := cmp.Or(cmp.Compare(len(u), len(v)), strings.Compare(u, v)); d != 0 {
			return d
		}
		x, y = x[n:], y[m:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
