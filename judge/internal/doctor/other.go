//go:build !linux

// Package doctor reports what a host enforces and attacks its own jail. Both need Linux.
package doctor

import (
	"context"
	"fmt"
	"runtime"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/sandbox"
)

// The names of the JSON forms of a [Report] and of the events before it.
const (
	Schema       = "tribunal/doctor/1"
	EventsSchema = "tribunal/doctor-events/1"
)

// The names of folders that programs must not see.
const (
	TempFolder    = "the temporary folder"
	WorkingFolder = "the working folder"
	HomeFolder    = "the home folder"
	CacheFolder   = "the cache"
)

// Count counts attacks.
type Count struct {
	Broken int `json:"broken"`
}

// Report is the result of an examination, of which there is none here.
type Report struct {
	document.Head
	Count Count `json:"count"`
}

// Kind is [event.End].
func (*Report) Kind() string { return event.End }

// Text returns "".
func (*Report) Text() string { return "" }

// Choice is the mode that auto picks.
type Choice struct {
	Mode  sandbox.Mode
	Notes []string
}

// Options say what to examine.
type Options struct {
	Jail    *sandbox.Host
	Asked   sandbox.Mode
	Auto    *Choice
	Places  map[string]string
	Service string
	Emit    event.Emit
}

// Examine returns an error, because there is no jail here.
func Examine(context.Context, Options) (*Report, error) {
	return nil, fmt.Errorf("on %s there is no jail to examine (hint: docs/install.md#systems)", runtime.GOOS)
}

// Attack does nothing.
func Attack() {}
