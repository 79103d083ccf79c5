package regen

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/sandbox"
)

// three is a case file with inputs of different sizes.
const three = `cases:
  - name: long
    input: |
      abcdef
  - name: short
    input: |
      ab
  - name: middle
    input: |
      abcd
...
`

// TestRunsTwice checks that the reference computes every output that is new on this machine twice,
// in different seconds, and never a third time.
func TestRunsTwice(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge})
	r.regen()
	if got := r.ran(); got != "again abc, again x -n=3 -seed=5, generator x -n=3 -seed=5, reference abc, reference x -n=3 -seed=5" {
		t.Errorf("ran %s", got)
	}
	for _, tt := range []struct {
		why    string
		change func()
		ran    string
	}{
		{"nothing changed", func() {}, ""},
		{"a comment in the reference", func() { r.write("reference/p/main.sh", "tr a-z A-Z # loud") }, "again abc, again x -n=3 -seed=5, reference abc, reference x -n=3 -seed=5"},
		{"the comment is gone", func() { r.write("reference/p/main.sh", "tr a-z A-Z") }, ""},
		{"a new case", func() {
			r.write("cases/p/more.yaml", "cases:\n  - name: m\n    input: |\n      m\n...\n")
		}, "again m, reference m"},
		{"another machine, where the lock agrees", func() { r.forget() }, ""},
		{"a case replaced on that machine", func() { r.write("cases/p/more.yaml", "cases:\n  - name: n\n    input: |\n      n\n...\n") }, "again n, reference n"},
		{"with Fresh", func() { r.options.Fresh = true }, "again abc, again n, again x -n=3 -seed=5, generator x -n=3 -seed=5, reference abc, reference n, reference x -n=3 -seed=5"},
	} {
		tt.change()
		r.wait = 0
		r.regen()
		if want := strings.Count(tt.ran, "again "); min(want, 1) != r.wait {
			t.Errorf("%s: waited %d times", tt.why, r.wait)
		}
		if got := r.ran(); got != tt.ran {
			t.Errorf("%s: ran %q, want %q", tt.why, got, tt.ran)
		}
	}
}

// TestAnotherToolchain checks that programs built by another toolchain run once to compare their
// outputs, and that the lock does not change if they are the same.
func TestAnotherToolchain(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge})
	r.regen()
	set, err := cases.Read(r.root, "p")
	if err != nil {
		t.Fatal(err)
	}
	set.Lock.Toolchain = "sh 2"
	lock := string(set.Lock.Marshal())
	r.write("cases/p/lock.yaml", lock)
	r.forget()
	r.ran()
	if p, err := r.look(); err != nil || p != nil {
		t.Errorf("nothing needs a run, although the toolchain differs (%v)", err)
	}
	if p := r.regen(); p.Stale || p.Renew || r.read("cases/p/lock.yaml") != lock {
		t.Errorf("stale %v, renew %v, the lock is\n%s", p.Stale, p.Renew, r.read("cases/p/lock.yaml"))
	}
	if r.ran() == "" {
		t.Error("nothing was run")
	}
	if p, err := r.look(); err != nil || p == nil {
		t.Errorf("a case needs a run again (%v)", err)
	}
	r.answers["abc\n"] = "cba\n"
	r.options.Fresh = true
	if p := r.regen(); changed(p) != "edge/plain changed" {
		t.Errorf("another output: %s", changed(p))
	}
}

// forget replaces the cache with an empty one, as on another machine.
func (r *repository) forget() {
	r.t.Helper()
	var err error
	if r.cache, err = cache.Open(r.t.TempDir(), 0); err != nil {
		r.t.Fatal(err)
	}
}

