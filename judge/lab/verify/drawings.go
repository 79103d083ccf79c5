package verify

import (
	"context"
	"errors"
	"slices"

	"tribunal/judge/internal/build"
)

// checkDrawings finds samples of which the draw program makes no picture.
func checkDrawings(ctx context.Context, s *subject) error {
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	_, err = s.open(ctx, s.p.Draw)
	if missing, ok := errors.AsType[*build.MissingError](err); ok {
		s.note("not checked: %v", missing)
		return nil
	}
	if err != nil {
		return err
	}
	for i := range list {
		if !slices.Contains(s.p.Samples, list[i].Name) {
			continue
		}
		if _, err := s.caseData().Draw(ctx, &list[i], nil); err != nil {
			if err := s.settle(err); err != nil {
				return err
			}
		}
	}
	return nil
}
