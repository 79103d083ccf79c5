package report

import (
	"encoding/json"
	"math"
	"strconv"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// pointsRows tells the points of a submission and, indented, of each group.
func pointsRows(t *points.Tally) [][]cell {
	if t == nil {
		return nil
	}
	rows := [][]cell{{{text: "points"}, {text: ofPoints(t.Points, t.Best)}}}
	for _, o := range t.Groups {
		if o.Group.Name == "" {
			continue
		}
		text := ofPoints(o.Points, o.Best)
		switch {
		case o.Required != "":
			text += ", left out: needs " + word(o.Required)
		case o.LeftOut:
			text += ", left out"
		case o.Verdict != verdict.None:
			text += ", " + o.Verdict.String()
		}
		rows = append(rows, []cell{{text: "  " + word(o.Group.Name)}, {text: text}})
	}
	return rows
}

// points tells the points of several submissions and, indented, of each group.
func (t *Terminal) points(p *page) {
	header := []cell{{text: "points"}}
	var first *points.Tally
	for i, s := range t.subs {
		header = append(header, cell{text: number(i), right: true})
		if first == nil && s.done != nil {
			first = s.done.Points
		}
	}
	if first == nil {
		return
	}
	// Of all submissions the groups are the same, and the first stands for all cases.
	rows := [][]cell{header}
	for g, o := range first.Groups {
		name, best := "  "+word(o.Group.Name), o.Best
		if o.Group.Name == "" {
			name, best = "all", first.Best
		}
		row := []cell{{text: name}}
		for _, s := range t.subs {
			text := notRun
			if s.done != nil && s.done.Points != nil {
				tally := s.done.Points
				switch n := tally.Groups[g]; {
				case o.Group.Name == "":
					text = pointsText(tally.Points)
				case !n.LeftOut:
					text = pointsText(n.Points)
				}
			}
			row = append(row, cell{text: text, right: true})
		}
		if !math.IsInf(best, 0) {
			row = append(row, cell{text: "of " + pointsText(best), look: dim})
		}
		rows = append(rows, row)
	}
	p.table("", rows)
	p.printf("\n")
}

// pointsText is a number of points.
func pointsText(n float64) string { return strconv.FormatFloat(n, 'g', 10, 64) }

// ofPoints returns "37 of 100", or "37" where there is no end to them.
func ofPoints(n, best float64) string {
	text := pointsText(n)
	if math.IsInf(best, 0) {
		return text
	}
	return text + " of " + pointsText(best)
}

// pointsObject is a Tally.
type pointsObject struct {
	Points figure        `json:"points"`
	Best   figure        `json:"best"`
	Groups []groupObject `json:"groups"`
}

type groupObject struct {
	Name     string          `json:"name"`
	Points   figure          `json:"points"`
	Best     figure          `json:"best"`
	Verdict  verdict.Verdict `json:"verdict"`
	LeftOut  bool            `json:"left_out"`
	Required string          `json:"required"`
}

func newPoints(t *points.Tally) *pointsObject {
	if t == nil {
		return nil
	}
	o := &pointsObject{Points: figure(t.Points), Best: figure(t.Best), Groups: []groupObject{}}
	for _, g := range t.Groups {
		o.Groups = append(o.Groups, groupObject{g.Group.Name, figure(g.Points), figure(g.Best), g.Verdict, g.LeftOut, g.Required})
	}
	return o
}

// figure is a number in a document, null if it is infinite or none: JSON cannot write
// these, and one of them must not be the end of all the rest.
type figure float64

// MarshalJSON writes the number or null.
func (n figure) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsInf(f, 0) && !math.IsNaN(f) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}
