package draft

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// Order adds the groups and their cases to the package in natural order, samples first.
func (p *Draft) Order(groups map[string]*Group) error {
	for _, name := range SortedKeys(groups) {
		g := groups[name]
		slices.SortFunc(g.Cases, func(a, b *Case) int { return Natural(a.Name, b.Name) })
		for i := 1; i < len(g.Cases); i++ {
			if c := g.Cases[i]; c.Name == g.Cases[i-1].Name {
				return p.Tree.Errorf(c.Input, 0, "rename it", "two cases are called %s", c.Name)
			}
		}
		p.Data.Groups = append(p.Data.Groups, g)
	}
	slices.SortFunc(p.Data.Groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), Natural(a.Name, b.Name))
	})
	for _, g := range p.Data.Groups {
		p.Cases = append(p.Cases, g.Cases...)
	}
	return nil
}

// rank sorts sample groups before all others.
func rank(group string) int {
	if isSample(group) {
		return 0
	}
	return 1
}

// isSample reports whether a group holds samples.
func isSample(group string) bool {
	first, _, _ := strings.Cut(group, "/")
	return first == "sample" || first == "samples"
}

// Natural compares texts by natural order: digits in them compare as numbers. Texts that differ
// only in leading zeros are not equal.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := Digits(x), Digits(y)
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

// Digits returns the number of digits at the start of a text.
func Digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// Sizes sets the sizes of the files of a case. A missing file is an error.
func (p *Draft) Sizes(c *Case) error {
	var output int64
	for _, f := range []struct {
		rel  string
		size *int64
	}{{c.Input, &c.InputSize}, {c.Answer, &c.AnswerSize}, {c.Output, &output}} {
		if f.rel == "" {
			continue
		}
		if made, ok := p.MadeFiles[f.rel]; ok {
			*f.size = made.Size
			continue
		}
		info, err := p.Tree.Stat(f.rel)
		if errors.Is(err, fs.ErrNotExist) {
			return p.Tree.Errorf(f.rel, 0, "download the full package, which includes the generated tests", "no such file")
		} else if err != nil {
			return p.Tree.Fail(f.rel, err)
		}
		if !info.Mode().IsRegular() {
			return p.Tree.Errorf(f.rel, 0, "", "not a regular file")
		}
		*f.size = info.Size()
	}
	return nil
}

// WindowsFiles records that CRLF ends the lines of a case if the package is for Windows.
func (p *Draft) WindowsFiles(c *Case) {
	if p.Windows != nil {
		p.Windows[c.Input], p.Windows[c.Answer], p.Windows[c.Output] = true, true, true
	}
}

// MaxListed bounds the tests that a file lists.
const MaxListed = 100_000
