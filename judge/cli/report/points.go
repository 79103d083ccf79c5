package report

import (
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// pointsRows returns rows with the points of a submission and, indented, of each test group.
func pointsRows(t *points.Score) [][]layout.Cell {
	if t == nil {
		return nil
	}
	text := ofPoints(t.Points, t.Best)
	if fewer(t) {
		text += ", fewer are better"
	}
	rows := [][]layout.Cell{{{Text: "points"}, {Text: text}}}
	for _, o := range t.Groups {
		if o.Group.Name == "" {
			continue
		}
		text := ofPoints(o.Points, o.Best)
		switch {
		case o.Required != "":
			text += ", left out: needs " + layout.Word(o.Required)
		case o.LeftOut:
			text += ", left out"
		case o.Verdict != verdict.None:
			text += ", " + o.Verdict.String()
		}
		rows = append(rows, []layout.Cell{{Text: "  " + layout.Word(o.Group.Name)}, {Text: text}})
	}
	return rows
}

// fewer reports whether fewer points are better, as far as the score says so.
func fewer(t *points.Score) bool { return t != nil && len(t.Groups) > 0 && t.Groups[0].Group.Fewer() }

// points adds a table with the points of several submissions and, indented, of each test group.
func (t *Terminal) points(p *layout.Page) {
	header := []layout.Cell{{Text: "points"}}
	var first *points.Score
	for i, s := range t.sorted() {
		header = append(header, layout.Cell{Text: number(i), Right: true})
		if first == nil {
			first = s.Points
		}
	}
	if first == nil {
		return
	}
	// All submissions have the same groups, and the first group holds all cases.
	rows := [][]layout.Cell{header}
	for g, o := range first.Groups {
		name, best := "  "+layout.Word(o.Group.Name), o.Best
		if o.Group.Name == "" {
			name, best = "all", first.Best
			if fewer(first) {
				name = "all, fewer are better"
			}
		}
		row := []layout.Cell{{Text: name}}
		for _, s := range t.sorted() {
			text := notRun
			if s.Points != nil {
				score := s.Points
				switch n := score.Groups[g]; {
				case o.Group.Name == "":
					text = layout.Points(score.Points)
				case !n.LeftOut:
					text = layout.Points(n.Points)
				}
			}
			row = append(row, layout.Cell{Text: text, Right: true})
		}
		if best.Finite() {
			row = append(row, layout.Cell{Text: "of " + layout.Points(float64(best)), Look: layout.Dim})
		}
		rows = append(rows, row)
	}
	p.Table("", rows)
	p.Printf("\n")
}

// ofPoints returns "37 of 100", or "37" if there is no maximum.
func ofPoints(n float64, best document.Number) string {
	text := layout.Points(n)
	if !best.Finite() {
		return text
	}
	return text + " of " + layout.Points(float64(best))
}
