package report

import (
	"io"

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
func GradeFormats(x *account.Execution, o TerminalOptions) []Format {
	return []Format{
		{Name: Text, Draws: true, New: func(w Output) Sink {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewTerminal(w.Writer, x, o)
		}},
		{Name: Object, Full: true, New: func(w Output) Sink { return NewJSON(w.Writer, x) }},
		{Name: Lines, New: func(w Output) Sink { return NewNDJSON(w.Writer) }},
		pictured(concluded(Page, func(w Output) error { return GradeHTML(w.Writer, x) })),
		concluded(Markdown, func(w Output) error { return GradeMarkdown(w.Writer, x) }),
		concluded(Sheet, func(w Output) error { return GradeCSV(w.Writer, x) }),
		concluded(JUnit, func(w Output) error { return GradeJUnit(w.Writer, x) }),
	}
}

// VerifyFormats returns the formats of judge verify. The text format writes the findings to its
// output, and everything else to notes.
func VerifyFormats(notes Output) []Format {
	return append([]Format{
		{Name: Text, New: func(w Output) Sink { return NewVerify(w.Writer, notes) }},
		object[*verify.Report](),
		lines(verify.EventsSchema),
	}, annotating(ofVerify)...)
}

// RegenFormats returns the formats of judge regen. The events are a [Regeneration] for each problem,
// and the [Regenerations] at the end. The text format omits problems that failed.
func RegenFormats(mode RegenMode, d Detail) []Format {
	return []Format{
		on(Text, func(w Output, r *Regeneration) error { return Regenerated(w.Writer, d, *r) }),
		on(Object, func(w Output, all *Regenerations) error { return all.JSON(w.Writer) }),
		lines(RegenEventsSchema, regenHead{mode}),
	}
}

// StressFormats returns the formats of judge stress. The progress beside the text is that of [StressLive].
func StressFormats() []Format {
	return []Format{
		drawing(on(Text, func(w Output, r *stress.Report) error { return Stress(w.Writer, r, w.Color) })),
		object[*stress.Report](),
		lines(stress.EventsSchema),
	}
}

// MutantsFormats returns the formats of judge mutants.
func MutantsFormats(o MutantsOptions) []Format {
	return append([]Format{
		{Name: Text, Draws: true, New: func(w Output) Sink {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewMutants(w.Writer, o)
		}},
		object[*mutate.Report](),
		lines(mutate.EventsSchema),
		on(Page, func(w Output, r *mutate.Report) error { return MutantsHTML(w.Writer, r) }),
		on(Rules, func(w Output, r *mutate.Report) error { return MutantsRules(w.Writer, r) }),
	}, annotating(ofMutants)...)
}

// CalibrateFormats returns the formats of judge calibrate.
func CalibrateFormats() []Format {
	return []Format{
		on(Text, func(w Output, r *calibrate.Report) error {
			return Calibration(w.Writer, r, CalibrateOptions{Color: w.Color})
		}),
		object[*calibrate.Report](),
		lines(calibrate.EventsSchema),
	}
}

// GrowFormats returns the formats of judge grow. The sink of the picture returns [Absent] if there
// is nothing to plot.
func GrowFormats() []Format {
	return []Format{
		on(Text, func(w Output, r *grow.Report) error {
			return Growth(w.Writer, r, GrowOptions{Color: w.Color, Width: w.Width})
		}),
		object[*grow.Report](),
		lines(grow.EventsSchema),
		on(Picture, func(w Output, r *grow.Report) error {
			picture := GrowthSVG(r)
			if picture == nil {
				return Absent("no picture: no run takes clearly longer than the start of its program")
			}
			return tty.Data(w.Writer, picture)
		}),
	}
}

// DoctorFormats returns the formats of judge doctor.
func DoctorFormats() []Format {
	return []Format{
		on(Text, func(w Output, r *doctor.Report) error {
			_, err := io.WriteString(w.Writer, r.Text())
			return err
		}),
		object[*doctor.Report](),
		lines(doctor.EventsSchema),
	}
}

// LanguagesFormats returns the formats of judge languages. The events are the result of each
// language, and the [Languages] at the end.
func LanguagesFormats(m sandbox.Mechanisms) []Format {
	return []Format{
		{Name: Text, New: func(w Output) Sink {
			return &each{render: func(e event.Event) error {
				switch e := e.(type) {
				case *langcheck.Result:
					return Language(w.Writer, *e, PageOptions{Color: w.Color, Width: w.Width})
				case *Languages:
					return e.Summary(w.Writer)
				}
				return nil
			}}
		}},
		on(Object, func(w Output, all *Languages) error { return all.JSON(w.Writer) }),
		lines(LanguagesEventsSchema, languagesHead{string(m.Mode)}),
	}
}

// WatchFormats returns the formats of judge watch. There is no JSON document, because watching has
// no final result. text returns the sink of the text format.
func WatchFormats(text func(Output) Sink) []Format {
	return []Format{
		{Name: Text, Draws: true, New: text},
		{Name: Lines, New: func(w Output) Sink { return NewWatchJSON(w.Writer) }},
	}
}
