package diff_test

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/internal/diff"
)

func Example() {
	want := []byte("Case 1: 5 moves ENSWN\n\nCase 2: impossible\n\n")
	output := strings.NewReader("Case 1: 5 moves ENSWN\nCase 2: impossible\n")

	c := diff.New(want, diff.Options{})
	if _, err := io.Copy(c, output); err != nil {
		fmt.Println(err)
		return
	}
	if m := c.Close(); m != nil {
		fmt.Print(m.Format("marble/sample/statement"))
	}
	// Output:
	// marble/sample/statement: line 2, column 1 (differs only in whitespace, missing blank line at end)
	//   Case·1:·5·moves·ENSWN⏎
	// - ⏎
	//   Case·2:·impossible⏎
	// - ⏎
	//   ∎
}

func ExampleCompare_float() {
	o := diff.Options{Mode: diff.Float, Abs: 1e-6}
	fmt.Println(diff.Compare([]byte("0.333333333\n"), []byte("0.33333334"), o) == nil)
	fmt.Println(diff.Compare([]byte("0.333333333\n"), []byte("0.3333"), o) == nil)
	// Output:
	// true
	// false
}

func ExampleParseFlags() {
	problem := []string{"float_tolerance", "1e-6"}
	group := []string{"float_absolute_tolerance", "0.5", "space_change_sensitive"}
	o, err := diff.ParseFlags(problem, group)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o.Mode, o.Abs, o.Rel)
	fmt.Println(diff.Compare([]byte("Yes 2.5\n"), []byte("YES 3\n"), o) == nil)
	fmt.Print(diff.Compare([]byte("Yes 2.5\n"), []byte("YES 3"), o).Format(""))
	// Output:
	// float 0.5 1e-06
	// true
	// line 1, column 8 (differs only in whitespace, missing final newline)
	// - Yes·2.5⏎
	// + YES·3∎
}
