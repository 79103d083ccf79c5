package report

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

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
	p := &page{color: o.Color}
	p.printf("%s: %s, %s\n", p.paint(strong, word(r.Problem)), word(r.Title), Count(r.Cases, "case"))
	p.printf("limits: %s\n", describe(r.Present))
	p.printf("measured: up to %s of cpu; %s of each of the slowest cases\n", duration(r.Beyond), Count(r.Repeat, "run"))
	for _, n := range r.Notes {
		p.printf("note: %s\n", word(n))
	}
	p.printf("\n")
	measurements(p, r)
	languages(p, r)
	proposals(p, r)
	for _, f := range r.Findings {
		p.printf("%s\n", p.paint(bad, word(f)))
	}
	if len(r.Findings) == 0 {
		p.printf("%s\n", p.paint(good, "the present limits are suitable"))
	}
	if r.Line != "" {
		p.printf("\nlimits: %s\n", r.Line)
	}
	return p.write(w)
}

// measurements adds a table of the programs with their measurements. A bar shows the time on a
// logarithmic scale.
func measurements(p *page, r *calibrate.Report) {
	var rows [][]cell
	for _, k := range calibrate.Groups {
		head := []cell{{k.Title, strong, false}, {"cpu", strong, true}, {"", strong, true}, {"margin", strong, true}, {"memory", strong, true}, {"", plain, false}, {"on", strong, false}}
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
	p.table("", rows)
	p.printf("%s\n\n", p.paint(dim, "bars: cpu on a logarithmic scale from 1 ms; │ is the cpu limit"))
}

// rowOf returns the row of a program in the table of measurements.
func rowOf(r *calibrate.Report, q calibrate.Program) []cell {
	name := "  " + word(filepath.Base(q.Name))
	if q.Reference {
		name = "  the reference"
	}
	row := []cell{{name, plain, false}}
	if q.Cause != "" {
		return append(row, cell{q.Got.String(), bad, true}, cell{}, cell{}, cell{}, cell{}, cell{word(q.Case), dim, false})
	}
	if q.Want == verdict.MLE {
		return append(row, cell{}, cell{}, cell{proportion(float64(q.Memory), float64(r.Present.Memory)), plain, true}, cell{atLeast(q.AtLeast) + size(q.Memory), plain, true}, cell{}, cell{word(q.MemoryAt), dim, false})
	}
	margin := proportion(float64(r.Present.CPU), float64(q.CPU))
	look := good
	if q.Want == verdict.TLE {
		margin = atLeast(q.AtLeast) + proportion(float64(q.CPU), float64(r.Present.CPU))
		if q.CPU < limits.Beyond(r.Present.CPU) {
			look = bad
		}
	} else if limits.Tight(r.Present.CPU, q.CPU) {
		look = bad
	}
	spread := ""
	if q.High > q.Low {
		spread = fmt.Sprintf("±%.0f %%", 50*float64(q.High-q.Low)/float64(q.CPU))
	}
	return append(row,
		cell{atLeast(q.AtLeast) + duration(q.CPU), plain, true}, cell{spread, dim, true}, cell{margin, look, true},
		cell{size(q.Memory), plain, true}, cell{bar(q.CPU, r.Present.CPU, r.Beyond), plain, false}, cell{word(q.Case), dim, false})
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
func languages(p *page, r *calibrate.Report) {
	if len(r.Languages) < 2 {
		return
	}
	rows := [][]cell{{{"language", strong, false}, {"programs", strong, true}, {"slowest", strong, true}, {"median", strong, true}, {"most", strong, true}, {"case of most; × = times the fastest language", strong, false}}}
	for _, l := range r.Languages {
		rows = append(rows, []cell{
			{word(l.Name), plain, false}, {fmt.Sprint(l.Programs), plain, true}, {duration(l.Slowest), plain, true},
			{proportion(l.Median, 1), plain, true}, {proportion(l.Most, 1), plain, true}, {word(l.Case), dim, false},
		})
	}
	p.table("", rows)
	p.printf("\n")
}

// proposals adds a table with the possible range and the proposal for each limit.
func proposals(p *page, r *calibrate.Report) {
	rows := [][]cell{{{"limit", strong, false}, {"present", strong, true}, {"at least", strong, true}, {"at most", strong, true}, {"proposed", strong, true}, {"decided by", strong, false}}}
	for _, l := range r.Limits {
		text := func(n int64) string { return size(limits.Bytes(n)) }
		if l.Unit == "ns" {
			text = func(n int64) string { return duration(time.Duration(n)) }
		}
		most, deciders := "", baseName(l.By)
		if l.Stops != "" {
			most = atLeast(l.AtLeast) + text(l.Most)
			deciders = strings.TrimPrefix(deciders+", "+baseName(l.Stops), ", ")
		}
		look, proposed := plain, "none"
		if l.Proposed > 0 {
			proposed = text(l.Proposed)
		}
		if l.Proposed != l.Present {
			look = bad
		}
		rows = append(rows, []cell{{l.Limit, plain, false}, {text(l.Present), plain, true}, {text(l.Least), plain, true}, {most, plain, true}, {proposed, look, true}, {deciders, dim, false}})
	}
	p.table("", rows)
	p.printf("\n")
}

// baseName returns the last element of a program's path, which for the reference is the problem's
// id. It returns "" for "".
func baseName(name string) string {
	if name == "" {
		return ""
	}
	return word(filepath.Base(name))
}
