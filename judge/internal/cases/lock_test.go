package cases

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHash(t *testing.T) {
	t.Parallel()
	// printf 'Case 1: 0 moves\n\n' | sha256sum | cut -c-32
	if got, want := Hash([]byte("Case 1: 0 moves\n\n")), "e2de09d0bdbfe644fa485b0d06778782"; got != want {
		t.Errorf("Hash = %s, want %s", got, want)
	}
}

// TestMade checks that every change that a generator could notice changes the hash.
func TestMade(t *testing.T) {
	t.Parallel()
	made := func(seed uint64, args ...string) string { return (&Case{Generate: args, Seed: &seed}).Made() }
	seen := map[string]string{(&Case{Input: text("x")}).Made(): "a literal input"}
	if seen[""] == "" {
		t.Error("Made of a literal input is not empty")
	}
	for _, tt := range []struct{ why, made string }{
		{"the base case", made(7, "walls", "-n=40")},
		{"another seed", made(8, "walls", "-n=40")},
		{"another order", made(7, "-n=40", "walls")},
		{"one argument that reads like two", made(7, "walls -n=40")},
		{"quotes in an argument", made(7, `walls" "-n=40`)},
		{"an additional empty argument", made(7, "walls", "-n=40", "")},
		{"the seed as an argument", made(7, "walls", "-n=40", "7")},
	} {
		if other, taken := seen[tt.made]; taken {
			t.Errorf("%s: the same hash as %s", tt.why, other)
		}
		seen[tt.made] = tt.why
	}
	if again := made(7, "walls", "-n=40"); seen[again] != "the base case" {
		t.Errorf("the base case has the hash %s the second time", again)
	}
}

func TestLockMarshal(t *testing.T) {
	t.Parallel()
	h := func(digit string) string { return strings.Repeat(digit, 32) }
	l := &Lock{Reference: "0a", Generator: "10", Checker: "c4", Toolchain: `cc "next" 1.0: x`, Cases: map[string]LockCase{
		"large/b":     {Made: h("4"), Input: h("1"), Output: h("2"), Bytes: 61},
		"edge/z":      {Output: h("3")},
		"edge/a-long": {},
		"sample/one":  {Output: h("5")},
		"edge-2/a":    {Output: h("6")},
	}}
	want := lines("# Written by judge regen; not for editing.", "reference: 0a", "generator: 10", "checker: c4", `toolchain: "cc \"next\" 1.0: x"`, "cases:",
		"  sample/one: {output: "+h("5")+"}",
		"  edge/a-long: {}",
		"  edge/z: {output: "+h("3")+"}",
		"  edge-2/a: {output: "+h("6")+"}",
		"  large/b: {made: "+h("4")+", input: "+h("1")+", output: "+h("2")+", bytes: 61}")
	want += "seal: " + Hash([]byte(want)) + "\n"
	if d := cmp.Diff(want, string(l.Marshal())); d != "" {
		t.Errorf("cases are not sorted by group, sample first, then by name:\n%s", d)
	}
	for _, l := range []*Lock{l, {}, {Reference: "00"}} {
		got, err := parseLock("lock.yaml", l.Marshal())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(l, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("a lock reads back as another:\n%s", d)
		}
	}
}

