package grade

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// history parses a list of runs: verdicts, in lower case if the run is doubtful, and with a * if it
// was starved, which is doubtful too.
func history(text string) (trials []trial) {
	for word := range strings.FieldsSeq(text) {
		name, starved := strings.CutSuffix(word, "*")
		for v := verdict.AC; v <= verdict.JE; v++ {
			if strings.EqualFold(v.String(), name) {
				trials = append(trials, trial{Attempt{Verdict: v}, starved || name != strings.ToUpper(name), starved})
			}
		}
	}
	return trials
}

func TestNext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, history string
		repeat       int
		want         retry
		unstable     bool
	}{
		{"certain", "AC", 0, noRetry, false},
		{"certainly bad", "TLE", 1, noRetry, false},
		{"doubtful", "ac", 0, retryExclusive, false},
		{"a doubtful failure", "tle", 0, retryExclusive, false},
		{"then certain", "tle AC", 0, noRetry, true},
		{"certain, and the same verdict", "tle TLE", 0, noRetry, false},
		{"the first run was not exclusive: one more", "tle tle", 0, retryExclusive, false},
		{"two exclusive runs agree", "tle tle tle", 0, noRetry, false},
		{"two exclusive runs agree against the first", "tle ac ac", 0, noRetry, true},
		{"two exclusive runs differ: one more", "ac ac tle", 0, retryExclusive, true},
		{"no more than three exclusive runs", "ac tle ac tle", 0, noRetry, true},
		{"starved, then with a CPU", "ile* AC", 0, noRetry, false},
		{"starved by other processes even when exclusive, but measured twice", "tle* tle* tle*", 0, noRetry, false},
		{"starved, and the verdicts differ", "tle* tle* ile*", 0, retryExclusive, false},
		{"given up for lack of a CPU", "je*", 0, retryExclusive, false},
		{"given up a second time, when exclusive", "je* je*", 0, noRetry, false},
		{"accepted near the limit, then given up: one more", "ac je*", 0, retryExclusive, false},
		{"starved, then near the limit", "ile* ac", 0, retryExclusive, false},
		{"starved runs aside, the verdicts differ", "ile* ac tle ac", 0, noRetry, true},
		{"a failure of the judge does not make a case unstable", "ac JE", 0, noRetry, false},
		{"repeated as often as requested", "AC WA", 3, retryParallel, true},
		{"repeated even if doubtful", "ac ac ac", 4, retryParallel, false},
		{"not repeated more often than requested", "AC ac ac", 3, noRetry, false},
		{"repeated runs count even if starved", "AC ile* AC", 3, noRetry, true},
	} {
		trials := history(tt.history)
		if len(trials) != len(strings.Fields(tt.history)) {
			t.Fatalf("%s: %q is not a history", tt.why, tt.history)
		}
		if got := retryAfter(trials, tt.repeat); got != tt.want {
			t.Errorf("%s: retryAfter is %d, want %d", tt.why, got, tt.want)
		}
		if got := unstable(trials, tt.repeat); got != tt.unstable {
			t.Errorf("%s: unstable is %v", tt.why, got)
		}
	}
}

