package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const statement = "4 3 1\n0 1\n1 0\n1 2\n2 3\n2 1\n3 2\n1 1 1 2\n3 2 2\n0 0\n0 1\n0 2\n2 0\n2 0 1 0\n2 0 2 1\n0 0 0\n"

func TestInput(t *testing.T) {
	for _, test := range []struct{ why, input, fault string }{
		{"the statement's", statement, ""},
		{"no boards", "0 0 0\n", ""},
		{"every wall twice", "2 1 8\n0 0\n1 1\n" + strings.Repeat("0 0 0 1\n0 0 1 0\n1 1 0 1\n1 1 1 0\n", 2) + "0 0 0\n", ""},
		{"half the squares are marbles", "2 2 0\n0 0\n0 1\n1 0\n1 1\n0 0 0\n", ""},
		{"empty", "", "line 1, column 1: the input ends where N should be"},
		{"no end marker", "2 1 0\n0 0\n1 1\n", "line 4, column 1: the input ends where N should be"},
		{"no final newline", "0 0 0", "line 1, column 1: N is 0, outside 2..40"},
		{"text after the end", "0 0 0\n\n", "line 2, column 1: text after the line 0 0 0"},
		{"carriage return", "2 1 0\r\n", "line 1, column 6: '\\r' where the end of the line should be"},
		{"two blanks", "2  1 0\n", "line 1, column 3: ' ' where M should be"},
		{"leading blank", " 2 1 0\n", "line 1, column 1: ' ' where N should be"},
		{"trailing blank", "2 1 0 \n", "line 1, column 6: ' ' where the end of the line should be"},
		{"tab", "2\t1 0\n", "line 1, column 2: '\\t' where a single space should be"},
		{"leading zero", "2 01 0\n", "line 1, column 3: M has a leading zero"},
		{"plus sign", "2 +1 0\n", "line 1, column 3: '+' where M should be"},
		{"empty line", "2 1 0\n\n", "line 2, column 1: '\\n' where a row should be"},
		{"N too small", "1 1 0\n", "line 1, column 1: N is 1, outside 2..40"},
		{"N too large", "41 1 0\n", "line 1, column 1: N is 41, outside 2..40"},
		{"M too small", "2 0 0\n", "line 1, column 3: M is 0, outside 1..2"},
		{"marbles and holes do not fit", "3 5 0\n", "line 1, column 3: M is 5, outside 1..4"},
		{"W too large", "2 1 9\n", "line 1, column 5: W is 9, outside 0..8"},
		{"W huge", "2 1 99999999999999999999999\n", "line 1, column 5: W is 99999999999999999999…, outside 0..8"},
		{"row outside", "2 1 0\n2 0\n", "line 2, column 1: a row is 2, outside 0..1"},
		{"column outside", "2 1 0\n0 2\n", "line 2, column 3: a column is 2, outside 0..1"},
		{"two marbles on a square", "3 2 0\n0 0\n0 0\n", "line 3, column 1: marble 2 is on the square of marble 1"},
		{"two holes on a square", "3 2 0\n0 0\n0 1\n0 2\n0 2\n", "line 5, column 1: hole 2 is on the square of hole 1"},
		{"a marble on its hole", "2 1 0\n0 0\n0 0\n", "line 3, column 1: hole 1 is on the square of marble 1"},
		{"a wall across a corner", "2 1 1\n0 0\n0 1\n0 0 1 1\n", "line 4, column 1: wall 1 stands between squares that share no side"},
		{"a wall in a square", "2 1 1\n0 0\n0 1\n0 0 0 0\n", "line 4, column 1: wall 1 stands between squares that share no side"},
		{"a wall too short", "2 1 1\n0 0\n0 1\n0 0 0\n", "line 4, column 6: '\\n' where a single space should be"},
		{"too many boards", strings.Repeat("2 1 0\n0 0\n0 1\n", maxBoards+1), "line 30001, column 1: more than 10000 boards"},
	} {
		var stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), io.Discard, &stderr)
		want, text := right, ""
		if test.fault != "" {
			want, text = wrong, test.fault+"\n"
		}
		if status != want || stderr.String() != text {
			t.Errorf("%s: got %d %q, want %d %q", test.why, status, stderr.String(), want, text)
		}
	}
}

