package eval

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestFieldsAreDocumented checks that docs/eval.md explains every key of tasks, programs, results and
// the summary.
func TestFieldsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/eval.md")
	if err != nil {
		t.Fatal(err)
	}
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		for f := range of.Fields() {
			key := f.Tag.Get("json")
			switch {
			case f.Anonymous:
				check(f.Type)
			case !f.IsExported():
			case key == "" || key == "-":
				t.Errorf("%v.%s has no key", of, f.Name)
			case !strings.Contains(string(page), "`"+key+"`"):
				t.Errorf("docs/eval.md does not explain %s of %v", key, of)
			}
		}
	}
	for _, v := range []any{taskLine{}, testLine{}, toleranceLine{}, submittedLine{}, Result{}, Summary{}, TaskSummary{}, MeanPassAt{}} {
		check(reflect.TypeOf(v))
	}
	for _, format := range Formats() {
		if !strings.Contains(string(page), "`"+string(format)+"`") {
			t.Errorf("docs/eval.md does not explain the format %s", format)
		}
	}
}
