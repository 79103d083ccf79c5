package report

import (
	"io"
	"time"

	"tribunal/judge/internal/calibrate"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/version"
)

// CalibrateSchema names the form of the documents that [CalibrationJSON] writes; see
// docs/calibrate.md. It changes as [Schema] does.
const CalibrateSchema = "tribunal/calibrate/1"

type calibrateDocument struct {
	Schema    string             `json:"schema"`
	Judge     string             `json:"judge"`
	Problem   string             `json:"problem"`
	Title     string             `json:"title"`
	Cases     int                `json:"cases"`
	Beyond    time.Duration      `json:"beyond_ns"`
	Repeat    int                `json:"repeat"`
	Programs  []calibratedObject `json:"programs"`
	Languages []languageObject   `json:"languages"`
	Limits    []proposalObject   `json:"limits"`
	Line      string             `json:"line"`
	Findings  []string           `json:"findings"`
	Notes     []string           `json:"notes"`
}

type calibratedObject struct {
	Name     string          `json:"name"`
	Language string          `json:"language"`
	Want     verdict.Verdict `json:"want"`
	Got      verdict.Verdict `json:"got"`
	Cause    string          `json:"cause"`
	CPU      time.Duration   `json:"cpu_ns"`
	Low      time.Duration   `json:"low_ns"`
	High     time.Duration   `json:"high_ns"`
	AtLeast  bool            `json:"at_least"`
	Wall     time.Duration   `json:"wall_ns"`
	Case     string          `json:"case"`
	Memory   bytesNumber     `json:"memory_bytes"`
	MemoryAt string          `json:"memory_case"`
}

type languageObject struct {
	Name     string        `json:"name"`
	Programs int           `json:"programs"`
	Slowest  time.Duration `json:"slowest_ns"`
	Median   figure        `json:"median"`
	Most     figure        `json:"most"`
	Case     string        `json:"case"`
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
		Schema: CalibrateSchema, Judge: version.Build(), Problem: r.Problem, Title: r.Title, Cases: r.Cases, Beyond: r.Beyond, Repeat: r.Repeat,
		Programs: []calibratedObject{}, Languages: []languageObject{}, Limits: []proposalObject{},
		Findings: append([]string{}, r.Findings...), Notes: append([]string{}, r.Notes...),
	}
	if r.Proposed.CPU > 0 {
		d.Line = LimitsLine(r)
	}
	for _, p := range r.Programs {
		d.Programs = append(d.Programs, calibratedObject{
			p.Name, p.Language, p.Want, p.Got, p.Cause, p.CPU, p.Low, p.High, p.AtLeast, p.Wall, p.Case, bytesNumber(p.Memory), p.MemoryAt,
		})
	}
	for _, l := range r.Languages {
		d.Languages = append(d.Languages, languageObject{l.Name, l.Programs, l.Slowest, figure(l.Median), figure(l.Most), l.Case})
	}
	for i := range r.Limits {
		p := &r.Limits[i]
		d.Limits = append(d.Limits, proposalObject{
			p.Limit, p.Unit, p.Present, p.OK(), p.Least, p.By, p.On, p.Most, p.Stops, p.AtLeast, p.Proposed,
		})
	}
	text, err := encode(d, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
