package pages

import (
	"encoding/xml"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

// drawingPolicy holds for drawings, which have styles of their own and show what a submission wrote: opened alone, one
// runs no scripts, loads nothing, and belongs to no site.
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// drawing is a drawing on a page, or why there is none.
type drawing struct {
	Address       string
	Width, Height int // in pixels, so that nothing moves when it has been loaded; 0 if it does not say
	Error         string
}

func drawingOf(d *task.Drawing, course, submission string, judging int) *drawing {
	address := fmt.Sprintf("/c/%s/s/%s/drawing/%d", course, submission, judging)
	var svg struct {
		Width  string `xml:"width,attr"`
		Height string `xml:"height,attr"`
	}
	if xml.Unmarshal([]byte(d.SVG), &svg) != nil {
		return &drawing{Address: address, Error: d.Error}
	}
	pixels := func(text string) int {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= 1 && n <= 1e5) {
			return 0
		}
		return int(math.Round(n))
	}
	made := &drawing{Address: address, Width: pixels(svg.Width), Height: pixels(svg.Height), Error: d.Error}
	if made.Height == 0 {
		made.Width = 0
	}
	return made
}

// drawing serves the drawing of a judging to those who see its case whole.
func (p *Pages) drawing(q *request) error {
	sub, err := q.submission(false)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(q.PathValue("judging"))
	j := sub.Judging(n)
	if j == nil || j.Status != ledger.Done || n != sub.Effective && !q.jury() {
		return errNoPage
	}
	r, err := q.result(sub, j, q.view(sub, j.Version))
	if err != nil {
		return err
	}
	if r.Drawing == nil || r.Drawing.SVG == "" {
		return errNoPage
	}
	q.Header().Set("Content-Type", "image/svg+xml")
	q.Header().Set("Content-Security-Policy", drawingPolicy)
	q.WriteHeader(http.StatusOK)
	_, _ = q.Write([]byte(r.Drawing.SVG))
	return nil
}
