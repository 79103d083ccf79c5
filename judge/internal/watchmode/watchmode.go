// Package watchmode runs the watch loop: when files change, it rebuilds the programs, regenerates
// the expected outputs and judges the submissions that depend on them.
//
// Begin with watchmode.go, which holds the options, and event.go, which holds the events. A session
// (session.go, commands.go) collects the work that changed files and commands trigger, and starts
// one round at a time to do it (round.go, judge.go, explain.go). affects.go and package.go map
// files to parts of a problem, files.go detects changed content, and calm.go and git.go tell when
// it is safe to write.
package watchmode

import (
	"context"
	"path/filepath"
	"sync"
	"time"

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
	Root       string        // folder of the repository; with Package, the folder that may contain runner.yaml
	Package    string        // folder of a package to watch instead of the repository; its id is in Problems; "" for none
	Read       Reader        // reads the package
	Problems   []string      // ids of the problems to watch; if empty, all that exist, new ones included
	Submission string        // file or folder to judge on the only problem of Problems; "" for none
	Language   string        // language of the submission; "" if its file name determines it
	Ask        bool          // write expected outputs only on the command Write
	Kept       string        // folder for inputs on which a reference fails; "" keeps none
	Hunt       time.Duration // how long to look for a counterexample after the submission has failed; 0 does not look
	Search     Searcher      // how to look for it; may be nil if Hunt is 0
	Flags      []string      // flags of this watch that other commands of the judge need, too

	Server string    // URL of the server that Submit asks; "" for none
	Submit Submitter // nil if Server is ""

	Adapt func(*grade.Task) error // changes each task, whose cases are set, before it is judged; may be nil

	Watcher Watcher
	Open    func() (Engine, error) // called at the start, and again after runner.yaml has changed
}

// Searcher returns the smallest failing input that it finds in the time, or nil if it finds none that is smaller than
// that of the failed case.
type Searcher func(context.Context, Hunting) (*Found, error)

// Submitter has a server judge the watched submission as it is now, and passes the events of its judging to emit. It
// passes to note why it waits, and returns when there is a result, an error, or ctx ends.
type Submitter func(ctx context.Context, emit func(grade.Event), note func(string)) error

// Reader reads the problem of a package in a folder. It can be used until close is called.
type Reader func(ctx context.Context, folder string) (p *problem.Problem, close func() error, err error)

// Watcher reports changed files, as [*watch.Watcher] does. All paths are below the watched roots,
// which Set replaces.
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

	// Task returns the task for judging the provider's problem, without cases and submissions. It
	// may run submissions to derive the time limit.
	Task(context.Context, *casedata.Provider) (grade.Task, error)

	Rest() error // called after a round: nothing runs until the next one
	Close() error
}

// Command is a request of the user.
type Command uint8

const (
	Repeat     Command = iota // do the work of the last round again, without the cache
	Everything                // do the work of the start again, for every watched problem
	OnlyFails                 // judge programs with an unexpected verdict on the cases that they failed, without the cache
	Explain                   // show the whole difference of the first failure
	Write                     // write the expected outputs that are pending or held
	Submit                    // submit the watched submission to the server
	Quit                      // end the watch
)

// Roots returns the paths to watch. They include the symbolic links below them, because a watcher
// follows only links that are among its roots.
func (o *Options) Roots() []string {
	roots := o.baseRoots()
	return append(roots, links(roots)...)
}

// baseRoots returns Roots without the symbolic links.
func (o *Options) baseRoots() []string {
	roots := o.layout().roots()
	if o.Submission != "" {
		roots = append(roots, filepath.Clean(o.Submission))
	}
	return roots
}

// layout returns the layout of the watched package, or of the repository.
func (o *Options) layout() layout {
	var sub watchedSubmission
	if o.Submission != "" {
		sub = watchedSubmission{filepath.Clean(o.Submission), o.Problems[0]}
	}
	if o.Package != "" {
		folder := filepath.Clean(o.Package)
		return &packageLayout{folder: folder, read: o.Read, id: o.Problems[0], machine: filepath.Join(o.Root, "runner.yaml"), submission: sub, root: folder}
	}
	return &repositoryLayout{root: o.Root, submission: sub}
}

// Run watches until ctx ends, the user quits, or the watcher stops. It returns nil after Quit, the
// error of ctx if ctx ended, and an error if the watcher stopped. Mistakes in files are not errors
// of Run: [*Failed] events report them.
func Run(ctx context.Context, o Options, commands <-chan Command, emit func(Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	var one sync.Mutex
	s := &session{
		Options: o, layout: o.layout(),
		emit: func(e Event) {
			one.Lock()
			defer one.Unlock()
			emit(e)
		},
		todo: map[string]*work{}, broken: map[string]bool{}, pending: map[string]*regen.Plan{}, held: map[string]bool{},
		failing: map[subject][]string{}, wrong: map[subject]bool{},
	}
	defer s.close()
	defer s.submitting.Wait()
	defer cancel()
	s.emit(&Watching{Problems: s.problems(), Submission: o.Submission, Server: o.Server, Ask: o.Ask, Notes: o.Watcher.Notes()})
	s.roots = o.Roots()
	s.hashes = hashFiles(s.roots)
	s.everything(Start)
	return s.loop(ctx, commands)
}
