package perform

import (
	"context"
	"encoding/json"

	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/publish/statement"
)

// maxPage bounds the samples of a page.
const maxPage = 4 * limits.MiB

// page makes and stores the page of a problem that people read, nil if it has no statement that can be read. What is
// wrong with the statement is for the problem's authors, and no reason not to judge.
func (p *Performer) page(ctx context.Context, of *engine.Problem) (*store.Ref, error) {
	file := of.Text("")
	if of.Statement != "" {
		file = nil
	}
	if file != nil && !statement.Readable(file.Path) || file == nil && of.Statement == "" {
		return nil, nil
	}
	d, err := statement.Of(of.Problem, file)
	if err != nil {
		return nil, nil
	}
	if set, err := of.Cases(); err == nil {
		if d.Samples, err = statement.Samples(of.Problem, set); err != nil {
			d.Samples = nil
		}
	}
	d.Facts = statement.Facts(of.Problem, p.engine.Config.Complete(of.Limits))
	read := statement.Read(d)
	page := task.Page{Title: of.Title, Language: d.Language, Body: read.Body()}
	for _, f := range d.Facts {
		page.Facts = append(page.Facts, task.Fact(f))
	}
	size := 0
	for _, s := range d.Samples {
		if size += len(s.Input) + len(s.Output); len(s.Turns) == 0 && size <= int(maxPage) {
			page.Samples = append(page.Samples, task.Sample{Input: s.Input, Output: s.Output})
		}
	}
	text, err := json.Marshal(page)
	if err != nil {
		return nil, err
	}
	ref, err := p.blobs.Put(ctx, text)
	return &ref, err
}
