//go:build linux

package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// corpus is the folder of the guilty programs. The name of a program is its topic, a dash and its
// variant. A program begins with a comment of lines "key: value"; an indented line continues the
// line before:
//
//	verdict  the verdict in a jail that enforces everything; WA means that the attack succeeded
//	why      what the program tries, or must not be able to do
//	limits   as in --limits, on top of usual
//	stdin    none (/dev/null), closed (a pipe without a writer), a size, or a quoted text;
//	         empty by default
//	args     what the program is called with: a list, separated by commas, of which each word makes
//	         an attack of its own
//	runs     together (in two boxes at a time) or twice (one after the other in one box);
//	         each run must have the verdict
//	output   the right output, quoted; "held\n" by default
//	message  a text that the cause or the standard error must contain
//	gaps     modes that do not stop it, separated by commas, each with the verdict seen
//	         there if that is certain: rlimit=WA. rlimit:root is the mode rlimit for a judge
//	         that runs as root
//
// If the attack fails and the program survives, the program prints "held". If the attack succeeds,
// it prints "broke" and what it broke. Even then it must do no harm: each program bounds what it
// takes from the machine.
const corpus = "testdata/guilty"

// usual are the limits unless a header changes them. Times are generous, so that only what a program is
// about decides: page faults, forks and the delays of a busy machine take long on some.
var usual = limits.Limits{
	CPU: 10 * time.Second, Wall: 60 * time.Second, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 64, CPUs: 1,
}

// shared holds the header that programs of the corpus include as ../away.h.
const shared = "testdata/away.h"

// attack is one guilty program, or one of the ways to call it.
type attack struct {
	file    string
	args    []string // of the program; in a list of attacks at most one
	topic   string
	want    verdict.Verdict
	why     string
	message string
	stdin   string
	runs    string
	output  []byte
	limits  limits.Limits
	gaps    map[string]verdict.Verdict // verdict seen by mode, perhaps with an account; None is any verdict but want
}

// attacks reads the headers of the corpus, sorted by name.
func attacks(t *testing.T) []*attack {
	t.Helper()
	files, err := filepath.Glob(corpus + "/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", corpus, err)
	}
	var list []*attack
	for _, file := range files {
		a, err := readAttack(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, arg := range a.args {
			one := *a
			one.args = []string{arg}
			list = append(list, &one)
		}
		if a.args == nil {
			list = append(list, a)
		}
	}
	return list
}

// name returns the file's name, and the argument if the attack has one: cpu-away.c:setsid.
func (a *attack) name() string {
	return strings.Join(append([]string{filepath.Base(a.file)}, a.args...), ":")
}

// text returns the source with what it includes from the corpus.
func (a *attack) text(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(a.file)
	include, also := os.ReadFile(shared)
	if err := errors.Join(err, also); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), "#include \"../away.h\"\n", string(include), 1)
}

func readAttack(file string) (*attack, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fields, err := header(string(text))
	if err != nil {
		return nil, err
	}
	topic, _, found := strings.Cut(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), "-")
	if !found {
		return nil, errors.New("the name is not a topic, a dash and a variant")
	}
	a := &attack{file: file, topic: topic, output: []byte("held\n"), gaps: map[string]verdict.Verdict{}}
	for key, value := range fields {
		if err := a.set(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	if a.limits, err = usual.Override(fields["limits"]); err != nil {
		return nil, err
	}
	if a.want == verdict.None || a.why == "" {
		return nil, errors.New("verdict and why are needed")
	}
	return a, nil
}

// header returns the fields of the comment that a program begins with.
func header(text string) (map[string]string, error) {
	fields := map[string]string{}
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		rest, comment := strings.CutPrefix(line, "//")
		if !comment {
			rest, comment = strings.CutPrefix(line, "#")
		}
		rest, blank := strings.CutPrefix(rest, " ")
		if !comment || !blank {
			break
		}
		if strings.HasPrefix(rest, " ") && last != "" {
			fields[last] += " " + strings.TrimSpace(rest)
			continue
		}
		key, value, found := strings.Cut(rest, ": ")
		if _, again := fields[key]; !found || again {
			return nil, fmt.Errorf("header line %q is not a new key, a colon and a value", line)
		}
		fields[key], last = strings.TrimSpace(value), key
	}
	return fields, nil
}

