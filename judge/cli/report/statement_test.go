package report

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
)

func maze() StatementData {
	return StatementData{
		ID: "maze", Title: "Maze Traversal", Source: "some contest, problem A",
		Limits: limits.Limits{CPU: time.Second, Wall: 1500 * time.Millisecond, Memory: 64 * limits.MiB, Output: limits.MiB, CPUs: 2},
		Bounds: []Bound{{"N", 2, 40}, {"square", -1, 6}, {"board", 4, 4}}, Fewer: true,
		Statement: "A maze is a rectangle of squares, and a *die* lies on one of them, the **start\nsquare**. It is moved by tipping it over one of its edges `a  b`, 2 * 3 * 4.\n" +
			"\n\n- `1` to `6`: the square may be entered if this very number is on **top** of\n  the die. What counts is the top **before** the die is tipped.\n- `-1`: a wild square\n" +
			"  - nested, and long enough that it has to be broken into two lines in any case\n10. numbered, and long enough that it has to be broken into two lines too, I think\n\n" +
			"### The *die* ##\nText right below; an_identifier_here, \\*no emphasis\\*, 5 ** 6, an open ` tick and an open *star\n\n" +
			"```\n   +---+\n  /   /|\n+---+  \n\n```\n\n| direction | top |\n|---|:-:|\n| up, away from `you` | 2 |\n| down | 555555555 | more |\n\nEnd.\n",
		Input:    "One line.\n\n  ```text\n  R C\n  ```\n",
		Output:   "One line with `code that must not be broken anywhere because its blanks may matter a lot`.\n",
		Rulings:  []string{"A maze of a single square has no solution.", "Turning back at once is legal, and so is coming back with the die lying as it lay at the beginning.\n"},
		Optional: []cases.Group{{Name: "beyond", Note: "Mazes that the original excludes.", Optional: true, Cases: 12}},
		Samples: []Sample{
			{"sample/statement", "2 2\n.#\n..\n\n", "Case 1:  \n\tyes\n"},
			{"sample/long", strings.Repeat("0123456789", 7) + "\n", "no newline"},
			{"sample/nothing", "", "\n"},
		},
	}
}

func TestStatement(t *testing.T) {
	t.Parallel()
	hostile := StatementData{
		ID: "\x1b[1m", Title: "\x1b]0;x\x07", Statement: "\x1b[2J `\x1b[2J`\n\n```\n\x1b[2J\n```\n\n| \x1b |\n\n# \x1b\n",
		Rulings: []string{"\r"}, Samples: []Sample{{"\x1b", "\x1b[2J\xff\n", "\u202e"}},
		Optional: []cases.Group{{Name: "x", Note: "\x1b[2J", Cases: 1}},
	}
	for _, tt := range []struct {
		name, why string
		data      StatementData
		options   layout.Options
	}{
		{"statement", "without colours, marks stay and headings are underlined", maze(), layout.Options{}},
		{"statement-color", "colours replace the marks", maze(), layout.Options{Color: true}},
		{"statement-narrow", "paragraphs and samples fit a narrow terminal", maze(), layout.Options{Width: 40}},
		{"statement-wide", "at most 80 columns on a wide terminal", maze(), layout.Options{Width: 200}},
		{"statement-hostile", "a problem file cannot send escape sequences to the terminal", hostile, layout.Options{}},
		{"statement-empty", "parts that are empty are left out", StatementData{ID: "x", Title: "X"}, layout.Options{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			if err := Statement(&b, tt.data, tt.options); err != nil {
				t.Error(err)
			}
			layouttest.Golden(t, tt.name+".txt", b.String())
			harmless(t, b.String(), tt.options.Color)
		})
	}
	var b strings.Builder
	tall := StatementData{Samples: []Sample{{"sample/tall", strings.Repeat("x\n", 500), "y\n"}}}
	if err := Statement(&b, tall, layout.Options{}); err != nil || !strings.Contains(b.String(), "… and 400 more lines") {
		t.Errorf("a tall sample: %v\n%s", err, b.String())
	}
	if err := Statement(&fullDisk{}, maze(), layout.Options{}); err == nil {
		t.Error("no error from a full disk")
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	rows := []ProblemRow{
		{ID: "game", Title: "Game", Limits: limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 * limits.MiB}, Cases: 40, Optional: 7, Submissions: 13, Authors: []string{"Ann Ahn", "Bo\x1b Ek"}, License: "cc by-sa"},
		{ID: "marble", Title: "Marble\x1b Game", Limits: limits.Limits{CPU: 20 * time.Second, Wall: 1500 * time.Millisecond, Memory: limits.GiB, CPUs: 2}, Cases: 110},
		{ID: "new", Title: "Nothing yet"},
	}
	for name, o := range map[string]layout.Options{"problems": {}, "problems-color": {Color: true}} {
		var b strings.Builder
		if err := Problems(&b, rows, o); err != nil {
			t.Error(err)
		}
		layouttest.Golden(t, name+".txt", b.String())
		harmless(t, b.String(), o.Color)
	}
	if err := Problems(&fullDisk{}, rows, layout.Options{}); err == nil {
		t.Error("no error from a full disk")
	}
}

// FuzzMarkdown checks that rendering any Markdown does not panic, escapes unprintable characters,
// and keeps every letter.
func FuzzMarkdown(f *testing.F) {
	d := maze()
	for _, s := range []string{d.Statement, d.Input, d.Output, "*", "**", "`", "``` ", "| |\n|-|-|\n", "- \n1. x\n", "\\", "*a `b* c`", "####### x"} {
		f.Add(s, 40)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		for _, color := range []bool{false, true} {
			p := &layout.Page{Color: color}
			addMarkdown(p, text, width%200)
			shown := p.Text().String()
			if color {
				continue // the colours are escape sequences; TestStatement checks them
			}
			for _, r := range shown {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Fatalf("%q in %q", r, shown)
				}
			}
			spelled := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
			if strings.ContainsAny(text, "`~|\\#") || strings.ContainsFunc(text, spelled) || !utf8.ValidString(text) || len(text) > layout.MaxWidth {
				continue // fences, tables, escapes and headings change the text
			}
			if got, want := alphanumeric(shown), alphanumeric(text); got != want {
				t.Fatalf("%q became %q", text, shown)
			}
		}
	})
}

// alphanumeric returns the letters and digits of text.
func alphanumeric(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
