package report

import (
	"io"
	"strings"
	"testing"
	"time"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TestHostileTexts tries every function that writes.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	layouttest.Try(t, renderers())
}

// renderers returns a renderer for each exported function of this package that writes, by name.
// Formats without a function of their own have names like "RegenFormats, JSON".
func renderers() map[string]layouttest.Renderer {
	terminal := func(w io.Writer, spoil func(any)) {
		for _, tt := range scenarios() {
			spoil(&tt.events)
			for _, o := range []TerminalOptions{{Color: true}, {Quiet: true}, {Verbose: true}} {
				t := onTerminal(w, o)
				for _, e := range tt.events {
					t.Event(e)
				}
				t.Close()
			}
		}
	}
	graded := func(format string) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				spoil(&tt.events)
				inGradeFormat(w, format, tt.events)
			}
		}
	}
	watch := func(render func(w io.Writer, tt watchScenario)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, tt := range watchScenarios() {
				tt.events = after(tt.before, tt.events)
				spoil(&tt.events)
				render(w, tt)
			}
		}
	}
	sheets := func(render func(w io.Writer, s *account.Sheet)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				s := sheetOf(tt.events)
				spoil(&s)
				render(w, s)
			}
		}
	}
	messages := func() []sandbox.Piece {
		return []sandbox.Piece{{Text: []byte("one\ntwo")}, {From: sandbox.Left, Text: []byte("three\n"), Lost: 3}, {Text: []byte("four")}}
	}
	return map[string]layouttest.Renderer{
		"NewTerminal": terminal,
		"NewJSON": func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				spoil(&tt.events)
				j := inJSON(w)
				for _, e := range tt.events {
					j.Event(e)
				}
				j.Close()
			}
		},
		"NewNDJSON": func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				spoil(&tt.events)
				j := NewNDJSON(w)
				for _, e := range tt.events {
					j.Event(e)
				}
				j.Close()
			}
		},
		"GradeHTML":     graded(format.HTML),
		"GradeJUnit":    graded(format.JUnit),
		"GradeMarkdown": graded(format.Markdown),
		"GradeCSV":      graded(format.CSV),
		"NewWatchLines": watch(func(w io.Writer, tt watchScenario) {
			l := NewWatchLines(w)
			for _, e := range tt.events {
				l.Event(e)
			}
			l.Close()
		}),
		"NewWatchScreen": watch(func(w io.Writer, tt watchScenario) {
			s := NewWatchScreen(w, func() (int, int) { return tt.cols, tt.rows }, true)
			for _, e := range tt.events {
				s.Event(e)
			}
			s.Redraw()
			s.Close()
		}),
		"NewWatchJSON": watch(func(w io.Writer, tt watchScenario) {
			j := NewWatchJSON(w)
			for _, e := range tt.events {
				j.Event(e)
			}
			j.Close()
		}),
		"Regenerated": func(w io.Writer, spoil func(any)) {
			l := regenerations(Check)
			spoil(&l)
			for _, r := range l.Problems {
				Regenerated(w, Usual, r)
			}
		},
		"Regenerations.JSON": func(w io.Writer, spoil func(any)) { l := regenerations(Check); spoil(&l); l.JSON(w) },
		"Statement": func(w io.Writer, spoil func(any)) {
			d := maze()
			spoil(&d)
			// Markdown may have several lines, so a forged line in it is no error.
			for _, text := range []*string{&d.Statement, &d.Input, &d.Output} {
				*text = strings.ReplaceAll(*text, layouttest.Forged, "")
			}
			for i := range d.Rulings {
				d.Rulings[i] = strings.ReplaceAll(d.Rulings[i], layouttest.Forged, "")
			}
			Statement(w, d, layout.Options{Color: true})
		},
		"Problems": func(w io.Writer, spoil func(any)) {
			rows := []ProblemRow{{ID: "maze", Title: "Maze", Cases: 3}}
			spoil(&rows)
			Problems(w, rows, layout.Options{Color: true})
		},
		"Case": func(w io.Writer, spoil func(any)) {
			d := CaseData{Case: &cases.Case{Name: "edge/one", Note: "small", File: "cases/maze/edge.yaml", Line: 3, Args: []string{"-x"}}, In: "1 2\n", Out: "3\n"}
			spoil(&d)
			Case(w, d, layout.Options{Color: true})
		},
		"Cases": func(w io.Writer, spoil func(any)) {
			list := []cases.Case{{Name: "edge/one", Note: "small", Optional: true}}
			spoil(&list)
			Cases(w, list, layout.Options{Color: true})
		},
		"Run": func(w io.Writer, spoil func(any)) {
			cause := "killed by SIGSEGV"
			spoil(&cause)
			Run(w, ran(1), limits.Limits{CPU: time.Second}, verdict.RTE, cause)
		},
		"SheetText":     sheets(func(w io.Writer, s *account.Sheet) { SheetText(w, s, TerminalOptions{Color: true, Verbose: true}) }),
		"SheetCSV":      sheets(func(w io.Writer, s *account.Sheet) { SheetCSV(w, s) }),
		"SheetHTML":     sheets(func(w io.Writer, s *account.Sheet) { SheetHTML(w, s) }),
		"SheetJUnit":    sheets(func(w io.Writer, s *account.Sheet) { SheetJUnit(w, s) }),
		"SheetMarkdown": sheets(func(w io.Writer, s *account.Sheet) { SheetMarkdown(w, s) }),
		"Transcript": func(w io.Writer, spoil func(any)) {
			pieces := messages()
			spoil(&pieces)
			Transcript(w, pieces)
		},
		"Interaction": func(w io.Writer, spoil func(any)) {
			c := grade.Case{Name: "secret/1", Verdict: verdict.WA, Cause: "the validator says no", Message: "no", Stderr: "trace", Transcript: messages()}
			spoil(&c)
			Interaction(w, c, limits.Limits{CPU: time.Second})
		},
	}
}
