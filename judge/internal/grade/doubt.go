package grade

import (
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
	doubtful, starved bool
}

func newTrial(v verdict.Verdict, l limits.Limits, grace time.Duration, r sandbox.Result) trial {
	return trial{
		Attempt:  Attempt{Verdict: v, CPU: r.CPU, Wall: r.Wall, Memory: r.Memory, Waited: r.Waited},
		doubtful: v != verdict.JE && run.Doubtful(l, grace, r),
		starved:  run.Starved(grace, r),
	}
}

// next tells what comes after these runs of a case. With repeat it is run so many
// times. Else only the first is beside others, and a doubtful one is followed by
// another alone, until one is certain or two of those in a row agree. One that had
// no CPU though it was alone, since others use this host, agrees with nobody.
func next(trials []trial, repeat int) run.Next {
	n := len(trials)
	last := trials[n-1]
	switch {
	case repeat > 1 && n < repeat:
		return run.Again
	case repeat > 1, !last.doubtful, n > maxReruns:
		return run.Done
	case n > 2 && trials[n-2].Verdict == last.Verdict && !last.starved && !trials[n-2].starved:
		return run.Done
	}
	return run.Alone
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
