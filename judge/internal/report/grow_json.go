package report

import (
	"io"
	"time"

	"tribunal/judge/internal/grow"
	"tribunal/judge/internal/version"
)

// GrowSchema names the form of the documents that [GrowthJSON] writes; see
// docs/calibrate.md. It changes as [Schema] does.
const GrowSchema = "tribunal/grow/1"

type growDocument struct {
	Schema   string        `json:"schema"`
	Judge    string        `json:"judge"`
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
	Points    []pointObject `json:"points"`
	Fit       *fitObject    `json:"fit"`
	NoFit     string        `json:"no_fit"`
	Ended     string        `json:"ended"`
	Wrong     int           `json:"wrong"`
	Judged    int           `json:"judged"`
}

type pointObject struct {
	Size   int             `json:"size"`
	Bytes  int             `json:"bytes"`
	Runs   []time.Duration `json:"runs_ns"`
	Median time.Duration   `json:"median_ns"`
	Used   bool            `json:"used"`
	Over   bool            `json:"stopped"`
}

type fitObject struct {
	Exponent figure `json:"exponent"`
	Low      figure `json:"low"`
	High     figure `json:"high"`
	Scale    figure `json:"scale_ns"`
	Sizes    int    `json:"sizes"`
	Doubling figure `json:"doubling"`
	Reaches  figure `json:"limit_at"`
}

// GrowthJSON writes the report as one JSON document.
func GrowthJSON(w io.Writer, r *grow.Report) error {
	d := growDocument{
		Schema: GrowSchema, Judge: version.Build(), Problem: r.Problem, Title: r.Title, Family: r.Family, Others: append([]string{}, r.Others...), By: sizeName(r), Seeds: r.Seeds,
		Limit: r.Limit, Beyond: r.Beyond, Programs: []grownObject{}, Notes: append([]string{}, r.Notes...),
	}
	for _, q := range r.Programs {
		o := grownObject{
			Name: q.Name, Language: q.Language, Reference: q.Reference, Start: q.Start, Floor: q.Floor, Points: []pointObject{},
			NoFit: q.Fit.None, Ended: q.Ended, Wrong: q.Wrong, Judged: q.Judged,
		}
		for _, pt := range q.Points {
			o.Points = append(o.Points, pointObject{pt.Size, pt.Bytes, append([]time.Duration{}, pt.Runs...), pt.Median, pt.Used, pt.Over})
		}
		if f := &q.Fit; f.None == "" {
			at, _ := f.Reaches(r.Limit - q.Start)
			o.Fit = &fitObject{figure(f.Exponent), figure(f.Low), figure(f.High), figure(f.Scale), f.Points, figure(f.Doubling), figure(at)}
		}
		d.Programs = append(d.Programs, o)
	}
	text, err := encode(d, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
