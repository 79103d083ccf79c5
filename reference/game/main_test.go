package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"tribunal/internal/tier"
)

// lines returns the words one a line, as the rows of an input.
func lines(words string) string {
	return strings.Join(strings.Fields(words), "\n") + "\n"
}

func TestSolve(t *testing.T) {
	const cross, ones, zero, centre = "010 111 010", "111 111 111", "000 000 000", "000 010 000"
	for _, test := range []struct {
		why            string
		board, pattern string
		want           string
	}{
		{"the sample", "WWWW WBBW WBWW WWWW", "101 010 101", "Impossible"},
		{"white is a goal: nothing to do", "WWWW WWWW WWWW WWWW", cross, "0"},
		{"black is a goal as well", "BBBB BBBB BBBB BBBB", cross, "0"},
		{"the zero pattern is legal on a board of one colour", "BBBB BBBB BBBB BBBB", zero, "0"},
		{"the zero pattern is legal on other boards", "BWWW WWWW WWWW WWWW", zero, "Impossible"},
		{"white is nearer", "WWWW WBWW BWWB WWWB", centre, "4"},
		{"black is nearer", "BBBB BWBB BBBB BBBB", centre, "1"},
		{"the goals are equally far", "WBWB BWBW WBWB BWBW", centre, "8"},
		{"a move in the corner is clipped", "BBWW BWWW WWWW WWWW", cross, "1"},
		{"a move at the edge does not wrap round to the row above", "WWWW BWWW BBWW BWWW", cross, "1"},
		{"only a centre outside the board would win", "BWWW WWWW WWWW WWWW", cross, "Impossible"},
		{"the middle of the pattern may be 0", "BWBW WWWW BWBW WWWW", "101 000 101", "1"},
		{"row 0 of the pattern is the row above: the last row stays", "WBWB WWWW WWWW BBBB", "010 000 000", "10"},
		{"row 2 of the pattern is the row below: the first row stays", "BBBB WWWW WWWW WBWB", "000 000 010", "10"},
		{"column 0 of the pattern is to the left: the last column stays", "WWWB BWWB WWWB BWWB", "000 100 000", "10"},
		{"column 2 of the pattern is to the right: the first column stays", "BWWW BWWB BWWW BWWB", "000 001 000", "10"},
		{"a mirrored, turned or transposed pattern gives another answer", "WBWB WBWB BWWB BBWB", "001 101 110", "5"},
		{"silent combinations bring eight moves down to two", "WBWB WBBB WBBB WBWB", "111 101 111", "2"},
		{"the most moves that the cross takes", "BWBW BBWB BBWW WWWW", cross, "6"},
		{"the most moves of all", "BBBB BWWB WBBW WWWW", ones, "14"},
	} {
		got, err := solve(strings.NewReader(lines(test.board + " " + test.pattern)))
		if err != nil || got != test.want+"\n" {
			t.Errorf("%s: %s with %s: got %q, %v, want %q", test.why, test.board, test.pattern, got, err, test.want)
		}
	}
}

const sample = "WWWW\nWBBW\nWBWW\nWWWW\n101\n010\n101\n"

