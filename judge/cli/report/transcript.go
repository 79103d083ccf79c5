package report

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Transcript writes the messages between a program and its interactor. Each line begins with the
// time since the start, and < for the interactor or > for the program, as in the .interaction files
// of problem packages. A line that lacks its newline ends with ….
func Transcript(w io.Writer, pieces []sandbox.Piece) error {
	page := &layout.Page{}
	for _, p := range pieces {
		sender := "<"
		if p.From == sandbox.Left {
			sender = ">"
		}
		if p.Lost > 0 {
			page.Printf("%12s %s … %s not kept\n", "", sender, limits.Bytes(p.Lost).Human())
		}
		text := string(p.Text)
		for first := true; text != ""; first = false {
			l, rest, ended := strings.Cut(text, "\n")
			at := ""
			if first {
				at = fmt.Sprintf("%.6f s", p.At.Seconds())
			}
			page.Printf("%12s %s %s", at, sender, layout.Line(l))
			if !ended {
				page.Printf("…")
			}
			page.Printf("\n")
			text = rest
		}
	}
	return page.Write(w)
}

// Interaction writes the transcript and the verdict of a case.
func Interaction(w io.Writer, c grade.Case, l limits.Limits) error {
	if err := Transcript(w, c.Transcript); err != nil {
		return err
	}
	p := &layout.Page{}
	failure(p, account.NewCase(&c), l, "", commands{})
	return p.Write(w)
}
