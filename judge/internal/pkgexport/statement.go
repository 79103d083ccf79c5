package pkgexport

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
)

// markdown returns the statement without its title and its samples, which the formats
// leave to whoever shows it.
func markdown(p *problem.Problem) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(p.Statement) + "\n")
	section := func(title, text string) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, strings.TrimSpace(text))
	}
	section("Input", p.Input)
	section("Output", p.Output)
	if len(p.Rulings) > 0 {
		section("Remarks", "- "+strings.Join(p.Rulings, "\n- "))
	}
	return b.String()
}

// plain returns the statement as a text to be read as it is, with its samples.
func (p *plan) plain(samples []*cases.Case) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		var b strings.Builder
		q := p.Problem
		fmt.Fprintf(&b, "%s\n%s\n\n", q.Title, strings.Repeat("=", len([]rune(q.Title))))
		fmt.Fprintf(&b, "Time limit: %v\nMemory limit: %v\n\n", q.Limits.CPU, q.Limits.Memory)
		b.WriteString(markdown(q))
		for i, c := range samples {
			f, err := p.fixture(ctx, c)
			if err != nil {
				return nil, err
			}
			input, inputErr := f.Input.Bytes()
			want, wantErr := f.Want.Bytes()
			if err := errors.Join(inputErr, wantErr); err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n## Sample input %d\n\n%s\n## Sample output %d\n\n%s", i+1, indented(input), i+1, indented(want))
		}
		return []byte(b.String()), nil
	}
}

// indented returns a text as Markdown shows one that is not to be changed.
func indented(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}
