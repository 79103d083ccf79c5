package grade

import "context"

// Judged is one submission of a task with its results.
type Judged struct {
	Submission
	Cases []Case // the judged cases, in the order of their events
	Done  Done
}

// Collect runs Grade and returns only the final results: an element for each submission of the
// task, in its order.
func (j *Judge) Collect(ctx context.Context, t Task) ([]Judged, error) {
	if len(t.Submissions) == 0 {
		return nil, nil
	}
	list := make([]Judged, len(t.Submissions))
	for i, s := range t.Submissions {
		list[i].Submission = s
	}
	err := j.Grade(ctx, t, func(e Event) {
		switch e := e.(type) {
		case *Case:
			list[e.Submission].Cases = append(list[e.Submission].Cases, *e)
		case *Done:
			list[e.Submission].Done = *e
		}
	})
	return list, err
}
