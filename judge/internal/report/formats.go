package report

import (
	"io"
	"time"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/doctor"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/langcheck"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/lab/calibrate"
	"tribunal/judge/lab/grow"
	"tribunal/judge/lab/mutate"
	"tribunal/judge/lab/stress"
	"tribunal/judge/lab/verify"
)

// GradeFormats returns the formats of judge grade. Their sinks read x. The caller must apply each
// event to x before it passes the event to the sinks.
func GradeFormats(x *account.Execution, o TerminalOptions) []Format[grade.Event] {
	return []Format[grade.Event]{
		{Name: Text, Draws: true, New: func(w Output) Sink[grade.Event] {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewTerminal(w.Writer, x, o)
		}},
		{Name: Object, Full: true, New: func(w Output) Sink[grade.Event] { return NewJSON(w.Writer, x) }},
		{Name: Lines, New: func(w Output) Sink[grade.Event] { return NewNDJSON(w.Writer) }},
		pictured(concluded(Page, func(w Output) error { return GradeHTML(w.Writer, x) })),
		concluded(Markdown, func(w Output) error { return GradeMarkdown(w.Writer, x) }),
		concluded(Sheet, func(w Output) error { return GradeCSV(w.Writer, x) }),
		concluded(JUnit, func(w Output) error { return GradeJUnit(w.Writer, x) }),
	}
}

// VerifyFormats returns the formats of judge verify. The text format writes the findings to its
// output, and everything else to notes.
func VerifyFormats(notes Output) []Format[event.Event] {
	return append([]Format[event.Event]{
		{Name: Text, New: func(w Output) Sink[event.Event] { return NewVerify(w.Writer, notes) }},
		object[*verify.Report](),
		lines(verify.EventsSchema),
	}, annotating(ofVerify)...)
}

// RegenFormats returns the formats of judge regen. begun is the start time of the command. Each
// event is the result of one problem; a nil event ends the report. The text format omits problems
// that failed.
func RegenFormats(mode RegenMode, d Detail, begun time.Time) []Format[*Regeneration] {
	return []Format[*Regeneration]{
		simple(Text, func(w Output, r *Regeneration) error {
			if r == nil {
				return nil
			}
			return Regenerated(w.Writer, mode, d, *r)
		}),
		collected(Object, func(w Output, all []Regeneration) error {
			return Regenerations{mode, all, time.Since(begun)}.JSON(w.Writer)
		}),
		listed("problem", []any{document.NewHead(RegenEventsSchema), regenHead{mode}},
			func(r *Regeneration) any { return r.object(mode) }, func() any { return grade.End{Elapsed: time.Since(begun)} }),
	}
}

// StressFormats returns the formats of judge stress. The progress beside the text is that of [StressLive].
func StressFormats() []Format[event.Event] {
	return []Format[event.Event]{
		drawing(whole(Text, func(w Output, r *stress.Report) error { return Stress(w.Writer, r, w.Color) })),
		object[*stress.Report](),
		lines(stress.EventsSchema),
	}
}

func drawing[E any](f Format[E]) Format[E] {
	f.Draws = true
	return f
}

// MutantsFormats returns the formats of judge mutants.
func MutantsFormats(o MutantsOptions) []Format[event.Event] {
	return append([]Format[event.Event]{
		{Name: Text, Draws: true, New: func(w Output) Sink[event.Event] {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewMutants(w.Writer, o)
		}},
		object[*mutate.Report](),
		lines(mutate.EventsSchema),
		whole(Page, func(w Output, r *mutate.Report) error { return MutantsHTML(w.Writer, r) }),
		whole(Rules, func(w Output, r *mutate.Report) error { return MutantsRules(w.Writer, r) }),
	}, annotating(ofMutants)...)
}

// CalibrateFormats returns the formats of judge calibrate.
func CalibrateFormats() []Format[event.Event] {
	return []Format[event.Event]{
		whole(Text, func(w Output, r *calibrate.Report) error {
			return Calibration(w.Writer, r, CalibrateOptions{Color: w.Color})
		}),
		object[*calibrate.Report](),
		lines(calibrate.EventsSchema),
	}
}

// GrowFormats returns the formats of judge grow. The sink of the picture returns [Absent] if there
// is nothing to plot.
func GrowFormats() []Format[event.Event] {
	return []Format[event.Event]{
		whole(Text, func(w Output, r *grow.Report) error {
			return Growth(w.Writer, r, GrowOptions{Color: w.Color, Width: w.Width})
		}),
		object[*grow.Report](),
		lines(grow.EventsSchema),
		whole(Picture, func(w Output, r *grow.Report) error {
			picture := GrowthSVG(r)
			if picture == nil {
				return Absent("no picture: no run takes clearly longer than the start of its program")
			}
			return tty.Data(w.Writer, picture)
		}),
	}
}

// DoctorFormats returns the formats of judge doctor.
func DoctorFormats() []Format[event.Event] {
	return []Format[event.Event]{
		whole(Text, func(w Output, r *doctor.Report) error {
			_, err := io.WriteString(w.Writer, r.Text())
			return err
		}),
		object[*doctor.Report](),
		lines(doctor.EventsSchema),
	}
}

// LanguagesFormats returns the formats of judge languages. m are the mechanisms of the sandbox.
// Each event is the result of one language; a nil event ends the report.
func LanguagesFormats(m sandbox.Mechanisms) []Format[*langcheck.Result] {
	return []Format[*langcheck.Result]{
		{Name: Text, New: func(w Output) Sink[*langcheck.Result] {
			all := &Languages{Mechanisms: m}
			return &each[*langcheck.Result]{render: func(r *langcheck.Result) error {
				if r == nil {
					return all.Summary(w.Writer)
				}
				all.Results = append(all.Results, *r)
				return Language(w.Writer, *r, PageOptions{Color: w.Color, Width: w.Width})
			}}
		}},
		collected(Object, func(w Output, all []langcheck.Result) error { return (&Languages{all, m}).JSON(w.Writer) }),
		listed("language", []any{document.NewHead(LanguagesEventsSchema), languagesHead{string(m.Mode)}},
			func(r *langcheck.Result) any { return r }, func() any { return struct{}{} }),
	}
}

// WatchFormats returns the formats of judge watch. There is no JSON document, because watching has
// no final result. text returns the sink of the text format.
func WatchFormats(text func(Output) Sink[watchmode.Event]) []Format[watchmode.Event] {
	return []Format[watchmode.Event]{
		{Name: Text, Draws: true, New: text},
		{Name: Lines, New: func(w Output) Sink[watchmode.Event] { return NewWatchJSON(w.Writer) }},
	}
}