func TestUnstable(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge})
	r.options.Keep = filepath.Join(r.root, "kept")
	r.second["abc\n"] = "ABD\n"
	for _, why := range []string{"the first time", "the second time, when nothing runs"} {
		_, err := r.confirm()
		refusal := r.refused(err, Unstable, "edge/plain")
		if m := refusal.Mismatch; m == nil || m.Column != 3 {
			t.Errorf("%s: the difference: %+v", why, m)
		}
		want := filepath.Join(r.root, "cases/p/edge.yaml") + ":3: case plain: the reference is not deterministic: a second run printed something else, nothing is written (hint: "
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v", why, err)
		}
		if r.read("kept/edge/plain.in") != "abc\n" || refusal.Kept != filepath.Join(r.root, "kept/edge/plain.in") {
			t.Errorf("%s: the input is in %q", why, refusal.Kept)
		}
	}
	r.ran()
	r.options.Fresh = true
	delete(r.second, "abc\n")
	r.regen()
}

// TestFailed makes the reference crash, in the first run or in the second.
func TestFailed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, says string
		answers   func(*repository) map[string]string
	}{
		{"at first", "reference: exited with status 3: line 2", func(r *repository) map[string]string { return r.answers }},
		{"the second time", "reference, run a second time: exited with status 3: line 2", func(r *repository) map[string]string { return r.second }},
	} {
		r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge})
		r.options.Keep = filepath.Join(r.root, "kept")
		tt.answers(r)["abc\n"] = "crash"
		_, err := r.confirm()
		r.refused(err, Failed, "edge/plain")
		kept := filepath.Join(r.root, "kept/edge/plain.in")
		want := filepath.Join(r.root, "cases/p/edge.yaml") + ":3: case plain: " + tt.says + "; its input is kept in " + kept + "\nits standard error:\n  line 1\n  line 2"
		// How many outputs were computed before depends on which run ends first.
		got := regexp.MustCompile(`; \d of \d outputs are computed, and kept for the next time`).ReplaceAllString(err.Error(), "")
		if got != want || r.read("kept/edge/plain.in") != "abc\n" {
			t.Errorf("%s: got\n%v\nwant\n%s", tt.why, got, want)
		}
	}
}

// TestKept checks that a refusal says how many outputs are kept for the next time.
func TestKept(t *testing.T) {
	t.Parallel()
	r := &Refusal{Kind: Failed, Err: errors.New("case a: reference: crashed"), Computed: 3, Needed: 5}
	if got, want := r.Message(), "case a: reference: crashed; 3 of 5 outputs are computed, and kept for the next time"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Computed = 0; strings.Contains(r.Message(), "kept") {
		t.Errorf("none is kept: %q", r.Message())
	}
}

// TestBrute checks that the brute judges new outputs within its limits, and which of its results
// are remembered.
func TestBrute(t *testing.T) {
	t.Parallel()
	slow := sandbox.Result{CPU: 11 * time.Second}
	for _, tt := range []struct {
		why     string
		setup   func(*repository)
		refused string // the case that is refused; "" if none
		notes   string
		ran     string // the brute's runs in a second plan: results that are not remembered
	}{
		{"it agrees", func(*repository) {}, "", "", ""},
		{"it disagrees on two cases, and the smaller input is shown", func(r *repository) {
			r.opinion["abcdef\n"], r.opinion["abcd\n"] = "x\n", "y\n"
		}, "edge/middle", "", "brute abcd, brute abcdef"},
		{"it exceeds its limits", func(r *repository) {
			r.brute["abcdef\n"] = slow
			r.brute["abcd\n"] = sandbox.Result{Stop: sandbox.OverMemory}
		}, "", "", ""},
		{"it crashes, which is only noted", func(r *repository) {
			r.brute["abcd\n"] = sandbox.Result{ExitCode: 2}
		}, "", "reference/p/brute has no opinion on edge/middle: RTE, exited with status 2", "brute abcd"},
		{"it adds blanks, and the problem compares words", func(r *repository) {
			r.compare = diff.Options{Mode: diff.Tokens}
			r.opinion["ab\n"] = "  AB"
		}, "", "", ""},
		{"it adds blanks, and the problem compares bytes", func(r *repository) { r.opinion["ab\n"] = "  AB" }, "edge/short", "", "brute ab"},
	} {
		r := newRepository(t, map[string]string{"cases/p/edge.yaml": three, "reference/p/brute/main.sh": "brute"})
		tt.setup(r)
		for i, want := range []string{"brute ab, brute abcd, brute abcdef", tt.ran} {
			p, err := r.confirm()
			if tt.refused != "" {
				refusal := r.refused(err, Disputed, tt.refused)
				if refusal.Mismatch == nil || !strings.Contains(err.Error(), "reference/p/brute disagrees with the reference, nothing is written (hint: one of the two is wrong)\ninput of "+tt.refused+":\n  ab") {
					t.Errorf("%s: %v", tt.why, err)
				}
			} else if err != nil {
				t.Errorf("%s: %v", tt.why, err)
			} else if got := strings.Join(p.Notes, "; "); got != tt.notes {
				t.Errorf("%s: notes %q", tt.why, got)
			}
			var brute []string
			for run := range strings.SplitSeq(r.ran(), ", ") {
				if strings.HasPrefix(run, "brute") {
					// A run near a limit is repeated.
					if len(brute) == 0 || brute[len(brute)-1] != run {
						brute = append(brute, run)
					}
				}
			}
			if got := strings.Join(brute, ", "); got != want {
				t.Errorf("%s: plan %d: ran %q, want %q", tt.why, i+1, got, want)
			}
		}
	}
}