func (a *attack) set(key, value string) (err error) {
	switch key {
	case "verdict":
		return a.want.UnmarshalText([]byte(value))
	case "why":
		a.why = value
	case "message":
		a.message = value
	case "limits":
	case "args":
		a.args = strings.Split(value, ", ")
	case "stdin":
		a.stdin = value
		f, err := a.input()
		if err == nil && f != nil {
			err = f.Close()
		}
		return err
	case "runs":
		if value != "together" && value != "twice" {
			return fmt.Errorf("%q is not together or twice", value)
		}
		a.runs = value
	case "output":
		text, err := strconv.Unquote(value)
		a.output = []byte(text)
		return err
	case "gaps":
		for item := range strings.SplitSeq(value, ",") {
			mode, seen, exact := strings.Cut(strings.TrimSpace(item), "=")
			name, account, _ := strings.Cut(mode, ":")
			var v verdict.Verdict
			if exact {
				err = v.UnmarshalText([]byte(seen))
			}
			if err != nil || !slices.Contains(sandbox.ModeNames, name) || account != "" && account != "root" && account != "user" {
				return fmt.Errorf("%q is not a mode with a verdict", item)
			}
			a.gaps[mode] = v
		}
	default:
		return errors.New("no such key")
	}
	return nil
}

// escapes reports whether the attack succeeds in a mode under this account, and the verdict that
// shows it, None for any but the one wanted.
func (a *attack) escapes(mode string) (seen verdict.Verdict, escapes bool) {
	if seen, escapes = a.gaps[mode+":"+sandbox.Account()]; !escapes {
		seen, escapes = a.gaps[mode]
	}
	return seen, escapes
}

// input returns the standard input, nil for none; the caller closes it.
func (a *attack) input() (*os.File, error) {
	switch {
	case a.stdin == "none":
		return nil, nil
	case a.stdin == "closed":
		r, w, err := os.Pipe()
		if err == nil {
			err = w.Close()
		}
		return r, err
	case a.stdin == "":
		return sandbox.MemFile(nil)
	case a.stdin[0] == '"':
		text, err := strconv.Unquote(a.stdin)
		if err != nil {
			return nil, err
		}
		return sandbox.MemFile([]byte(text))
	}
	size, err := limits.ParseBytes(a.stdin)
	if err != nil {
		return nil, err
	}
	return largeInput(size)
}

// largeInput returns a file of lines, as programs get it, but never holds all of it in this process:
// rlimit mode cannot distinguish the peak of a short program from that of the process that started
// it.
func largeInput(size limits.Bytes) (*os.File, error) {
	return sandbox.InputFile(io.LimitReader(lines{}, int64(size)), int64(size), nil)
}

// lines reads as lines of 16 bytes without end, if it is read in multiples of that.
type lines struct{}

func (lines) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], "0123456789abcde\n")
	}
	return n, nil
}

// TestGuiltyHeaders checks that faulty headers are errors. Otherwise they would silently weaken the
// table.
func TestGuiltyHeaders(t *testing.T) {
	t.Parallel()
	const good = "// verdict: MLE\n// why: because\n//   of this\n"
	for _, tt := range []struct{ why, name, text, err string }{
		{"a good header", "heap-x.c", good + "// gaps: rlimit:root=WA, polling\n// stdin: 1MiB\n// limits: cpu=2s\nint main;", ""},
		{"another comment character", "heap-x.py", strings.ReplaceAll(good, "//", "#"), ""},
		{"a name without a topic", "heap.c", good, "a topic, a dash and a variant"},
		{"no verdict", "heap-x.c", "// why: because\n", "verdict and why are needed"},
		{"no why", "heap-x.c", "// verdict: MLE\n", "verdict and why are needed"},
		{"an unknown key", "heap-x.c", good + "// limit: cpu=1s\n", "no such key"},
		{"a key twice", "heap-x.c", good + "// why: again\n", "not a new key"},
		{"prose", "heap-x.c", good + "// and so on\n", "not a new key"},
		{"a mode that does not exist", "heap-x.c", good + "// gaps: container=WA\n", "not a mode"},
		{"an account other than root and user", "heap-x.c", good + "// gaps: rlimit:nobody\n", "not a mode"},
		{"a verdict that does not exist", "heap-x.c", good + "// gaps: rlimit=RE\n", "not a mode"},
		{"a limit without a unit", "heap-x.c", good + "// limits: cpu=1\n", "no unit"},
		{"an input without a unit", "heap-x.c", good + "// stdin: 50\n", "no unit"},
		{"a way to run that does not exist", "heap-x.c", good + "// runs: thrice\n", "not together or twice"},
	} {
		file := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := readAttack(file)
		switch {
		case tt.err == "" && (err != nil || a.want != verdict.MLE || a.why != "because of this" || a.topic != "heap"):
			t.Errorf("%s: got %+v, %v", tt.why, a, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: got error %v, want %q", tt.why, err, tt.err)
		}
	}
}
