package verify

import (
	"context"
	"fmt"

	"tribunal/judge/internal/content"
	"tribunal/judge/lab/invisible"
)

// checkText notes inputs and answers that have what [invisible] finds, in a line for each kind. Expected
// outputs of the repository's own problems are left out, because the reference prints the same bytes.
func checkText(ctx context.Context, s *subject) error {
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	var found invisible.Survey
	for i := range list {
		c := &list[i]
		data, err := s.caseData().Load(ctx, c)
		if err != nil {
			return err
		}
		for _, text := range []struct {
			key  string
			data content.Content
		}{{"input", data.Input}, {"output", data.Want}} {
			if text.key == "output" && !s.p.Foreign() {
				continue
			}
			lines, err := invisible.Scan(text.data.Reader())
			if err != nil {
				return err
			}
			found.Add(lines, func(line int) string {
				at := located(c.Errorf(text.key, "", ""))
				if c.Given != nil {
					return fmt.Sprintf("%s:%d", at.File, line)
				}
				return fmt.Sprintf("%s:%d: line %d of the %s of %s", at.File, at.Line, line, text.key, c.Name)
			})
		}
	}
	for _, kind := range invisible.Kinds() {
		if line := found.Line(kind); line != "" {
			s.note("%s", line)
		}
	}
	return nil
}