// TestBruteJudgesPinnedOutputs checks that the brute judges a new pinned output, even if the
// reference agrees with it.
func TestBruteJudgesPinnedOutputs(t *testing.T) {
	t.Parallel()
	pinned := "cases:\n  - name: plain\n    pinned: true\n    input: |\n      abc\n    output: |\n      ABC\n...\n"
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": pinned, "reference/p/brute/main.sh": "brute"})
	r.opinion["abc\n"] = "cba\n"
	_, err := r.confirm()
	r.refused(err, Disputed, "edge/plain")
	delete(r.opinion, "abc\n")
	r.options.Fresh = true
	r.regen()
}

// TestBruteJudgesNewInputs checks that the brute judges a case with a changed input, even if the
// reference prints the same output as before.
func TestBruteJudgesNewInputs(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": three, "reference/p/brute/main.sh": "brute"})
	r.regen()
	r.write("cases/p/edge.yaml", strings.Replace(r.read("cases/p/edge.yaml"), "      abcd\n", "      abCD\n", 1))
	r.opinion["abCD\n"] = "y\n"
	_, err := r.confirm()
	r.refused(err, Disputed, "edge/middle")
}

// TestBruteIsSpared checks that the brute does not run if no output has changed.
func TestBruteIsSpared(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": three})
	r.regen()
	r.write("reference/p/brute/main.sh", "brute")
	r.write("reference/p/main.sh", "another that prints the same")
	r.opinion["ab\n"] = "no\n"
	r.ran()
	r.regen()
	if got := r.ran(); strings.Contains(got, "brute") {
		t.Errorf("ran %s", got)
	}
}

