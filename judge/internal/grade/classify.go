package grade

import (
	"fmt"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Comparison is the result of comparing an output with the expected one. The zero value means that
// they agree.
type Comparison struct {
	Mismatch *diff.Mismatch // nil if they are equal
	Accepted bool           // a checker accepted the output
	Refused  bool           // a checker refused the output
	Format   bool           // the checker refused only the format; testlib checkers report this
	Message  string         // the checker's message
}

// Classify returns the verdict on a run from its limits, its measurements and the comparison alone,
// so that old measurements can be judged again. The cause is one line, "" when accepted.
//
// If several causes meet, the order is OLE, MLE, TLE or ILE, SV, RTE. The comparison counts only
// if the program exited with status 0 and within its limits. A run over its wall limit is ILE if it
// used the CPU for less than a tenth of its wall time (without the time that it waited for a CPU).
func Classify(l limits.Limits, r sandbox.Result, c Comparison) (v verdict.Verdict, cause string) {
	over := func(limit, used time.Duration) bool { return limit > 0 && used > limit }
	switch {
	case r.Stop == sandbox.Cancelled:
		return verdict.None, r.Cause(l)
	case r.Stop == sandbox.OverOutput:
		return verdict.OLE, r.Cause(l)
	case r.Stop == sandbox.OverMemory:
		return verdict.MLE, r.Cause(l)
	case r.Stop == sandbox.OverCPU, over(l.CPU, r.CPU):
		return verdict.TLE, r.Cause(l)
	case r.Stop == sandbox.OverWall, over(l.Wall, r.Counted()):
		if r.CPU < r.Counted()/10 {
			return verdict.ILE, r.Cause(l)
		}
		return verdict.TLE, r.Cause(l)
	case r.Stop == sandbox.Forbidden:
		return verdict.SV, r.Cause(l)
	case r.Stop == sandbox.Signalled, r.ExitCode != 0:
		return verdict.RTE, r.Cause(l)
	case c.Mismatch == nil && !c.Refused, c.Accepted:
		return verdict.AC, ""
	case c.Format:
		return verdict.PE, "the checker says: " + quote.First(c.Message)
	case c.Mismatch == nil, c.Message != "":
		return verdict.WA, "the checker says: " + quote.First(c.Message)
	case c.Mismatch.Whitespace:
		return verdict.PE, at(c.Mismatch, "differs only in whitespace")
	case c.Mismatch.Got == 0 && !c.Refused: // after a checker's refusal it is WA
		return verdict.NO, "wrote nothing"
	}
	return verdict.WA, at(c.Mismatch, "differs")
}

func at(m *diff.Mismatch, what string) string {
	return fmt.Sprintf("%s from line %d, column %d", what, m.Line, m.Column)
}
