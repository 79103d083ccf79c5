package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
)

var everyDamage = flag.Bool("damage", false, "do everything to each file of a cache, which takes minutes, instead of one thing to all of a kind")

// stored is a repository whose cache is to be damaged. It has one of each thing that is
// taken from a cache: compiled and interpreted programs, a generated input, an output of
// which only the hash is in the lock, its second run, what the brute said, and what runs
// of examples came to.
var stored = map[string]string{
	"problems/p.yaml": `id: p
title: Words
source: the judge's own tests
limits: {cpu: 10s, wall: 1m, memory: 256MiB, output: 1MiB}
checker: true
statement: |
  Print a word so many times.
input: |
  The word and a number.
output: |
  The word, again and again.
`,
	"cases/p/a.yaml": `cases:
  - name: two
    note: Twice.
    input: |
      ab 2

  - name: many
    note: More than stands in a file.
    generate: ["900"]
    seed: 7

...
`,
	"reference/p/main.sh":                          "read word n\nwhile [ $n -gt 0 ]; do echo $word; n=$((n-1)); done\n",
	"reference/p/brute/main.sh":                    "read word n\nwhile [ $n -gt 0 ]; do echo $word; n=$((n-1)); done\n",
	"reference/p/gen/main.sh":                      "echo word${2#-seed=} $1\n",
	"reference/p/check/main.sh":                    "[ $# -gt 1 ] || exit 42\ntr A-Z a-z | cmp -s - $2 && exit 42\nexit 43\n",
	"reference/p/submissions/wrong_answer/less.sh": "read word n\n[ $n -gt 500 ] && n=500\nwhile [ $n -gt 0 ]; do echo $word; n=$((n-1)); done\n",
	"reference/p/submissions/accepted/loud.sh":     "read word n\nword=$(echo $word | tr a-z A-Z)\nwhile [ $n -gt 0 ]; do echo $word; n=$((n-1)); done\n",
	"reference/p/submissions/accepted/loud.c": `#include <stdio.h>
int main(void) {
	char word[100];
	int n;
	if (scanf("%99s %d", word, &n) != 2) return 1;
	for (char *c = word; *c; c++) if (*c >= 'a' && *c <= 'z') *c -= 32;
	while (n-- > 0) puts(word);
}
`,
}

// shelf is a repository and a cache of its own.
type shelf struct {
	t            *testing.T
	dir, program string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	program, err := exec.LookPath("judge") // where testscript put it
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("not checked: what a damaged cache does (no gcc)")
	}
	s := &shelf{t, t.TempDir(), program}
	for name, text := range stored {
		if err := writeTestFile(filepath.Join(s.dir, "new", name), text); err != nil {
			t.Fatal(err)
		}
	}
	s.copy("new", "done")
	return s
}

// copy copies a folder with its permissions.
func (s *shelf) copy(from, to string) {
	s.t.Helper()
	if out, err := exec.Command("cp", "-a", filepath.Join(s.dir, from), filepath.Join(s.dir, to)).CombinedOutput(); err != nil {
		s.t.Fatalf("cp: %v: %s", err, out)
	}
}

// judge runs a command in a repository, and returns its answer and what else it said.
func (s *shelf) judge(repository, cache string, args ...string) (answer, said string) {
	s.t.Helper()
	if !filepath.IsAbs(cache) {
		cache = filepath.Join(s.dir, cache)
	}
	cmd := exec.Command(s.program, args...)
	cmd.Dir = filepath.Join(s.dir, repository)
	cmd.Env = append(os.Environ(), config.CacheVariable+"="+cache)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return strings.Join(args, " ") + "\n" + stdout.String() + cmd.ProcessState.String() + "\n", stderr.String()
}

// questions are what the answers to must not depend on the cache. The second repository
// has no expectations yet: what regen writes there is part of its answer.
var questions = []struct {
	repository string
	args       []string
}{
	{"done", []string{"grade", "-q", "p", "reference/p/submissions/wrong_answer/less.sh", "reference/p/submissions/accepted/loud.sh", "reference/p/submissions/accepted/loud.c"}},
	{"done", []string{"regen", "--check", "p"}},
	{"again", []string{"regen", "p"}},
	{"done", []string{"verify", "p"}},
}

