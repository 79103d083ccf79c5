package cms

import (
	"reflect"
	"testing"
)

func TestChecks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, source string
		want        []check
	}{
		{"none", "int main() {}\n// check-accepted: a\n", nil},
		{"several, in comments of all kinds", "/* @check-accepted: a b*\t*/\n# @check-zero:c\nx = 1 -- @check-wrong-answer: ?d", []check{{1, "accepted", []string{"a", "b*"}}, {2, "zero", []string{"c"}}, {3, "wrong-answer", []string{"?d"}}}},
		{"without names, or a colon, or a result", "// @check-zero:\n// @check-zero\n// @check-\n", []check{{1, "zero", nil}, {2, "zero", nil}, {3, "", nil}}},
	} {
		got := findChecks(tt.source)
		for i := range got {
			if len(got[i].targets) == 0 {
				got[i].targets = nil
			}
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.why, got, tt.want)
		}
	}
}
