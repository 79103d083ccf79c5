package report

import (
	"strconv"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// pointsRows returns rows with the points of a submission and, indented, of each test group.
func pointsRows(t *points.Score) [][]cell {
	if t == nil {
		return nil
	}
	text := ofPoints(t.Points, t.Best)
	if fewer(t) {
		text += ", fewer are better"
	}
	rows := [][]cell{{{text: "points"}, {text: text}}}
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

// fewer reports whether fewer points are better, as far as the score says so.
func fewer(t *points.Score) bool { return t != nil && len(t.Groups) > 0 && t.Groups[0].Group.Fewer() }

// points adds a table with the points of several submissions and, indented, of each test group.
func (t *Terminal) points(p *page) {
	header := []cell{{text: "points"}}
	var first *points.Score
	for i, s := range t.sorted() {
		header = append(header, cell{text: number(i), right: true})
		if first == nil {
			first = s.Points
		}
	}
	if first == nil {
		return
	}
	// All submissions have the same groups, and the first group holds all cases.
	rows := [][]cell{header}
	for g, o := range first.Groups {
		name, best := "  "+word(o.Group.Name), o.Best
		if o.Group.Name == "" {
			name, best = "all", first.Best
			if fewer(first) {
				name = "all, fewer are better"
			}
		}
		row := []cell{{text: name}}
		for _, s := range t.sorted() {
			text := notRun
			if s.Points != nil {
				score := s.Points
				switch n := score.Groups[g]; {
				case o.Group.Name == "":
					text = pointsText(score.Points)
				case !n.LeftOut:
					text = pointsText(n.Points)
				}
			}
			row = append(row, cell{text: text, right: true})
		}
		if best.Finite() {
			row = append(row, cell{text: "of " + pointsText(float64(best)), look: dim})
		}
		rows = append(rows, row)
	}
	p.table("", rows)
	p.printf("\n")
}

// pointsText formats a number of points.
func pointsText(n float64) string { return strconv.FormatFloat(n, 'g', 10, 64) }

// ofPoints returns "37 of 100", or "37" if there is no maximum.
func ofPoints(n float64, best document.Number) string {
	text := pointsText(n)
	if !best.Finite() {
		return text
	}
	return text + " of " + pointsText(float64(best))
}
