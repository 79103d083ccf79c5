package scale

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/internal/chart"
)

// Curve is the performance of a setup with several numbers of workers, in increasing order.
type Curve struct {
	Setup  Setup   `json:"setup"`
	Points []Point `json:"points"`
}

// Draw simulates a setup with several numbers of workers, in increasing order. Each setup must pass Check. The
// error is that of ctx, if that ends before.
func Draw(ctx context.Context, s Setup, workers []int) (*Curve, error) {
	c := &Curve{Setup: s}
	for _, n := range workers {
		s.Workers = n
		p, err := simulate(ctx, s)
		if err != nil {
			return nil, err
		}
		c.Points = append(c.Points, p)
	}
	return c, nil
}

// WriteTable writes a curve as a table for people, and below it what is busy first.
func (c *Curve) WriteTable(w io.Writer) error {
	shown, idle := c.columns()
	header := []string{"workers", "verdicts/s", "taken", "judged"}
	if c.fetches() {
		header = append(header, "fetched")
	}
	rows := [][]string{append(header, shown...)}
	for _, p := range c.Points {
		row := []string{fmt.Sprint(p.Workers), chart.Digits(p.Verdicts), duration(p.Taken), duration(p.Judged)}
		if p.Grows {
			row[3] = "grows"
		}
		if c.fetches() {
			row = append(row, duration(p.Fetched))
		}
		for _, name := range shown {
			row = append(row, fmt.Sprintf("%.0f %%", 100*p.of(name).Share))
		}
		rows = append(rows, row)
	}
	text := align(rows) + "\n" + c.bends()
	if len(idle) > 0 {
		text += "idle: " + strings.Join(idle, ", ") + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

func duration(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return chart.Duration(float64(d))
}

// align writes rows with their columns side by side, all to the right.
func align(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// fetches reports whether workers fetch a package.
func (c *Curve) fetches() bool {
	return slices.ContainsFunc(c.Points, func(p Point) bool { return p.Fetched > 0 })
}

// columns returns the stations that are busy for at least a hundredth of the time with some number of
// workers, and the others.
func (c *Curve) columns() (shown, idle []string) {
	for _, name := range Stations {
		if slices.ContainsFunc(c.Points, func(p Point) bool { return p.of(name).Share >= 0.005 }) {
			shown = append(shown, name)
		} else {
			idle = append(idle, name)
		}
	}
	return shown, idle
}

func (p *Point) of(station string) Busy {
	for _, b := range p.Stations {
		if b.Station == station {
			return b
		}
	}
	return Busy{Station: station}
}

// telling returns the point that shows best how much the service carries: that with the most workers with which it
// keeps up, or else that with the most workers. A service whose workers are still fetching a package will keep up,
// so it counts.
func (c *Curve) telling() *Point {
	for i := len(c.Points) - 1; i >= 0; i-- {
		if !c.Points[i].Grows || c.fetches() {
			return &c.Points[i]
		}
	}
	return &c.Points[len(c.Points)-1]
}

// Busiest returns the stations of the service that have something to do, the busiest first: with the most workers
// with which the service keeps up, or else with the most workers.
func (c *Curve) Busiest() []Busy {
	list := slices.DeleteFunc(slices.Clone(c.telling().Stations), func(b Busy) bool { return b.Station == slotsStation || b.Share == 0 })
	slices.SortStableFunc(list, func(a, b Busy) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// bends says which stations of the service are busy first. That shows nothing if workers are fetching a package, or
// if more is handed in than judged with any number of workers.
func (c *Curve) bends() string {
	var b strings.Builder
	if i := slices.IndexFunc(c.Points, func(p Point) bool { return p.Grows }); i >= 0 {
		fmt.Fprintf(&b, "with %d workers, more is handed in than judged\n", c.Points[i].Workers)
	}
	each := float64(c.Setup.Slots) / c.Setup.judging().Seconds() // verdicts per second of a worker
	for i, s := range c.Busiest()[:3] {
		if c.fetches() || c.telling().Grows {
			fmt.Fprintf(&b, "%s: %s, for %.0f %% of the time\n", []string{"busiest meanwhile", "then", "then"}[i], s.Station, 100*s.Share)
			continue
		}
		fmt.Fprintf(&b, "%s: %s carries %s verdicts/s in a domain, those of %s workers that are always busy\n",
			[]string{"bends first", "then", "then"}[i], s.Station, chart.Digits(s.Carries), chart.Digits(s.Carries/each))
	}
	return b.String()
}
