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
	"sync"
	"syscall"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
)

var everyDamage = flag.Bool("damage", false, "damage each file of a cache by itself and in every way, which takes minutes")

// stored holds the files of a repository whose commands store every kind of entry in the cache:
// compiled and interpreted programs, a generated input, an expected output of which the lock holds
// only the hash, the run that confirms it, the output of the brute-force solver, and the results of
// examples.
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

// shelf is a folder with copies of a repository and of its cache.
type shelf struct {
	t            *testing.T
	dir, program string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	program, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	tier.Needs(t, "commands with a damaged cache", "gcc")
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

// judge runs a command in a repository. The answer is standard output and the exit status, notes is
// standard error.
func (s *shelf) judge(repository, cache string, args ...string) (answer, notes string) {
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
	answered := fromCache().ReplaceAllString(stdout.String(), "")
	return strings.Join(args, " ") + "\n" + answered + cmd.ProcessState.String() + "\n", stderr.String()
}

// fromCache matches what judge grade -q says of the cache, which is no part of an answer.
var fromCache = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`, \d+ cached`) })

// questions lists commands whose answers must not depend on the cache. The repository "again" has
// no expected outputs yet; those that regen writes there are part of its answer.
var questions = []struct {
	repository string
	args       []string
}{
	{"done", []string{"grade", "-q", "p", "reference/p/submissions/wrong_answer/less.sh", "reference/p/submissions/accepted/loud.sh", "reference/p/submissions/accepted/loud.c"}},
	{"done", []string{"regen", "--check", "p"}},
	{"again", []string{"regen", "p"}},
	{"done", []string{"verify", "p"}},
}

// answers runs the questions with these numbers, each with a fresh copy of a cache, and returns their
// answers and the notes of all together.
func (s *shelf) answers(numbers []int, copyCache func(to string)) (list []string, notes string) {
	s.t.Helper()
	for _, i := range numbers {
		q := questions[i]
		s.copy("new", "again")
		copyCache("copy")
		answer, more := s.judge(q.repository, "copy", q.args...)
		if notes += more; q.repository == "again" {
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
	return list, notes
}

// all are the numbers of all questions.
var all = []int{0, 1, 2, 3}

// fill runs all questions with a cache, so that it stores every entry that they need, and returns
// the answers with an empty cache.
func (s *shelf) fill(cache string) []string {
	s.t.Helper()
	s.judge("done", cache, "regen", "p")
	want, _ := s.answers(all, func(string) {})
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

// TestDamagedCache damages every file of a cache. Every command must give the same verdicts and
// write the same expected outputs as with an empty cache, and print a note about the damage.
//
// All files are damaged at once, in one way after the other: commands then look at every entry that
// they would use, because they find none of those that would spare them others. One way is tried with
// all commands, each other way with one. In T3 every way is tried with all commands, and files of one
// kind are also damaged alone. TestDamage in package cache damages single files of an entry.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	tier.T2(t, "commands with a damaged cache")
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
		{"one bit has flipped", func(text []byte) []byte { text[len(text)/3] ^= 1; return text }},
		{"the file is missing", nil},
		{"the second half is missing", func(text []byte) []byte { return text[:len(text)/2] }},
		{"the file is empty", func([]byte) []byte { return []byte{} }},
	}
	kinds := map[string][]string{}
	for i, file := range files {
		kind := filepath.Base(file)
		if *everyDamage {
			kind = file
		}
		for k := range damages {
			kinds[fmt.Sprintf("all %d", k)] = files
			if *everyDamage || tier.All() && (i+k)%len(damages) == 0 {
				group := fmt.Sprintf("%s %d", kind, k)
				kinds[group] = append(kinds[group], file)
			}
		}
	}
	groups := slices.Sorted(maps.Keys(kinds))
	t.Logf("%d files in %d groups", len(files), len(groups))
	for _, group := range groups {
		number := int(group[len(group)-1] - '0')
		d, asked := damages[number], all
		if number > 0 && !tier.All() && !*everyDamage {
			asked = []int{number - 1}
		}
		got, notes := s.answers(asked, func(to string) {
			s.copy("cache", to)
			for _, file := range kinds[group] {
				s.damage(filepath.Join(to, file), d.do)
			}
		})
		for i, q := range asked {
			if got[i] != want[q] {
				t.Errorf("%s: %s: the answer differs from that with an empty cache\ngot  %s\nwant %s", group, d.why, got[i], want[q])
			}
		}
		if !strings.Contains(notes, "judge: note: ignored damaged files in the cache") {
			t.Errorf("%s: %s: no note about the damage:\n%s", group, d.why, notes)
		}
	}
}

// damage applies do to the content of a file in a cache; if do is nil, it removes the file.
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

// TestCacheAfterPowerCut judges with a cache in the state after a power cut. It copies the image of
// a file system when the journal has been written but the contents of the files have not. In the
// copy the files have names but no content.
func TestCacheAfterPowerCut(t *testing.T) {
	t.Parallel()
	tier.T3(t, "the cache after a power cut")
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
	// The entries of an earlier run are on the disk: the programs and the first case.
	s.copy("new", "again")
	s.judge("again", filepath.Join(live, "cache"), "regen", "--dry-run", "--case", "a/two", "p")
	tool("sync", "-f", live)
	s.judge("again", filepath.Join(live, "cache"), "regen", "--dry-run", "p")
	s.judge("done", filepath.Join(live, "cache"), questions[0].args...)
	// Syncing one file writes the journal, with the names of all files.
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
	got, _ := s.answers(all, func(to string) {
		if err := os.Symlink(filepath.Join(after, "cache"), filepath.Join(s.dir, to)); err != nil && !errors.Is(err, syscall.EEXIST) {
			t.Fatal(err)
		}
	})
	for q := range want {
		if got[q] != want[q] {
			t.Errorf("after a power cut the answer differs from that with an empty cache\ngot  %s\nwant %s", got[q], want[q])
		}
	}
}

// TestHintRepairsLock follows the hint of judge grade about a lock that matches the sources but
// holds the hash of an output that the reference does not print on this machine. The hint must
// repair the lock. A plain judge regen does not, because it trusts a lock that matches the sources.
func TestHintRepairsLock(t *testing.T) {
	t.Parallel()
	tier.T2(t, "the hint about a lock of another machine")
	s := newShelf(t)
	s.judge("done", "cache", "regen", "p")
	want, _ := s.judge("done", "cache", questions[0].args...)
	if !strings.Contains(want, "less.sh: WA 1/2") {
		t.Fatal(want)
	}
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
	answer, notes := s.judge("done", "cache", questions[0].args...)
	advice := regexp.MustCompile(`hint: judge (.*) shows what changed`).FindStringSubmatch(notes)
	if !strings.Contains(answer, "exit status 2") || advice == nil {
		t.Fatalf("no hint: %s%s", answer, notes)
	}
	changes, _ := s.judge("done", "cache", strings.Fields(advice[1])...)
	if !strings.Contains(changes, "p/a/many: changed") {
		t.Errorf("the command of the hint shows no change:\n%s", changes)
	}
	if answer, notes = s.judge("done", "cache", questions[0].args...); answer != want {
		t.Errorf("after the command of the hint:\n%s%s\nwant %s", answer, notes, want)
	}
}
