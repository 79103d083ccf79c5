package grade

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// answer reads a validator's answer from its exit status, its standard error (said) and its
// feedback folder (left).
func (c *checker) answer(status int, said string, left *runner.Copies) (answer, error) {
	if c.validator.Protocol == problem.Testlib {
		return testlibAnswer(status, said)
	}
	a, err := icpcAnswer(status, said, left)
	if c.validator.Protocol == problem.Answers && err == nil && !a.right && said != "" {
		a.words = shortened(said)
	}
	return a, err
}

// accepts reports whether an exit status accepts the output, perhaps with points.
func (c *checker) accepts(status int) bool {
	if c.validator.Protocol == problem.Testlib {
		return status == testlibRight || status == testlibPoints
	}
	return status == problem.ExitAccepts
}

// The files that a validator may write into its feedback folder.
const (
	judgeMessage   = "judgemessage.txt"
	teamMessage    = "teammessage.txt"
	scoreFile      = "score.txt"
	multiplierFile = "score_multiplier.txt"
)

// icpcAnswer is answer for the ICPC protocol.
func icpcAnswer(status int, said string, left *runner.Copies) (a answer, err error) {
	switch status {
	case problem.ExitAccepts:
		a.right, a.words = true, message(left)
	case problem.ExitRefuses:
		if a.words = message(left); a.words == "" {
			a.words = noWords
		}
	case 0:
		return a, errors.New("exited with status 0, neither 42 (right) nor 43 (wrong)")
	default:
		return a, failure(fmt.Sprintf("exited with status %d", status), said)
	}
	for name, to := range map[string]**float64{scoreFile: &a.score, multiplierFile: &a.multiplier} {
		text, there, err := feedbackFile(left, name, maxScore)
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
	testlibDirt   = 4 // output after the expected end
	testlibPoints = 7
	testlibEOF    = 8 // output ends too early
)

// testlibAnswer does what answer does, for testlib checkers. Standard error begins with the outcome
// in words, as in "points 12.5 almost", followed by a message that may quote the submission. Only
// the beginning is parsed. If a later line looks like an outcome, the beginning is not trusted
// either: it may be text that the checker printed earlier and the submission chose.
//
// The outcome "partially correct (5) almost" has a different status for each number, and some of
// these are the statuses of other outcomes.
func testlibAnswer(status int, said string) (a answer, err error) {
	first := !outcomeLater.MatchString(said)
	if first && partiallyCorrect(status, said) {
		return a, failure(fmt.Sprintf("exited with status %d (_pc, which is not supported)", status), said)
	}
	switch status {
	case testlibRight:
		a.right = true
	case testlibWrong:
		a.words = shortened(said)
	case testlibFormat, testlibDirt, testlibEOF:
		a.format, a.words = true, shortened(said)
	case testlibPoints:
		m := pointsFirst.FindStringSubmatch(said)
		if !first || m == nil {
			return a, failure("exited with status 7 (points), and its standard error does not begin with \"points N\" or goes on with another outcome", said)
		}
		score, err := parseScore(m[1])
		if err != nil {
			return a, fmt.Errorf("exited with status 7 (points): %w", err)
		}
		a.right, a.score = true, &score
	case testlibFailed:
		return a, failure("exited with status 3 (its own failure)", said)
	default:
		return a, failure(fmt.Sprintf("exited with status %d", status), said)
	}
	if !a.right && a.words == "" {
		a.words = noWords
	}
	return a, nil
}

// The texts of testlib's outcomes.
var (
	pointsFirst  = regexp.MustCompile(`^points ([0-9]+(?:\.[0-9]+)?)(?:\s|$)`)
	partFirst    = regexp.MustCompile(`^partially correct \(([0-9]{1,3})\)(?:\s|$)`)
	outcomeLater = regexp.MustCompile(`[\n\r](?:ok|wrong answer|wrong output format|FAIL|points|unexpected eof|partially correct \([0-9]+\))(?:\s|$)`)
)

// partiallyCorrect reports whether both the status and the text of a testlib checker are those of a
// partially correct output.
func partiallyCorrect(status int, said string) bool {
	m := partFirst.FindStringSubmatch(said)
	if m == nil {
		return false
	}
	part, err := strconv.Atoi(m[1])
	return err == nil && (status == part%256 || status == (part+partBase)%256)
}

// partBase is the lowest status for partially correct outputs in the testlib of some judges.
// Elsewhere it is 0.
const partBase = 50

// shortened returns a validator's text or, if it is too long to show, its beginning and its end.
func shortened(said string) string {
	if len(said) <= maxMessage {
		return said
	}
	const half = maxMessage / 2
	return strings.ToValidUTF8(said[:half], "") + "…\n…" + strings.ToValidUTF8(said[len(said)-half:], "")
}

// failure returns the error about a validator that failed, with its standard error.
func failure(what, said string) error {
	return errors.New(quote.With(what, shortened(said)))
}

// lateError is the error about a validator that exceeded its time limit.
type lateError struct{ error }

func (e *lateError) Unwrap() error { return e.error }

func parseScore(text string) (float64, error) {
	score, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return score, nil
}

const noWords = "wrong, without a message"

// message returns the validator's message for the judges, or else for the team, or "".
func message(left *runner.Copies) string {
	for _, name := range []string{judgeMessage, teamMessage} {
		text, _ := left.Get(path.Join(feedback, name)).Content.Bytes() // an unreadable message changes no verdict
		if m := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); m != "" {
			return m
		}
	}
	return ""
}

// maxScore bounds score.txt, which holds a number.
const maxScore = 4 << 10

// feedbackFile returns a file of the feedback folder and whether it exists. A file that is larger
// than most is an error. So is a link, a pipe or anything else that is not a regular file, because
// it cannot be read but is not missing either.
func feedbackFile(left *runner.Copies, name string, most limits.Bytes) (text []byte, there bool, err error) {
	file := left.Get(path.Join(feedback, name))
	if err = file.Err; err == nil {
		text, err = file.Content.Bytes()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case errors.Is(err, sandbox.ErrNotFile):
		return nil, false, fmt.Errorf("%s: %w", name, sandbox.ErrNotFile)
	case err == nil && limits.Bytes(len(text)) > most:
		return nil, false, fmt.Errorf("%s has more than %v", name, most)
	}
	return text, err == nil, err
}
