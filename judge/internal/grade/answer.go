package grade

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// answer reads what a validator has answered by its status, on its standard error, of
// which said is the end, and in its feedback folder.
func (v Validator) answer(status int, said, feedback string) (answer, error) {
	if v.Protocol == Testlib {
		return testlibAnswer(status, said)
	}
	a, err := icpcAnswer(status, said, feedback)
	if v.Protocol == Answers && err == nil && !a.right && said != "" {
		a.words = said
	}
	return a, err
}

// accepts reports whether a status says that the output is right, or may have points.
func (v Validator) accepts(status int) bool {
	if v.Protocol == Testlib {
		return status == testlibRight || status == testlibPoints
	}
	return status == exitRight
}

// The exit statuses of the ICPC protocol.
const (
	exitRight = 42
	exitWrong = 43
)

// icpcAnswer is answer for the ICPC protocol.
func icpcAnswer(status int, said, feedback string) (a answer, err error) {
	switch status {
	case exitRight:
		a.right, a.words = true, message(feedback)
	case exitWrong:
		if a.words = message(feedback); a.words == "" {
			a.words = noWords
		}
	case 0:
		return a, errors.New("ended with status 0, neither 42 (right) nor 43 (wrong)")
	default:
		return a, failure(fmt.Sprintf("ended with status %d", status), said)
	}
	for name, to := range map[string]**float64{"score.txt": &a.score, "score_multiplier.txt": &a.multiplier} {
		text, there, err := feedbackFile(feedback, name, maxMessage)
		if err != nil {
			return a, err
		}
		if !there {
			continue
		}
		number, err := parseScore(string(text))
		if err != nil {
			return a, fmt.Errorf("%s: %w", name, err)
		}
		*to = &number
	}
	return a, nil
}

// The exit statuses of testlib.
const (
	testlibRight  = 0
	testlibWrong  = 1
	testlibFormat = 2
	testlibFailed = 3
	testlibDirt   = 4 // more output than there should be
	testlibPoints = 7
	testlibEOF    = 8 // less
)

// testlibAnswer reads what a checker of testlib has answered by its status and on its
// standard error. Its points stand there first, as in "points 12.5 almost".
//
// A part of what is right, as in "partially correct (5) almost", has a status of its own
// for each part, some of which are those of other answers: nobody can know what it is of.
func testlibAnswer(status int, said string) (a answer, err error) {
	if strings.HasPrefix(said, "partially correct (") {
		return a, failure(fmt.Sprintf("ended with status %d (_pc, which is not supported)", status), said)
	}
	switch status {
	case testlibRight:
		a.right = true
	case testlibWrong:
		a.words = said
	case testlibFormat, testlibDirt, testlibEOF:
		a.format, a.words = true, said
	case testlibPoints:
		number, _, _ := strings.Cut(strings.TrimPrefix(said, "points "), " ")
		score, err := parseScore(number)
		if err != nil {
			return a, fmt.Errorf("ended with status 7 (points): %w", err)
		}
		a.right, a.score = true, &score
	case testlibFailed:
		return a, failure("ended with status 3 (its own failure)", said)
	default:
		return a, failure(fmt.Sprintf("ended with status %d", status), said)
	}
	if !a.right && a.words == "" {
		a.words = noWords
	}
	return a, nil
}

// failure is how a validator failed, with its words, if there are any.
func failure(what, said string) error {
	if said != "" {
		what += ": " + said
	}
	return errors.New(what)
}

func parseScore(text string) (float64, error) {
	score, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return score, nil
}

const noWords = "wrong, without a message"

// message returns what the checker wrote for the jury, or else for the team, or "".
func message(feedback string) string {
	for _, name := range []string{"judgemessage.txt", "teammessage.txt"} {
		text, _, _ := feedbackFile(feedback, name, maxMessage)
		if m := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); m != "" {
			return m
		}
	}
	return ""
}

// feedbackFile returns the beginning of a file of the feedback folder, at most so many
// bytes, and whether there is one. The folder was written by a jailed program: no links
// are followed.
func feedbackFile(feedback, name string, most int64) (text []byte, there bool, err error) {
	path := filepath.Join(feedback, name)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, most))
	return text, err == nil, err
}
