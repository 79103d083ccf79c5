//go:build linux

package sandbox_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// gaps returns the programs that each mode does not stop, by the keys of the headers' gaps: one attack of
// those that call the same program.
func gaps(list []*attack) map[string][]*attack {
	found := map[string][]*attack{}
	for i, a := range list {
		if i > 0 && list[i-1].file == a.file {
			continue
		}
		for mode := range a.gaps {
			found[mode] = append(found[mode], a)
		}
	}
	return found
}

// TestGaps checks that the table of gaps.go names exactly the modes and kinds of the headers' gaps.
func TestGaps(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	for mode, list := range gaps(attacks(t)) {
		for _, a := range list {
			if !slices.Contains(want[mode], a.topic) {
				want[mode] = append(want[mode], a.topic)
			}
		}
	}
	if !maps.EqualFunc(want, sandbox.Gaps, slices.Equal) {
		var text strings.Builder
		for _, mode := range slices.Sorted(maps.Keys(want)) {
			fmt.Fprintf(&text, "\t%q: {%s},\n", mode, `"`+strings.Join(want[mode], `", "`)+`"`)
		}
		t.Errorf("gaps.go and the headers differ; by the headers it is\n%s", text.String())
	}
}

// TestNotes checks that a host's notes name the kinds of attack that succeed on it, and nothing
// else.
func TestNotes(t *testing.T) {
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		noted := ""
		for _, note := range h.Notes() {
			if _, after, found := strings.Cut(note, "known gaps here (docs/sandbox.md): "); found {
				noted += after + "; "
			}
		}
		open := slices.Concat(sandbox.Gaps[mode], sandbox.Gaps[mode+":"+sandbox.Account()])
		for kind, words := range sandbox.Kinds {
			if strings.Contains(noted, words+"; ") != slices.Contains(open, kind) {
				t.Errorf("the notes are %q: %s (%s) must be among them: %v", noted, kind, words, slices.Contains(open, kind))
			}
		}
		for _, kind := range open {
			if sandbox.Kinds[kind] == "" {
				t.Errorf("kind %s has no description", kind)
			}
		}
	})
}

// document is the page whose generated part lies between opening and closing.
const (
	document = "../../../docs/sandbox.md"
	opening  = "<!-- by: go test ./judge/internal/sandbox -run TestGuiltyDocument -args -update -->\n"
	closing  = "<!-- end of the generated part -->\n"
)

// modeTitles are the keys of the headers' gaps with their titles, in the order of the document.
var modeTitles = []struct{ key, title string }{
	{"cgroup", "Containers with cgroups let through:"},
	{"cgroup:root", "Containers with cgroups, when the judge is root, let through:"},
	{"cgroup:user", "Containers with cgroups, when the judge is an ordinary user, let through:"},
	{"polling", "Containers without cgroups let through:"},
	{"polling:root", "Containers without cgroups, when the judge is root, also let through:"},
	{"polling:user", "Containers without cgroups, when the judge is an ordinary user, also let through:"},
	{"rlimit", "The mode `rlimit` lets through:"},
	{"rlimit:root", "The mode `rlimit`, when the judge is root, also lets through:"},
	{"rlimit:user", "The mode `rlimit`, when the judge is an ordinary user, also lets through:"},
}

// TestGuiltyDocument checks that the documentation lists the attacks that each mode cannot stop.
func TestGuiltyDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := bytes.Cut(text, []byte(opening))
	had, after, ends := bytes.Cut(rest, []byte(closing))
	if !begins || !ends {
		t.Fatalf("%s does not contain the lines\n%s%s", document, opening, closing)
	}
	var want bytes.Buffer
	writeGaps(&want, gaps(attacks(t)))
	switch {
	case bytes.Equal(had, want.Bytes()):
	case *update:
		whole := slices.Concat(before, []byte(opening), want.Bytes(), []byte(closing), after)
		if err := os.WriteFile(document, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not list the gaps of the corpus (hint: -args -update); want\n%s", document, want.Bytes())
	}
}

// writeGaps writes the attacks of each mode with what they disprove; that of one listed before stands there.
func writeGaps(w io.Writer, found map[string][]*attack) {
	listed := map[*attack]bool{}
	for _, m := range modeTitles {
		if len(found[m.key]) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n\n", m.title)
		for _, a := range found[m.key] {
			seen := ""
			if v := a.gaps[m.key]; v != verdict.None {
				seen = fmt.Sprintf(" (%v)", v)
			}
			line, why := fmt.Sprintf("- `%s`%s:", filepath.Base(a.file), seen), a.why
			if listed[a] {
				why = "as above"
			}
			listed[a] = true
			for _, word := range strings.Fields(why) {
				if len(line)+1+len(word) > 118 {
					fmt.Fprintln(w, line)
					line = " "
				}
				line += " " + word
			}
			fmt.Fprintln(w, line)
		}
	}
	fmt.Fprintln(w)
}

// TestStrict checks which hosts enforce limits as strictly as any.
func TestStrict(t *testing.T) {
	t.Parallel()
	full := sandbox.Mechanisms{Mode: sandbox.Container, CPU: "cgroup v1 cpuacct", Memory: "cgroup v1 memory", Processes: "cgroup v1 pids"}
	polled, alone, unlimited := full, full, full
	polled.Memory = "anonymous and shared pages, polled from /proc"
	alone.Mode = sandbox.Rlimit
	unlimited.Processes = ""
	for _, tt := range []struct {
		why  string
		m    sandbox.Mechanisms
		want bool
	}{
		{"containers with cgroups", full, true},
		{"memory is polled", polled, false},
		{"no containers", alone, false},
		{"processes are not limited", unlimited, false},
	} {
		if got := tt.m.Strict(); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