// answers asks all questions, each with a copy of a cache that is made for it, and
// returns the answers and what was said besides.
func (s *shelf) answers(copyCache func(to string)) (list []string, said string) {
	s.t.Helper()
	for _, q := range questions {
		s.copy("new", "again")
		copyCache("copy")
		answer, more := s.judge(q.repository, "copy", q.args...)
		if said += more; q.repository == "again" {
			for _, name := range []string{"a.yaml", "lock.yaml"} {
				text, _ := os.ReadFile(filepath.Join(s.dir, "again/cases/p", name))
				answer += string(text)
			}
		}
		list = append(list, answer)
		for _, used := range []string{"again", "copy"} {
			if err := os.RemoveAll(filepath.Join(s.dir, used)); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return list, said
}

// fill makes a cache that knows all that the questions are about, and returns the answers
// of judges that begin with an empty one.
func (s *shelf) fill(cache string) []string {
	s.t.Helper()
	s.judge("done", cache, "regen", "p")
	want, _ := s.answers(func(string) {})
	for i, wants := range []string{"less.sh: WA 1/2", "up to date", "bytes: 5400", "exit status 1"} {
		if !strings.Contains(want[i], wants) {
			s.t.Fatalf("with an empty cache: want %q in:\n%s", wants, want[i])
		}
	}
	for _, q := range questions {
		if q.repository == "done" {
			s.judge("done", cache, q.args...)
		}
	}
	return want
}

// TestDamagedCache damages every file of a cache: no command may give another
// verdict, or write another expectation, than with an empty cache, and the damage is told
// of by those that meet it.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	want := s.fill("cache")
	var files []string
	err := filepath.WalkDir(filepath.Join(s.dir, "cache"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path[len(s.dir)+len("/cache/"):])
		}
		return err
	})
	if err != nil || len(files) < 30 {
		t.Fatalf("the cache has %d files (%v)", len(files), err)
	}
	damages := []struct {
		why string
		do  func(text []byte) []byte // nil removes the file
	}{
		{"it is gone", nil},
		{"it is empty", func([]byte) []byte { return []byte{} }},
		{"half of it is missing", func(text []byte) []byte { return text[:len(text)/2] }},
		{"a bit of it fell over", func(text []byte) []byte { text[len(text)/3] ^= 1; return text }},
	}
	// Files of a kind are damaged together, each in one way; if asked for, each alone and in
	// every way.
	kinds := map[string][]string{}
	for i, file := range files {
		kind := filepath.Base(file)
		if *everyDamage {
			kind = file
		}
		for k := range damages {
			if *everyDamage || (i+k)%len(damages) == 0 {
				group := fmt.Sprintf("%s %d", kind, k)
				kinds[group] = append(kinds[group], file)
			}
		}
	}
	groups := slices.Sorted(maps.Keys(kinds))
	t.Logf("%d files in %d groups", len(files), len(groups))
	for i, group := range groups {
		if testing.Short() && i%5 != 0 {
			continue
		}
		d := damages[group[len(group)-1]-'0']
		got, said := s.answers(func(to string) {
			s.copy("cache", to)
			for _, file := range kinds[group] {
				s.damage(filepath.Join(to, file), d.do)
			}
		})
		for q := range want {
			if got[q] != want[q] {
				t.Errorf("%v: %s: the answer is another than with an empty cache\ngot  %s\nwant %s", kinds[group], d.why, got[q], want[q])
			}
		}
		if !strings.Contains(said, "judge: note: damaged files in the cache") {
			t.Errorf("%v: %s: nobody says so:\n%s", kinds[group], d.why, said)
		}
	}
}

