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
	Problem     string
	Title       string
	Cases       []string      // full names in case order: group/name
	LeftOut     []cases.Group // optional groups that nobody asked for: their cases are not judged
	Submissions []string      // as the caller named them
	Slots       int           // runs at a time
	CPUs        int           // CPUs each run may use
	WantedCPUs  int           // CPUs the problem asks for; more than CPUs on a small host
	Limits      limits.Limits
	Compare     string // exact, tokens, float; "exact+checker" when a checker may accept other bytes
	Mechanisms  sandbox.Mechanisms
	Notes       []string // what this host cannot enforce, one sentence each
	Busy        []string // what else uses the CPUs at the moment, one sentence each
	Repeat      int      // runs of each case; 0 where it is judged once
}

// Built tells that a submission has been turned into a program, or not.
type Built struct {
	Submission int // index into Begin.Submissions
	Language   string
	Cached     bool          // taken from the cache
	Time       time.Duration // of the compilation; 0 when cached
	Error      string        // the compiler's words when it is a CE, "" otherwise
	NoTools    bool          // it is not judged, because the tools of its language are missing or do not work
}

// Progress tells how far the work is, for a progress display.
type Progress struct {
	Submission int
	Done       int // cases of all submissions judged or skipped so far
	Total      int
	Worst      verdict.Verdict // of the cases judged so far
}

// Attempt is one run of a case, where there were several.
type Attempt struct {
	Verdict verdict.Verdict
	CPU     time.Duration
	Wall    time.Duration
	Memory  limits.Bytes
	Waited  time.Duration // see [sandbox.Result]
}

// Case is the verdict on one case. All but Attempts and Unstable is about the run
// that decided: the last rerun of a doubtful one that had a CPU, and of repeated ones the
// first that was not accepted, or else the last.
type Case struct {
	Submission int
	Index      int // into Begin.Cases
	Name       string
	Verdict    verdict.Verdict
	Cause      string          // one line: why it is not accepted; "" for AC
	Result     sandbox.Result  // zero when the judge failed
	Cached     bool            // measured by an earlier run, which the judge's memo knew; compared anew
	Mismatch   *diff.Mismatch  // for WA, PE and NO
	Message    string          // the checker's words, if it was asked and said something
	Score      *float64        // what the validator gave the output, if it told
	Multiplier *float64        // what the validator gave in parts of the most there are for the case, if it told
	Said       []sandbox.Piece // of an interactive problem, with Task.Transcript: what the program (left) and the validator said
	Stderr     string          // the end of what the program wrote there, bounded
	Truncated  bool            // Stderr had more before
	Kept       string          // file that holds the produced output, with Task.Keep; "" for an interactive problem
	Attempts   []Attempt       // all runs in their order, if there were several
	Unstable   bool            // they disagree; reruns are not compared with a run that had no CPU
}

// Done is the verdict on one submission: that of its first case, in case order,
// that was not accepted.
type Done struct {
	Submission int
	Verdict    verdict.Verdict
	First      string        // the case that decided, "" for AC and CE
	Cause      string        // of that case
	Passed     int           // cases accepted
	Judged     int           // cases judged
	Cached     int           // cases judged by what an earlier run came to
	Total      int           // cases there are
	CPU        time.Duration // the most of any judged case
	Wall       time.Duration
	Memory     limits.Bytes
	Points     *points.Tally   // of a scoring problem, unless there is none to tell; nil otherwise
	Expected   verdict.Verdict // None when nothing was expected, or other things were
	Broken     []string        // what was promised and is not so, a sentence each; for those who tell Done on
}

// End closes the stream.
type End struct {
	Elapsed time.Duration // of the whole Grade call
}

func (*Begin) event()    {}
func (*Built) event()    {}
func (*Progress) event() {}
func (*Case) event()     {}
func (*Done) event()     {}
func (*End) event()      {}
