package report

import (
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/account"
)

// GradeFormats returns the formats of judge grade. Their sinks read x. The caller must apply each
// event to x before it passes the event to the sinks.
func GradeFormats(x *account.Execution, o TerminalOptions) []format.Format {
	return []format.Format{
		{Name: format.Terminal, Draws: true, New: func(w format.Output) format.Sink {
			o.Live, o.Color, o.Width = w.Live, w.Color, w.Width
			return NewTerminal(w.Writer, x, o)
		}},
		{Name: format.JSON, Full: true, New: func(w format.Output) format.Sink { return NewJSON(w.Writer, x) }},
		{Name: format.NDJSON, New: func(w format.Output) format.Sink { return NewNDJSON(w.Writer) }},
		format.Pictured(format.Concluded(format.HTML, func(w format.Output) error { return GradeHTML(w.Writer, x) })),
		format.Concluded(format.Markdown, func(w format.Output) error { return GradeMarkdown(w.Writer, x) }),
		format.Concluded(format.CSV, func(w format.Output) error { return GradeCSV(w.Writer, x) }),
		format.Concluded(format.JUnit, func(w format.Output) error { return GradeJUnit(w.Writer, x) }),
	}
}

// RegenFormats returns the formats of judge regen. The events are a [Regeneration] for each problem,
// and the [Regenerations] at the end. The text format omits problems that failed.
func RegenFormats(mode RegenMode, d Detail) []format.Format {
	return []format.Format{
		format.On(format.Terminal, func(w format.Output, r *Regeneration) error { return Regenerated(w.Writer, d, *r) }),
		format.On(format.JSON, func(w format.Output, all *Regenerations) error { return all.JSON(w.Writer) }),
		format.Stream(RegenEventsSchema, regenHead{mode}),
	}
}

// WatchFormats returns the formats of judge watch. There is no JSON document, because watching has
// no final result. text returns the sink of the text format.
func WatchFormats(text func(format.Output) format.Sink) []format.Format {
	return []format.Format{
		{Name: format.Terminal, Draws: true, New: text},
		{Name: format.NDJSON, New: func(w format.Output) format.Sink { return NewWatchJSON(w.Writer) }},
	}
}
