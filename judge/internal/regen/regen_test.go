package regen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/yamlstrict"
)

const edge = `# Each rule once.
cases:
  - name: plain     # the usual
    note: "Letters."
    input: |
      abc

  - name: made
    generate: [x, -n=3]
    seed: 5
    note: A note after the input.
    output: |
      stale
...
`

const edgeDone = `# Each rule once.
cases:
  - name: plain     # the usual
    note: "Letters."
    input: |
      abc
    output: |
      ABC

  - name: made
    generate: [x, -n=3]
    seed: 5
    note: A note after the input.
    output: |
      X -N=3 -SEED=5
...
`

const sample = `cases:
  - name: statement
    input: |
      hello
    pinned: true
    output: |
      HELLO
...
`

func TestRegen(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample})
	p, err := r.make()
	if err != nil {
		t.Fatal(err)
	}
	if got := changed(p); got != "edge/plain new, edge/made changed" || p.Total != 3 || !p.Stale || p.Renew || p.Problem != "p" {
		t.Errorf("planned %s, %+v", got, p)
	}
	if m := p.Changes[1].Mismatch; m == nil || m.Line != 1 {
		t.Errorf("how the old output differs: %+v", m)
	}
	if r.read("cases/p/edge.yaml") != edge || r.read("cases/p/lock.yaml") != "" {
		t.Error("something was written before Apply")
	}
	unchanged := filepath.Join(r.root, "cases/p/sample.yaml")
	before, err := os.Stat(unchanged)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	if now, err := os.Stat(unchanged); err != nil || !os.SameFile(before, now) {
		t.Errorf("a file without changes was written (%v)", err)
	}
	if got := r.read("cases/p/edge.yaml"); got != edgeDone {
		t.Errorf("got\n%s\nwant only the outputs changed:\n%s", got, edgeDone)
	}
	set, err := cases.Load(r.root, "p") // compares the lock with the files
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Missing(); err != nil {
		t.Error(err)
	}
	if l := set.Lock; len(l.Reference) != 40 || len(l.Generator) != 40 || len(l.Cases) != 3 ||
		l.Cases["edge/made"].Input != cases.Hash([]byte("x -n=3 -seed=5\n")) || l.Cases["edge/plain"].Bytes != 0 || l.Cases["edge/made"].Made == "" || l.Cases["edge/plain"].Input != cases.Hash([]byte("abc\n")) {
		t.Errorf("the lock: %+v", l)
	}
}

// TestNothingToDo checks that regen does not write files that need no change: a program that
// watches their modification times would start regen again.
func TestNothingToDo(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample})
	r.regen()
	long := time.Unix(1000, 0)
	names := []string{"cases/p/edge.yaml", "cases/p/sample.yaml", "cases/p/lock.yaml"}
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(r.root, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	if p := r.regen(); p.Stale || p.Renew || len(p.Changes) > 0 {
		t.Errorf("the second time: %s, %+v", changed(p), p)
	}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(r.root, name)); err != nil || !info.ModTime().Equal(long) {
			t.Errorf("%s was written (%v)", name, err)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	base := newRepository(t, map[string]string{"cases/p/edge.yaml": edge})
	base.regen()
	before := base.read("cases/p/lock.yaml")
	for _, tt := range []struct {
		why          string
		change       func(*repository)
		changes      string // as changed renders them
		stale, renew bool
	}{
		{"nothing", func(*repository) {}, "", false, false},
		{"another reference with the same output only renews the lock", func(r *repository) {
			r.write("reference/p/main.sh", "tr a-z A-Z # faster")
		}, "", false, true},
		{"another reference with another output", func(r *repository) {
			r.write("reference/p/main.sh", "rev")
			r.answers["abc\n"] = "cba\n"
		}, "edge/plain changed", true, false},
		{"another input", func(r *repository) {
			r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "abc", "abd", 1))
		}, "edge/plain changed", true, false},
		{"a new case", func(r *repository) {
			r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "...", "  - name: more\n    input: |\n      m\n...", 1))
		}, "edge/more new", true, false},
		{"a new file without an end marker, which it gets", func(r *repository) {
			r.write("cases/p/more.yaml", "cases:\n  - name: a\n    input: |\n      abc\n")
		}, "more/a new", true, false},
		{"a new file without an end marker whose outputs are files", func(r *repository) {
			r.write("cases/p/more/1.ans", "ABC\n")
			r.write("cases/p/more.yaml", "cases:\n  - name: a\n    input: |\n      abc\n    output_file: 1.ans\n")
		}, "", true, false},
		{"a removed case leaves the lock, and is not a change", func(r *repository) {
			r.write("cases/p/edge.yaml", edgeDone[:strings.Index(edgeDone, "\n  - name: made")]+"...\n")
		}, "", true, false},
		{"an output that an editor has trimmed", func(r *repository) {
			r.write("cases/p/edge.yaml", strings.Replace(edgeDone, "      ABC\n", "      AB\n", 1))
		}, "edge/plain changed", true, false},
		{"a lock that was removed", func(r *repository) {
			if err := os.Remove(filepath.Join(r.root, "cases/p/lock.yaml")); err != nil {
				t.Fatal(err)
			}
		}, "", true, false},
	} {
		r := newRepository(t, map[string]string{"cases/p/edge.yaml": edgeDone, "cases/p/lock.yaml": before})
		tt.change(r)
		p, err := r.make()
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if changed(p) != tt.changes || p.Stale != tt.stale || p.Renew != tt.renew {
			t.Errorf("%s: %q, stale %v, renew %v, want %q, %v, %v", tt.why, changed(p), p.Stale, p.Renew, tt.changes, tt.stale, tt.renew)
		}
		if err := p.Apply(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
		if again := r.regen(); again.Stale || again.Renew || len(again.Changes) > 0 {
			t.Errorf("%s: the second time: %q, %+v", tt.why, changed(again), again)
		}
		if _, err := cases.Load(r.root, "p"); err != nil {
			t.Errorf("%s: loading the cases afterwards: %v", tt.why, err)
		}
	}
}

