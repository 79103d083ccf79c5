// Package eval judges many generated programs for many tasks, as benchmarks of language models do.
//
// Begin with [Evaluation.Run] in run.go. reader.go reads tasks, in the shapes of tribunal.go,
// codecontests.go, apps.go, livecodebench.go, check.go and multipl.go, and programs.go programs in a file of
// their own, which fence.go takes out of Markdown; check.py runs tests that are programs; grader.go judges a program, results.go keeps what was found, and summary.go computes pass@k.
package eval

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/yamlstrict"
)

// Task is an exercise for programs: either a named problem or tests.
type Task struct {
	ID   string
	File string // where the task is, for messages
	Line int

	Problem string // id of a problem of the repository, or path of a package; "" with Tests
	Tests   []Test
	Limits  limits.Limits // CPU and Memory, 0 if the task does not set them
	Compare diff.Options  // of the tests
	// InFile and OutFile are the files that programs read and write instead of standard input and
	// output; "" for these.
	InFile, OutFile string
	Function        *Function // what the tests call, instead of a whole program; nil for none
	Tail            string    // tests that follow each program in its file; "" for none
	written         string    // the mark that these write into OutFile

	// Programs are read while they are judged. An error that is a [*yamlstrict.Error] with a line is
	// about one program, and others may follow.
	Programs iter.Seq2[*Program, error]
	Size     int64 // about how many bytes of memory the task takes
}

// Test is an input with the expected output.
type Test struct {
	Name          string // such as "3" or "private/1"
	Input, Output string
}

// Program is a program to judge.
type Program struct {
	ID       string // unique in its task
	Language string // of the judge
	Source   string
	Fence    Fence // what became of a fence round the source
}

// Errorf returns an error about the task, located at its line. The hint may be empty.
func (t *Task) Errorf(hint, format string, args ...any) *yamlstrict.Error {
	return located(t.File, t.Line, t.ID, hint, format, args...)
}

// located returns an error about a task, whose id may be unknown.
func located(file string, line int, task, hint, format string, args ...any) *yamlstrict.Error {
	e := &yamlstrict.Error{File: file, Line: line, Msg: fmt.Sprintf(format, args...), Hint: hint}
	if task != "" {
		e.Msg = "task " + task + ": " + e.Msg
	}
	e.Msg = strings.ReplaceAll(e.Msg, "\n", " ")
	return e
}

// Judge judges programs for tasks. It is safe for concurrent use, except that Open is called by one
// goroutine at a time.
type Judge interface {
	// Open prepares a task. The error is a [*yamlstrict.Error] if the user is to blame.
	Open(ctx context.Context, t *Task) (Bench, error)
}

// Bench judges programs for one task. It is safe for concurrent use. It is closed after the last
// program.
type Bench interface {
	// Key returns the key of everything in the task and the program on which the result depends.
	Key(p *Program) cache.Key
	// Judge judges a program, about atOnce tests at a time. The verdict is JE if the judge failed. An
	// error ends all judging.
	Judge(ctx context.Context, p *Program, atOnce int) (*Result, error)
	Close() error
}
