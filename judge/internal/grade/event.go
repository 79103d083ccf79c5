package grade

import (
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Event is something that happened while judging. The events of one Grade call come one at a time,
// in this order: one Begin; Building events while submissions are compiled; for each submission in
// the order given, one Built; for each submission, one Case for each judged case, those in
// Task.Order first and the others in case order, then one Done; finally one End. Progress may come
// between any two.
//
// The set is closed: *Begin, *Building, *Built, *Progress, *Case, *Done, *End.
type Event = event.Event

// Begin describes the task and the host.
type Begin struct {
	Problem     string              `json:"problem"`
	Title       string              `json:"title"`
	Dialect     string              `json:"dialect"`         // the judging system whose reading of the package counts; "" if systems do not differ
	Because     string              `json:"dialect_because"` // why, as words after "because"
	Limits      limits.Limits       `json:"limits"`
	Exceptions  []problem.Exception `json:"exceptions"`  // to the limits
	Compare     string              `json:"compare"`     // exact, tokens, float; "exact+checker" when a checker may accept other bytes
	Slots       int                 `json:"slots"`       // runs at a time
	CPUs        int                 `json:"cpus"`        // CPUs each run may use
	WantedCPUs  int                 `json:"wanted_cpus"` // CPUs the problem asks for; a run gets fewer on a small host
	Mechanisms  sandbox.Mechanisms  `json:"mechanisms"`
	Notes       []string            `json:"notes"`       // what this host cannot enforce, one sentence each
	Busy        []string            `json:"busy"`        // what else uses the CPUs now, one sentence each
	Repeat      int                 `json:"repeat"`      // runs of each case; 0 if it is judged once
	Cases       []string            `json:"cases"`       // full names in case order: group/name
	LeftOut     []cases.Group       `json:"left_out"`    // optional groups whose cases are not judged, because the user did not ask for them
	Submissions []string            `json:"submissions"` // as the caller named them
	Withheld    bool                `json:"-"`           // a server keeps the cases back
	Drawable    bool                `json:"-"`           // the problem has a program that draws its cases
	Command     []string            `json:"command"`     // words of the command that judges a submission again, without its name and the case; nil if there is none
}

// Building counts the submissions that have been built, or could not be, for a progress display.
type Building struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Built reports that a submission was built, or could not be.
type Built struct {
	Submission int    `json:"-"` // index into Begin.Submissions
	Language   string `json:"language"`
	Choice     string `json:"choice,omitempty"` // how the files of its program were chosen, if that was a guess or if some were left out; else ""
	Build      `json:"build"`
	NoTools    bool `json:"-"` // it is not judged, because the tools of its language are missing or do not work
}

// Build describes how a submission was built.
type Build struct {
	Cached bool          `json:"cached"`  // taken from the cache
	Time   time.Duration `json:"time_ns"` // compile time; 0 when cached
	Error  string        `json:"error"`   // the compiler's output for a CE, at most [document.MaxText] of it; "" otherwise
}

// Progress counts the finished cases, for a progress display.
type Progress struct {
	Submission int             `json:"-"`
	Done       int             `json:"done"` // cases of all submissions judged or skipped so far
	Total      int             `json:"total"`
	Worst      verdict.Verdict `json:"worst"` // of the cases judged so far
}

// Attempt is one of several runs of a case.
type Attempt struct {
	Verdict verdict.Verdict `json:"verdict"`
	CPU     time.Duration   `json:"cpu_ns"`
	Wall    time.Duration   `json:"wall_ns"`
	Memory  limits.Bytes    `json:"memory_bytes"`
	CPUWait time.Duration   `json:"waited_ns"` // see [sandbox.Result]
}

// Case is the verdict on one case. All fields but Attempts and Unstable describe the run that
// decided: of a doubtful case the last run that was not starved of CPU, of a repeated case the
// first run that was not accepted, or else the last.
type Case struct {
	Submission     int             `json:"-"`
	Index          int             `json:"-"` // index into Begin.Cases
	Name           string          `json:"name"`
	Verdict        verdict.Verdict `json:"verdict"`
	Cause          string          `json:"cause"` // one line: why it is not accepted; "" for AC
	sandbox.Result                 // its Stop is NotRun if the judge failed
	Limits         *limits.Limits  `json:"limits"`           // nil if they are those of Begin; see [Case.Under]
	Stderr         string          `json:"stderr"`           // the end of the program's standard error
	Truncated      bool            `json:"stderr_truncated"` // Stderr holds only part of it
	Mismatch       *diff.Mismatch  `json:"mismatch"`         // for WA, PE, NO and OLE
	Message        string          `json:"message"`          // the checker's message, at most [document.MaxText] of it; "" if there is none
	Shown                          // of a case that is not accepted
	Output         []byte          `json:"-"`                  // with Task.Outputs, what the program wrote, of a case that is not accepted; nil if it is longer
	Kept           string          `json:"kept"`               // with Task.Keep, the file with the output; "" for an interactive problem
	Score          *float64        `json:"score"`              // the validator's points for the output, if it gave any
	Untimed        verdict.Verdict `json:"-"`                  // see [Judgement]
	Multiplier     *float64        `json:"-"`                  // the validator's fraction of the points of the case, if it gave one
	Transcript     []sandbox.Piece `json:"-"`                  // with Task.Transcript, what the program (left) and the interactor wrote
	Attempts       []Attempt       `json:"attempts"`           // all runs in order, if there were several
	Unstable       bool            `json:"unstable"`           // the verdicts of the runs differ; without Task.Repeat, starved runs do not count
	Withheld       bool            `json:"withheld,omitempty"` // a server keeps back everything but name, verdict, limits, and times and memory in coarse steps
	Cached         bool            `json:"cached"`             // the run is from the judge's memo; its output was compared again
}

// Shown is what a report shows of a case itself.
type Shown struct {
	Note  string `json:"note"`            // what the case is for, as its author wrote it; may be ""
	Input string `json:"input"`           // the first [MaxInput] bytes of its input
	Cut   bool   `json:"input_truncated"` // Input is only part of it
}

// Under returns the limits of the case. usual are those of Begin.
func (c *Case) Under(usual limits.Limits) limits.Limits {
	if c.Limits != nil {
		return *c.Limits
	}
	return usual
}

// Counted returns what the groups of a problem count of the case: its verdict and, if the problem
// has points, those that the output validator gave.
func (c *Case) Counted(of *problem.Problem) points.Result {
	r := points.Result{Verdict: c.Verdict}
	if of.Scoring {
		r.Score, r.Multiplier = c.Score, c.Multiplier
	}
	return r
}

// Done is the verdict on one submission. It is that of the first case in case order that was not
// accepted or, if the problem has groups, what these make of the verdicts of their cases.
type Done struct {
	Submission int             `json:"-"`
	Verdict    verdict.Verdict `json:"verdict"`
	Expected   verdict.Verdict `json:"expected"`      // None if no single verdict was expected
	AsExpected *bool           `json:"as_expected"`   // nil if nothing was expected
	First      string          `json:"first_failure"` // the case that decided, "" for AC and CE
	Cause      string          `json:"cause"`         // why that case was not accepted, or the compile error
	Passed     int             `json:"passed"`        // cases accepted
	Judged     int             `json:"judged"`        // cases judged
	Total      int             `json:"total"`         // cases of the task
	Points     *points.Score   `json:"points"`        // for a scoring problem; nil if no points were computed
	MaxUsage   `json:"worst"`
	Cached     int `json:"cached"` // cases whose result is from the judge's memo
}

// MaxUsage is the largest usage of any judged case.
type MaxUsage struct {
	CPU    time.Duration `json:"cpu_ns"`
	Wall   time.Duration `json:"wall_ns"`
	Memory limits.Bytes  `json:"memory_bytes"`
}

// Settle sets AsExpected if a verdict is expected.
func (d *Done) Settle() {
	if d.Expected != verdict.None {
		d.AsExpected = new(d.Verdict == d.Expected)
	}
}

// End closes the stream.
type End struct {
	Elapsed time.Duration `json:"elapsed_ns"` // wall-clock time of the whole Grade call
}

func (*Begin) Kind() string    { return "begin" }
func (*Building) Kind() string { return "building" }
func (*Built) Kind() string    { return "built" }
func (*Progress) Kind() string { return "progress" }
func (*Case) Kind() string     { return "case" }
func (*Done) Kind() string     { return "done" }
func (*End) Kind() string      { return event.End }

// The stages of the work, which the methods StageName of events begin, for a progress display.
const (
	compiling = "compiling"
	judging   = "judging"
)

func (*Begin) StageName() string { return compiling }

func (*Building) StageName() string { return compiling }

func (b *Building) Counts() (done, total int) { return b.Done, b.Total }

// StageName returns "judging", because all submissions have been compiled.
func (*Built) StageName() string { return judging }

func (*Progress) StageName() string { return judging }

func (p *Progress) Counts() (done, total int) { return p.Done, p.Total }