// TestGlobs regenerates some cases. It checks that the others keep their outputs, and that the lock
// does not claim that the new programs made those.
func TestGlobs(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": three})
	r.regen()
	first := r.read("cases/p/lock.yaml")
	reference := strings.SplitN(first, "\n", 3)[1]

	// The reference is the same, and so is its hash in the lock.
	r.write("cases/p/edge.yaml", strings.NewReplacer("      ab\n", "      xx\n", "      abcd\n", "      yyyy\n").Replace(r.read("cases/p/edge.yaml")))
	r.options.Globs = []string{"short"}
	if p := r.regen(); changed(p) != "edge/short changed" || p.Total != 3 || len(p.Cases()) != 3 {
		t.Errorf("changed %s of %d, %d", changed(p), p.Total, len(p.Cases()))
	}
	if text := r.read("cases/p/edge.yaml"); !strings.Contains(text, "XX") || strings.Contains(text, "YYYY") {
		t.Errorf("the file is\n%s", text)
	}
	if lock := r.read("cases/p/lock.yaml"); !strings.Contains(lock, reference) {
		t.Errorf("the lock is\n%s", lock)
	}
	r.options.Globs = nil
	if p := r.regen(); changed(p) != "edge/middle changed" {
		t.Errorf("later: changed %s", changed(p))
	}

	// Another reference did not make all outputs.
	r.write("reference/p/main.sh", "another")
	r.options.Globs = []string{"edge/l*", "short"}
	if p := r.regen(); len(p.Changes) > 0 || !p.Renew {
		t.Errorf("changed %s, renew %v", changed(p), p.Renew)
	}
	if lock := r.read("cases/p/lock.yaml"); strings.Contains(lock, "reference:") {
		t.Errorf("the lock is\n%s", lock)
	}
	r.options.Globs = nil
	r.ran()
	if p := r.regen(); !p.Renew || r.ran() != "again yyyy, reference yyyy" {
		t.Errorf("all cases: renew %v", p.Renew)
	}
	if lock := r.read("cases/p/lock.yaml"); !strings.Contains(lock, "reference:") {
		t.Errorf("the lock is\n%s", lock)
	}

	r.options.Globs = []string{"shirt"}
	if _, err := r.make(); err == nil || err.Error() != filepath.Join(r.root, "cases/p")+`: no case matches "shirt" (hint: did you mean short?)` {
		t.Errorf("a glob that matches nothing: %v", err)
	}
}

// TestLook checks that Look decides by hashes alone, and leaves the rest to Make.
func TestLook(t *testing.T) {
	t.Parallel()
	base := newRepository(t, map[string]string{"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample})
	base.regen()
	files := map[string]string{}
	for _, name := range []string{"cases/p/edge.yaml", "cases/p/sample.yaml", "cases/p/lock.yaml"} {
		files[name] = base.read(name)
	}
	for _, tt := range []struct {
		why    string
		change func(*repository)
		known  bool // Look returns a plan
	}{
		{"nothing changed", func(*repository) {}, true},
		{"a note and a comment in a case file", func(r *repository) {
			r.write("cases/p/edge.yaml", "# Mine.\n"+strings.Replace(edgeDone, "Letters", "Signs", 1))
		}, true},
		{"another modification time", func(r *repository) {
			if err := os.Chtimes(filepath.Join(r.root, "reference/p/main.sh"), time.Unix(9, 0), time.Unix(9, 0)); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a case that is gone", func(r *repository) {
			r.write("cases/p/edge.yaml", edgeDone[:strings.Index(edgeDone, "\n  - name: made")]+"...\n")
		}, true},
		{"another input", func(r *repository) { r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "abc", "abd", 1)) }, false},
		{"another seed", func(r *repository) { r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "seed: 5", "seed: 6", 1)) }, false},
		{"another argument", func(r *repository) { r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "n=3", "n=4", 1)) }, false},
		{"another output", func(r *repository) { r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "ABC", "ABD", 1)) }, false},
		{"an output removed from the file", func(r *repository) {
			r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "    output: |\n      ABC\n", "", 1))
		}, false},
		{"another reference", func(r *repository) { r.write("reference/p/main.sh", "x") }, false},
		{"another generator", func(r *repository) { r.write("reference/p/gen/main.sh", "x") }, false},
		{"no lock", func(r *repository) { os.Remove(filepath.Join(r.root, "cases/p/lock.yaml")) }, false},
		{"with Fresh", func(r *repository) { r.options.Fresh = true }, false},
	} {
		r := newRepository(t, files)
		tt.change(r)
		p, err := r.look()
		if err != nil || (p != nil) != tt.known {
			t.Errorf("%s: known %v, %v", tt.why, p != nil, err)
		}
		if ran := r.ran(); ran != "" {
			t.Errorf("%s: ran %s", tt.why, ran)
		}
	}
}
