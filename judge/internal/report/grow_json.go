package report

import (
	"io"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grow"
)

// GrowSchema names the form of the documents that [GrowthJSON] writes; see
// docs/calibrate.md. It changes as [Schema] does.
const GrowSchema = "tribunal/grow/1"

type growDocument struct {
	document.Head
	Problem  string        `json:"problem"`
	Title    string        `json:"title"`
	Family   string        `json:"family"`
	Others   []string      `json:"others"`
	By       string        `json:"by"`
	Seeds    int           `json:"seeds"`
	Limit    time.Duration `json:"limit_ns"`
	Beyond   time.Duration `json:"beyond_ns"`
	Programs []grownObject `json:"programs"`
	Notes    []string      `json:"notes"`
}

type grownObject struct {
	Name      string        `json:"name"`
	Language  string        `json:"language"`
	Reference bool          `json:"reference"`
	Start     time.Duration `json:"start_ns"`
	Floor     time.Duration `json:"floor_ns"`
	Points    []grow.Point  `json:"points"`
	Fit       *fitObject    `json:"fit"`
	NoFit     string        `json:"no_fit"`
	Ended     string        `json:"ended"`
	Wrong     int           `json:"wrong"`
	Judged    int           `json:"judged"`
}

type fitObject struct {
	Exponent document.Number `json:"exponent"`
	Low      document.Number `json:"low"`
	High     document.Number `json:"high"`
	Scale    document.Number `json:"scale_ns"`
	Sizes    int             `json:"sizes"`
	Doubling document.Number `json:"doubling"`
	Reaches  document.Number `json:"limit_at"`
}

// GrowthJSON writes the report as one JSON document.
func GrowthJSON(w io.Writer, r *grow.Report) error {
	d := growDocument{
		Head: document.NewHead(GrowSchema), Problem: r.Problem, Title: r.Title, Family: r.Family, Others: r.Others, By: sizeName(r), Seeds: r.Seeds,
		Limit: r.Limit, Beyond: r.Beyond, Notes: r.Notes,
	}
	for _, q := range r.Programs {
		o := grownObject{
			Name: q.Name, Language: q.Language, Reference: q.Reference, Start: q.Start, Floor: q.Floor, Points: q.Points,
			NoFit: q.Fit.None, Ended: q.Ended, Wrong: q.Wrong, Judged: q.Judged,
		}
		if f := &q.Fit; f.None == "" {
			at, _ := f.Reaches(r.Limit - q.Start)
			o.Fit = &fitObject{document.Number(f.Exponent), document.Number(f.Low), document.Number(f.High), document.Number(f.Scale), f.Points, document.Number(f.Doubling), document.Number(at)}
		}
		d.Programs = append(d.Programs, o)
	}
	return document.Write(w, d)
}
