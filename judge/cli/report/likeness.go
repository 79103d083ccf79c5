package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

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
}

// Likenesses writes the pairs of programs that are alike, and side by side the longest common part of
// the first pairs of each group, or of all with verbose set. It returns the error of w.
func Likenesses(w io.Writer, list []Likeness, verbose bool, o PageOptions) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &page{color: o.Color}
	for i, l := range list {
		if i > 0 {
			p.printf("\n")
		}
		if l.Group != "" {
			p.printf("%s: ", p.paint(strong, word(l.Group)))
		}
		p.printf("%s, %s alike\n", Count(len(l.Programs), "program"), Count(len(l.Pairs), "pair"))
		var rows [][]cell
		for n, pair := range l.Pairs {
			if n == maxPairs && !verbose {
				break
			}
			rows = append(rows, []cell{
				{text: fmt.Sprintf("%.0f %%", 100*pair.Shared), right: true, look: bad}, {text: fmt.Sprintf("%d tokens", pair.Tokens), right: true},
				{text: word(l.Programs[pair.A].Name), look: strong}, {text: word(l.Programs[pair.B].Name), look: strong},
			})
		}
		p.table("", rows)
		if more := len(l.Pairs) - len(rows); more > 0 {
			p.printf("… and %d more (hint: -v shows all)\n", more)
		}
		same(p, l, verbose)
		for n, pair := range l.Pairs {
			if n == maxSide && !verbose {
				break
			}
			sideBySide(p, l.Programs[pair.A], l.Programs[pair.B], pair, o.Width)
		}
	}
	return p.write(w)
}

// same adds a line for each group of programs that are the same.
func same(p *page, l Likeness, verbose bool) {
	for n, group := range l.Same {
		if n == maxSame && !verbose {
			p.printf("… and %d more (hint: -v shows all)\n", len(l.Same)-n)
			break
		}
		names := make([]string, len(group))
		for i, of := range group {
			names[i] = word(l.Programs[of].Name)
		}
		p.printf("the same, byte for byte: %s\n", strings.Join(names, ", "))
	}
}

// sideBySide adds the longest common part of two programs, that of a on the left.
func sideBySide(p *page, a, b likeness.Program, pair likeness.Pair, width int) {
	part := slices.MaxFunc(pair.Parts, func(x, y likeness.Part) int { return cmp.Compare(x.Tokens, y.Tokens) })
	column := max((width-3)/2, 10)
	left, right := lineRange(a.Text, part.A, column), lineRange(b.Text, part.B, column)
	p.printf("\n")
	side := func(l, r string, as look) {
		p.printf("%s%s %s %s\n", p.paint(as, l), strings.Repeat(" ", max(column-utf8.RuneCountInString(l), 0)), p.paint(dim, "│"), p.paint(as, r))
	}
	title := func(q likeness.Program, at [2]int) string {
		name, most := []rune(q.Name), max(column-14, 4)
		if len(name) > most {
			name = append([]rune{'…'}, name[len(name)-most:]...) // the end of a path tells more than its beginning
		}
		return word(string(name)) + fmt.Sprintf(":%d-%d", at[0], at[1])
	}
	side(title(a, part.A), title(b, part.B), strong)
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		side(l, r, plain)
	}
}

// lineRange returns the lines of a text in a range, at most maxPart and of at most width columns.
func lineRange(text string, at [2]int, width int) (out []string) {
	lines := strings.Split(text, "\n")
	for i := at[0] - 1; i < at[1] && i < len(lines); i++ {
		if len(out) == maxPart {
			return append(out, "…")
		}
		out = append(out, clean(strings.ReplaceAll(strings.TrimSuffix(lines[i], "\r"), "\t", "  "), width-1))
	}
	return out
}
