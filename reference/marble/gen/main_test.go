package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFamilies(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	if out, err := exec.Command("go", "build", "-o", check, "../check").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			var one, two, other, stderr bytes.Buffer
			for seed, out := range map[int][]*bytes.Buffer{5: {&one, &two}, 6: {&other}} {
				for _, o := range out {
					if status := run([]string{f.name, fmt.Sprintf("-seed=%d", seed)}, o, &stderr); status != 0 {
						t.Fatalf("status %d: %s", status, &stderr)
					}
				}
			}
			if !bytes.Equal(one.Bytes(), two.Bytes()) {
				t.Error("two runs with one seed differ")
			}
			if bytes.Equal(one.Bytes(), other.Bytes()) {
				t.Error("two seeds give the same")
			}
			command := exec.Command(check, "-input")
			command.Stdin = &one
			if out, err := command.CombinedOutput(); command.ProcessState.ExitCode() != 42 {
				t.Errorf("%v %s", err, out)
			}
		})
	}
}

// The bytes must stay what they are, or every case made from them changes.
func TestFixed(t *testing.T) {
	var out, stderr bytes.Buffer
	for _, args := range []string{
		"tiny -boards=50 -seed=1", "random -seed=2", "twice -seed=3", "maze -seed=4", "stairs -m=3 -seed=5",
		"boxed -seed=6", "crowd -n=7 -seed=7", "rollover -boards=5 -seed=8", "deep -steps=20 -seed=9", "played -seed=10",
	} {
		if status := run(strings.Fields(args), &out, &stderr); status != 0 {
			t.Fatalf("%s: %s", args, &stderr)
		}
	}
	const want = "c369a7644fd72bea"
	if got := fmt.Sprintf("%x", sha256.Sum256(out.Bytes()))[:16]; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMisuse(t *testing.T) {
	for _, test := range []struct{ why, args, hint string }{
		{"no family", "", "no family (hint: gen -list)"},
		{"unknown family", "nosuch", `unknown family "nosuch" (hint: gen -list)`},
		{"unknown flag", "random -x=1", "random: flag provided but not defined: -x (hint: gen -list)"},
		{"no number", "random -n=x", "random: invalid value"},
		{"out of range", "random -n=41", "random: -n=41 is outside 2..40"},
		{"no flag", "random 7", `random: "7" is no flag (hint: flags look like -n=4)`},
		{"too many marbles", "random -n=3 -m=5", "random: -m=5 is too large"},
		{"too many walls", "random -n=3 -w=13", "random: -w=13 is too large"},
		{"too short a corridor", "stairs -n=2 -m=2", "stairs: -m=2 is too large"},
	} {
		var out, stderr bytes.Buffer
		status := run(strings.Fields(test.args), &out, &stderr)
		if status != misuse || out.Len() > 0 || !strings.HasPrefix(stderr.String(), test.hint) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: got %d %q, want %d %q…", test.why, status, stderr.String(), misuse, test.hint)
		}
	}
}

func TestList(t *testing.T) {
	var out, stderr bytes.Buffer
	if status := run([]string{"-list"}, &out, &stderr); status != 0 {
		t.Fatal(status, stderr.String())
	}
	for _, f := range families {
		if !strings.Contains(out.String(), f.name+"\t"+f.about) {
			t.Errorf("%s is not listed", f.name)
		}
	}
}
