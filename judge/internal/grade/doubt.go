package grade

import (
	"errors"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// maxReruns is the largest number of exclusive reruns of a case.
const maxReruns = 3

// trial is one run of a case. It records whether the verdict can be trusted.
type trial struct {
	Attempt
	doubtful bool
	starved  bool // the run waited for a CPU, and exceeded its wall limit or was given up
}

// newTrial returns the trial for a run under limits l. A run from the memo is not doubtful, because
// [run.Memo] reports only confirmed outcomes.
//
// A run is doubtful if it was starved, or if its output was right and it was late by so little that
// other load on the host may be the cause. An accepted run is certain, because a busy host only
// slows programs down. A wrong answer or a crash is certain as well, however close to the limit:
// otherwise a program that knows that it has failed could take its time to get another run, and
// draw new random numbers until it is right.
func newTrial(a attemptResult, l limits.Limits, grace time.Duration) trial {
	v, r := a.event.Verdict, a.event.Result
	t := trial{Attempt: Attempt{Verdict: v, CPU: r.CPU, Wall: r.Wall, Memory: r.Memory, CPUWait: r.CPUWait}}
	if v != verdict.JE {
		t.starved = run.Starved(l, grace, r)
		t.doubtful = !a.event.Cached && (t.starved || a.event.Untimed == verdict.AC && run.Doubtful(l, grace, r))
	} else if e, starved := errors.AsType[*sandbox.StarvedError](a.err); starved {
		t.CPU, t.Wall, t.CPUWait = e.CPU, e.Wall, e.CPUWait
		t.doubtful, t.starved = true, true
	}
	return t
}

// decisive returns the index of the run that decides: the last one that was not starved. If all
// were starved, it is the last one with a verdict other than JE, or the last if there is none.
func decisive(trials []trial) int {
	best, rank := 0, -1
	for i, t := range trials {
		r := 2
		if t.starved {
			r = 1
		}
		if t.starved && t.Verdict == verdict.JE {
			r = 0
		}
		if r >= rank {
			best, rank = i, r
		}
	}
	return best
}

// retry says whether and how to run a case again.
type retry uint8

const (
	noRetry retry = iota
	retryParallel
	retryExclusive // with no other run at the same time
)

// retryAfter decides whether and how to run a case again after these runs. With repeat > 1 the case
// is run that many times. Otherwise a doubtful run is followed by exclusive ones, until a run is
// certain or two exclusive runs in a row agree. There is no retry after two runs in a row that were
// given up for lack of a CPU, because so busy a host stays busy for a while.
func retryAfter(trials []trial, repeat int) retry {
	n := len(trials)
	last := trials[n-1]
	switch {
	case repeat > 1 && n < repeat:
		return retryParallel
	case repeat > 1, !last.doubtful, n > maxReruns:
		return noRetry
	case n > 2 && trials[n-2].Verdict == last.Verdict:
		return noRetry
	case n > 1 && last.Verdict == verdict.JE && trials[n-2].Verdict == verdict.JE:
		return noRetry
	}
	return retryExclusive
}

// unstable reports whether the verdicts of a case's runs differ. It ignores failures of the judge
// and, unless the task repeats the case, starved runs.
func unstable(trials []trial, repeat int) bool {
	seen := verdict.None
	for _, t := range trials {
		switch {
		case t.starved && repeat <= 1, t.Verdict == verdict.JE:
		case seen == verdict.None:
			seen = t.Verdict
		case seen != t.Verdict:
			return true
		}
	}
	return false
}

// attempts returns the attempts to report, nil for a single run.
func attempts(trials []trial) (list []Attempt) {
	if len(trials) < 2 {
		return nil
	}
	for _, t := range trials {
		list = append(list, t.Attempt)
	}
	return list
}
