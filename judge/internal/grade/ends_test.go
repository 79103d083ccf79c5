package grade

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// A thorough search: go test -run TestEndsInAnyOrder -timeout 1h ./judge/internal/grade -args
// -seeds=1000
var seeds = flag.Int("seeds", 0, "schedules of delays in TestEndsInAnyOrder, otherwise 4, and 12 in T3")

// TestEndsInAnyOrder lets a program and a validator write their last output, close their pipes and
// exit with random delays in between. Each does the same every time, so the verdict must be the
// same.
func TestEndsInAnyOrder(t *testing.T) {
	tier.T2(t, "exits of two programs in any order")
	exe := filepath.Join(t.TempDir(), "talker")
	if out, err := exec.Command("gcc", "-O1", "-w", "-o", exe, "testdata/talker.c").CombinedOutput(); err != nil {
		t.Skipf("not checked: exits of two programs in any order (no working gcc): %v\n%s", err, out)
	}
	behaviours := []struct {
		why, program, validator string
		want                    verdict.Verdict
	}{
		{"right", "rwk", "wjA", verdict.AC},
		{"right, and one line too many", "rwwk", "wjA", verdict.AC},
		{"right, and much more output", "rwbk", "wjA", verdict.AC},
		{"right, and endless output", "rwf", "wjA", verdict.OLE},
		{"right, and it waits for the end of its input", "rwek", "wjA", verdict.AC},
		{"right, and it waits for another line", "rwr", "wjA", verdict.RTE},
		{"right, and it crashes", "rwa", "wjA", verdict.RTE},
		{"right, and it fails", "rwn", "wjA", verdict.RTE},
		{"right, and the validator writes a last line", "rwk", "wjwA", verdict.AC},
		{"right, and the validator closes its input and exits later", "rwwbk", "wjizA", verdict.AC},
		{"right, and the validator closes its output first", "rwek", "wjozA", verdict.AC},
		{"right, it closes its output, and the validator waits for that", "rwok", "wjeA", verdict.AC},
		{"wrong", "rxk", "wjA", verdict.WA},
		{"wrong, and one line more", "rxwk", "wjA", verdict.WA},
		{"wrong, and endless output", "rxf", "wjA", verdict.WA},
		{"wrong, and it waits for an answer that never comes", "rxr", "wj", verdict.WA},
		{"wrong, and it crashes", "rxa", "wjA", verdict.WA},
		{"wrong, and it fails", "rxn", "wjA", verdict.WA},
		{"wrong after much output that the validator reads, and it crashes", "rwwwwwwwxa", "wjjjjjjjjA", verdict.WA},
		{"no output, and it exits with status 0", "rk", "wjA", verdict.WA},
		{"no output, and it crashes", "ra", "wjA", verdict.RTE},
		{"too little output, and it fails", "rwn", "wjjA", verdict.RTE},
		{"the validator refuses without a reason", "rwwk", "wjR", verdict.WA},
	}
	j := newJudge(t, nil, 4, nil)
	source, err := build.Open(exe, "", shell)
	if err != nil {
		t.Fatal(err)
	}
	j.CaseData.Problem.Files = sources{of: map[string]*build.Source{"validator": source}}

	schedules := *seeds
	switch {
	case schedules > 0:
	case tier.All():
		schedules = 12
	default:
		schedules = 4
	}
	data := played{}
	var all []cases.Case
	for i, b := range behaviours {
		for seed := range schedules {
			random := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			name := fmt.Sprintf("b%d/%d", i, seed)
			data[name] = casedata.Data{Args: []string{delayed(b.program, random)}, Flags: []string{delayed(b.validator, random)}}
			all = append(all, cases.Case{Name: name, Group: filepath.Dir(name)})
		}
	}
	task := newTask(all, []Submission{{Source: source}})
	task.All = true
	data.give(task.Cases)
	task.Limits.CPU, task.Limits.Wall, task.Limits.Output = time.Minute, 10*time.Minute, limits.MiB
	task.Problem.Validator = &problem.Validator{
		Program: "validator", Always: true, Interactive: true,
		Limits: limits.Limits{CPU: time.Minute, Wall: 10 * time.Minute, Memory: limits.GiB, Processes: 64},
	}
	for _, transcript := range []limits.Bytes{0, limits.KiB} {
		task.Transcript = transcript
		err := j.Grade(t.Context(), task, func(e Event) {
			c, ok := e.(*Case)
			if !ok {
				return
			}
			if b := behaviours[c.Index/schedules]; c.Verdict != b.want {
				f := data[c.Name]
				t.Errorf("%s (relayed %v): got %v %q, want %v, of %s and %s: %+v", b.why, transcript > 0, c.Verdict, c.Cause, b.want, f.Args[0], f.Flags[0], c.Result)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// delayed adds delays of up to a few milliseconds between the acts of a program.
func delayed(acts string, random *rand.Rand) string {
	var b strings.Builder
	for _, act := range acts {
		switch random.IntN(3) {
		case 0:
			b.WriteString(strconv.Itoa(random.IntN(200)))
		case 1:
			b.WriteString(strconv.Itoa(random.IntN(5000)))
		}
		b.WriteRune(act)
	}
	return b.String()
}
