package report

import (
	"encoding/json"
	"math"
	"testing"
)

// TestFigure writes every number, and null for what JSON has no number for.
func TestFigure(t *testing.T) {
	t.Parallel()
	list := []*figure{new(figure(0)), new(figure(37.5)), new(figure(1e300)), new(figure(math.Inf(1))), new(figure(math.Inf(-1))), new(figure(math.NaN())), nil}
	text, err := json.Marshal(list)
	if want := "[0,37.5,1e+300,null,null,null,null]"; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}
