package report

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// live is a progress bar. Nothing else may write to its terminal until stop
// has returned; then no trace of the bar is left.
type live struct {
	progress *mpb.Progress
	bar      *mpb.Bar
	status   atomic.Pointer[string]
}

// newLive draws a bar of total steps on w, again and again at the interval.
// width is used where w does not know its own.
func newLive(w io.Writer, width, total int, status string, interval time.Duration) *live {
	l := &live{}
	l.say(status)
	l.progress = mpb.New(mpb.WithOutput(w), mpb.WithWidth(width), mpb.WithRefreshRate(interval), mpb.WithAutoRefresh())
	l.bar = l.progress.New(int64(total), mpb.BarStyle(),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string {
			return fmt.Sprintf("%d/%d", s.Current, s.Total)
		})),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return *l.status.Load() })),
	)
	return l
}

// say sets the words beside the bar.
func (l *live) say(status string) { l.status.Store(&status) }

// show sets how far the bar is, and the words.
func (l *live) show(done, total int, status string) {
	l.say(status)
	l.bar.SetTotal(int64(total), false)
	l.bar.SetCurrent(int64(done))
}

// stop takes the bar away.
func (l *live) stop() {
	l.bar.Abort(true) // without effect on a bar that is full
	l.progress.Wait()
}
