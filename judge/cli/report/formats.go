package report

import (
	"io"

	"tribunal/judge/cli/format"

	"tribunal/judge/internal/account"
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

// GradeFormats returns the formats of judge grade. Their sinks read x. The caller must apply each
// event to x before it passes the event to the sinks.
func GradeFormats(x *account.Execution, o TerminalOptions) []format.Format {
	return []format.Format{
		{Name: format.Text, Draws: true, New: func(w format.Output) format.Sink {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewTerminal(w.Writer, x, o)
		}},
		{Name: format.Object, Full: true, New: func(w format.Output) format.Sink { return NewJSON(w.Writer, x) }},
		{Name: format.Lines, New: func(w format.Output) format.Sink { return NewNDJSON(w.Writer) }},
		format.Pictured(format.Concluded(format.Page, func(w format.Output) error { return GradeHTML(w.Writer, x) })),
		format.Concluded(format.Markdown, func(w format.Output) error { return GradeMarkdown(w.Writer, x) }),
		format.Concluded(format.Sheet, func(w format.Output) error { return GradeCSV(w.Writer, x) }),
		format.Concluded(format.JUnit, func(w format.Output) error { return GradeJUnit(w.Writer, x) }),
	}
}

// VerifyFormats returns the formats of judge verify. The text format writes the findings to its
// output, and everything else to notes.
func VerifyFormats(notes format.Output) []format.Format {
	return append([]format.Format{
		{Name: format.Text, New: func(w format.Output) format.Sink { return NewVerify(w.Writer, notes) }},
		format.Document[*verify.Report](),
		format.Stream(verify.EventsSchema),
	}, format.Annotating(ofVerify)...)
}

// RegenFormats returns the formats of judge regen. The events are a [Regeneration] for each problem,
// and the [Regenerations] at the end. The text format omits problems that failed.
func RegenFormats(mode RegenMode, d Detail) []format.Format {
	return []format.Format{
		format.On(format.Text, func(w format.Output, r *Regeneration) error { return Regenerated(w.Writer, d, *r) }),
		format.On(format.Object, func(w format.Output, all *Regenerations) error { return all.JSON(w.Writer) }),
		format.Stream(RegenEventsSchema, regenHead{mode}),
	}
}

// StressFormats returns the formats of judge stress. The progress beside the text is that of [StressLive].
func StressFormats() []format.Format {
	return []format.Format{
		format.Drawing(format.On(format.Text, func(w format.Output, r *stress.Report) error { return Stress(w.Writer, r, w.Color) })),
		format.Document[*stress.Report](),
		format.Stream(stress.EventsSchema),
	}
}

// MutantsFormats returns the formats of judge mutants.
func MutantsFormats(o MutantsOptions) []format.Format {
	return append([]format.Format{
		{Name: format.Text, Draws: true, New: func(w format.Output) format.Sink {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewMutants(w.Writer, o)
		}},
		format.Document[*mutate.Report](),
		format.Stream(mutate.EventsSchema),
		format.On(format.Page, func(w format.Output, r *mutate.Report) error { return MutantsHTML(w.Writer, r) }),
		format.On(format.Rules, func(w format.Output, r *mutate.Report) error { return MutantsRules(w.Writer, r) }),
	}, format.Annotating(ofMutants)...)
}

// CalibrateFormats returns the formats of judge calibrate.
func CalibrateFormats() []format.Format {
	return []format.Format{
		format.On(format.Text, func(w format.Output, r *calibrate.Report) error {
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
		format.On(format.Text, func(w format.Output, r *grow.Report) error {
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
		format.On(format.Text, func(w format.Output, r *doctor.Report) error {
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
		{Name: format.Text, New: func(w format.Output) format.Sink {
			return &format.Each{Render: func(e event.Event) error {
				switch e := e.(type) {
				case *langcheck.Result:
					return Language(w.Writer, *e, PageOptions{Color: w.Color, Width: w.Width})
				case *Languages:
					return e.Summary(w.Writer)
				}
				return nil
			}}
		}},
		format.On(format.Object, func(w format.Output, all *Languages) error { return all.JSON(w.Writer) }),
		format.Stream(LanguagesEventsSchema, languagesHead{string(m.Mode)}),
	}
}

// WatchFormats returns the formats of judge watch. There is no JSON document, because watching has
// no final result. text returns the sink of the text format.
func WatchFormats(text func(format.Output) format.Sink) []format.Format {
	return []format.Format{
		{Name: format.Text, Draws: true, New: text},
		{Name: format.Lines, New: func(w format.Output) format.Sink { return NewWatchJSON(w.Writer) }},
	}
}