// rerunner plays submissions whose text gives, for each case, the results of its runs, with slashes
// between them, as in "AC tle/AC". Lower case means a time near the limit; tle is late with the
// right output, tlw with a wrong one; starved is stopped at the wall limit for lack of a CPU.
// Unless beside is set, the test fails if another run begins or ends during a rerun.
func rerunner(t testing.TB, beside bool, takes func() time.Duration) *sandboxtest.Host {
	var mu sync.Mutex
	began := map[string]int{}
	now := 0
	return sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		text, err := os.ReadFile(filepath.Join(r.Spec.Mounts[0].Source, filepath.Base(r.Args[1])))
		if err != nil {
			return sandbox.Result{}, err
		}
		index, err := strconv.Atoi(strings.TrimSpace(string(r.Input)))
		if err != nil {
			return sandbox.Result{}, err
		}
		mu.Lock()
		words := strings.Split(strings.Fields(string(text))[index], "/")
		key := fmt.Sprint(string(text), index)
		k := began[key]
		began[key]++
		now++
		mu.Unlock()
		alone := func() {
			mu.Lock()
			defer mu.Unlock()
			if k > 0 && !beside && now != 1 {
				t.Errorf("run %d of case %d is one of %d at a time", k, index, now)
			}
		}
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			now--
		}()
		alone()
		select {
		case <-time.After(takes()):
		case <-ctx.Done():
			return sandbox.Result{Stop: sandbox.Cancelled}, nil
		}
		alone()
		if k >= len(words) {
			t.Errorf("case %d was run more than %d times", index, len(words))
			return sandbox.Result{}, nil
		}
		const limit = 10 * time.Second
		result := sandbox.Result{CPU: time.Duration(k+1) * time.Millisecond, Wall: time.Duration(k+1) * time.Millisecond, Memory: limits.Bytes(k + 1)}
		switch words[k] {
		case "ac":
			result.CPU = limit * 9 / 10
			fallthrough
		case "AC":
			r.Print(fmt.Sprintln("answer", index))
		case "wa":
			result.CPU = limit * 9 / 10
			fallthrough
		case "WA":
			r.Print(fmt.Sprintln("guess", k))
		case "tle":
			result.CPU = limit * 11 / 10
			r.Print(fmt.Sprintln("answer", index))
		case "tlw":
			result.CPU = limit * 11 / 10
			r.Print(fmt.Sprintln("guess", k))
		case "rte":
			result.CPU, result.ExitCode = limit*9/10, 1
		case "TLE":
			result.Stop, result.CPU = sandbox.OverCPU, limit*11/10
		case "starved":
			result.Stop, result.Wall, result.CPUWait = sandbox.OverWall, 3*limit, limit
		case "busy":
			return sandbox.Result{}, &sandbox.StarvedError{Wall: 200 * limit, CPU: time.Second, CPUWait: 199 * limit}
		case "JE":
			return sandbox.Result{}, errors.New("container died")
		case "died":
			return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
		default:
			t.Errorf("no such word: %s", words[k])
		}
		return result, nil
	})
}

// stories renders the event of each case, as in "AC=TLE,AC?": the verdict, those of all runs, and ?
// if the case is unstable.
func stories(events []Event) (list []string) {
	for _, c := range caseEvents(events) {
		var verdicts []string
		for _, a := range c.Attempts {
			verdicts = append(verdicts, a.Verdict.String())
		}
		story := c.Verdict.String()
		if len(verdicts) > 0 {
			story += "=" + strings.Join(verdicts, ",")
		}
		if c.Unstable {
			story += "?"
		}
		list = append(list, story)
	}
	return list
}

func TestReruns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		repeat    int
		all       bool
		want      string // story of each case
		last      string // verdict of the submission
	}{
		{"nothing is in doubt", "AC AC AC", 0, false, "AC AC AC", "AC"},
		{"a doubtful failure stops nothing before it is confirmed", "tle/AC AC AC", 0, false, "AC=TLE,AC? AC AC", "AC"},
		{"confirmed", "AC tle/tle/tle AC", 0, false, "AC TLE=TLE,TLE,TLE", "TLE"},
		{"an endless loop is certain", "AC TLE AC", 0, false, "AC TLE", "TLE"},
		{"accepted near the limit is accepted", "ac AC ac", 0, false, "AC AC AC", "AC"},
		{"a wrong answer near the limit is certain", "AC wa AC", 0, false, "AC WA", "WA"},
		{"a crash near the limit is certain", "AC rte AC", 0, false, "AC RTE", "RTE"},
		{"a late wrong answer is certain", "AC tlw AC", 0, false, "AC TLE", "TLE"},
		{"late, and then wrong", "AC tle/wa AC", 0, true, "AC WA=TLE,WA? AC", "WA"},
		{"slightly late each time", "AC tle/tle/tle AC", 0, true, "AC TLE=TLE,TLE,TLE AC", "TLE"},
		{"starved, then with a CPU", "starved/AC starved/starved/tle/AC starved/starved/starved", 0, true, "AC=ILE,AC AC=ILE,ILE,TLE,AC? ILE=ILE,ILE,ILE", "ILE"},
		{"a starved run never overrules one that was not", "tle/starved/starved AC AC", 0, true, "TLE=TLE,ILE,ILE AC AC", "TLE"},
		{"a run that was given up never overrules another", "tle/busy/busy busy/AC AC", 0, true, "TLE=TLE,JE,JE AC=JE,AC AC", "TLE"},
		{"given up each time", "busy/busy AC AC", 0, false, "JE=JE,JE", "JE"},
		{"the judge fails in the rerun", "tle/JE AC AC", 0, true, "JE=TLE,JE AC AC", "JE"},
		{"a rerun whose box dies is repeated exclusively", "AC tle/died/AC AC", 0, true, "AC AC=TLE,AC? AC", "AC"},
		{"reruns after a failure are cancelled", "WA tle/tle/tle tle/tle/tle", 0, false, "WA", "WA"},
		{"repeated", "AC/AC/AC ac/WA/AC AC/AC/tle", 3, true, "AC=AC,AC,AC WA=AC,WA,AC? TLE=AC,AC,TLE?", "WA"},
		{"repeated up to a failure, which is repeated as well", "AC/AC WA/TLE AC/AC", 2, false, "AC=AC,AC WA=WA,TLE?", "WA"},
	} {
		for seed := range uint64(8) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				random := rand.New(rand.NewPCG(seed, 7))
				host := rerunner(t, tt.repeat > 1, func() time.Duration {
					mu.Lock()
					defer mu.Unlock()
					return time.Duration(random.IntN(1000)) * time.Millisecond
				})
				j := newJudge(t, host, 1+int(seed%3), nil)
				task := newTask(numbered(3), submit(t, tt.text))
				task.Repeat, task.All = tt.repeat, tt.all
				events := gradeAll(t, j, task)
				if got := strings.Join(stories(events), " "); got != tt.want {
					t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
				}
				done := events[len(events)-2].(*Done)
				if done.Verdict.String() != tt.last {
					t.Errorf("%s: the verdict is %v, want %s", tt.why, done.Verdict, tt.last)
				}
				checkProgress(t, tt.why, events, 3)
			})
		}
	}
}