// damage does something to a file of a cache; nil removes it.
func (s *shelf) damage(file string, do func(text []byte) []byte) {
	s.t.Helper()
	path := filepath.Join(s.dir, file)
	if do == nil {
		if err := os.Remove(path); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 {
		err = os.WriteFile(path, do(text), 0)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestCacheAfterPowerCut takes the cache as it would be after one: from an image of a file
// system that is copied after its journal was written and before the files were. In the
// copy they have their names and no content.
func TestCacheAfterPowerCut(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("not checked: the cache after a power cut (-short)")
	}
	if os.Geteuid() != 0 {
		t.Skip("not checked: the cache after a power cut (only root mounts an image of a file system)")
	}
	s := newShelf(t)
	want := s.fill("cache")
	tool := func(name string, args ...string) bool {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Logf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
		}
		return err == nil
	}
	image, crashed := filepath.Join(s.dir, "image"), filepath.Join(s.dir, "crashed")
	mount := func(image, at string) bool {
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if !tool("mount", "-o", "loop", image, at) {
			return false
		}
		t.Cleanup(func() { tool("umount", at) })
		return true
	}
	live, after := filepath.Join(s.dir, "live"), filepath.Join(s.dir, "after")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if !tool("mkfs.ext4", "-q", "-F", image) || !mount(image, live) {
		t.Skip("not checked: the cache after a power cut (no file system in an image here)")
	}
	// What an earlier run left is on the disk: the programs, and the first case.
	s.copy("new", "again")
	s.judge("again", filepath.Join(live, "cache"), "regen", "--dry-run", "--case", "a/two", "p")
	tool("sync", "-f", live)
	s.judge("again", filepath.Join(live, "cache"), "regen", "--dry-run", "p")
	s.judge("done", filepath.Join(live, "cache"), questions[0].args...)
	// To sync a file writes the journal, with the names of all.
	f, err := os.Create(filepath.Join(live, "file"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if !tool("cp", "--sparse=always", image, crashed) || !mount(crashed, after) {
		t.Fatal("the image cannot be mounted as it was left")
	}
	torn := 0
	_ = filepath.WalkDir(filepath.Join(after, "cache", "entries"), func(path string, d fs.DirEntry, err error) error {
		if info, statErr := os.Stat(path); err == nil && statErr == nil && info.Mode().IsRegular() && info.Size() == 0 {
			torn++
		}
		return nil
	})
	if t.Logf("%d files have lost their content", torn); torn == 0 {
		t.Skip("not checked: the cache after a power cut (everything was on the disk already)")
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "again")); err != nil {
		t.Fatal(err)
	}
	got, _ := s.answers(func(to string) {
		if err := os.Symlink(filepath.Join(after, "cache"), filepath.Join(s.dir, to)); err != nil && !errors.Is(err, syscall.EEXIST) {
			t.Fatal(err)
		}
	})
	for q := range want {
		if got[q] != want[q] {
			t.Errorf("after a power cut the answer is another than with an empty cache\ngot  %s\nwant %s", got[q], want[q])
		}
	}
}

// TestAdviceLeadsOut has a lock that fits the sources and names an output that the reference
// does not print here. What grade advises must lead out of it: a plain regen believes such
// a lock, and finds nothing to do.
func TestAdviceLeadsOut(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	want := s.fill("cache")
	s.judge("done", "cache", "regen", "p")
	set, err := cases.Read(filepath.Join(s.dir, "done"), "p")
	if err != nil {
		t.Fatal(err)
	}
	many := set.Lock.Cases["a/many"]
	many.Output = cases.Hash([]byte("what it printed on another machine"))
	set.Lock.Cases["a/many"] = many
	if err := os.WriteFile(filepath.Join(s.dir, "done/cases/p/lock.yaml"), set.Lock.Marshal(), 0o644); err != nil {
		t.Fatal(err)
	}
	answer, said := s.judge("done", "cache", questions[0].args...)
	advice := regexp.MustCompile(`hint: judge (.*) shows what changed`).FindStringSubmatch(said)
	if !strings.Contains(answer, "exit status 2") || advice == nil {
		t.Fatalf("no advice: %s%s", answer, said)
	}
	changes, _ := s.judge("done", "cache", strings.Fields(advice[1])...)
	if !strings.Contains(changes, "p/a/many: changed") {
		t.Errorf("what is advised shows no change:\n%s", changes)
	}
	if answer, said = s.judge("done", "cache", questions[0].args...); answer != want[0] {
		t.Errorf("after that:\n%s%s\nwant %s", answer, said, want[0])
	}
}
