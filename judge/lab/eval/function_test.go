package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestReturned(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, value string
		unwrap     bool
		want       string
	}{
		{"a whole number keeps its digits", "12345678901234567890", false, "12345678901234567890"},
		{"another number is the shortest", "0.30000000000000004000", false, "0.30000000000000004"},
		{"a large power of ten", "1e22", false, "1e+22"},
		{"a list", "[1, [], [true, null]]", false, "[ 1 , [] , [ true , null ] ]"},
		{"keys are sorted", `{"b": {}, "a": 1}`, false, `{ "a" : 1 , "b" : {} }`},
		{"white space in a text", `"a b\n\tc"`, false, `"a\u0020b\n\tc"`},
		{"other characters", `"é😀\u007f\u0001\"\\/"`, false, `"\u00e9\ud83d\ude00\u007f\u0001\"\\/"`},
		{"a list of one", "[[5]]", false, "[ [ 5 ] ]"},
		{"the same, unwrapped", "[[5]]", true, "5"},
		{"a list of two is not unwrapped", "[[5, 6]]", true, "[ 5 , 6 ]"},
		{"an empty list is not unwrapped", "[[]]", true, "[]"},
	} {
		got, err := returned([]byte(tt.value), tt.unwrap)
		if got = strings.Join(strings.Fields(got), " "); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.why, got, err, tt.want)
		}
	}
	for _, wrong := range []string{"", "1 2", "NaN", "1e999", "[1,"} {
		if got, err := returned([]byte(wrong), false); err == nil {
			t.Errorf("%q is %s", wrong, got)
		}
	}
}

// randomValue returns a value in JSON.
func randomValue(random *rand.Rand, depth int) any {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch random.IntN(kinds) {
	case 0:
		return random.Int64() >> random.IntN(64)
	case 1:
		return random.NormFloat64() * []float64{1, 1e-9, 1e18, 1e300}[random.IntN(4)]
	case 2:
		return []any{nil, true, false}[random.IntN(3)]
	case 3:
		text := []rune(" a\n\"\\/\té😀\u007f\u2028b-1.5")
		random.Shuffle(len(text), func(i, j int) { text[i], text[j] = text[j], text[i] })
		return string(text[:random.IntN(len(text))])
	case 4:
		list := []any{}
		for range random.IntN(4) {
			list = append(list, randomValue(random, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range random.IntN(4) {
		object[fmt.Sprint(randomValue(random, 0))] = randomValue(random, depth-1)
	}
	return object
}

// TestDriver calls functions by the driver: it prints a value as returned writes it, up to the form
// of numbers.
func TestDriver(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not checked: functions of Python (no python3)")
	}
	run := func(f Function, solution, input string) (string, error) {
		dir := t.TempDir()
		for name, text := range map[string]string{driverFile: f.main(), solutionFile: solution} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(python, filepath.Join(dir, driverFile))
		cmd.Stdin = strings.NewReader(input)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, &stderr)
		}
		return string(out), err
	}
	random := rand.New(rand.NewPCG(3, 8))
	var values []any
	for range 300 {
		values = append(values, randomValue(random, 4))
	}
	input, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	got, err := run(Function{Name: "f"}, "def f(x):\n    return x\n", string(input)+"\n")
	if err != nil {
		t.Fatal(err)
	}
	want, err := returned(input, false)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		var a, b float64
		_, errA := fmt.Sscan(gotLines[i], &a)
		_, errB := fmt.Sscan(wantLines[i], &b)
		if gotLines[i] != wantLines[i] && (errA != nil || errB != nil || a != b) {
			t.Fatalf("line %d: %s, want %s", i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, want %d", len(gotLines), len(wantLines))
	}

	for _, tt := range []struct {
		why, solution, input string
		unwrap               bool
		want                 string // tokens, or the end of the error
	}{
		{"a method, and names that are not imported", "class Solution:\n    def f(self, a: List[int]) -> int:\n        return gcd(*a) + len(Counter(a)) + math.floor(1.5)\n", "[4,6]\n", false, "5"},
		{"abs is that of Python, not of an imported module", "def f(a):\n    return [abs(a), pow(2, 3, 5)]\n", "-1\n", false, "[ 1 , 3 ]"},
		{"several arguments", "def f(a, b, c='x'):\n    return [a, b, c]\n", "1\n\"b\"\n", false, `[ 1 , "b" , "x" ]`},
		{"a data class, whose types are texts", "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(a):\n    return P(a).x\n", "3\n", false, "3"},
		{"a number of more than 4,300 digits", "def f(a):\n    return a % 7\n", "1" + strings.Repeat("0", 5000) + "\n", false, "2"},
		{"no argument", "def f():\n    return ()\n", "", false, "[]"},
		{"prints are not the result", "print('at first')\ndef f(a):\n    print('x')\n    return a\n", "1\n", false, "1"},
		{"the main part does not run", "def f(a):\n    return a\nif __name__ == '__main__':\n    f(input())\n", "1\n", false, "1"},
		{"keys that are numbers", "def f(a):\n    return a[10]\n", "{\"9\":1,\"10\":2}\n", true, "2"},
		{"keys of a result that are numbers", "def f():\n    return {10: 1, 9: 2}\n", "", false, `{ "10" : 1 , "9" : 2 }`},
		{"a result that is not JSON", "def f():\n    return {1}\n", "", false, `"{1}"`},
		{"one item", "def f():\n    return [(3,)]\n", "", true, "3"},
		{"no such function", "def g():\n    pass\n", "", false, "there is no function f"},
		{"an exception", "def f():\n    return [][0]\n", "", false, "IndexError: list index out of range"},
	} {
		got, err := run(Function{Name: "f", Unwrap: tt.unwrap}, tt.solution, tt.input)
		if got = strings.Join(strings.Fields(got), " "); err != nil {
			got = strings.TrimSpace(err.Error())
		}
		if got != tt.want && (err == nil || !strings.HasSuffix(got, tt.want)) {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
