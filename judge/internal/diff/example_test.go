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