// TestDecisive checks that the last run that had a CPU decides.
func TestDecisive(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, history string
		want         int
	}{
		{"one", "AC", 0},
		{"the last of several doubtful runs", "ac tle ac", 2},
		{"an earlier run that had a CPU", "ac tle* tle*", 0},
		{"in between", "je* ac tle*", 1},
		{"a measured run, rather than one that was given up", "tle* je*", 0},
		{"the last of the measured runs", "tle* ile* je*", 1},
		{"all runs were given up", "je* je*", 1},
		{"the judge failed, but not for lack of a CPU", "ac JE", 1},
	} {
		if got := decisive(history(tt.history)); got != tt.want {
			t.Errorf("%s: %d decides, want %d", tt.why, got, tt.want)
		}
	}
}

// TestRerunsAreMeasured checks that a case reports the measurements of the run that decided, and a
// repeated submission the largest of all runs.
func TestRerunsAreMeasured(t *testing.T) {
	t.Parallel()
	now := func() time.Duration { return 0 }
	for _, tt := range []struct {
		why, text    string
		repeat       int
		cpu, most    time.Duration
		memory, peak limits.Bytes
		kept         string
	}{
		{"the last rerun", "tle/AC", 0, 2 * time.Millisecond, 2 * time.Millisecond, 2, 2, "answer 0\n"},
		{"the first failure", "AC/WA/WA", 3, 2 * time.Millisecond, 3 * time.Millisecond, 2, 3, "guess 1\n"},
		{"the last accepted run", "ac/AC/AC", 3, 3 * time.Millisecond, 9 * time.Second, 3, 3, "answer 0\n"},
	} {
		j := newJudge(t, rerunner(t, true, now), 1, nil)
		task := newTask(numbered(1), submit(t, tt.text))
		task.Repeat, task.Keep = tt.repeat, t.TempDir()
		events := gradeAll(t, j, task)
		if b := events[0].(*Begin); b.Repeat != tt.repeat {
			t.Errorf("%s: Begin.Repeat is %d", tt.why, b.Repeat)
		}
		c, done := caseEvents(events)[0], events[len(events)-2].(*Done)
		if c.Result.CPU != tt.cpu || c.Result.Memory != tt.memory || done.CPU != tt.most || done.Memory != tt.peak {
			t.Errorf("%s: %v %v for the case, %v %v for the submission", tt.why, c.Result.CPU, c.Result.Memory, done.CPU, done.Memory)
		}
		if text, err := os.ReadFile(c.Kept); err != nil || string(text) != tt.kept {
			t.Errorf("%s: kept %q (%v), want %q", tt.why, text, err, tt.kept)
		}
		if i := slices.IndexFunc(c.Attempts, func(a Attempt) bool { return a.CPU == tt.cpu }); i < 0 || c.Attempts[i].Memory != tt.memory {
			t.Errorf("%s: attempts %+v", tt.why, c.Attempts)
		}
	}
}
