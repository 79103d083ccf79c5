package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/reference/internal/family"
)

// TestFamilies runs every family with its default flags, at its limits and for each rung of its
// ladder, and validates the inputs.
func TestFamilies(t *testing.T) {
	tier.T3(t, "programs of a problem against each other")
	check := filepath.Join(t.TempDir(), "check")
	if output, err := exec.Command("go", "build", "-o", check, "../check").CombinedOutput(); err != nil {
		t.Fatalf("building check: %v\n%s", err, output)
	}
	for _, k := range kinds {
		flags := []string{
			"",
			"-mazes=0",
			"-rows=1 -columns=1 -mazes=3",
			"-rows=1 -columns=39 -mazes=3 -flips=50",
			"-rows=39 -columns=1 -mazes=3 -flips=50 -burst=7",
			"-rows=2 -columns=2 -mazes=50 -flips=9",
			"-rows=39 -columns=39 -mazes=1 -flips=3000",
		}
		for i, r := range k.ladder {
			if i > 0 && r.Size <= k.ladder[i-1].Size {
				t.Errorf("%s: rung %d is no larger than the one before", k.name, i+1)
			}
			flags = append(flags, r.Flags)
		}
		for _, flags := range flags {
			args := append([]string{k.name}, strings.Fields(flags+" -seed=5")...)
			input := generate(t, args...)
			command := exec.Command(check, "-input")
			command.Stdin = bytes.NewReader(input)
			message, _ := command.CombinedOutput()
			if status := command.ProcessState.ExitCode(); status != 42 {
				t.Errorf("gen %v: check exits with %d: %s", args, status, message)
			}
			if !bytes.Equal(input, generate(t, args...)) {
				t.Errorf("gen %v: two runs differ", args)
			}
		}
	}
}

// TestStable pins the inputs of the families by their hashes, because the cases depend on them. To
// change a sum here is to change test data.
func TestStable(t *testing.T) {
	for name, want := range map[string]string{
		"path":   "6de0c44eaf888c50",
		"row":    "7cbb2654a31488d0",
		"column": "eb8544337fd6af49",
		"random": "bd32c129106a0279",
		"tiny":   "644ca3757e875a93",
		"bursts": "6966797d42e811ee",
		"length": "a0249835f9f13e68",
		"dead":   "de3e1d520545919d",
		"first":  "df9df250a464c89d",
		"live":   "23ebea009592414d",
	} {
		got := fmt.Sprintf("%x", sha256.Sum256(generate(t, name, "-seed=7")))[:16]
		if got != want {
			t.Errorf("%s: the sum is %s, want %s", name, got, want)
		}
	}
}

func TestSeeds(t *testing.T) {
	if bytes.Equal(generate(t, "random", "-seed=1"), generate(t, "random", "-seed=2")) {
		t.Error("two seeds give the same input")
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		why, args string
	}{
		{"a family is needed", ""},
		{"unknown family", "huge -seed=1"},
		{"the family must be the first argument", "-seed=1 random"},
		{"unknown flag", "random -size=3"},
		{"not a number", "random -rows=x"},
		{"not a seed", "random -seed=-1"},
		{"beyond the grid", "random -rows=40"},
		{"negative", "random -flips=-1"},
		{"the largest random side is 0", "random -most=0"},
		{"bursts of no flips", "bursts -burst=0"},
		{"more commands than an input may have", "first -flips=48481"},
		{"text behind the flags", "random -rows=3 4"},
	} {
		var stdout, stderr bytes.Buffer
		status := family.Run(families(), strings.Fields(tt.args), &stdout, &stderr)
		if status != 2 || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("gen %s: %s: exit status %d, %d bytes of output, message %q", tt.args, tt.why, status, stdout.Len(), stderr.String())
		}
	}
}

func generate(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := family.Run(families(), args, &stdout, &stderr); status != 0 {
		t.Fatalf("gen %v: exit status %d: %s", args, status, &stderr)
	}
	return stdout.Bytes()
}
