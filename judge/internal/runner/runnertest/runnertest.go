//go:build linux

// Package runnertest is the conformance suite of runners: it tests the contract that all of them
// share.
package runnertest

import (
	"bytes"
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Subject is an implementation to test.
type Subject struct {
	Runner runner.Runner // runs at least two requests at a time; the caller closes it
	// Kill kills the boxes of the runs in progress. It is nil if boxes cannot die.
	Kill func()
	// Scripted is set for a runner that plays programs and measures nothing.
	Scripted bool
}

// Suite tests an implementation. Real runners run a C program; without gcc these tests are
// skipped.
func Suite(t *testing.T, s Subject) {
	b := bench{Subject: s, exe: actor(t), text: noProgram(t)}
	parts := []struct {
		name string
		test func(*testing.T, bench)
	}{
		{"ends", ends}, {"limits", overLimits}, {"measurements", measurements}, {"output", output}, {"errors", standardError}, {"input", input},
		{"files", files}, {"copies", copies}, {"interaction", interaction}, {"cancel", cancel}, {"starts", starts}, {"deaths", deaths}, {"two at a time", twoAtATime},
	}
	play := func(t *testing.T) {
		for _, part := range parts {
			t.Run(part.name, func(t *testing.T) { part.test(t, b) })
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection would close leaked files
	t.Run("once", play)
	// A runner may keep some files open for each path that a run can take. A number that grows
	// in every round is a leak.
	for round, open := 0, descriptors(t); ; round++ {
		t.Run("again", play)
		now := descriptors(t)
		if len(now) <= len(open) {
			return
		}
		if round == 4 {
			t.Fatalf("%d descriptors are open, %d were one round before, and so on:\n%q", len(now), len(open), now)
		}
		open = now
	}
}

// descriptors returns the targets of this process's open descriptors.
func descriptors(t *testing.T) (list []string) {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	for _, fd := range open {
		target, _ := os.Readlink("/proc/self/fd/" + fd.Name())
		list = append(list, target)
	}
	return list
}

//go:embed testdata/actor.c
var source []byte

// actor compiles the program that all runs execute.
func actor(t *testing.T) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "actor")
	cmd := exec.Command("gcc", "-O1", "-o", path, "-x", "c", "-")
	cmd.Stdin = bytes.NewReader(source)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("not checked: real programs (no working gcc): %v\n%s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	exe, err := sandbox.MemCopy(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { exe.Close() })
	return exe
}

func noProgram(t *testing.T) *os.File {
	t.Helper()
	f, err := sandbox.MemFile([]byte("no program"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// bench is a subject with the files that the tests execute.
type bench struct {
	Subject
	exe  *os.File // the actor
	text *os.File // cannot be executed
}

// ample are limits that no test reaches by accident.
var ample = limits.Limits{CPU: time.Minute, Wall: 10 * time.Minute, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 8}

// program returns the actor with the actions to perform, under ample limits.
func (b bench) program(does ...string) runner.Program {
	return runner.Program{Exe: b.exe, Args: append([]string{"/actor"}, does...), Env: []string{"WORD=set"}, Limits: ample}
}

// run runs the actor and returns the reply and what it printed. change, if not nil, edits the
// request first.
func (b bench) run(t *testing.T, change func(*runner.Request), does ...string) (runner.Reply, string) {
	t.Helper()
	r := runner.Request{Program: b.program(does...), Grace: 50 * time.Millisecond}
	if change != nil {
		change(&r)
	}
	var out bytes.Buffer
	reply, err := b.Runner.Run(t.Context(), r, &out)
	if err != nil {
		t.Fatalf("%q: %v", does, err)
	}
	t.Cleanup(func() { closeReply(t, reply) })
	return reply, out.String()
}

func closeReply(t *testing.T, r runner.Reply) {
	t.Helper()
	err := r.Copies.Close()
	if r.Interaction != nil && err == nil {
		err = r.Interaction.Copies.Close()
	}
	if err != nil {
		t.Error(err)
	}
}

// sink receives each piece of a program's output.
type sink chan string

func (s sink) Write(p []byte) (int, error) {
	s <- string(p)
	return len(p), nil
}

// sleeper starts a run that prints a word and then sleeps, and returns after the word has arrived.
// end waits for the run.
func (b bench) sleeper(ctx context.Context, t *testing.T) (end func() (runner.Reply, error)) {
	t.Helper()
	said, done := make(sink, 1), make(chan struct{})
	var reply runner.Reply
	var err error
	go func() {
		defer close(done)
		reply, err = b.Runner.Run(ctx, runner.Request{Program: b.program("print", "ready", "sleep", "1000")}, said)
	}()
	select {
	case <-said:
	case <-done:
		t.Fatalf("the program did not start: %+v, %v", reply, err)
	}
	return func() (runner.Reply, error) {
		<-done
		return reply, err
	}
}

// in returns the path of a file in the box's folder.
func in(name string) string { return sandbox.Anywhere.Path(folder.Path + "/" + name) }

var folder = sandbox.Folder{Path: "/check", Size: 16 * limits.MiB, Mode: 0o777}

// KillInits kills the init processes of this process's containers. It can be used as
// [Subject.Kill].
func KillInits() {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range files {
		list, _ := os.ReadFile(file)
		for word := range strings.FieldsSeq(string(list)) {
			if line, _ := os.ReadFile("/proc/" + word + "/cmdline"); strings.Contains(string(line), "tribunal-init") {
				pid, _ := strconv.Atoi(word)
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
}
