package findings

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/calibrate"
)

// CalibrateOptions are the options of [Calibration].
type CalibrateOptions struct {
	Color bool
}

// Calibration writes the measurements of a problem's examples and the proposed limits as text.
func Calibration(w io.Writer, r *calibrate.Report, o CalibrateOptions) error {
	p := &layout.Page{Color: o.Color}
	p.Printf("%s: %s, %s\n", p.Paint(layout.Strong, layout.Word(r.Problem)), layout.Word(r.Title), layout.Count(r.Cases, "case"))
	p.Printf("limits: %s\n", layout.Limits(r.Present))
	p.Printf("measured: up to %s of cpu; %s of each of the slowest cases\n", layout.Duration(r.Beyond), layout.Count(r.Repeat, "run"))
	for _, n := range r.Notes {
		p.Printf("note: %s\n", layout.Word(n))
	}
	p.Printf("\n")
	measurements(p, r)
	languages(p, r)
	proposals(p, r)
	for _, f := range r.Findings {
		p.Printf("%s\n", p.Paint(layout.Bad, layout.Word(f)))
	}
	if len(r.Findings) == 0 {
		p.Printf("%s\n", p.Paint(layout.Good, "the present limits are suitable"))
	}
	if r.Line != "" {
		p.Printf("\nlimits: %s\n", r.Line)
	}
	return p.Write(w)
}

// measurements adds a table of the programs with their measurements. A bar shows the time on a
// logarithmic scale.
func measurements(p *layout.Page, r *calibrate.Report) {
	var rows [][]layout.Cell
	for _, k := range calibrate.Groups {
		head := []layout.Cell{layout.Left(k.Title, layout.Strong), layout.Right("cpu", layout.Strong), layout.Right("", layout.Strong), layout.Right("margin", layout.Strong), layout.Right("memory", layout.Strong), layout.Left("", layout.Plain), layout.Left("on", layout.Strong)}
		for _, q := range r.Programs {
			if q.Want != k.Want {
				continue
			}
			if head != nil {
				rows, head = append(rows, head), nil
			}
			rows = append(rows, rowOf(r, q))
		}
	}
	p.Table("", rows)
	p.Printf("%s\n\n", p.Paint(layout.Dim, "bars: cpu on a logarithmic scale from 1 ms; │ is the cpu limit"))
}

// rowOf returns the row of a program in the table of measurements.
func rowOf(r *calibrate.Report, q calibrate.Program) []layout.Cell {
	name := "  " + layout.Word(filepath.Base(q.Name))
	if q.Reference {
		name = "  the reference"
	}
	row := []layout.Cell{layout.Left(name, layout.Plain)}
	if q.Cause != "" {
		return append(row, layout.Right(q.Got.String(), layout.Bad), layout.Cell{}, layout.Cell{}, layout.Cell{}, layout.Cell{}, layout.Left(layout.Word(q.Case), layout.Dim))
	}
	if q.Want == verdict.MLE {
		return append(row, layout.Cell{}, layout.Cell{}, layout.Right(proportion(float64(q.Memory), float64(r.Present.Memory)), layout.Plain), layout.Right(atLeast(q.AtLeast)+layout.Size(q.Memory), layout.Plain), layout.Cell{}, layout.Left(layout.Word(q.MemoryAt), layout.Dim))
	}
	margin := proportion(float64(r.Present.CPU), float64(q.CPU))
	look := layout.Good
	if q.Want == verdict.TLE {
		margin = atLeast(q.AtLeast) + proportion(float64(q.CPU), float64(r.Present.CPU))
		if q.CPU < limits.Beyond(r.Present.CPU) {
			look = layout.Bad
		}
	} else if limits.Tight(r.Present.CPU, q.CPU) {
		look = layout.Bad
	}
	spread := ""
	if q.High > q.Low {
		spread = fmt.Sprintf("±%.0f %%", 50*float64(q.High-q.Low)/float64(q.CPU))
	}
	return append(row,
		layout.Right(atLeast(q.AtLeast)+layout.Duration(q.CPU), layout.Plain), layout.Right(spread, layout.Dim), layout.Right(margin, look),
		layout.Right(layout.Size(q.Memory), layout.Plain), layout.Left(bar(q.CPU, r.Present.CPU, r.Beyond), layout.Plain), layout.Left(layout.Word(q.Case), layout.Dim))
}

