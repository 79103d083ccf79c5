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

// Options say what to watch and what to do about it.
type Options struct {
	Root       string   // of the repository, or where runner.yaml may be
	Package    string   // a folder to watch in the place of the repository; "" for none. Then Problems has its id
	Problems   []string // to watch; none means all there are, also those to come
	Submission string   // a file or folder; "" without one. Then Problems has one
	Language   string   // of the submission, whatever its name says; may be ""
	Ask        bool     // write expectations only at the command Write
	Kept       string   // folder for inputs that a reference fails on; "" keeps none

	Watcher Watcher
	Open    func() (Bench, error) // what rounds work with; again after runner.yaml changed
}

// Watcher reports changed files; a *watch.Watcher is one. Its paths are below the
// roots it was given.
type Watcher interface {
	Batches() <-chan watch.Batch
	Notes() []string
	Set(roots []string) error
}

// Bench is what rounds work with. Only one round at a time uses it.
type Bench interface {
	Languages() map[string]build.Language
	Show() diff.Options                                  // how much of a difference is told
	CaseData(*problem.Problem) *casedata.Provider        // the caller closes it
	Judge(m *casedata.Provider, fresh bool) *grade.Judge // fresh: no old measurement is taken

	// Task returns what to judge of a provider's problem, without cases and submissions. The time
	// limit may have to be looked for.
	Task(context.Context, *casedata.Provider) (grade.Task, error)

	Rest() error // nothing runs until the next round
	Close() error
}

// Command is something that the user asks for.
type Command uint8

// The commands.
const (
	Repeat     Command = iota // what the last round did, with nothing taken from the cache
	Everything                // every problem that is watched
	OnlyFails                 // the cases of programs that failed, with nothing taken from the cache
	Explain                   // all of the first failure's difference
	Write                     // the expectations that are pending or held
	Quit
)

// Roots returns what a watcher has to watch for the options, with the links below it: a
// watcher follows only those that it is given.
func (o *Options) Roots() []string {
	roots := o.places()
	return append(roots, links(roots)...)
}

// places are Roots without the links.
func (o *Options) places() []string {
	roots := o.layout().places()
	if o.Submission != "" {
		roots = append(roots, filepath.Clean(o.Submission))
	}
	return roots
}

// layout returns that of what is watched.
func (o *Options) layout() layout {
	var h handed
	if o.Submission != "" {
		h = handed{filepath.Clean(o.Submission), o.Problems[0]}
	}
	if o.Package != "" {
		folder := filepath.Clean(o.Package)
		return &parcel{folder: folder, id: o.Problems[0], machine: filepath.Join(o.Root, "runner.yaml"), handed: h, root: folder}
	}
	return &repository{root: o.Root, handed: h}
}

// Run watches until the context ends, which is its error, or the command Quit, or the
// end of what Watcher reports. What is wrong with files is told by events; an error
// means that the judge cannot work at all.
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
