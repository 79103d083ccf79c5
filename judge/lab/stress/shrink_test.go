package stress

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// shrink shrinks an input on which A gets the verdict v.
func shrink(t testing.TB, s *script, v verdict.Verdict, input string) *Shrinking {
	t.Helper()
	search := s.search(t, 2, false)
	f := &Finding{Source: Source{[]string{"f"}, 1}, Fault: Fault{Input: []byte(input), A: Answer{Verdict: v}}}
	k, err := search.Shrink(t.Context(), t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// counted reports whether the first line of a text is the number of the lines after it.
func counted(text string) bool {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] != "" {
		return false
	}
	lines = lines[:len(lines)-1]
	return len(lines) > 0 && lines[0] == strconv.Itoa(len(lines)-1)+"\n"
}

// TestShrinkMinimal checks that the shrunk input is minimal: without any one of its lines, and with
// the count lowered, the fault is gone. A fails on an input that has both words, left and right.
func TestShrinkMinimal(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	for round := range 12 {
		n := 2 + chance.IntN(60)
		var lines []string
		for range n {
			var words []string
			for range 1 + chance.IntN(4) {
				words = append(words, strconv.Itoa(chance.IntN(1000)))
			}
			lines = append(lines, strings.Join(words, " "))
		}
		lines[chance.IntN(n)] += " left"
		lines[chance.IntN(n)] += " right"
		fails := func(text string) bool {
			return counted(text) && strings.Contains(text, "left") && strings.Contains(text, "right")
		}
		input := fmt.Sprintf("%d\n%s\n", n, strings.Join(lines, "\n"))
		k := shrink(t, &script{
			validate: func(text string) (string, int) {
				if counted(text) {
					return "", 42
				}
				return "no\n", 43
			},
			aOut: func(text string) string {
				if fails(text) {
					return "wrong\n"
				}
				return "answer\n"
			},
		}, verdict.WA, input)
		got := string(k.Input)
		if !fails(got) || !smaller(k.Input, []byte(input)) || !k.Minimal {
			t.Fatalf("round %d: %q is not a smaller input with the fault", round, got)
		}
		rest := strings.SplitAfter(strings.TrimSuffix(got, "\n"), "\n")[1:]
		for i := range rest {
			less := slices.Delete(slices.Clone(rest), i, i+1)
			text := strconv.Itoa(len(less)) + "\n" + strings.TrimSuffix(strings.Join(less, ""), "\n") + "\n"
			if fails(text) {
				t.Errorf("round %d: %q is not minimal: %q fails as well", round, got, text)
			}
		}
		// This format is so simple that Shrink finds one of the smallest inputs.
		if got != "2\nleft\nright\n" && got != "2\nright\nleft\n" && got != "1\nleft right\n" && got != "1\nright left\n" {
			t.Errorf("round %d: shrunk to %q", round, got)
		}
	}
}

func TestShrink(t *testing.T) {
	t.Parallel()
	above := func(limit int) func(string) string {
		return func(text string) string {
			for _, w := range strings.Fields(text) {
				if n, err := strconv.Atoi(w); err == nil && n > limit {
					return "wrong\n"
				}
			}
			return "answer\n"
		}
	}
	crash := func(text string) sandbox.Result {
		if strings.Contains(text, "x") {
			return sandbox.Result{ExitCode: 1}
		}
		return sandbox.Result{}
	}
	for _, test := range []struct {
		why   string
		s     *script
		fails verdict.Verdict
		input string
		want  string
	}{
		{"a number is lowered to the smallest that fails", &script{aOut: above(12345)}, verdict.WA, "1 2 3\n99999999 8\n", "12346\n"},
		{"a crash stays a crash", &script{a: crash, aOut: wrongFrom(-1)}, verdict.RTE, "a b\nc x d\n", "x\n"},
		{"smaller inputs on which the reference exceeds its limits do not count", &script{aOut: above(5), reference: func(text string) sandbox.Result {
			if len(text) < 4 {
				return sandbox.Result{Stop: sandbox.OverMemory}
			}
			return sandbox.Result{}
		}}, verdict.WA, "7 7 7\n", "0 6\n"},
		{"the validator's candidates come first", &script{
			aOut: wrongFrom(-1),
			validate: func(text string) (string, int) {
				if text == "abc" || text == "c" {
					return "", 42
				}
				return "no\n", 43
			},
			reduce: func(text string) string { return "4:nope,1:c,5:abcde," },
		}, verdict.WA, "abc", "c"},
		{"an invalid list from the validator is ignored", &script{aOut: wrongFrom(-1), reduce: func(string) string { return "1:,9:x," }}, verdict.WA, "ab\n", ""},
	} {
		k := shrink(t, test.s, test.fails, test.input)
		if string(k.Input) != test.want {
			t.Errorf("%s: %q became %q, want %q", test.why, test.input, k.Input, test.want)
		}
	}
}

// TestShrinkOnce checks that no candidate is run twice, and only smaller ones are run.
func TestShrinkOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	s := &script{aOut: func(text string) string {
		if strings.Contains(text, "7") {
			return "wrong\n"
		}
		return "answer\n"
	}}
	search := s.search(t, 1, false)
	s.validate = func(text string) (string, int) {
		seen[text]++
		return "", 42
	}
	input := "7 1\n7 1\n1 7\n"
	f := &Finding{Fault: Fault{Input: []byte(input), A: Answer{Verdict: verdict.WA}}}
	k, err := search.Shrink(t.Context(), t.Context(), f)
	if err != nil || string(k.Input) != "7\n" {
		t.Fatalf("shrunk to %v, %v", k, err)
	}
	for text, times := range seen {
		if times > 1 || !smaller([]byte(text), []byte(input)) {
			t.Errorf("%q was tried %d times", text, times)
		}
	}
	if k.Tries != len(seen) {
		t.Errorf("Tries = %d, but %d candidates were run", k.Tries, len(seen))
	}
}