func atLeast(at bool) string {
	if at {
		return "≥ "
	}
	return ""
}

// proportion returns amount divided by unit: 0.4×, 12×.
func proportion(amount, unit float64) string {
	switch n := amount / max(unit, 1); {
	case n > 1000:
		return "over 1000×"
	case n >= 9.95:
		return fmt.Sprintf("%.0f×", n)
	default:
		return fmt.Sprintf("%.1f×", n)
	}
}

const barWidth = 24 // in columns

// bar draws the time v on a logarithmic scale from a millisecond to longest, and the limit as │.
func bar(v, limit, longest time.Duration) string {
	at := func(d time.Duration) int {
		scale := math.Log(float64(max(longest, 2*time.Millisecond)) / float64(time.Millisecond))
		return int(math.Round(barWidth * min(max(math.Log(float64(max(d, 1))/float64(time.Millisecond))/scale, 0), 1)))
	}
	cells := []rune(strings.Repeat("█", at(v)) + strings.Repeat(" ", barWidth-at(v)))
	cells[min(at(limit), barWidth-1)] = '│'
	return string(cells)
}

// languages adds a table that compares the languages of the accepted programs.
func languages(p *layout.Page, r *calibrate.Report) {
	if len(r.Languages) < 2 {
		return
	}
	rows := [][]layout.Cell{{layout.Left("language", layout.Strong), layout.Right("programs", layout.Strong), layout.Right("slowest", layout.Strong), layout.Right("median", layout.Strong), layout.Right("most", layout.Strong), layout.Left("case of most; × = times the fastest language", layout.Strong)}}
	for _, l := range r.Languages {
		rows = append(rows, []layout.Cell{
			layout.Left(layout.Word(l.Name), layout.Plain), layout.Right(fmt.Sprint(l.Programs), layout.Plain), layout.Right(layout.Duration(l.Slowest), layout.Plain),
			layout.Right(proportion(l.Median, 1), layout.Plain), layout.Right(proportion(l.Most, 1), layout.Plain), layout.Left(layout.Word(l.Case), layout.Dim),
		})
	}
	p.Table("", rows)
	p.Printf("\n")
}

// proposals adds a table with the possible range and the proposal for each limit.
func proposals(p *layout.Page, r *calibrate.Report) {
	rows := [][]layout.Cell{{layout.Left("limit", layout.Strong), layout.Right("present", layout.Strong), layout.Right("at least", layout.Strong), layout.Right("at most", layout.Strong), layout.Right("proposed", layout.Strong), layout.Left("decided by", layout.Strong)}}
	for _, l := range r.Limits {
		text := func(n int64) string { return layout.Size(limits.Bytes(n)) }
		if l.Unit == "ns" {
			text = func(n int64) string { return layout.Duration(time.Duration(n)) }
		}
		most, deciders := "", baseName(l.By)
		if l.Stops != "" {
			most = atLeast(l.AtLeast) + text(l.Most)
			deciders = strings.TrimPrefix(deciders+", "+baseName(l.Stops), ", ")
		}
		look, proposed := layout.Plain, "none"
		if l.Proposed > 0 {
			proposed = text(l.Proposed)
		}
		if l.Proposed != l.Present {
			look = layout.Bad
		}
		rows = append(rows, []layout.Cell{layout.Left(l.Limit, layout.Plain), layout.Right(text(l.Present), layout.Plain), layout.Right(text(l.Least), layout.Plain), layout.Right(most, layout.Plain), layout.Right(proposed, look), layout.Left(deciders, layout.Dim)})
	}
	p.Table("", rows)
	p.Printf("\n")
}

// baseName returns the last element of a program's path, which for the reference is the problem's
// id. It returns "" for "".
func baseName(name string) string {
	if name == "" {
		return ""
	}
	return layout.Word(filepath.Base(name))
}