func TestPinned(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample})
	r.answers["hello\n"] = "HALLO\n"
	_, err := r.make()
	refused := r.refused(err, Pinned, "sample/statement")
	if refused.Mismatch.Column != 2 {
		t.Errorf("the difference: %+v", refused.Mismatch)
	}
	want := filepath.Join(r.root, "cases/p/sample.yaml") + `:6: case statement: the reference disagrees with the pinned output, nothing is written (hint: pinned outputs are never rewritten: correct the reference or the case)
- pinned, + by the reference
sample/statement: line 1, column 2
- HELLO⏎
+ HALLO⏎
`
	if !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got\n%s\nwant\n%s", err, want)
	}
	if r.read("cases/p/edge.yaml") != edge || r.read("cases/p/lock.yaml") != "" {
		t.Error("something was written")
	}
}

// TestPinnedByTheProblem checks that a pinned output may differ from the reference's if the
// problem's comparison accepts it.
func TestPinnedByTheProblem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		compare diff.Options
		answer  string
		agrees  bool
	}{
		{"bytes are compared", diff.Options{Mode: diff.Exact}, " HELLO\n", false},
		{"words are compared", diff.Options{Mode: diff.Tokens}, " HELLO\n", true},
		{"words are compared without regard to case", diff.Options{Mode: diff.Tokens, FoldCase: true}, "hello\n", true},
		{"the comparison of words distinguishes case", diff.Options{Mode: diff.Tokens}, "hello\n", false},
	} {
		r := newRepository(t, map[string]string{"cases/p/sample.yaml": sample})
		r.compare = tt.compare
		r.answers["hello\n"] = tt.answer
		p, err := r.confirm()
		if !tt.agrees {
			r.refused(err, Pinned, "sample/statement")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if len(p.Changes) > 0 {
			t.Errorf("%s: %s", tt.why, changed(p))
		}
		if err := p.Apply(); err != nil {
			t.Fatal(err)
		}
		if r.read("cases/p/sample.yaml") != sample {
			t.Errorf("%s: the pinned output was written", tt.why)
		}
		if p, err := r.look(); err != nil || p == nil || p.Stale {
			t.Errorf("%s: stale or needs a run once the lock is written: %+v, %v", tt.why, p, err)
		}
	}
}

// TestInline checks which outputs are stored in the case file.
func TestInline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, output string
		inline      bool
	}{
		{"an empty output", "", true},
		{"as long as allowed", strings.Repeat("x", inlineLimit-1) + "\n", true},
		{"one byte too long", strings.Repeat("x", inlineLimit) + "\n", false},
		{"not UTF-8", "caf\xe9\n", false},
		{"blank lines at the end", "a\n\n\n", true},
		{"no line end", "a", true},
		{"blanks and tabs", " \ta \n", true},
	} {
		r := newRepository(t, map[string]string{"cases/p/edge.yaml": "cases:\n  - name: a\n    input: |\n      abc\n    output: |\n      stale\n...\n"})
		r.answers["abc\n"] = tt.output
		if p := r.regen(); changed(p) != "edge/a changed" {
			t.Errorf("%s: %s", tt.why, changed(p))
		}
		set, err := cases.Load(r.root, "p")
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		c := set.Cases[0]
		if (c.Output != nil) != tt.inline || c.Output != nil && *c.Output != tt.output {
			t.Errorf("%s: in the file: %v, want %v", tt.why, c.Output != nil, tt.inline)
		}
		size := int64(len(tt.output))
		if tt.inline {
			size = 0 // the lock records the size only if the output is not in the file
		}
		if c.Lock.Output != cases.Hash([]byte(tt.output)) || c.Lock.Bytes != size {
			t.Errorf("%s: the lock has %+v", tt.why, c.Lock)
		}
		r.write("reference/p/main.sh", "another")
		r.answers["abc\n"] = tt.output + "!"
		if p, err := r.make(); err != nil || len(p.Changes) != 1 || (p.Changes[0].Mismatch != nil) != tt.inline {
			t.Errorf("%s: changed once more: %+v, %v", tt.why, p, err)
		}
	}
}

