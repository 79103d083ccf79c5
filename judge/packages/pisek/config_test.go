package pisek

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/packages/draft"
)

func TestParsePisek(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"nothing", "\n# a\n ; b\n", ""},
		{"settings, with both signs, and a comment that belongs to the value", "[a]\nB = c # d\ne:f=g\n", `[a] b="c # d" e="f=g"`},
		{"a value that goes on", "[a]\nb=c\n  d\n\n e\nf=\n", `[a] b="c\nd\ne" f=""`},
		{"sections", "[a]\nx=1\n[b c]\nx=2\n", `[a] x="1" [b c] x="2"`},
		{"no section", "a=b\n", "config:1: a is in no section (hint: write [task] above it)"},
		{"a section twice", "[a]\n[b]\n[a]\n", "config:3: the section [a] occurs twice"},
		{"a key twice", "[a]\nb=1\nB=2\n", "config:3: b occurs twice in [a]"},
		{"an open section", "[a\n", "config:1: [a is no name of a section (hint: write [task])"},
		{"no sign", "[a]\nb\n", "config:2: b is no setting (hint: write key=value)"},
	} {
		c, err := parsePisek("config", tt.text, func(line int, hint, format string, args ...any) error {
			text := fmt.Sprintf("config:%d: %s", line, fmt.Sprintf(format, args...))
			if hint != "" {
				text += " (hint: " + hint + ")"
			}
			return fmt.Errorf("%s", text)
		})
		var parts []string
		switch {
		case err != nil:
			parts = []string{err.Error()}
		default:
			for _, s := range c.sections {
				parts = append(parts, "["+s+"]")
				for _, key := range draft.SortedKeys(c.values[s]) {
					parts = append(parts, fmt.Sprintf("%s=%q", key, c.text(s, key)))
				}
			}
		}
		if got := strings.Join(parts, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestListedInputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, err := draft.New(dir, dir, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := &reader{Draft: p}
	got, err := r.listed("gen.py", "01_a\n02_b repeat=10\r\n02_c seeded=false")
	if want := []listedInput{{"01_a", 1, true}, {"02_b", 10, true}, {"02_c", 1, false}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, tt := range []struct{ why, text, want string }{
		{"an empty line", "\n", `line 1 of the list of its inputs, "", has no name of an input`},
		{"a path", "a\n../b\n", "line 2 of the list of its inputs, ../b, has no name of an input"},
		{"twice", "a\na\n", "line 2 of the list of its inputs, a, is listed twice"},
		{"no number", "a repeat=x\n", "line 1 of the list of its inputs, a repeat=x, does not say how often"},
		{"too many", "a repeat=100000\nb\n", "line 2 of the list of its inputs, b, is one of more than 100000"},
		{"an unknown key", "a x=y\n", "line 1 of the list of its inputs, a x=y, says x=y"},
		{"repeated without a seed", "a repeat=2 seeded=false\n", "line 1 of the list of its inputs, a repeat=2 seeded=false, repeats an input without a seed"},
	} {
		if _, err := r.listed("gen.py", tt.text); err == nil || !strings.Contains(err.Error(), "gen.py: "+tt.want+" (hint: ") {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}

func TestPisekSeed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why        string
		repetition int
		name, want string
	}{
		{"hashlib.blake2b of Python, with a digest of 8 bytes", 0, "01", "b0f3769b96f4a99a"},
		{"two blocks", 3, strings.Repeat("x", 200), "79dfc98797e3f69b"},
	} {
		if got := seed(tt.repetition, tt.name); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestShuffle runs the judge of out_check=shuffle.
func TestShuffle(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not checked: out_check=shuffle (no python3)")
	}
	modes := []string{"lines", "words", "lines_words", "tokens"}
	var list [][]any
	var whys, want []string
	for _, tt := range []struct {
		why, answer, output string // the texts in Latin-1
		fold                bool
		want                [4]string // by mode
	}{
		{"equal but for white space", "a b\nc\n", "\n  a \tb\r\n\n\nc", false, [4]string{}},
		{"lines in another order", "a b\nc\n", "c\na b\n", false, [4]string{"", "line 1 is not the expected one", "", ""}},
		{"words in another order", "a b\nc\n", "b a\nc\n", false, [4]string{"line 1: not expected, or too often: b a", "", "", ""}},
		{"both", "a b\nc\n", "c\n\nb a\n", false, [4]string{"line 3: not expected, or too often: b a", "line 1 is not the expected one", "", ""}},
		{"other lines", "a b\nc\n", "a\nb c\n", false, [4]string{"line 1: not expected, or too often: a", "line 1 is not the expected one", "line 1: not expected, or too often: a", ""}},
		{"a word too often", "a b\n", "a b\na\n", false, [4]string{"line 2: not expected, or too often: a", "line 2 is not the expected one", "line 2: not expected, or too often: a", "line 2: not expected, or too often: a"}},
		{"a line twice instead of two", "a\na\nb\n", "a\nb\nb\n", false, [4]string{"line 3: not expected, or too often: b", "line 2 is not the expected one", "line 3: not expected, or too often: b", "line 3: not expected, or too often: b"}},
		{"too few", "a\nb\n", "b\n", false, [4]string{"missing: a", "line 1 is not the expected one", "missing: a", "missing: a"}},
		{"an end too early", "a\nb\n", "a\n", false, [4]string{"missing: b", "ends before line 2 of the answer", "missing: b", "missing: b"}},
		{"a long line", "a a\n", "a a a\n", false, [4]string{"line 1 is longer than any expected one", "line 1 is not the expected one", "line 1 is longer than any expected one", "line 1: not expected, or too often: a"}},
		{"nothing", "", "\n \n", false, [4]string{}},
		{"another case, which matters", "a\n", "A\n", false, [4]string{"line 1: not expected, or too often: A", "line 1 is not the expected one", "line 1: not expected, or too often: A", "line 1: not expected, or too often: A"}},
		{"another case, which does not", "a Z\n", "A z\n", true, [4]string{}},
		{"bytes that are no text, and other white space in a word", "a\u00ff\fb\n", "a\u00ff\fb\n", true, [4]string{}},
	} {
		for i, mode := range modes {
			list = append(list, []any{tt.answer, tt.output, mode, tt.fold})
			whys, want = append(whys, tt.why+", "+mode), append(want, tt.want[i])
		}
	}
	input, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-B", "-c", shuffles)
	c.Stdin = bytes.NewReader(input)
	output, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	var got []string
	if err := json.Unmarshal(output, &got); err != nil || len(got) != len(want) {
		t.Fatalf("%v: %s", err, output)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: got %q, want %q", whys[i], got[i], want[i])
		}
	}
}

// shuffles judges a list of answers, outputs, modes and whether case is ignored, in one process.
const shuffles = `import io, json, sys
from shuffle import differ
got = []
for answer, output, mode, fold in json.load(sys.stdin):
    answer, output = (io.BytesIO(text.encode("latin-1")) for text in (answer, output))
    got.append(differ(answer, output, mode, fold) or "")
json.dump(got, sys.stdout)
`
