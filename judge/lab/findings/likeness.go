package findings

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/lab/likeness"
)

const (
	maxPairs = 40 // pairs that are listed
	maxSide  = 3  // pairs whose longest common part is shown
	maxPart  = 12 // lines of that part
	maxSame  = 10 // groups of programs that are the same
)

// Likeness is the result of comparing programs with one another.
type Likeness struct {
	Group    string // such as a problem; "" for none
	Programs []likeness.Program
	Pairs    []likeness.Pair
	Same     [][]int // groups of programs that are the same
	Common   []int   // programs in no pair that have hardly any code of their own
}

// Likenesses writes the pairs of programs that are alike, and side by side the longest common part of
// the first pairs of each group, or of all with verbose set. It returns the error of w.
func Likenesses(w io.Writer, list []Likeness, verbose bool, o layout.Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &layout.Page{Color: o.Color}
	for i, l := range list {
		if i > 0 {
			p.Printf("\n")
		}
		if l.Group != "" {
			p.Printf("%s: ", p.Paint(layout.Strong, layout.Word(l.Group)))
		}
		p.Printf("%s, %s alike\n", layout.Count(len(l.Programs), "program"), layout.Count(len(l.Pairs), "pair"))
		var rows [][]layout.Cell
		for n, pair := range l.Pairs {
			if n == maxPairs && !verbose {
				break
			}
			rows = append(rows, []layout.Cell{
				{Text: fmt.Sprintf("%.0f %%", 100*pair.Shared), Right: true, Look: layout.Bad}, {Text: fmt.Sprintf("%d tokens", pair.Tokens), Right: true},
				{Text: layout.Word(l.Programs[pair.A].Name), Look: layout.Strong}, {Text: layout.Word(l.Programs[pair.B].Name), Look: layout.Strong},
			})
		}
		p.Table("", rows)
		if more := len(l.Pairs) - len(rows); more > 0 {
			p.Printf("… and %d more (hint: -v shows all)\n", more)
		}
		same(p, l, verbose)
		if len(l.Common) > 0 {
			p.Printf("nearly all code that more than a quarter have, which does not count: %s\n", named(l, l.Common))
		}
		for n, pair := range l.Pairs {
			if n == maxSide && !verbose {
				break
			}
			sideBySide(p, l.Programs[pair.A], l.Programs[pair.B], pair, o.Width)
		}
	}
	return p.Write(w)
}

// same adds a line for each group of programs that are the same.
func same(p *layout.Page, l Likeness, verbose bool) {
	for n, group := range l.Same {
		if n == maxSame && !verbose {
			p.Printf("… and %d more (hint: -v shows all)\n", len(l.Same)-n)
			break
		}
		p.Printf("the same, byte for byte: %s\n", named(l, group))
	}
}

// named lists the names of programs.
func named(l Likeness, programs []int) string {
	names := make([]string, len(programs))
	for i, of := range programs {
		names[i] = layout.Word(l.Programs[of].Name)
	}
	return strings.Join(names, ", ")
}

// sideBySide adds the longest common part of two programs, that of a on the left.
func sideBySide(p *layout.Page, a, b likeness.Program, pair likeness.Pair, width int) {
	part := slices.MaxFunc(pair.Parts, func(x, y likeness.Part) int { return cmp.Compare(x.Tokens, y.Tokens) })
	column := max((width-3)/2, 10)
	left, right := lineRange(a.Text, part.A, column), lineRange(b.Text, part.B, column)
	p.Printf("\n")
	side := func(l, r string, as layout.Look) {
		p.Printf("%s%s %s %s\n", p.Paint(as, l), strings.Repeat(" ", max(column-utf8.RuneCountInString(l), 0)), p.Paint(layout.Dim, "│"), p.Paint(as, r))
	}
	title := func(q likeness.Program, at [2]int) string {
		name, most := []rune(q.Name), max(column-14, 4)
		if len(name) > most {
			name = append([]rune{'…'}, name[len(name)-most:]...) // the end of a path tells more than its beginning
		}
		return layout.Word(string(name)) + fmt.Sprintf(":%d-%d", at[0], at[1])
	}
	side(title(a, part.A), title(b, part.B), layout.Strong)
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		side(l, r, layout.Plain)
	}
}

// lineRange returns the lines of a text in a range, at most maxPart and of at most width columns.
func lineRange(text string, at [2]int, width int) (out []string) {
	lines := strings.Split(text, "\n")
	for i := at[0] - 1; i < at[1] && i < len(lines); i++ {
		if len(out) == maxPart {
			return append(out, "…")
		}
		out = append(out, layout.Clean(strings.ReplaceAll(strings.TrimSuffix(lines[i], "\r"), "\t", "  "), width-1))
	}
	return out
}
