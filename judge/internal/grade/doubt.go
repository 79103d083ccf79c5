package grade

import (
	"errors"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// maxReruns is how often a case is run again alone at most.
const maxReruns = 3

// trial is one run of a case and how far it can be trusted.
type trial struct {
	Attempt
	doubtful bool
	starved  bool // it had to wait for a CPU, and is over its wall limit or was given up
}

// newTrial makes a trial of a run under limits l that has a verdict. One that was measured
// earlier was doubted then, see [run.Memo], and is not doubted again.
//
// In doubt is, besides a run that had no CPU, one that was right and late by so little that
// what ran beside it can have made the difference. An accepted run is certain, because a
// crowded host only ever makes a program slower. So is one with a wrong answer or a crash,
// however close to the limit: a program that knows that it has failed, and got another try
// for taking its time, would draw new random numbers until it is right.
func newTrial(of ruled, l limits.Limits, grace time.Duration) trial {
	v, r := of.event.Verdict, of.event.Result
	t := trial{Attempt: Attempt{Verdict: v, CPU: r.CPU, Wall: r.Wall, Memory: r.Memory, CPUWait: r.CPUWait}}
	if v != verdict.JE {
		t.starved = run.Starved(l, grace, r)
		t.doubtful = !of.event.Cached && (t.starved || of.late && run.Doubtful(l, grace, r))
	} else if e, starved := errors.AsType[*sandbox.StarvedError](of.failed); starved {
		t.CPU, t.Wall, t.CPUWait = e.CPU, e.Wall, e.CPUWait
		t.doubtful, t.starved = true, true
	}
	return t
}

// decisive returns the index of the run that decides: the last one that had a CPU. Only if
// there is none does one count that was starved, rather one with a verdict than one that
// was given up.
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

// retry says whether a case is run once more, and how.
type retry uint8

const (
	noRetry retry = iota
	retryParallel
	retryExclusive // with no other run meanwhile
)

// next tells what comes after these runs of a case. With repeat it is run so many
// times. Else only the first is beside others, and a doubtful one is followed by
// another alone, until one is certain or two of those in a row agree. Two that were given
// up for want of a CPU are enough: a host that is so busy stays so for a while.
func next(trials []trial, repeat int) retry {
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

// unstable reports whether runs of a case disagree, those aside that tell nothing
// about the program: the judge's own failures and, unless the case is repeated to
// learn just that, starved ones.
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

// attempts returns what is told of several runs, nil of a single one.
func attempts(trials []trial) (list []Attempt) {
	if len(trials) < 2 {
		return nil
	}
	for _, t := range trials {
		list = append(list, t.Attempt)
	}
	return list
}