// TestFailuresWriteNothing checks that nothing is written if Make fails.
func TestFailuresWriteNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		setup func(*repository)
		says  string // the beginning of the error, after the path of the root
	}{
		{"a reference that fails", func(r *repository) { r.answers["abc\n"] = "crash" }, "/cases/p/edge.yaml:3: case plain: reference: exited with status 3"},
		{"no reference", func(r *repository) { os.RemoveAll(filepath.Join(r.root, "reference")) }, "/reference/p: no such folder (hint: "},
		{"a mistake in a case file", func(r *repository) { r.write("cases/p/edge.yaml", "cases:\n  - nam: x\n...\n") }, "/cases/p/edge.yaml:2: "},
		{"a mistake in the lock", func(r *repository) { r.write("cases/p/lock.yaml", "cases: 1\n") }, "/cases/p/lock.yaml:1: "},
	} {
		r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample})
		tt.setup(r)
		before := r.read("cases/p/edge.yaml") + r.read("cases/p/lock.yaml")
		_, err := r.make()
		var located *yamlstrict.Error
		if !errors.As(err, &located) || !strings.HasPrefix(err.Error(), r.root+tt.says) {
			t.Errorf("%s: got %v, want %s", tt.why, err, r.root+tt.says)
		}
		if r.read("cases/p/edge.yaml")+r.read("cases/p/lock.yaml") != before {
			t.Errorf("%s: something was written", tt.why)
		}
	}
}

// TestEditedMeanwhile saves a file while the programs run, or between Make and Apply. It checks
// that the edit is not lost, and that no file is written.
func TestEditedMeanwhile(t *testing.T) {
	t.Parallel()
	const note = "# Somebody's work.\n"
	for _, tt := range []struct {
		why, file string
		early     bool // save while the programs run, not between Make and Apply
	}{
		{"the first file, while the programs run", "cases/p/sample.yaml", true},
		{"the last file, while the programs run", "cases/p/edge.yaml", true},
		{"a file that Apply would not write", "cases/p/sample.yaml", false},
		{"a file that Apply would write", "cases/p/edge.yaml", false},
		{"the lock", "cases/p/lock.yaml", false},
	} {
		r := newRepository(t, map[string]string{
			"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample,
			"cases/p/dawn.yaml": "cases:\n  - name: a\n    input: |\n      d\n...\n", // written before edge
		})
		save := func() { r.write(tt.file, note+strings.TrimPrefix(r.read(tt.file), note)) }
		if tt.early {
			r.running = sync.OnceFunc(save)
		}
		p, err := r.make()
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if !tt.early {
			save()
		}
		saved := r.read("cases/p/dawn.yaml") + r.read("cases/p/edge.yaml") + r.read("cases/p/sample.yaml") + r.read("cases/p/lock.yaml")
		err = p.Apply()
		if want := filepath.Join(r.root, tt.file) + ": changed while the outputs were computed (hint: run it again)"; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", tt.why, err, want)
		}
		if r.read("cases/p/dawn.yaml")+r.read("cases/p/edge.yaml")+r.read("cases/p/sample.yaml")+r.read("cases/p/lock.yaml") != saved {
			t.Errorf("%s: something was written", tt.why)
		}
	}
}

// TestLockComesLast checks that the lock is written after the files whose hashes it holds.
func TestLockComesLast(t *testing.T) {
	t.Parallel()
	r := newRepository(t, map[string]string{"cases/p/edge.yaml": edge, "cases/p/sample.yaml": sample})
	p, err := r.make()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, e := range p.files {
		order = append(order, filepath.Base(e.Path))
	}
	if got := strings.Join(order, " "); got != "sample.yaml edge.yaml lock.yaml" {
		t.Errorf("files are written in the order %s", got)
	}
}
