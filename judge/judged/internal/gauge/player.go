package gauge

import (
	"context"
	"sync"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// Player is a worker.Performer that runs nothing: it finds every problem usable and accepts every submission.
type Player struct {
	Name   string
	Slots  int
	Result int                         // the size in bytes of a result, at most [store.MaxInline]
	Judge  func(context.Context) error // takes the time of a judging, and fails it with its error; nil: it takes none

	once   sync.Once
	result store.Ref
}

func (p *Player) Host() task.Host { return task.Host{Worker: p.Name, Slots: p.Slots} }

func (p *Player) Examine(context.Context) error { return nil }

func (p *Player) Perform(ctx context.Context, t *task.Task, _ func(any)) (*task.Answer, error) {
	if t.Part == task.Check {
		return &task.Answer{Checked: &ledger.Checked{Usable: true, Cases: 1}}, nil
	}
	if p.Judge != nil {
		if err := p.Judge(ctx); err != nil {
			return nil, err
		}
	}
	p.once.Do(func() {
		data := make([]byte, p.Result)
		p.result = store.RefOf(data)
		p.result.Inline = data
	})
	return &task.Answer{Summary: &ledger.Summary{Verdict: verdict.AC, Passed: 1, Judged: 1, Total: 1}, Result: p.result}, nil
}
