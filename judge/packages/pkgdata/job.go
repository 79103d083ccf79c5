package pkgdata

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// job is a step with everything that its run needs.
type job struct {
	*draft.Step
	of      *draft.Draft
	input   content.Content
	files   map[string][]byte
	program *program
	talker  *program // the interactor; nil for none
	key     cache.Key
	entry   *cache.Entry // what the step made
}

// program is one of the package's programs.
type program struct {
	source *build.Source
	key    cache.Key
	built  *build.Program // nil until a step has to run
}

func (p *program) close() {
	if p.built != nil {
		p.built.Close()
	}
}

// program reads a program of a package.
func (m *Maker) program(ctx context.Context, p *draft.Draft, rel string) (_ *program, err error) {
	one := &program{}
	if one.source, err = p.Program(rel, m.Builder.Languages()); err != nil {
		return nil, err
	}
	one.key, err = m.Builder.Key(ctx, one.source)
	return one, missing(p, rel, err)
}

// build builds the programs of a job, unless that is done.
func (m *Maker) build(ctx context.Context, j *job) error {
	if err := m.buildOne(ctx, j, j.Program, j.program); err != nil || j.talker == nil {
		return err
	}
	return m.buildOne(ctx, j, j.Interactor, j.talker)
}

func (m *Maker) buildOne(ctx context.Context, j *job, rel string, one *program) error {
	if one.built != nil {
		return nil
	}
	m.stage("compiling " + rel)
	built, err := m.Builder.Build(ctx, one.source)
	if compile, ok := errors.AsType[*build.CompileError](err); ok {
		return &yamlstrict.Error{
			File: j.of.Show(rel), Msg: quote.With("does not compile", compile.Cause()),
			Hint: "it makes test data of the package",
		}
	}
	one.built = built
	return missing(j.of, rel, err)
}

// missing locates an error about a language that this machine does not have.
func missing(p *draft.Draft, rel string, err error) error {
	if lacks, ok := errors.AsType[*build.MissingError](err); ok {
		return build.Located(p.Show(rel), lacks)
	}
	return err
}

// read reads the input and the files of the step.
func (j *job) read() (err error) {
	if j.input, err = j.of.Content(j.Input); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(j.Files)) {
		data, err := j.of.Bytes(j.Files[name])
		if err != nil {
			return err
		}
		if j.files == nil {
			j.files = map[string][]byte{}
		}
		j.files[name] = data
	}
	return nil
}

// identify sets the key under which the cache keeps what the step makes.
func (j *job) identify() error {
	h := cache.NewHasher("package data 1")
	h.Text(string(j.program.key), path.Base(j.Program))
	if j.talker != nil {
		h.Text("interactor", string(j.talker.key))
	}
	h.Text("arguments")
	h.Text(j.Args...)
	h.Text("input")
	if err := h.Content(j.input); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(j.files)) {
		h.Text("file", name)
		h.Bytes(j.files[name])
	}
	h.Text("left")
	h.Text(slices.Sorted(maps.Keys(j.Left))...)
	if j.LeftIn != "" {
		h.Text("all", j.LeftFrom)
	}
	if j.Stderr != "" {
		h.Text("standard error")
	}
	if j.CPU > 0 || j.Memory > 0 {
		h.Text("limits", j.CPU.String(), j.Memory.String())
	}
	j.key = h.Key()
	return nil
}

// keep writes the files that the step left below root, the folder of its cache entry. Files that it
// was given and has not changed are no result.
func (j *job) keep(root *os.Root, copies *runner.Copies) error {
	for _, name := range slices.Sorted(maps.Keys(j.Left)) {
		c := copies.Get(name)
		switch {
		case errors.Is(c.Err, fs.ErrNotExist):
			return j.errorf("leaves no file %s", name)
		case c.Err != nil:
			return j.errorf("%v", c.Err)
		}
		if err := write(root, at(name), c.Content); err != nil {
			return err
		}
	}
	if j.LeftIn == "" {
		return nil
	}
	all := copies.Get(j.leftFrom())
	if all.Err != nil {
		return j.errorf("%v", all.Err)
	}
	for _, f := range all.Files {
		name := path.Join(j.LeftFrom, f.Name)
		if _, done := j.Left[name]; done || f.Mode.IsDir() || hidden(f.Name) || j.given(name, f) {
			continue
		}
		if err := write(root, at(f.Name), f.Content); err != nil {
			return err
		}
	}
	return nil
}

// leftFrom returns the folder, below the one where the program starts, whose files are kept.
func (j *job) leftFrom() string { return path.Join(".", j.LeftFrom) }

// given reports whether a file that the step left is one that it was given by that name.
func (j *job) given(name string, f runner.File) bool {
	data, ok := j.files[name]
	if !ok {
		data, ok = j.program.source.Texts()[name]
	}
	if !ok || int64(len(data)) != f.Content.Size() {
		return false
	}
	now, err := f.Content.Bytes()
	return err == nil && slices.Equal(now, data)
}

// collect adds the files that the step made.
func (j *job) collect(made map[string]tree.MadeFile) error {
	add := func(name, rel string) error {
		if rel == "" {
			return nil
		}
		info, err := os.Stat(j.entry.Path(name))
		if err != nil {
			return err
		}
		entry := j.entry
		made[rel] = tree.MadeFile{
			Open: func() (content.Content, error) { return entry.Content(name) },
			Size: info.Size(), Sum: entry.Sum(name),
		}
		return nil
	}
	errs := []error{add(stdoutName, j.Stdout), add(stderrName, j.Stderr)}
	for _, name := range j.entry.Names() {
		left, ok := strings.CutPrefix(name, leftName+"/")
		if !ok {
			continue
		}
		rel := j.Left[left]
		if rel == "" && j.LeftIn != "" {
			rel = path.Join(j.LeftIn, left)
		}
		errs = append(errs, add(name, rel))
	}
	return errors.Join(errs...)
}

// errorf returns an error about the program of the step.
func (j *job) errorf(format string, args ...any) error {
	const most = 80
	command := strings.Join(append([]string{path.Base(j.Program)}, j.Args...), " ")
	if len(command) > most {
		command = strings.ToValidUTF8(command[:most], "") + "…"
	}
	hint := "asked for by " + j.From
	_, reads := j.Files[j.of.InFile]
	_, writes := j.Left[j.of.OutFile]
	if reads || writes {
		hint += "; " + j.of.FilesHint
	}
	return &yamlstrict.Error{File: j.of.Show(j.Program), Msg: command + ": " + fmt.Sprintf(format, args...), Hint: hint}
}

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
