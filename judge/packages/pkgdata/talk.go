package pkgdata

import (
	"errors"
	"io/fs"
	"slices"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// talkOutput is the file that an interactor writes.
const talkOutput = "output"

// talk makes the interactor of a job run beside its program, with the input of the job.
func (j *job) talk(r *run.Job) {
	const dir = "/talk"
	r.Input, r.Stdout = content.Content{}, nil
	inside := func(name string) string { return sandbox.Anywhere.Path(dir + "/" + name) }
	r.Interactor = &run.Interactor{
		Program: j.talker.built, Args: []string{inside("input"), inside(talkOutput)},
		Folder: sandbox.Folder{Path: dir, Size: leftSize, Mode: 0o777},
		In:     []runner.File{{Name: "input", Mode: 0o444, Content: j.input}},
		Out:    []runner.CopyOut{{Name: talkOutput, Most: leftSize}},
		Limits: bounds, Decides: true, Accepts: interactorAccepts, Answers: interactorAccepts,
	}
}

// interactorAccepts are the exit statuses with which a testlib interactor accepts.
var interactorAccepts = []int{0}

func accepts(r sandbox.Result) bool {
	return r.Stop == sandbox.Exited && slices.Contains(interactorAccepts, r.ExitCode)
}

// said returns what the interactor wrote into its output file; nothing if it wrote none.
func (j *job) said(i *runner.Interaction) (content.Content, error) {
	c := i.Copies.Get(talkOutput)
	switch {
	case errors.Is(c.Err, fs.ErrNotExist):
		return content.Content{}, nil
	case c.Err != nil:
		return content.Content{}, j.errorf("%v", c.Err)
	}
	return c.Content, nil
}
