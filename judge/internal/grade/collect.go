package grade

import "context"

// Judged is what became of one submission of a task.
type Judged struct {
	Submission
	Cases []Case // that were judged, in the order in which they are told
	Done  Done
}

// Collect is Grade for those who want to know no sooner than at the end. The list has
// an element for each submission of the task, in its order.
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
