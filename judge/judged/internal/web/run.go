package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// Run is a program to run on an input, without an answer. Exactly one of the fields with a source is
// set.
type Run struct {
	Name      string   `json:"name,omitempty" maxLength:"255" doc:"file name of the source. By default it is made of the language." example:"main.py"`
	Language  string   `json:"language,omitempty" maxLength:"64" doc:"by default the extension of the name decides" example:"python3"`
	Source    *string  `json:"source,omitempty" doc:"the source, if it is text in UTF-8"`
	Base64    []byte   `json:"source_base64,omitempty" doc:"the source, or a zip archive of several files if the name ends in .zip"`
	Blob      *Blob    `json:"blob,omitempty" doc:"the source, stored before by putBlob"`
	Stdin     string   `json:"stdin,omitempty" doc:"the standard input, if it is text in UTF-8"`
	StdinB64  []byte   `json:"stdin_base64,omitempty" doc:"the standard input"`
	Args      []string `json:"args,omitempty" maxItems:"64" doc:"arguments of the program"`
	Limits    string   `json:"limits,omitempty" maxLength:"200" doc:"limits that replace the usual ones" example:"cpu=2s,memory=256MiB"`
	Submitter string   `json:"submitter,omitempty" maxLength:"128" doc:"as of a submission"`
}

// RunResult is the result of running a program.
type RunResult struct {
	ID        string `json:"id" doc:"of the judging, where the result can be had later too"`
	Status    string `json:"status" enum:"waiting,done,held,cancelled"`
	Error     string `json:"error,omitempty" doc:"why it is held or cancelled"`
	Outcome   string `json:"outcome,omitempty" doc:"OK, CE, or the code of the verdict" example:"OK"`
	Cause     string `json:"cause,omitempty"`
	Compiler  string `json:"compiler,omitempty" doc:"output of the compiler, if the program does not compile"`
	ExitCode  int    `json:"exit_code,omitempty"`
	Signal    string `json:"signal,omitempty" doc:"that killed it" example:"SIGSEGV"`
	Stdout    Text   `json:"stdout"`
	Truncated bool   `json:"stdout_truncated,omitempty"`
	Stderr    Text   `json:"stderr" doc:"both ends, if it is long"`
	CPU       int64  `json:"cpu_ns,omitempty"`
	Wall      int64  `json:"wall_ns,omitempty"`
	Memory    int64  `json:"memory_bytes,omitempty"`
}

// Text is the output of a program.
type Text struct {
	Text   string `json:"text,omitempty" doc:"if it is text in UTF-8"`
	Base64 []byte `json:"base64,omitempty" doc:"if it is not"`
}

func textOf(data []byte) Text {
	if utf8.Valid(data) {
		return Text{Text: string(data)}
	}
	return Text{Base64: data}
}

type createRunInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"255" doc:"The same request with the same key is the same run."`
	Wait string `query:"wait" default:"30s" doc:"Wait for the end, at most for this time."`
	Body Run
}

type runOutput struct {
	Status   int
	Location string `header:"Location"`
	Body     RunResult
}

// createRun runs a program and answers with what it did. If it is not done in time, the answer says
// where to ask again.
func (w *Web) createRun(ctx context.Context, in *createRunInput) (*runOutput, error) {
	b := &in.Body
	stdin := b.StdinB64
	if stdin == nil {
		stdin = []byte(b.Stdin)
	} else if b.Stdin != "" {
		return nil, wrong("stdin", "want one of stdin and stdin_base64")
	}
	r, err := w.runRequest(ctx, &Submission{Name: b.Name, Language: b.Language, Source: b.Source, Base64: b.Base64, Blob: b.Blob, Limits: b.Limits, Submitter: b.Submitter}, stdin, b.Args)
	if err != nil {
		return nil, err
	}
	r.Key = in.Key
	done, err := w.submit(ctx, r, in.Wait)
	if err != nil {
		return nil, err
	}
	out := &runOutput{Status: http.StatusOK, Location: done.Location}
	if out.Body, err = w.runResult(ctx, &done.Body); err != nil {
		return nil, err
	}
	if out.Body.Status == string(ledger.Waiting) {
		out.Status = http.StatusAccepted
	}
	return out, nil
}

func (w *Web) runRequest(ctx context.Context, s *Submission, stdin []byte, args []string) (r service.Request, err error) {
	c, in := callerOf(ctx), &r.Submitted
	if in.Submitter, err = submitterOf(s.Submitter, c); err != nil {
		return r, err
	}
	if err = w.checkLimits(s.Limits); err != nil {
		return r, err
	}
	if in.Name, in.Language, err = w.named(s.Name, s.Language); err != nil {
		return r, err
	}
	if len(stdin) > int(w.o.Bounds.Source) {
		return r, wrong("stdin", "an input has at most %v", w.o.Bounds.Source)
	}
	size := 0
	for _, a := range args {
		if strings.Contains(a, "\x00") {
			return r, wrong("args", "an argument cannot have a NUL byte")
		}
		size += len(a) + 1
	}
	if size > 64<<10 {
		return r, wrong("args", "arguments have at most 64 KiB")
	}
	r.Owner, in.Priority, in.Limits = c.Owner, ledger.Interactive, s.Limits
	in.Input, in.Args, r.Stdin = &store.Ref{}, args, stdin
	return r, w.fill(ctx, &r, s)
}

func (w *Web) runResult(ctx context.Context, j *Judging) (RunResult, error) {
	out := RunResult{ID: j.ID, Status: j.Status, Error: j.Error}
	if j.Status != string(ledger.Done) {
		return out, nil
	}
	r, err := w.ran(ctx, j.ID, j.Number)
	if err != nil {
		return out, err
	}
	out.Outcome, out.Cause, out.Compiler = r.Outcome, r.Cause, r.Built.Error
	out.ExitCode, out.CPU, out.Wall, out.Memory = r.ExitCode, int64(r.CPU), int64(r.Wall), int64(r.Memory)
	if r.Signal != 0 {
		out.Signal = r.Signal.String()
	}
	out.Stdout, out.Truncated, out.Stderr = textOf(r.Text), r.Truncated, textOf(r.Errors)
	return out, nil
}

// ran reads what a worker says about a run.
func (w *Web) ran(ctx context.Context, id string, number int) (*task.Run, error) {
	text, err := w.o.Service.Result(ctx, id, number)
	if err != nil {
		return nil, err
	}
	var r task.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("the result of %s: %w: %w", id, store.ErrDamaged, err)
	}
	if r.Run == nil {
		return nil, fmt.Errorf("the result of %s is not that of a run: %w", id, store.ErrDamaged)
	}
	return r.Run, nil
}