// TestSeal checks that the hashes of programs are dropped from a lock with a changed line, but the
// hashes of cases are kept.
func TestSeal(t *testing.T) {
	t.Parallel()
	h := func(digit string) string { return strings.Repeat(digit, 32) }
	whole := &Lock{Reference: "0a", Generator: "10", Checker: "c4", Toolchain: "cc 1", Cases: map[string]LockCase{
		"edge/a": {Made: h("4"), Input: h("1"), Output: h("2"), Bytes: 5000},
		"edge/c": {Output: h("3")},
	}}
	for _, tt := range []struct{ why, old, new string }{
		{"an added case", "  edge/c:", "  edge/b: {output: " + h("5") + "}\n  edge/c:"},
		{"a removed case", "  edge/c: {output: " + h("3") + "}\n", ""},
		{"a changed input", "input: 11", "input: 12"},
		{"a changed output", "output: 22", "output: 21"},
		{"a changed size", "5000", "5001"},
		{"changed arguments", "made: 44", "made: 45"},
		{"a changed reference", "reference: 0a", "reference: 0b"},
		{"a changed generator", "generator: 10", "generator: 11"},
		{"a changed toolchain", "cc 1", "cc 2"},
		{"a changed seal", "seal: ", "seal: " + h("6") + " # "},
		{"no seal", "seal: ", "# "},
	} {
		text := strings.Replace(string(whole.Marshal()), tt.old, tt.new, 1)
		l, err := parseLock("lock.yaml", []byte(text))
		switch {
		case err != nil:
			t.Errorf("%s: %v", tt.why, err)
		case l.Reference != "" || l.Generator != "" || l.Checker != "" || l.Toolchain != "":
			t.Errorf("%s: hashes of programs are kept: %+v", tt.why, l)
		case len(l.Cases) == 0:
			t.Errorf("%s: no cases are left", tt.why)
		}
	}
}

func TestLockAgainstFiles(t *testing.T) {
	t.Parallel()
	file := lines("cases:", "  - name: a", "    input: |", "      1", "    output: |+", "      x", "", "...")
	entry := func(input, output string) string {
		return "cases:\n  edge/a: {input: " + Hash([]byte(input)) + ", output: " + Hash([]byte(output)) + "}\n"
	}
	tests := []struct{ why, file, lock, want string }{
		{"file and lock agree", file, entry("1\n", "x\n\n"), ""},
		{"an editor trimmed the last empty line", strings.Replace(file, "x\n\n", "x\n", 1), entry("1\n", "x\n\n"),
			"edge.yaml:5: case a: output does not match lock.yaml: its last line end is missing (hint: run judge regen x, or restore the file)"},
		{"a person edited the input", strings.Replace(file, "1\n", "2\n", 1), entry("1\n", "x\n\n"),
			"edge.yaml:3: case a: input does not match lock.yaml: it was edited or trimmed (hint: run judge regen x, or restore the file)"},
		{"an output that only the lock has", lines("cases:", "  - name: a", "    input: |", "      1", "..."), entry("1\n", "x"), ""},
		{"a generated input is not compared", lines("cases:", "  - name: a", "    generate: [x]", "    seed: 1", "..."), entry("1\n", "x"), ""},
		{"a case that the lock does not have", file, "cases: {}\n", ""},
	}
	for _, tt := range tests {
		root := repository(t, map[string]string{"cases/x/edge.yaml": tt.file, "cases/x/lock.yaml": tt.lock})
		_, err := Load(root, "x")
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != root+"/cases/x/"+tt.want) {
			t.Errorf("%s: got %v, want %s", tt.why, err, tt.want)
		}
	}
}

func FuzzLock(f *testing.F) {
	f.Add([]byte("reference: 0a\ncases:\n  sample/a: {output: 872dd52696b38b5594dde4d74e786d6a, bytes: 4}\n  a/b: {}\n"))
	f.Add([]byte("cases: {}\n"))
	f.Add([]byte("toolchain: \"go \\u2028 \\x07\"\ncases:\n  a/b: {made: 872dd52696b38b5594dde4d74e786d6a}\n"))
	f.Add([]byte("# Written\ngenerator: 00\ncases:\n  a/b:\n    bytes: 9223372036854775807\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLock("cases/x/lock.yaml", data)
		if err != nil {
			oneLine(t, err)
			return
		}
		again, err := parseLock("cases/x/lock.yaml", l.Marshal())
		if err != nil {
			t.Fatalf("%s does not read: %v", l.Marshal(), err)
		}
		if d := cmp.Diff(l, again, cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	})
}