// TestShrinkBound checks that Shrink returns the smallest input so far when bound ends.
func TestShrinkBound(t *testing.T) {
	t.Parallel()
	s := &script{aOut: wrongFrom(-1)}
	search := s.search(t, 2, false)
	bound, cancel := context.WithCancel(t.Context())
	search.Emit = func(event.Event) { cancel() }
	f := &Finding{Fault: Fault{Input: []byte("1 2 3\n4 5 6\n7 8 9\n"), A: Answer{Verdict: verdict.WA}}}
	k, err := search.Shrink(t.Context(), bound, f)
	if err != nil || k.Minimal || k.Steps != 1 {
		t.Errorf("shrunk to %+v, %v, want one step", k, err)
	}
}

func TestNetstrings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why, text string
		want      []string
	}{
		{"nothing", "", nil},
		{"one", "3:a,b,", []string{"a,b"}},
		{"an empty text between two others", "1:a,0:,2:\n:,", []string{"a", "", "\n:"}},
		{"ends early", "5:abc,", []string{"-"}},
		{"no comma", "1:ab", []string{"-"}},
		{"no comma at the end", "1:a", []string{"-"}},
		{"zeros before a length", "01:a,", []string{"-"}},
		{"no length", ":a,", []string{"-"}},
		{"a sign", "+1:a,", []string{"-"}},
		{"a length that overflows", "99999999999999999999:a,", []string{"-"}},
		{"the largest length, but less text", "4611686018427387903:a,", []string{"-"}},
		{"words after", "1:a,x", []string{"-"}},
	} {
		list, err := netstrings([]byte(test.text))
		var got []string
		for _, one := range list {
			got = append(got, string(one))
		}
		if err != nil {
			got = []string{"-"}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q gives %q, %v, want %q", test.why, test.text, got, err, test.want)
		}
	}
}

func FuzzNetstrings(f *testing.F) {
	for _, text := range []string{"", "1:a,", "0:,0:,", "12:hello, world,"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := netstrings(text)
		if err != nil {
			return
		}
		var again []byte
		for _, one := range list {
			again = append(fmt.Appendf(again, "%d:", len(one)), append(slices.Clip(one), ',')...)
		}
		if !bytes.Equal(again, text) {
			t.Errorf("%q reads as %q", text, list)
		}
	})
}

// FuzzDelta creates all candidates of a text: no edit may reach beyond the text, and for each line
// there must be a candidate without it.
func FuzzDelta(f *testing.F) {
	for _, text := range []string{"", "\n", "1", "2\n3 4\n-5 6", "\r\n\t x", "-0 00 99999999999999999999"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 200 {
			return
		}
		for _, of := range []func([]byte) candidates{withoutLines, withoutWords, smallerNumbers} {
			m := of(text)
			for i := range m.size {
				m.at(i)
			}
		}
		lines := bytes.SplitAfter(text, []byte{'\n'})
		if len(lines[len(lines)-1]) == 0 {
			lines = lines[:len(lines)-1]
		}
		m := withoutLines(text)
		for i := range lines {
			want := bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil)
			if !offers(m, want) {
				t.Errorf("%q: no candidate lacks only line %d", text, i+1)
			}
		}
	})
}