// TestExtents checks the ranges that -input prints for judge verify.
func TestExtents(t *testing.T) {
	for _, test := range []struct{ why, input, want string }{
		{"a wall given twice counts twice", "3 2 2\n0 0\n0 1\n1 0\n1 1\n0 0 0 1\n0 1 0 0\n2 1 0\n0 0\n0 1\n0 0 0\n", "boards 2 2\nN 2 3\nM 1 2\nW 0 2\n"},
		{"no boards: only their number is printed", "0 0 0\n", "boards 0 0\n"},
		{"an invalid input: nothing is printed", "2 1 0\n", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := run([]string{"-input"}, strings.NewReader(test.input), &stdout, &stderr)
		if (status == right) != (test.want != "") || stdout.String() != test.want {
			t.Errorf("%s: status %d, %q%s, want %q", test.why, status, &stdout, &stderr, test.want)
		}
	}
}

// files writes an input and an answer, and makes a feedback directory.
func files(t *testing.T, input, answer string) (inputName, answerName, feedback string) {
	t.Helper()
	dir := t.TempDir()
	inputName, answerName = filepath.Join(dir, "input"), filepath.Join(dir, "answer")
	for name, text := range map[string]string{inputName: input, answerName: answer} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return inputName, answerName, dir
}

func TestOutput(t *testing.T) {
	const (
		// One marble in the north-east corner, its hole in the south-west.
		corner = "2 1 0\n0 1\n1 0\n0 0 0\n"
		// Two boards: one that E wins, and one with two marbles and their holes in one row.
		row     = "2 1 0\n0 1\n0 0\n4 2 0\n0 0\n0 1\n0 2\n0 3\n0 0 0\n"
		rowWant = "Case 1: 1 moves E\n\nCase 2: 3 moves NWS\n\n"
		good    = "Case 1: 5 moves ENSWN\n\nCase 2: impossible\n\n"
	)
	for _, test := range []struct{ why, input, answer, output, team, judge string }{
		{"the expected one", statement, good, good, "", ""},
		{"another shortest sequence", corner, "Case 1: 2 moves EN\n\n", "Case 1: 2 moves NE\n\n", "", ""},
		{"nothing", statement, good, "", "line 1: the output ends where case 1 should be", ""},
		{"one case only", statement, good, "Case 1: 5 moves ENSWN\n\n", "line 3: the output ends where case 2 should be", ""},
		{"no empty line at the end", statement, good, strings.TrimSuffix(good, "\n"), "line 4: the output ends where the empty line after case 2 should be", ""},
		{"no newline at the end", statement, good, strings.TrimSuffix(good, "\n\n"), "line 3: the last line has no newline", ""},
		{"no empty line between", statement, good, strings.Replace(good, "\n\n", "\n", 1), `line 2: "Case 2: impossible" where the empty line after case 1 should be`, ""},
		{"something follows", statement, good, good + "\n", "line 5: text after the empty line of the last case", ""},
		{"CRLF", statement, good, strings.ReplaceAll(good, "\n", "\r\n"), "line 1: a carriage return at the end of the line, which a newline alone should end", ""},
		{"trailing blank", statement, good, strings.Replace(good, "\n", " \n", 1), "line 1: a blank at the end of the line", ""},
		{"wrong number of case", statement, good, strings.Replace(good, "Case 2", "Case 1", 1), `line 3: "Case 1: impossible" does not begin with "Case 2: "`, ""},
		{"small letters", statement, good, strings.ToLower(good), `line 1: "case 1: 5 moves enswn" does not begin with "Case 1: "`, ""},
		{"singular", row, rowWant, strings.Replace(rowWant, "1 moves", "1 move", 1), `line 1: "Case 1: 1 move E" is neither "Case 1: impossible" nor a plain number followed by the word moves (even for 1)`, ""},
		{"a leading zero", row, rowWant, strings.Replace(rowWant, "1 moves", "01 moves", 1), `line 1: "Case 1: 01 moves E" is neither "Case 1: impossible" nor a plain number followed by the word moves (even for 1)`, ""},
		{"a negative number", row, rowWant, strings.Replace(rowWant, "1 moves", "-1 moves", 1), `line 1: "Case 1: -1 moves E" is neither "Case 1: impossible" nor a plain number followed by the word moves (even for 1)`, ""},
		{"no sequence", row, rowWant, strings.Replace(rowWant, " E", "", 1), "line 1: a single space and the moves must follow the number of moves", ""},
		{"wrong number", row, rowWant, strings.Replace(rowWant, "1 moves", "2 moves", 1), "line 1: the number of moves is 2, but the length of the sequence 1", ""},
		{"a number beyond all integers", row, rowWant, strings.Replace(rowWant, "1 moves", strings.Repeat("9", 99)+" moves", 1), `line 1: "Case 1: 99999999999999999999999999999999"… is neither "Case 1: impossible" nor a plain number followed by the word moves (even for 1)`, ""},
		{"no number", row, rowWant, strings.Replace(rowWant, "1 moves", " moves", 1), `line 1: "Case 1:  moves E" is neither "Case 1: impossible" nor a plain number followed by the word moves (even for 1)`, ""},
		{"a small letter", row, rowWant, strings.Replace(rowWant, "NWS", "NwS", 1), `line 3: "wS" at move 2 of the sequence, which has only the letters E, N, S and W`, ""},
		{"a NUL", row, rowWant, strings.Replace(rowWant, "NWS", "NW\x00", 1), `line 3: "\x00" at move 3 of the sequence, which has only the letters E, N, S and W`, ""},
		{"letters after no moves", row, rowWant, strings.Replace(rowWant, "1 moves E", "0 moves E", 1), `line 1: " E" at move 1 of the sequence, which has only the letters E, N, S and W`, ""},
		{"NULs alone", row, rowWant, strings.Repeat("\x00", 9) + "\n", `line 1: "\x00\x00\x00\x00\x00\x00\x00\x00\x00" does not begin with "Case 1: "`, ""},
		{"blanks in the empty line", row, rowWant, strings.Replace(rowWant, "\n\n", "\n \n", 1), `line 2: " " where the empty line after case 1 should be`, ""},
		{"a marble stops short", row, rowWant, strings.Replace(rowWant, "3 moves NWS", "2 moves NW", 1), "case 2: after all 2 moves marble 1 still lies on square 3 2", ""},
		{"far too long", row, rowWant, rowWant + strings.Repeat("\n", spare+1), "the output is far longer than a right one", "more than 65576 bytes, but a right output has 40"},
		{"blank at no moves", row, rowWant, strings.Replace(rowWant, "1 moves E", "0 moves ", 1), "line 1: a blank at the end of the line", ""},
		{"no moves", row, rowWant, strings.Replace(rowWant, "1 moves E", "0 moves", 1), "case 1: after all 0 moves marble 1 still lies on square 0 1", ""},
		{"into a wrong hole", row, rowWant, strings.Replace(rowWant, "NWS", "NEW", 1), "case 2: after all 3 moves marble 1 still lies on square 3 2", ""},
		{"into a wrong hole at once", row, rowWant, strings.Replace(rowWant, "NWS", "EWS", 1), "case 2: after 2 of 3 moves marble 2 has dropped into hole 1", ""},
		{"won too early", corner, "Case 1: 2 moves EN\n\n", "Case 1: 3 moves ENE\n\n", "case 1: already won after 2 of 3 moves", ""},
		{"too long", corner, "Case 1: 2 moves EN\n\n", "Case 1: 4 moves WEEN\n\n", "case 1: the 4 moves win, but fewer are enough", "case 1: the 4 moves win, but 2 are enough: EN"},
		{"called impossible", corner, "Case 1: 2 moves EN\n\n", "Case 1: impossible\n\n", "case 1: called impossible, but it can be won", "case 1: called impossible, but 2 moves win: EN"},
		{"called possible", statement, good, strings.Replace(good, "impossible", "2 moves EN", 1), "case 2: after all 2 moves marble 1 still lies on square 1 0", ""},
	} {
		input, answer, feedback := files(t, test.input, test.answer)
		var stderr bytes.Buffer
		status := run([]string{input, answer, feedback}, strings.NewReader(test.output), io.Discard, &stderr)
		team, _ := os.ReadFile(filepath.Join(feedback, "teammessage.txt"))
		judge, _ := os.ReadFile(filepath.Join(feedback, "judgemessage.txt"))
		want, teamWant, judgeWant := right, "", ""
		if test.team != "" {
			want, teamWant, judgeWant = wrong, test.team+"\n", test.team+"\n"
		}
		if test.judge != "" {
			judgeWant = test.judge + "\n"
		}
		if status != want || string(team) != teamWant || string(judge) != judgeWant || stderr.Len() > 0 {
			t.Errorf("%s: got %d, team %q, judge %q, stderr %q; want %d %q %q",
				test.why, status, team, judge, stderr.String(), want, teamWant, judgeWant)
		}
	}
}

func TestMisuse(t *testing.T) {
	const corner, good = "2 1 0\n0 1\n1 0\n0 0 0\n", "Case 1: 2 moves EN\n\n"
	input, answer, feedback := files(t, corner, good)
	malformed, longer, _ := files(t, "2 1 0\n", "Case 1: 4 moves WEEN\n\n")
	_, impossible, _ := files(t, "", "Case 1: impossible\n\n")
	for _, test := range []struct {
		why  string
		args []string
	}{
		{"no arguments", nil},
		{"unknown flag", []string{"-output"}},
		{"two arguments", []string{input, answer}},
		{"no such input", []string{input + "x", answer, feedback}},
		{"no such answer", []string{input, answer + "x", feedback}},
		{"no such directory", []string{input, answer, feedback + "x"}},
		{"a file for a directory", []string{input, answer, answer}},
		{"malformed input", []string{malformed, answer, feedback}},
		{"malformed answer", []string{input, input, feedback}},
		{"the answer is not the shortest", []string{input, longer, feedback}},
		{"the answer overlooks a way", []string{input, impossible, feedback}},
	} {
		var stderr bytes.Buffer
		if status := run(test.args, strings.NewReader(good), io.Discard, &stderr); status != misuse || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: got %d %q, want %d and a line", test.why, status, stderr.String(), misuse)
		}
	}
}

