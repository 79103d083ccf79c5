package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tty"
)

// GradeCSV writes a table with a row for each submission, in the order in which they were given
// (RFC 4180, UTF-8). Times are in whole milliseconds and memory in whole KiB, both rounded up, so
// that they are numbers in every locale. A cell without a value is empty.
func GradeCSV(w io.Writer, x *account.Execution) error {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	c.UseCRLF = !tty.IsTerminal(w)
	rows := [][]string{{
		"problem", "submission", "language", "verdict", "expected", "points", "best_points", "accepted", "judged", "cases",
		"first_failure", "cause", "cpu_ms", "wall_ms", "memory_kib", "cached",
	}}
	for _, s := range x.Submissions {
		row := []string{layout.CellText(x.Problem), layout.CellText(s.Name), layout.CellText(s.Language), s.Verdict.String(), s.Expected.String(), "", ""}
		if p := s.Points; p != nil {
			if row[5] = layout.Points(p.Points); p.Best.Finite() {
				row[6] = layout.Points(float64(p.Best))
			}
		}
		row = append(row, strconv.Itoa(s.Passed), strconv.Itoa(s.Judged), strconv.Itoa(s.Total), layout.CellText(s.First), layout.CellText(s.Cause))
		if s.Wall > 0 { // 0 if nothing was measured
			row = append(row, milliseconds(s.CPU), milliseconds(s.Wall), strconv.FormatInt(int64((s.Memory+limits.KiB-1)/limits.KiB), 10))
		} else {
			row = append(row, "", "", "")
		}
		rows = append(rows, append(row, strconv.Itoa(s.Cached)))
	}
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return tty.Data(w, b.Bytes())
}

func milliseconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Millisecond-1)/time.Millisecond), 10)
}