func offers(m candidates, want []byte) bool {
	for i := range m.size {
		if bytes.Equal(m.at(i), want) {
			return true
		}
	}
	return false
}

func TestDelta(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why  string
		of   func([]byte) candidates
		text string
		want []string
	}{
		{"a line and the number that counts it", withoutLines, "2\na\nb\n", []string{"2\na\n", "1\na\n", "1\nb\n", "0\n"}},
		{"a line and the number, not in the first line, that counts it", withoutLines, "x\n2\na\nb\n", []string{"x\n1\na\n", "x\n0\n"}},
		{"a test case of two lines and the number of test cases", withoutLines, "3\n1\na\n1\nb\n1\nc\n", []string{"2\n1\na\n1\nb\n", "2\n1\na\n1\nc\n"}},
		{"a word and the number that counts it", withoutWords, "3 a b c\n", []string{"2 a c\n", "2 b c\n", "1 a\n", "a b c\n"}},
		{"a word, and the number in the line before that counts it", withoutWords, "2\na b\n", []string{"1\na\n", "1\nb\n"}},
		{"numbers", smallerNumbers, "9 -8 x1\n", []string{"0 -8 x1\n", "8 -8 x1\n", "9 8 x1\n", "9 -7 x1\n", "9 -4 x1\n"}},
	} {
		m := test.of([]byte(test.text))
		for _, want := range test.want {
			if !offers(m, []byte(want)) {
				t.Errorf("%s: %q: no candidate is %q", test.why, test.text, want)
			}
		}
	}
}

// TestClimb checks the sequence of inputs: small ones come first and more often, every size is
// tried once early, and all families take turns.
func TestClimb(t *testing.T) {
	t.Parallel()
	var ladder []casedata.Size
	for _, line := range strings.Fields("c4 a1 a2 a3 b1 b2") {
		ladder = append(ladder, casedata.Size{N: int(line[1] - '0'), Generate: []string{line[:1], "-n=" + line[1:]}})
	}
	c := NewClimb(ladder, 100)
	var got []string
	for i := range 20 {
		s := c.At(i)
		if s.Seed != 100+uint64(i) {
			t.Errorf("input %d has the seed %d", i, s.Seed)
		}
		got = append(got, s.Generate[0]+s.Generate[1][3:])
	}
	const want = "a1 b1 c4 a1 b1 c4 a2 b2 a3 a1 b1 c4 a1 b1 c4 a1 b1 c4 a1 b1"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
	if c.At(3).Seed != 103 || NewClimb(ladder, 7).At(1000).Seed != 1007 {
		t.Error("the i-th input depends on earlier calls of At")
	}
}

func TestRestrict(t *testing.T) {
	t.Parallel()
	ladder := []casedata.Size{{N: 1, Generate: []string{"random", "-n=1"}}, {N: 2, Generate: []string{"random", "-n=2"}}, {N: 5, Generate: []string{"walls"}}}
	for _, test := range []struct {
		why    string
		wishes []string
		want   string
	}{
		{"no wish", nil, "random -n=1; random -n=2; walls"},
		{"a family", []string{"random"}, "random -n=1; random -n=2"},
		{"one input of a family", []string{"walls -n=3 -w=1"}, "walls -n=3 -w=1"},
		{"a family and one input of another", []string{"walls", "random -n=9"}, "walls; random -n=9"},
		{"misspelt", []string{"wals"}, `no family "wals" with a ladder (hint: did you mean walls?)`},
		{"unknown", []string{"x"}, `no family "x" with a ladder (hint: families with a ladder: random, walls)`},
		{"an empty wish", []string{" "}, "no family named (hint: families with a ladder: random, walls)"},
	} {
		list, err := Restrict(ladder, test.wishes)
		var words []string
		for _, r := range list {
			words = append(words, strings.Join(r.Generate, " "))
		}
		got := strings.Join(words, "; ")
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.why, got, test.want)
		}
	}
}
