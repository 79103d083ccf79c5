// Package task defines what the service asks of its workers, and what they answer.
package task

import (
	"fmt"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// The parts of tasks that are not a part of a judging: Whole is a judging as a whole, Join joins the results of all
// parts, and Check checks a version of a problem.
const (
	Whole = -1
	Join  = -2
	Check = -3
)

// Project is the name of a run's source, in the language bash, that is an archive with scripts that build and run it.
const Project = "project.zip"

// Task is work for a worker. It holds everything that the work needs, by hash where it is large.
type Task struct {
	Submission string        `json:"submission,omitempty"` // id; "" for a check
	Judging    int           `json:"judging,omitempty"`
	Attempt    int           `json:"attempt,omitempty"`
	Part       int           `json:"part"`            // index of a part, or one of the constants
	Cases      ledger.Range  `json:"cases,omitzero"`  // of a part
	Parts      []store.Ref   `json:"parts,omitempty"` // for Join: the results of the parts, in order
	Problem    string        `json:"problem,omitempty"`
	Version    string        `json:"version,omitempty"`
	Archive    store.Ref     `json:"archive,omitzero"` // of the version
	Name       string        `json:"name,omitempty"`   // of the source
	Language   string        `json:"language,omitempty"`
	Source     store.Ref     `json:"source,omitzero"`
	Input      *store.Ref    `json:"input,omitempty"`   // of a run
	Args       []string      `json:"args,omitempty"`    // of a run
	Options    []string      `json:"options,omitempty"` // of a run: of the compiler
	Limits     string        `json:"limits,omitempty"`
	All        bool          `json:"all,omitempty"`
	Quick      bool          `json:"quick,omitempty"`     // of a check: only whether the version can be judged
	Within     time.Duration `json:"within_ns,omitempty"` // of a check: the time that it may take
	Moved      int           `json:"moved,omitempty"`     // how often it was taken from workers that were gone, and given to others
	Trace      string        `json:"trace,omitempty"`     // of the span in which it was handed out, see package trace
	Proof      string        `json:"proof"`               // the answer must repeat it; only the worker with the task knows it
}

// Host describes the worker that gave an answer, so that a reader can judge its measurements.
type Host struct {
	Worker     string             `json:"worker"`
	Host       string             `json:"host"`
	Build      string             `json:"build"` // of the judge
	CPUs       int                `json:"cpus"`
	Slots      int                `json:"slots"`
	Load       float64            `json:"load"` // of the host when the judging ended, over one minute
	Mechanisms sandbox.Mechanisms `json:"mechanisms"`
	Notes      []string           `json:"notes"`      // what the host cannot enforce
	Deaths     int64              `json:"box_deaths"` // runs on the worker so far whose box died
	Factor     float64            `json:"factor"`     // how long the worker takes for the reference runs, in units of the service's first worker; 0 if unknown
}

// Answer is a worker's answer to a task.
type Answer struct {
	Submission string          `json:"submission,omitempty"`
	Judging    int             `json:"judging,omitempty"`
	Attempt    int             `json:"attempt,omitempty"`
	Part       int             `json:"part"`
	Problem    string          `json:"problem,omitempty"`
	Version    string          `json:"version,omitempty"`
	Proof      string          `json:"proof"`
	Worker     string          `json:"worker"`
	Trace      string          `json:"trace,omitempty"`   // of the span in which the worker performed the task
	Error      string          `json:"error,omitempty"`   // why the judge could not do the task; then nothing of the following is set
	Lacks      *Lack           `json:"lacks,omitempty"`   // with Error: another worker may be able to do the task
	Decides    bool            `json:"decides,omitempty"` // of a part: a case failed, and later parts are not needed
	Summary    *ledger.Summary `json:"summary,omitempty"`
	Result     store.Ref       `json:"result,omitzero"` // a [Result] in JSON
	Checked    *ledger.Checked `json:"checked,omitempty"`
}

// Page is what people read before they solve a problem. The content of [ledger.Checked.Page] is one in JSON.
type Page struct {
	Title    string   `json:"title"`
	Language string   `json:"language"`          // of the text, such as en
	Facts    []Fact   `json:"facts,omitempty"`   // limits, authors
	Body     string   `json:"body"`              // the statement with its samples as HTML, without scripts
	Samples  []Sample `json:"samples,omitempty"` // to download; not those of interactions
}

// Fact is a line below the title of a page.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Sample is a sample of a page.
type Sample struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// Lack is why a worker cannot do a task: it has no tools, or none that work, for a language.
type Lack struct {
	Language string `json:"language"`
	Problem  bool   `json:"problem,omitempty"` // a program of the problem is in it, and not the submission
}

// Schema names the JSON form of a Result.
const Schema = "tribunal/judging/1"

// Result is the whole result of a judging or of a run.
type Result struct {
	document.Head
	Host    Host           `json:"host"`
	Version string         `json:"version,omitempty"` // of the problem
	Program string         `json:"program,omitempty"` // hash of the source, the versions of the tools, and how they were called
	Begin   *grade.Begin   `json:"begin,omitempty"`   // of a judging, as the following
	Built   *grade.Built   `json:"built,omitempty"`
	Cases   []journal.Case `json:"cases,omitempty"`
	Done    *grade.Done    `json:"done,omitempty"`
	Drawing *Drawing       `json:"drawing,omitempty"` // of the case that decided, if the problem has a draw program
	Elapsed time.Duration  `json:"elapsed_ns"`        // of a judging in parts, the sum of all parts
	Parts   []Part         `json:"parts,omitempty"`   // of a judging in parts: who measured what; Host joined the results
	Run     *Run           `json:"run,omitempty"`
}

// Drawing is a failing case as the draw program of its problem shows it: its input, its expected output, and the output
// of the submission.
type Drawing struct {
	Case  string `json:"case"`
	SVG   string `json:"svg,omitempty"`   // one document without scripts
	Error string `json:"error,omitempty"` // why there is no picture
}

// Part says who judged a part of the cases.
type Part struct {
	Cases ledger.Range `json:"cases"`
	Host  Host         `json:"host"`
}

// Run is the result of a run without an expected output.
type Run struct {
	Built  grade.Built   `json:"built"`
	Limits limits.Limits `json:"limits"`
	sandbox.Result
	Outcome   string `json:"outcome"` // OK, CE, or the code of the verdict without a comparison
	Cause     string `json:"cause"`
	Text      []byte `json:"output"` // in base64, at most [MaxOutput] bytes of it
	Truncated bool   `json:"output_truncated"`
	Errors    []byte `json:"stderr"` // in base64, both ends if it is long
}

// MaxOutput bounds the output that the result of a run keeps.
const MaxOutput = 4 * limits.MiB

// Key names a task: the proof of a task is made from it.
func (t *Task) Key() string {
	return key(t.Submission, t.Judging, t.Attempt, t.Part, t.Problem, t.Version)
}

// Key names the task that an answer is for.
func (a *Answer) Key() string {
	return key(a.Submission, a.Judging, a.Attempt, a.Part, a.Problem, a.Version)
}

func key(submission string, judging, attempt, part int, problem, version string) string {
	return fmt.Sprintf("%q %d %d %d %q %q", submission, judging, attempt, part, problem, version)
}
