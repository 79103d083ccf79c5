package report

import (
	"strings"
	"testing"

	"tribunal/judge/cli/layout/layouttest"
)

func TestWatchLines(t *testing.T) {
	t.Parallel()
	for _, tt := range watchScenarios() {
		if tt.screenOnly {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			l := NewWatchLines(&b)
			for _, e := range tt.before {
				l.Event(e)
			}
			b.Reset()
			for _, e := range tt.events {
				l.Event(e)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			layouttest.Golden(t, tt.name+".log", b.String())
			harmless(t, b.String(), false)
		})
	}
}
