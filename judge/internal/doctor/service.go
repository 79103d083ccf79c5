//go:build linux

package doctor

import (
	"context"

	"tribunal/judge/internal/event"
	"tribunal/judge/internal/runner/remote"
)

// attackService attacks the runner service at a path as this account, adds the findings to the
// report, and emits an event for each.
func (r *Report) attackService(ctx context.Context, path string, emit event.Emit) error {
	list, err := remote.Attack(ctx, path)
	if err != nil {
		return err
	}
	for _, a := range list {
		f := Finding{Name: a.Name, Group: "runner service", Attack: a.What, Expected: a.Want, Seen: a.Seen, Status: Held}
		if a.Broke {
			f.Status = Broken
		}
		r.Findings = append(r.Findings, f)
		emit.Send(&f)
	}
	return nil
}
