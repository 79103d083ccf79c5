package report

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Transcript writes the conversation of a program and its interactor, one line each with the time
// since both began: < from the interactor, > from the program, as in the .interaction files of
// problem packages. A line without a newline ends with ….
func Transcript(w io.Writer, said []sandbox.Piece) error {
	page := &page{}
	for _, p := range said {
		who := "<"
		if p.From == sandbox.Left {
			who = ">"
		}
		if p.Lost > 0 {
			page.printf("%12s %s … %s not kept\n", "", who, limits.Bytes(p.Lost).Human())
		}
		text := string(p.Text)
		for first := true; text != ""; first = false {
			l, rest, ended := strings.Cut(text, "\n")
			at := ""
			if first {
				at = fmt.Sprintf("%.6f s", p.At.Seconds())
			}
			page.printf("%12s %s %s", at, who, line(l))
			if !ended {
				page.printf("…")
			}
			page.printf("\n")
			text = rest
		}
	}
	return page.write(w)
}

// Interaction writes the transcript of a case, and the verdict.
func Interaction(w io.Writer, c grade.Case, l limits.Limits) error {
	if err := Transcript(w, c.Transcript); err != nil {
		return err
	}
	p := &page{}
	failure(p, account.NewCase(&c), l, "")
	return p.write(w)
}
