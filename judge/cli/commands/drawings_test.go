package commands

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"testing"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// failedWith returns submissions that fail on the case "a", each with one of these outputs.
func failedWith(outputs ...[]byte) (list []*account.Submission) {
	for _, o := range outputs {
		s := account.NewSubmission("a.c", 1, 1)
		s.Apply(&grade.Case{Name: "a", Verdict: verdict.WA, Output: o})
		s.Apply(&grade.Done{Verdict: verdict.WA, First: "a"})
		list = append(list, s)
	}
	return list
}

// TestDrawings checks that the drawings of a report are bounded, and that no failure of the draw program
// reaches beyond them.
func TestDrawings(t *testing.T) {
	t.Parallel()
	var many [][]byte
	for i := range 3 * maxPictures {
		many = append(many, []byte(strconv.Itoa(i)))
	}
	for _, tt := range []struct {
		why            string
		outputs        [][]byte
		picture        []byte
		err            error
		runs, pictures int
	}{
		{"equal outputs are drawn once", [][]byte{{'1'}, {'1'}, {'2'}}, []byte("<svg/>"), nil, 2, 3},
		{"an empty output is one", [][]byte{{}}, []byte("<svg/>"), nil, 1, 1},
		{"a long output is not there", [][]byte{nil}, []byte("<svg/>"), nil, 0, 0},
		{"many pictures", many, []byte("<svg/>"), nil, maxPictures, maxPictures},
		{"much in total", many, make([]byte, mostDrawn), nil, int(mostPictures / mostDrawn), int(mostPictures / mostDrawn)},
		{"a large picture", many[:1], make([]byte, mostDrawn+1), nil, 1, 0},
		{"a broken program is given up", many, nil, errors.New("broken"), maxBroken, 0},
	} {
		var d drawings
		runs, pictures, notes := 0, 0, 0
		list := failedWith(tt.outputs...)
		d.draw(t.Context(), "sum", func(_ context.Context, c *cases.Case, output []byte) ([]byte, error) {
			runs++
			return bytes.Clone(tt.picture), tt.err
		}, []cases.Case{{Name: "a"}}, list, func(error) { notes++ })
		for _, s := range list {
			c := s.Deciding()
			if c.Picture != nil {
				pictures++
			}
			if (c.Picture == nil) != (c.Undrawn != "") || c.Output != nil || s.Verdict != verdict.WA {
				t.Errorf("%s: %+v", tt.why, c)
			}
		}
		if runs != tt.runs || pictures != tt.pictures || notes > maxBroken || (notes > 0) != (tt.err != nil) {
			t.Errorf("%s: %d runs, %d pictures, %d notes", tt.why, runs, pictures, notes)
		}
	}
}
