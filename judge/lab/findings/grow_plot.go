package findings

import (
	"math"
	"strings"
	"unicode/utf8"

	"tribunal/internal/chart"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/tty"
	"tribunal/judge/lab/grow"
)

// signs are the marks of the programs' points.
var signs = []rune("●○◆◇▲△■□")

// sign returns the mark of the program with index i.
func sign(i int) rune { return signs[i%len(signs)] }

func seriesLook(i int) layout.Look {
	return []layout.Look{layout.Source, layout.Bad, layout.Good, layout.Strong}[i%4]
}

const (
	plotRows  = 16 // height of the plotting area
	plotWidth = 80 // default width of the plot
	minPlot   = 24 // minimum width of the plotting area
)

// A plot is a plot of growth in characters.
type plot struct {
	growGrid
	report     *grow.Report
	cols, left int             // width of the plotting area, and of the labels to the left
	runes      [][]rune        // the plotting area, by row and column
	looks      [][]layout.Look // the looks of runes
}

// newPlot returns an empty plot for a terminal of the given width, or nil if no time stands out.
func newPlot(r *grow.Report, width int) *plot {
	g, ok := growAxes(r)
	if !ok {
		return nil
	}
	if width == 0 {
		width = plotWidth
	}
	p := &plot{growGrid: g, report: r}
	for _, v := range p.y.Ticks {
		p.left = max(p.left, utf8.RuneCountInString(p.y.Show(v))+1)
	}
	p.cols = max(width-p.left-2, minPlot)
	p.x.To, p.y.From = float64(p.cols-1), plotRows-1
	for range plotRows {
		p.runes = append(p.runes, []rune(strings.Repeat(" ", p.cols)))
		p.looks = append(p.looks, make([]layout.Look, p.cols))
	}
	return p
}

func (p *plot) set(x, y float64, r rune, l layout.Look) {
	col, row := int(math.Round(x)), int(math.Round(y))
	if row >= 0 && row < plotRows && col >= 0 && col < p.cols {
		p.runes[row][col], p.looks[row][col] = r, l
	}
}

// draw returns the lines of the plot.
func (p *plot) draw(pg *layout.Page) []tty.Text {
	if p == nil {
		return nil
	}
	if limit := p.report.Limit; withinLimit(p.y, limit) {
		for col := range p.cols {
			p.set(float64(col), p.y.At(float64(limit)), '┄', layout.Dim)
		}
	}
	for i := range p.report.Programs {
		p.fit(&p.report.Programs[i])
	}
	for i := range p.report.Programs {
		q := &p.report.Programs[i]
		for k := range q.Points {
			if pt := &q.Points[k]; pt.Over && standsOut(q, pt) {
				p.set(p.x.At(pt.At), p.y.At(beyondStart(q, pt)), '↑', seriesLook(i))
			} else if standsOut(q, pt) {
				p.set(p.x.At(pt.At), p.y.At(beyondStart(q, pt)), sign(i), seriesLook(i))
			}
		}
	}
	return p.frame(pg)
}

// fit draws the fitted curve of a program over the sizes of its points.
func (p *plot) fit(q *grow.Program) {
	from, to := fitEnds(q)
	if q.Fit == nil {
		return
	}
	for col := range p.cols {
		// Compute the size at this column.
		low, high := math.Log(p.x.Ticks[0]), math.Log(p.x.Ticks[len(p.x.Ticks)-1])
		size := math.Exp(low + (high-low)*float64(col)/float64(p.cols-1))
		if t := float64(q.Fit.At(size)); size >= from && size <= to && t > 0 {
			p.set(float64(col), p.y.At(t), '·', layout.Dim)
		}
	}
}

// frame returns the lines of the plot with its axes.
func (p *plot) frame(pg *layout.Page) []tty.Text {
	labels := map[int]string{}
	for _, v := range p.y.Ticks {
		labels[int(math.Round(p.y.At(v)))] = p.y.Show(v)
	}
	lines := []tty.Text{pg.Paint(layout.Dim, p.y.Title)}
	for row := range plotRows {
		label, edge := labels[row], "│"
		if label != "" {
			edge = "┤"
		}
		line := []tty.Text{tty.Sprintf("%s%s %s", strings.Repeat(" ", p.left-1-utf8.RuneCountInString(label)), label, edge)}
		for col, r := range p.runes[row] {
			line = append(line, pg.Paint(p.looks[row][col], string(r)))
		}
		lines = append(lines, tty.Join(line, "").TrimRight())
	}
	for _, l := range p.scale() {
		lines = append(lines, tty.Sprintf("%s", l))
	}
	return lines
}

// scale returns the horizontal axis with as many numbers as fit.
func (p *plot) scale() []string {
	edge := []rune(strings.Repeat("─", p.cols))
	numbers := []rune(strings.Repeat(" ", p.left+1+p.cols))
	free := 0
	for _, v := range p.x.Ticks {
		col := int(math.Round(p.x.At(v)))
		text := []rune(p.x.Show(v))
		at := min(p.left+1+col-len(text)/2, len(numbers)-len(text))
		if at < free {
			continue
		}
		edge[col] = '┬'
		copy(numbers[at:], text)
		free = at + len(text) + 1
	}
	gap := strings.Repeat(" ", p.left)
	return []string{gap + "└" + string(edge), strings.TrimRight(string(numbers), " "), gap + " " + p.x.Title + legend(p.report, p.y)}
}

// legend explains the marks ┄ and ↑ if they appear in the plot.
func legend(r *grow.Report, y chart.Axis) string {
	text := ""
	if withinLimit(y, r.Limit) {
		text += "; ┄ the limit"
	}
	for _, q := range r.Programs {
		if len(q.Points) > 0 && q.Points[len(q.Points)-1].Over {
			return text + "; ↑ stopped at this time"
		}
	}
	return text
}
