package main

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// program compiles a package beside this one.
func program(t testing.TB, pkg string) string {
	t.Helper()
	tier.T3(t, "programs of a problem against each other")
	name := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", name, pkg).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// execute runs a program on an input.
func execute(t *testing.T, name string, input []byte) (status int, out []byte, errs string) {
	t.Helper()
	command := exec.Command(name)
	command.Stdin = bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), stdout.Bytes(), stderr.String()
}

// strict returns a text in the layout of the statement: without needless blanks, empty lines,
// carriage returns and leading zeros.
func strict(text []byte) []byte {
	var lines bytes.Buffer
	for line := range bytes.Lines(text) {
		if fields := bytes.FieldsFunc(bytes.TrimRight(line, "\r\n"), func(r rune) bool { return r == ' ' || r == '\t' }); len(fields) > 0 {
			lines.Write(append(bytes.Join(fields, []byte(" ")), '\n'))
		}
	}
	return regexp.MustCompile(`\b0+([0-9])`).ReplaceAll(lines.Bytes(), []byte("$1"))
}

// beyond matches the faults of inputs that the solver accepts although they are not valid: a marble
// on a hole, and so more marbles and holes than squares.
var beyond = regexp.MustCompile(`hole \d+ is on the square of marble|M is \d+, outside`)

// edited replaces a word of the input by a suspicious one. edit chooses both; 0 changes nothing.
func edited(input []byte, edit uint16) []byte {
	suspicious := []string{"0", "1", "2", "3", "5", "-1", "+1", "00", "41", "256", "65536", "4294967296", "18446744073709551616", "1.0", "0x1", "\r\n", "\n\n", "\x00", "0 0 0"}
	words := bytes.SplitAfter(input, []byte(" "))
	if edit == 0 {
		return input
	}
	at := int(edit) / len(suspicious) % len(words)
	words[at] = append([]byte(suspicious[int(edit)%len(suspicious)]), bytes.TrimLeft(words[at], "0123456789")...)
	return bytes.Join(words, nil)
}

// FuzzDomain checks that the solver answers exactly the inputs that -input accepts, apart from
// layout and from marbles on holes; that its answers win; and that brute finds the same.
func FuzzDomain(f *testing.F) {
	gen, solver, brute := program(f, "../gen"), program(f, ".."), program(f, "../brute")
	for _, args := range []string{
		"tiny -boards=4", "random -boards=2 -n=4 -m=2 -w=4", "twice -boards=1 -n=3 -m=1 -w=5", "maze -n=4", "stairs -n=4",
		"boxed -n=3 -m=1 -w=2", "crowd -n=4", "played -n=5 -m=2 -w=7 -moves=4", "rollover -boards=2", "mistaken -boards=2",
	} {
		input, err := exec.Command(gen, strings.Fields(args)...).Output()
		if err != nil {
			f.Fatalf("gen %s: %v", args, err)
		}
		for _, edit := range []uint16{0, 7, 100, 1000, 10_000} {
			f.Add(input, edit)
		}
	}
	f.Add([]byte("2 1 0\r\n\r\n 0\t1\r\n0 00 \r\n0 0 0"), uint16(0))
	f.Add([]byte("2 4 0\n0 0\n0 1\n1 0\n1 1\n0 0\n0 1\n1 0\n1 1\n0 0 0\n"), uint16(0))
	// large matches a side or a row number of 7 or more.
	large := regexp.MustCompile(`(?m)^[ \t]*0*([7-9]|[1-9]\d)[ \t]`)
	f.Fuzz(func(t *testing.T, input []byte, edit uint16) {
		input = edited(input, edit)
		if len(input) > 2000 || large.Match(input) {
			t.Skip("may take long to solve")
		}
		boards, invalid := parseInput(input)
		status, out, errs := execute(t, solver, input)
		if status != 0 && (status != 3 || len(out) > 0 || invalid == nil) {
			t.Fatalf("%q: -input says %v, the solver exits with %d, %d bytes and %s", input, invalid, status, len(out), errs)
		}
		if status != 0 {
			return
		}
		if errs != "" {
			t.Errorf("%q: answered, but on stderr: %s", input, errs)
		}
		if invalid != nil {
			boards, invalid = parseInput(strict(input))
			if invalid != nil && !beyond.MatchString(invalid.Error()) {
				t.Fatalf("%q: the solver accepts it, but in strict layout -input says %v", input, invalid)
			}
		}
		if invalid == nil {
			answer, bad := parseOutput(out, len(boards))
			if bad == nil {
				bad, _ = judge(boards, answer, out)
			}
			if bad != nil {
				t.Fatalf("%q: answered %q: %s", input, out, bad.judge)
			}
		}
		if _, want, _ := execute(t, brute, input); !bytes.Equal(out, want) {
			t.Fatalf("%q: answered %q, the brute has %q", input, out, want)
		}
	})
}