func TestLayoutIsTolerated(t *testing.T) {
	for _, test := range []struct{ why, input string }{
		{"no final newline", strings.TrimSuffix(sample, "\n")},
		{"CRLF", strings.ReplaceAll(sample, "\n", "\r\n")},
		{"CR at the end of the input", strings.TrimSuffix(sample, "\n") + "\r"},
		{"blanks at both ends of the rows", " \t" + strings.ReplaceAll(sample, "\n", " \t \n  ")},
		{"empty lines anywhere", "\n \n" + strings.ReplaceAll(sample, "\n", "\n\r\n\n") + "\n\n"},
		{"very long runs of blanks", strings.ReplaceAll(sample, "\n", strings.Repeat(" ", 1<<17)+"\n")},
	} {
		got, err := solve(strings.NewReader(test.input))
		if err != nil || got != "Impossible\n" {
			t.Errorf("%s: got %q, %v", test.why, got, err)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, test := range []struct {
		why, input string
		line       int
		what       string
	}{
		{"nothing at all", "", 1, "the input ends"},
		{"nothing but empty lines", "\n \r\n\n", 4, "the input ends"},
		{"the board is cut short", "WWWW\nWWWW\n", 3, "the input ends where a row of the board"},
		{"the pattern is missing", "WWWW\nWWWW\nWWWW\nWWWW\n", 5, "the input ends where a row of the pattern"},
		{"the last row is missing", "WWWW\nWWWW\nWWWW\nWWWW\n000\n000", 7, "the input ends where a row of the pattern"},
		{"a short row of the board", "WWWW\nWWW\nWWWW\nWWWW\n000\n000\n000\n", 2, "only 3 characters"},
		{"a long row of the board", "WWWW\nWWWWW\nWWWW\nWWWW\n000\n000\n000\n", 2, "more than 4"},
		{"a short row of the pattern", "WWWW\nWWWW\nWWWW\nWWWW\n00\n000\n000\n", 5, "only 2 characters"},
		{"a long row of the pattern", "WWWW\nWWWW\nWWWW\nWWWW\n000\n000\n0000\n", 7, "more than 3"},
		{"empty lines count", "WWWW\n\n\nWWW\n", 4, "only 3 characters"},
		{"a small letter", "WWWW\nWwWW\n", 2, `"w" in a row of the board`},
		{"another letter", "WWWW\nWWWX\n", 2, `"X" in a row of the board`},
		{"a digit in the board", "0000\n", 1, `"0" in a row of the board`},
		{"a digit that is neither 0 nor 1", "WWWW\nWWWW\nWWWW\nWWWW\n002\n", 5, `"2" in a row of the pattern`},
		{"a sign in the pattern", "WWWW\nWWWW\nWWWW\nWWWW\n+01\n", 5, `"+" in a row of the pattern`},
		{"a row is one field", "W W W W\n", 1, `" " in a row of the board`},
		{"two rows on one line", "WWWW WWWW\n", 1, "more than 4"},
		{"blanks do not hide the rest of a line", "WWWW" + strings.Repeat(" ", 1<<17) + "W\n", 1, "more than 4"},
		{"a second game", sample + sample, 8, "text after"},
		{"text after the end, unended", sample + "\n\nx", 10, "text after"},
		{"a carriage return within a row", "WW\rWW\n", 1, `" " in a row of the board`},
		{"a NUL byte", "WW\x00W\n", 1, `"\x00"`},
		{"not UTF-8", "WW\xffW\n", 1, `"\xff"`},
		{"a letter of several bytes", "WWÄW\n", 1, `"\xc3"`},
		{"a byte order mark", "\ufeff" + sample, 1, `"\xef"`},
		{"a very long line", strings.Repeat("W", 1<<20), 1, "more than 4"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(strings.NewReader(test.input), &stdout, &stderr)
		message := stderr.String()
		if status != 3 || stdout.Len() > 0 {
			t.Errorf("%s: status %d, output %q", test.why, status, stdout.String())
		}
		if !strings.HasPrefix(message, fmt.Sprintf("line %d: ", test.line)) || !strings.Contains(message, test.what) ||
			strings.Index(message, "\n") != len(message)-1 {
			t.Errorf("%s: message %q, want one line with number %d and %q", test.why, message, test.line, test.what)
		}
	}
}

func TestFailingStreams(t *testing.T) {
	broken := errors.New("broken")
	var stdout, stderr bytes.Buffer
	for _, good := range []string{"WWWW\nWW", sample} {
		stderr.Reset()
		input := io.MultiReader(strings.NewReader(good), iotest.ErrReader(broken))
		if status := run(input, &stdout, &stderr); status != 3 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "broken") {
			t.Errorf("reading fails after %q: status %d, output %q, message %q", good, status, stdout.String(), stderr.String())
		}
	}
	stderr.Reset()
	if status := run(strings.NewReader(sample), brokenWriter{}, &stderr); status != 1 || stderr.Len() == 0 {
		t.Errorf("writing fails: status %d, message %q", status, stderr.String())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

// A tool is a program of this folder, built for the test.
type tool string

func buildTool(t testing.TB, name string) tool {
	t.Helper()
	tier.T3(t, "programs of a problem against each other")
	path := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", path, "./"+name).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	return tool(path)
}

// run returns what the tool writes, and its exit status.
func (path tool) run(t testing.TB, input string, args ...string) (string, int) {
	t.Helper()
	command := exec.Command(string(path), args...)
	command.Stdin = strings.NewReader(input)
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// randomInput returns a valid input.
func randomInput(random *rand.Rand) string {
	var text strings.Builder
	rows := func(count, width int, alphabet string) {
		for range count {
			for range width {
				text.WriteByte(alphabet[random.IntN(2)])
			}
			text.WriteByte('\n')
		}
	}
	rows(boardSide, boardSide, "WB")
	rows(patternSide, patternSide, "01")
	return text.String()
}

// For a longer test than by default:
//
//	go test ./reference/game -run Random -count 1 -games 200000 -seed 7 -v
var (
	games = flag.Int("games", 2000, "how many random games are tested")
	seed  = flag.Uint64("seed", 1, "seed of the random tests")
)

// TestRandomAgainstBrute compares solve with brute, which answers all games in one run.
func TestRandomAgainstBrute(t *testing.T) {
	brute := buildTool(t, "brute")
	random := rand.New(rand.NewPCG(1122, *seed))
	inputs := make([]string, *games)
	for i := range inputs {
		inputs[i] = randomInput(random)
	}
	answers, _ := brute.run(t, strings.Join(inputs, ""))
	want := strings.SplitAfter(strings.TrimSuffix(answers, "\n"), "\n")
	if len(want) != len(inputs) {
		t.Fatalf("brute gives %d answers to %d games", len(want), len(inputs))
	}
	impossible := 0
	for i, input := range inputs {
		got, err := solve(strings.NewReader(input))
		if err != nil || strings.TrimSuffix(got, "\n") != strings.TrimSuffix(want[i], "\n") {
			t.Fatalf("got %q, %v, want %q for\n%s", got, err, want[i], input)
		}
		if got == "Impossible\n" {
			impossible++
		}
	}
	t.Logf("%d games answered alike, %d of them impossible", len(inputs), impossible)
}

// TestRandomSolutionsWork plays the moves of solutions chip by chip and checks that one colour is
// left.
func TestRandomSolutionsWork(t *testing.T) {
	random := rand.New(rand.NewPCG(1122, *seed+1))
	for range *games {
		input := randomInput(random)
		board, p, err := read(strings.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		centres, possible := newGame(p).fewest(board)
		if !possible {
			continue
		}
		var chips [boardSide][boardSide]bool
		for r, row := range strings.Fields(input)[:boardSide] {
			for c := range chips[r] {
				chips[r][c] = row[c] == 'B'
			}
		}
		for cell := range cellCount {
			if centres>>cell&1 == 1 {
				press(&chips, p, cell/boardSide, cell%boardSide)
			}
		}
		for cell := range cellCount {
			if chips[cell/boardSide][cell%boardSide] != chips[0][0] {
				t.Fatalf("the centres %016b leave both colours, %v, for\n%s", centres, chips, input)
			}
		}
	}
}

// TestCheckedInputIsSolved changes one byte of valid inputs. The solver must accept each input that
// check accepts.
func TestCheckedInputIsSolved(t *testing.T) {
	check := buildTool(t, "check")
	random := rand.New(rand.NewPCG(1122, 2))
	valid := 0
	for range 200 {
		input := []byte(randomInput(random))
		const bytesToPut = "WB01\n \r2w"
		input[random.IntN(len(input))] = bytesToPut[random.IntN(len(bytesToPut))]
		_, status := check.run(t, string(input), "-input")
		if status != 42 {
			continue
		}
		valid++
		if _, err := solve(bytes.NewReader(input)); err != nil {
			t.Errorf("check accepts what the solver refuses (%v):\n%s", err, input)
		}
	}
	if valid == 0 {
		t.Error("no input was valid")
	}
}

func FuzzSolve(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(strings.ReplaceAll(sample, "\n", " \r\n\n")))
	f.Add([]byte("WWWW\nWBB"))
	f.Add([]byte(sample + "x"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var stdout, stderr bytes.Buffer
		switch status := run(bytes.NewReader(input), &stdout, &stderr); {
		case status == 0 && stdout.Len() > 0 && stderr.Len() == 0:
		case status == 3 && stdout.Len() == 0 && strings.HasPrefix(stderr.String(), "line "):
		default:
			t.Errorf("status %d, output %q, message %q", status, stdout.String(), stderr.String())
		}
	})
}
