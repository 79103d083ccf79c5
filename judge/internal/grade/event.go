package grade

import (
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Event is something that happened while judging. Events of one Grade call come
// from one goroutine at a time, in this order: one Begin; per submission, in the
// order given, one Built; then per submission one Case for each judged case, in case
// order but for those that Task.Order puts first, and one Done; at last one End.
// Progress may come between any two.
//
// The set is closed: *Begin, *Built, *Progress, *Case, *Done, *End.
type Event interface{ event() }

// Begin tells what is about to be judged and how.
type Begin struct {
	Problem     string             `json:"problem"`
	Title       string             `json:"title"`
	Limits      limits.Limits      `json:"limits"`
	Compare     string             `json:"compare"`     // exact, tokens, float; "exact+checker" when a checker may accept other bytes
	Slots       int                `json:"slots"`       // runs at a time
	CPUs        int                `json:"cpus"`        // CPUs each run may use
	WantedCPUs  int                `json:"wanted_cpus"` // CPUs the problem asks for; more than CPUs on a small host
	Mechanisms  sandbox.Mechanisms `json:"mechanisms"`
	Notes       []string           `json:"notes"`       // what this host cannot enforce, one sentence each
	Busy        []string           `json:"busy"`        // what else uses the CPUs at the moment, one sentence each
	Repeat      int                `json:"repeat"`      // runs of each case; 0 where it is judged once
	Cases       []string           `json:"cases"`       // full names in case order: group/name
	LeftOut     []cases.Group      `json:"left_out"`    // optional groups that nobody asked for: their cases are not judged
	Submissions []string           `json:"submissions"` // as the caller named them
}

// Built tells that a submission has been turned into a program, or not.
type Built struct {
	Submission int    `json:"-"` // index into Begin.Submissions
	Language   string `json:"language"`
	Build      `json:"build"`
	NoTools    bool `json:"-"` // it is not judged, because the tools of its language are missing or do not work
}

// Build is how a submission was turned into a program.
type Build struct {
	Cached bool          `json:"cached"`  // taken from the cache
	Time   time.Duration `json:"time_ns"` // of the compilation; 0 when cached
	Error  string        `json:"error"`   // the compiler's words when it is a CE, at most [document.MaxText] of them; "" otherwise
}

// Progress tells how far the work is, for a progress display.
type Progress struct {
	Submission int             `json:"-"`
	Done       int             `json:"done"` // cases of all submissions judged or skipped so far
	Total      int             `json:"total"`
	Worst      verdict.Verdict `json:"worst"` // of the cases judged so far
}

// Attempt is one run of a case, where there were several.
type Attempt struct {
	Verdict verdict.Verdict `json:"verdict"`
	CPU     time.Duration   `json:"cpu_ns"`
	Wall    time.Duration   `json:"wall_ns"`
	Memory  limits.Bytes    `json:"memory_bytes"`
	CPUWait time.Duration   `json:"waited_ns"` // see [sandbox.Result]
}

// Case is the verdict on one case. All but Attempts and Unstable is about the run
// that decided: the last rerun of a doubtful one that had a CPU, and of repeated ones the
// first that was not accepted, or else the last.
type Case struct {
	Submission     int             `json:"-"`
	Index          int             `json:"-"` // into Begin.Cases
	Name           string          `json:"name"`
	Verdict        verdict.Verdict `json:"verdict"`
	Cause          string          `json:"cause"` // one line: why it is not accepted; "" for AC
	sandbox.Result                 // NotRun when the judge failed
	Stderr         string          `json:"stderr"`           // the end of what the program wrote there, bounded
	Truncated      bool            `json:"stderr_truncated"` // Stderr had more before
	Mismatch       *diff.Mismatch  `json:"mismatch"`         // for WA, PE and NO
	Message        string          `json:"message"`          // the checker's words, if it was asked and said something, at most [document.MaxText] of them
	Kept           string          `json:"kept"`             // file that holds the produced output, with Task.Keep; "" for an interactive problem
	Score          *float64        `json:"score"`            // what the validator gave the output, if it told
	Multiplier     *float64        `json:"-"`                // what the validator gave in parts of the most there are for the case, if it told
	Transcript     []sandbox.Piece `json:"-"`                // of an interactive problem, with Task.Transcript: what the program (left) and the validator said
	Attempts       []Attempt       `json:"attempts"`         // all runs in their order, if there were several
	Unstable       bool            `json:"unstable"`         // they disagree; reruns are not compared with a run that had no CPU
	Cached         bool            `json:"cached"`           // measured by an earlier run, which the judge's memo knew; compared anew
}

// Done is the verdict on one submission: that of its first case, in case order,
// that was not accepted.
type Done struct {
	Submission int             `json:"-"`
	Verdict    verdict.Verdict `json:"verdict"`
	Expected   verdict.Verdict `json:"expected"`      // None when nothing was expected, or other things were
	AsExpected *bool           `json:"as_expected"`   // nil when nothing was expected
	First      string          `json:"first_failure"` // the case that decided, "" for AC and CE
	Cause      string          `json:"cause"`         // of that case
	Passed     int             `json:"passed"`        // cases accepted
	Judged     int             `json:"judged"`        // cases judged
	Total      int             `json:"total"`         // cases there are
	Points     *points.Score   `json:"points"`        // of a scoring problem, unless there is none to tell; nil otherwise
	Worst      `json:"worst"`
	Cached     int `json:"cached"` // cases judged by what an earlier run came to
}

// Worst is the most that any judged case used.
type Worst struct {
	CPU    time.Duration `json:"cpu_ns"`
	Wall   time.Duration `json:"wall_ns"`
	Memory limits.Bytes  `json:"memory_bytes"`
}

// Settle says whether the verdict is the expected one, if there is one.
func (d *Done) Settle() {
	if d.Expected != verdict.None {
		d.AsExpected = new(d.Verdict == d.Expected)
	}
}

// End closes the stream.
type End struct {
	Elapsed time.Duration `json:"elapsed_ns"` // of the whole Grade call
}

func (*Begin) event()    {}
func (*Built) event()    {}
func (*Progress) event() {}
func (*Case) event()     {}
func (*Done) event()     {}
func (*End) event()      {}
