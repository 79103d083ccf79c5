//go:build linux

package runnertest

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// files checks that a program finds its files where it starts, and the next run does not.
func files(t *testing.T, b bench) {
	with := func(r *runner.Request) {
		r.Files = map[string][]byte{"a.txt": []byte("text"), "in/b.txt": []byte("deeper")}
	}
	if _, out := b.run(t, with, "cat", "a.txt", "cat", "in/b.txt"); out != "textdeeper" {
		t.Errorf("got %q", out)
	}
	if _, out := b.run(t, nil, "there", "a.txt"); out != "no" {
		t.Error("the next run has the file, too")
	}
	for _, readOnly := range []bool{false, true} {
		r, _ := b.run(t, func(r *runner.Request) { r.Box.ReadOnly = readOnly }, "save", "own")
		if denied := r.Result.ExitCode != 0; denied != readOnly && !b.Scripted {
			t.Errorf("ReadOnly %v: writing a file was denied: %v", readOnly, denied)
		}
	}
}

// copies checks that files of the box's folder are copied out, up to the requested sizes.
func copies(t *testing.T, b bench) {
	large := strings.Repeat("large", content.InMemory/4)
	give := func(r *runner.Request) {
		r.Box.Folder = folder
		r.In = []runner.File{
			{Name: "given", Mode: 0o444, Content: content.Of([]byte("given text"))},
			{Name: "left", Mode: fs.ModeDir | 0o777},
		}
		r.Out = []runner.CopyOut{
			{Name: "left/large", Most: 8 * limits.MiB}, {Name: "given", Most: 5}, {Name: "left/link", Most: limits.KiB}, {Name: "left/none", Most: limits.KiB},
			{Name: "left", Most: 8 * limits.MiB, Files: 10}, {Name: ".", Most: limits.KiB, Files: 10},
		}
		r.Input = content.Of([]byte(large))
	}
	r, out := b.run(t, give, "cat", in("given"), "save", in("left/large"), "link", in("left/link"))
	if out != "given text" {
		t.Errorf("the program read %q", out)
	}
	text := func(name string) string {
		t.Helper()
		got := r.Copies.Get(name)
		data, err := got.Content.Bytes()
		if err = errors.Join(got.Err, err); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return string(data)
	}
	if got := text("left/large"); got != large {
		t.Errorf("copied %d of %d bytes", len(got), len(large))
	}
	if got := text("given"); got != "given" {
		t.Errorf("copied %q, want only the part of the file that was asked for", got)
	}
	if err := r.Copies.Get("left/link").Err; !errors.Is(err, sandbox.ErrNotFile) {
		t.Errorf("the error for a link is %v", err)
	}
	for _, name := range []string{"left/none", "never asked for"} {
		if err := r.Copies.Get(name).Err; !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	left := r.Copies.Get("left")
	if left.Err != nil || len(left.Files) != 1 || left.Files[0].Name != "large" || left.Files[0].Content.Size() != int64(len(large)) || left.Files[0].Time.IsZero() {
		t.Errorf("the copy of a folder is %+v", left)
	}
	if r.Folder == "" {
		t.Error("the folder has no path")
	}
	if excess := (*sandbox.ExcessError)(nil); !errors.As(r.Copies.Get(".").Err, &excess) {
		t.Errorf("the error for a folder that is too large is %v", r.Copies.Get(".").Err)
	}

	r, out = b.run(t, func(r *runner.Request) {
		give(r)
		r.In = r.In[1:]
	}, "there", in("given"), "there", in("left/large"), "raise", "9")
	if out != "" && out != "nono" {
		t.Errorf("files of an earlier run are there: %q", out)
	}
	if err := r.Copies.Get("left").Err; !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a program was killed, and the error for its file is %v", err)
	}
}

// interaction connects two programs.
func interaction(t *testing.T, b bench) {
	for _, tt := range []struct {
		why                    string
		submission, interactor []string
		transcript             limits.Bytes
		decides                bool
		end                    string // how the program and the interactor end
		status                 int
		first                  runner.Side
		settled                bool
	}{
		{"each answers the other", []string{"print", "ping\n", "expect", "pong"}, []string{"expect", "ping", "print", "pong\n", "err", "fine", "exit", "42"}, 0, true, "exited exited", 42, runner.InteractorSide, false},
		{"the transcript is kept", []string{"print", "ping\n", "expect", "pong"}, []string{"expect", "ping", "print", "pong\n", "err", "fine", "exit", "42"}, limits.KiB, true, "exited exited", 42, runner.InteractorSide, false},
		{"the interactor refuses, and that settles it", []string{"print", "pong\n", "sleep", "1000"}, []string{"expect", "ping"}, 0, true, "cancelled exited", 92, runner.InteractorSide, true},
		{"the program crashes first", []string{"raise", "11"}, []string{"expect", "ping"}, 0, true, "signalled exited", 92, runner.SubmissionSide, false},
	} {
		if b.Scripted {
			t.Skip("not checked: scripted programs do not interact")
		}
		r, out := b.run(t, func(r *runner.Request) {
			p := runner.Interactor{Program: b.program(tt.interactor...), Decides: tt.decides, Accepts: []int{42}, Transcript: tt.transcript}
			p.Box.Folder = folder
			p.In = []runner.File{{Name: "given", Mode: 0o444, Content: content.Of([]byte("text"))}}
			p.Out = []runner.CopyOut{{Name: "given", Most: limits.KiB}}
			r.Interactor = &p
		}, tt.submission...)
		if r.Interaction == nil {
			t.Fatalf("%s: there is no interactor: %+v", tt.why, r)
		}
		d := r.Interaction
		if end := r.Stop.String() + " " + d.Interactor.Stop.String(); end != tt.end || d.Interactor.ExitCode != tt.status || d.Decided != tt.settled || out != "" {
			t.Errorf("%s: %s, status %d, settled %v, printed %q, want %s, %d, %v", tt.why, end, d.Interactor.ExitCode, d.Decided, out, tt.end, tt.status, tt.settled)
		}
		if tt.end != "exited exited" && d.First != tt.first {
			t.Errorf("%s: %v was first", tt.why, d.First)
		}
		if data, err := d.Copies.Get("given").Content.Bytes(); err != nil || string(data) != "text" {
			t.Errorf("%s: the file copied from the interactor's folder holds %q (%v)", tt.why, data, err)
		}
		if tt.status == 42 && string(d.Stderr) != "fine" {
			t.Errorf("%s: the interactor's standard error is %q", tt.why, d.Stderr)
		}
		var said []string
		for _, p := range d.Transcript {
			said = append(said, string(p.Text))
		}
		if want := []string{"ping\n", "pong\n"}; tt.transcript > 0 && !slices.Equal(said, want) || tt.transcript == 0 && len(said) > 0 {
			t.Errorf("%s: the transcript is %q", tt.why, said)
		}
	}
}