// TestAnswerIsWrong judges outputs that win although the answer says that it is impossible, or in
// fewer moves than the answer, also if needless moves follow. The fault is the answer's, not the
// output's.
func TestAnswerIsWrong(t *testing.T) {
	const corner = "2 1 0\n0 1\n1 0\n0 0 0\n" // EN and NE win
	for _, test := range []struct{ why, answer, output, fault string }{
		{"not the shortest", "4 moves WEEN", "2 moves NE", "case 1 has 4 moves, but NE wins in 2"},
		{"not the shortest, and moves follow", "4 moves WEEN", "3 moves NES", "case 1 has 4 moves, but NE wins in 2"},
		{"possible", "impossible", "2 moves NE", "case 1 is called impossible, but NE wins"},
		{"the answer is impossible, and moves follow the win", "impossible", "3 moves NEE", "case 1 is called impossible, but NE wins"},
	} {
		input, answer, feedback := files(t, corner, "Case 1: "+test.answer+"\n\n")
		var stderr bytes.Buffer
		status := run([]string{input, answer, feedback}, strings.NewReader("Case 1: "+test.output+"\n\n"), io.Discard, &stderr)
		if want := answer + ": " + test.fault + "\n"; status != misuse || stderr.String() != want {
			t.Errorf("%s: got %d %q, want %d %q", test.why, status, stderr.String(), misuse, want)
		}
		if text := message(t, filepath.Join(feedback, "teammessage.txt")); text != "" {
			t.Errorf("%s: the team is told %q", test.why, text)
		}
	}
}

// message returns a file of the feedback without its newline, or nothing if there is no such file.
func message(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}
