// Package watchmode runs the watch loop: after a change it rebuilds, regenerates and judges what
// depends on it.
//
// Begin with watchmode.go, the options, and event.go, what a watch reports. A session (session.go,
// commands.go) collects the work that changed files and commands trigger, and gives it to one round
// at a time (round.go, judge.go, explain.go). affects.go and package.go know which file belongs to
// which part of a problem, files.go notices changes, and calm.go and git.go say when it is safe to
// write.
package watchmode

import (
	"context"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/watch"
)

// Options selects what to watch and what to do on changes.
type Options struct {
	Root       string   // of the repository, or where runner.yaml may be
	Package    string   // a folder to watch instead of the repository, whose id is in Problems; "" for none
	Problems   []string // to watch; if empty, all that exist, at any time
	Submission string   // a file or folder to judge on the only problem of Problems; "" for none
	Language   string   // of the submission; "" if its name determines it
	Ask        bool     // write expected outputs only on the command Write
	Kept       string   // folder for inputs on which a reference fails; "" keeps none

	Watcher Watcher
	Open    func() (Engine, error) // called at the start and after runner.yaml changed
}

// Watcher reports changed files, as [*watch.Watcher] does. Their paths are below the roots that it
// was given.
type Watcher interface {
	Batches() <-chan watch.Batch
	Notes() []string
	Set(roots []string) error
}

// Engine builds, prepares and judges for rounds. Only one round at a time uses it.
type Engine interface {
	Languages() map[string]build.Language
	Show() diff.Options                                  // how to show differences
	CaseData(*problem.Problem) *casedata.Provider        // the caller closes it
	Judge(m *casedata.Provider, fresh bool) *grade.Judge // fresh: ignore remembered runs

	// Task returns what to judge of a provider's problem, without cases and submissions. To find
	// the time limit it may have to run submissions.
	Task(context.Context, *casedata.Provider) (grade.Task, error)

	Rest() error // called when nothing runs until the next round
	Close() error
}

// Command is a request of the user.
type Command uint8

// The commands.
const (
	Repeat     Command = iota // the work of the last round, without the cache
	Everything                // the work of the start, for every watched problem
	OnlyFails                 // the failed cases of programs with a wrong verdict, without the cache
	Explain                   // show the whole difference of the first failure
	Write                     // write the expected outputs that are pending or held
	Quit
)

// Roots returns the paths that a watcher has to watch, with the links below them, because a watcher
// follows only the links that it is given.
func (o *Options) Roots() []string {
	roots := o.places()
	return append(roots, links(roots)...)
}

// places returns Roots without the links.
func (o *Options) places() []string {
	roots := o.layout().places()
	if o.Submission != "" {
		roots = append(roots, filepath.Clean(o.Submission))
	}
	return roots
}

// layout returns the layout of the watched package, or of the repository.
func (o *Options) layout() layout {
	var h handed
	if o.Submission != "" {
		h = handed{filepath.Clean(o.Submission), o.Problems[0]}
	}
	if o.Package != "" {
		folder := filepath.Clean(o.Package)
		return &packageLayout{folder: folder, id: o.Problems[0], machine: filepath.Join(o.Root, "runner.yaml"), handed: h, root: folder}
	}
	return &repositoryLayout{root: o.Root, handed: h}
}

// Run watches until ctx ends, the user quits, or the watcher stops. It returns the error of ctx,
// nil after Quit, and otherwise an error that means that the judge cannot work at all. Events
// report what is wrong with files.
func Run(ctx context.Context, o Options, commands <-chan Command, emit func(Event)) error {
	s := &session{
		Options: o, emit: emit, layout: o.layout(),
		todo: map[string]*work{}, broken: map[string]bool{}, pending: map[string]*regen.Plan{}, held: map[string]bool{},
		failing: map[subject][]string{}, wrong: map[subject]bool{},
	}
	defer s.close()
	s.emit(&Watching{Problems: s.problems(), Submission: o.Submission, Ask: o.Ask, Notes: o.Watcher.Notes()})
	s.roots = o.Roots()
	s.seen = look(s.roots)
	s.everything(Start)
	return s.loop(ctx, commands)
}
