//go:build !linux

package commands

import (
	"io"

	"tribunal/judge/cli/report"
)

// keyMode would switch a terminal to single keys. Here keys are read after the return key.
type keyMode struct{}

func newKeyMode(io.Reader) *keyMode { return &keyMode{} }

// foreground reports whether this process is in the foreground of a terminal, which is taken for granted.
func foreground(int) bool { return true }

func (*keyMode) leave() {}

// handleSignals handles nothing: the screen is drawn anew at the next event.
func handleSignals(*keyMode, *report.WatchScreen) (end func()) { return func() {} }
