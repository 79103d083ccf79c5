package report

import (
	"io"
	"time"

	"tribunal/judge/internal/calibrate"
	"tribunal/judge/internal/document"
)

// CalibrateSchema names the form of the documents that [CalibrationJSON] writes; see
// docs/calibrate.md. It changes as [Schema] does.
const CalibrateSchema = "tribunal/calibrate/1"

type calibrateDocument struct {
	document.Head
	Problem   string              `json:"problem"`
	Title     string              `json:"title"`
	Cases     int                 `json:"cases"`
	Beyond    time.Duration       `json:"beyond_ns"`
	Repeat    int                 `json:"repeat"`
	Programs  []calibrate.Program `json:"programs"`
	Languages []languageObject    `json:"languages"`
	Limits    []proposalObject    `json:"limits"`
	Line      string              `json:"line"`
	Findings  []string            `json:"findings"`
	Notes     []string            `json:"notes"`
}

type languageObject struct {
	Name     string          `json:"name"`
	Programs int             `json:"programs"`
	Slowest  time.Duration   `json:"slowest_ns"`
	Median   document.Number `json:"median"`
	Most     document.Number `json:"most"`
	Case     string          `json:"case"`
}

type proposalObject struct {
	Limit    string `json:"limit"`
	Unit     string `json:"unit"`
	Present  int64  `json:"present"`
	OK       bool   `json:"ok"`
	Least    int64  `json:"least"`
	By       string `json:"by"`
	Case     string `json:"case"`
	Most     int64  `json:"most"`
	Stops    string `json:"stops"`
	AtLeast  bool   `json:"at_least"`
	Proposed int64  `json:"proposed"`
}

// CalibrationJSON writes the report as one JSON document.
func CalibrationJSON(w io.Writer, r *calibrate.Report) error {
	d := calibrateDocument{
		Head: document.NewHead(CalibrateSchema), Problem: r.Problem, Title: r.Title, Cases: r.Cases, Beyond: r.Beyond, Repeat: r.Repeat,
		Programs: r.Programs, Findings: r.Findings, Notes: r.Notes,
	}
	if r.Proposed.CPU > 0 {
		d.Line = LimitsLine(r)
	}
	for _, l := range r.Languages {
		d.Languages = append(d.Languages, languageObject{l.Name, l.Programs, l.Slowest, document.Number(l.Median), document.Number(l.Most), l.Case})
	}
	for i := range r.Limits {
		p := &r.Limits[i]
		d.Limits = append(d.Limits, proposalObject{
			p.Limit, p.Unit, p.Present, p.OK(), p.Least, p.By, p.On, p.Most, p.Stops, p.AtLeast, p.Proposed,
		})
	}
	return document.Write(w, d)
}
