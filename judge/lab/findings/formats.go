// Package findings renders what the lab measures: the events of its commands in the formats that each has, which
// formats.go lists.
package findings

import (
	"io"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tty"
	"tribunal/judge/lab/calibrate"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/lab/grow"
	"tribunal/judge/lab/langcheck"
	"tribunal/judge/lab/mutate"
	"tribunal/judge/lab/stress"
	"tribunal/judge/lab/verify"
)

// VerifyFormats returns the formats of judge verify. The text format writes the findings to its
// output, and everything else to notes.
func VerifyFormats(notes format.Output) []format.Format {
	return append([]format.Format{
		{Name: format.Terminal, New: func(w format.Output) format.Sink { return NewVerify(w.Writer, notes) }},
		format.Document[*verify.Report](),
		format.Stream(verify.EventsSchema),
	}, format.Annotating(ofVerify)...)
}

// StressFormats returns the formats of judge stress. The progress beside the text is that of [StressLive].
func StressFormats() []format.Format {
	return []format.Format{
		format.Drawing(format.On(format.Terminal, func(w format.Output, r *stress.Report) error { return Stress(w.Writer, r, w.Color) })),
		format.Document[*stress.Report](),
		format.Stream(stress.EventsSchema),
	}
}

// MutantsFormats returns the formats of judge mutants.
func MutantsFormats(o MutantsOptions) []format.Format {
	return append([]format.Format{
		{Name: format.Terminal, Draws: true, New: func(w format.Output) format.Sink {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewMutants(w.Writer, o)
		}},
		format.Document[*mutate.Report](),
		format.Stream(mutate.EventsSchema),
		format.On(format.HTML, func(w format.Output, r *mutate.Report) error { return MutantsHTML(w.Writer, r) }),
		format.On(format.Rules, func(w format.Output, r *mutate.Report) error { return MutantsRules(w.Writer, r) }),
	}, format.Annotating(ofMutants)...)
}

// CalibrateFormats returns the formats of judge calibrate.
func CalibrateFormats() []format.Format {
	return []format.Format{
		format.On(format.Terminal, func(w format.Output, r *calibrate.Report) error {
			return Calibration(w.Writer, r, CalibrateOptions{Color: w.Color})
		}),
		format.Document[*calibrate.Report](),
		format.Stream(calibrate.EventsSchema),
	}
}

// GrowFormats returns the formats of judge grow. The sink of the picture returns [Absent] if there
// is nothing to plot.
func GrowFormats() []format.Format {
	return []format.Format{
		format.On(format.Terminal, func(w format.Output, r *grow.Report) error {
			return Growth(w.Writer, r, GrowOptions{Color: w.Color, Width: w.Width})
		}),
		format.Document[*grow.Report](),
		format.Stream(grow.EventsSchema),
		format.On(format.Picture, func(w format.Output, r *grow.Report) error {
			picture := GrowthSVG(r)
			if picture == nil {
				return format.Absent("no picture: no run takes clearly longer than the start of its program")
			}
			return tty.Data(w.Writer, picture)
		}),
	}
}

// DoctorFormats returns the formats of judge doctor.
func DoctorFormats() []format.Format {
	return []format.Format{
		format.On(format.Terminal, func(w format.Output, r *doctor.Report) error {
			_, err := io.WriteString(w.Writer, r.Text())
			return err
		}),
		format.Document[*doctor.Report](),
		format.Stream(doctor.EventsSchema),
	}
}

// LanguagesFormats returns the formats of judge languages. The events are the result of each
// language, and the [Languages] at the end.
func LanguagesFormats(m sandbox.Mechanisms) []format.Format {
	return []format.Format{
		{Name: format.Terminal, New: func(w format.Output) format.Sink {
			return &format.Each{Render: func(e event.Event) error {
				switch e := e.(type) {
				case *langcheck.Result:
					return Language(w.Writer, *e, layout.Options{Color: w.Color, Width: w.Width})
				case *Languages:
					return e.Summary(w.Writer)
				}
				return nil
			}}
		}},
		format.On(format.JSON, func(w format.Output, all *Languages) error { return all.JSON(w.Writer) }),
		format.Stream(LanguagesEventsSchema, languagesHead{string(m.Mode)}),
	}
}
