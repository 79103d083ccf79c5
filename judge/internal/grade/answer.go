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

// answer reads what a validator has answered by its status, on its standard error, where
// it has said this, and in its feedback folder.
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

// accepts reports whether a status says that the output is right, or may have points.
func (c *checker) accepts(status int) bool {
	if c.validator.Protocol == problem.Testlib {
		return status == testlibRight || status == testlibPoints
	}
	return status == problem.ExitAccepts
}

// What a validator may leave in its feedback folder.
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
		return a, errors.New("ended with status 0, neither 42 (right) nor 43 (wrong)")
	default:
		return a, failure(fmt.Sprintf("ended with status %d", status), said)
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
	testlibDirt   = 4 // more output than there should be
	testlibPoints = 7
	testlibEOF    = 8 // less
)

// testlibAnswer reads what a checker of testlib has answered by its status and on its
// standard error, which begins with the outcome in words, as in "points 12.5 almost", and
// goes on with a message, of which parts may come from the submission. So nothing is read
// but the beginning, and not even that if a later line begins as an outcome does: then the
// checker has written something else first, which the submission may have chosen.
//
// A part of what is right, as in "partially correct (5) almost", has a status of its own
// for each part, some of which are those of other answers.
func testlibAnswer(status int, said string) (a answer, err error) {
	told := !outcomeLater.MatchString(said)
	if told && tellsPart(status, said) {
		return a, failure(fmt.Sprintf("ended with status %d (_pc, which is not supported)", status), said)
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
		if !told || m == nil {
			return a, failure("ended with status 7 (points), and its standard error does not begin with \"points N\" or goes on with another outcome", said)
		}
		score, err := parseScore(m[1])
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

// How testlib writes outcomes.
var (
	pointsFirst  = regexp.MustCompile(`^points ([0-9]+(?:\.[0-9]+)?)(?:\s|$)`)
	partFirst    = regexp.MustCompile(`^partially correct \(([0-9]{1,3})\)(?:\s|$)`)
	outcomeLater = regexp.MustCompile(`[\n\r](?:ok|wrong answer|wrong output format|FAIL|points|unexpected eof|partially correct \([0-9]+\))(?:\s|$)`)
)

// tellsPart reports whether a checker of testlib calls an output right in part, by the
// words and the status for that.
func tellsPart(status int, said string) bool {
	m := partFirst.FindStringSubmatch(said)
	if m == nil {
		return false
	}
	part, err := strconv.Atoi(m[1])
	return err == nil && (status == part%256 || status == (part+partBase)%256)
}

// partBase is where the statuses of parts begin with testlib as some judges build it.
// Elsewhere they begin with 0.
const partBase = 50

// shortened returns the beginning and the end of what a validator has said, if it is too
// long to show.
func shortened(said string) string {
	if len(said) <= maxMessage {
		return said
	}
	const half = maxMessage / 2
	return strings.ToValidUTF8(said[:half], "") + "…\n…" + strings.ToValidUTF8(said[len(said)-half:], "")
}

// failure is how a validator failed, with its words, if there are any.
func failure(what, said string) error {
	return errors.New(quote.With(what, shortened(said)))
}

// lateError is how a validator ran out of its time.
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

// message returns what the checker wrote for the jury, or else for the team, or "".
func message(left *runner.Copies) string {
	for _, name := range []string{judgeMessage, teamMessage} {
		text, _ := left.Get(path.Join(feedback, name)).Content.Bytes() // words decide nothing
		if m := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); m != "" {
			return m
		}
	}
	return ""
}

// maxScore bounds score.txt, which holds a number.
const maxScore = 4 << 10

// feedbackFile returns a file of the feedback folder that is a part of the answer, and
// whether there is one. One of more bytes than that is an error, and so is a link, a pipe
// or whatever else has its name: it cannot be read, and is no sign of there being none.
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
