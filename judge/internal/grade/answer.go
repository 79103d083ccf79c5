package grade

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// A reader reads a validator's answer from its exit status, its outputs and the copies of the files in
// its feedback folder.
type reader struct {
	read   func(status int, stdout, stderr string, copies *runner.Copies) (answer, error)
	entire bool // [problem.Validator].Entire holds
}

var readers = map[problem.Protocol]reader{
	problem.ICPC:    {read: icpcAnswer},
	problem.Testlib: {read: testlibAnswer},
	problem.Rime:    {read: rimeAnswer},
	problem.CMS:     {cmsAnswer, true},
	problem.Adapted: {adaptedAnswer, true},
	problem.SIO2:    {sio2Answer, true},
	problem.DMOJ:    {read: dmojAnswer},
	problem.COCI:    {read: cociAnswer},
	problem.PEG:     {read: pegAnswer},
	problem.Answers: {read: answersAnswer},
}

func (c *checker) answer(status int, stdout, stderr string, copies *runner.Copies) (answer, error) {
	r := readers[cmp.Or(c.validator.Protocol, problem.ICPC)]
	a, err := r.read(status, stdout, stderr, copies)
	if r.entire {
		a = c.entire(a)
	}
	return a, err
}

func rimeAnswer(status int, _, stderr string, _ *runner.Copies) (answer, error) {
	a := answer{right: status == 0, message: shortened(stderr)}
	if !a.right && a.message == "" {
		a.message = noMessage
	}
	return a, nil
}

func answersAnswer(status int, stdout, stderr string, copies *runner.Copies) (answer, error) {
	a, err := icpcAnswer(status, stdout, stderr, copies)
	if err == nil && !a.right && stderr != "" {
		a.message = shortened(stderr)
	}
	return a, err
}

// The files that a validator may write into its feedback folder.
const (
	judgeMessage   = "judgemessage.txt"
	teamMessage    = "teammessage.txt"
	scoreFile      = "score.txt"
	multiplierFile = "score_multiplier.txt"
)

// icpcAnswer reads the answer of a validator that follows the ICPC protocol.
func icpcAnswer(status int, _, stderr string, copies *runner.Copies) (a answer, err error) {
	if a, err = icpcStatus(status, stderr, copies); err != nil {
		return a, err
	}
	for _, one := range []struct {
		name string
		to   **float64
	}{{scoreFile, &a.score}, {multiplierFile, &a.multiplier}} {
		text, exists, err := feedbackFile(copies, one.name, maxScore)
		if err != nil {
			return a, err
		}
		if !exists {
			continue
		}
		number, err := parseScore(string(text))
		if err != nil {
			return a, fmt.Errorf("%s: %w", one.name, err)
		}
		*one.to = &number
	}
	return a, nil
}

// icpcStatus reads the exit status and the messages of a validator that follows the ICPC protocol.
func icpcStatus(status int, stderr string, copies *runner.Copies) (a answer, err error) {
	switch status {
	case problem.ExitAccepts:
		a.right, a.message = true, message(copies)
	case problem.ExitRefuses:
		if a.message = message(copies); a.message == "" {
			a.message = noMessage
		}
	case 0:
		return a, errors.New("exited with status 0, neither 42 (right) nor 43 (wrong)")
	default:
		return a, failure(fmt.Sprintf("exited with status %d", status), stderr)
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

// testlibAnswer reads the answer of a testlib checker. Its standard error begins with the outcome,
// as in "points 12.5 almost", followed by a message that may quote the submission's output. Only
// the beginning is parsed. It is not trusted if a later line looks like an outcome too: then the
// submission may have chosen the text at the beginning, and the later line may be the real outcome.
//
// The exit status of "partially correct (5) almost" depends on the number, and can equal the status
// of another outcome.
func testlibAnswer(status int, _, stderr string, _ *runner.Copies) (a answer, err error) {
	trusted := !outcomeLater().MatchString(stderr)
	if trusted && partiallyCorrect(status, stderr) {
		return a, failure(fmt.Sprintf("exited with status %d (_pc, which is not supported)", status), stderr)
	}
	switch status {
	case testlibRight:
		a.right = true
	case testlibWrong:
		a.message = shortened(stderr)
	case testlibFormat, testlibDirt, testlibEOF:
		a.format, a.message = true, shortened(stderr)
	case testlibPoints:
		if trusted && pointsInfo().MatchString(stderr) { // quitpi
			a.right, a.message = true, shortened(stderr)
			break
		}
		m := pointsFirst().FindStringSubmatch(stderr)
		if !trusted || m == nil {
			return a, failure("exited with status 7 (points), but its standard error does not begin with \"points N\" or contains another outcome", stderr)
		}
		score, err := parseScore(m[1])
		if err != nil {
			return a, fmt.Errorf("exited with status 7 (points): %w", err)
		}
		a.right, a.score = true, &score
	case testlibFailed:
		return a, failure("exited with status 3 (its own failure)", stderr)
	default:
		return a, failure(fmt.Sprintf("exited with status %d", status), stderr)
	}
	if !a.right && a.message == "" {
		a.message = noMessage
	}
	return a, nil
}

// Outcomes of testlib checkers, as they appear on standard error.
var (
	pointsFirst  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^points ([0-9]+(?:\.[0-9]+)?)(?:\s|$)`) })
	pointsInfo   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^points points_info=\S`) })
	partFirst    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^partially correct \(([0-9]{1,3})\)(?:\s|$)`) })
	outcomeLater = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[\n\r](?:ok|wrong answer|wrong output format|FAIL|points|unexpected eof|partially correct \([0-9]+\))(?:\s|$)`)
	})
)

// partiallyCorrect reports whether the exit status and the standard error of a testlib checker both
// mean that the output is partially correct.
func partiallyCorrect(status int, stderr string) bool {
	m := partFirst().FindStringSubmatch(stderr)
	if m == nil {
		return false
	}
	part, err := strconv.Atoi(m[1])
	return err == nil && (status == part%256 || status == (part+partBase)%256)
}

// partBase is the exit status of "partially correct (0)" in the testlib of some judges. In that of
// others the status is 0.
const partBase = 50

// shortened returns a text or, if it is longer than maxMessage, its beginning and its end.
func shortened(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	const half = maxMessage / 2
	return strings.ToValidUTF8(text[:half], "") + "…\n…" + strings.ToValidUTF8(text[len(text)-half:], "")
}

// failure returns the error for a validator or grader that failed. what says how it failed.
func failure(what, stderr string) error {
	return errors.New(quote.With(what, shortened(stderr)))
}

// lateError is the error for a validator that exceeded its time limit.
type lateError struct{ error }

func (e *lateError) Unwrap() error { return e.error }

func parseScore(text string) (float64, error) {
	score, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return score, nil
}

const noMessage = "wrong, without a message"

// message returns the validator's message for the judges or, if there is none, for the team; "" if
// it wrote neither.
func message(copies *runner.Copies) string {
	for _, name := range []string{judgeMessage, teamMessage} {
		text, _ := copies.Get(path.Join(feedback, name)).Content.Bytes() // an unreadable message changes no verdict
		if m := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); m != "" {
			return m
		}
	}
	return ""
}

// maxScore bounds score.txt and score_multiplier.txt, which hold a number each, in bytes.
const maxScore = 4 << 10

// feedbackFile returns the content of a file in the feedback folder and whether the file exists. It
// returns an error if the file is larger than maxSize or is not a regular file.
func feedbackFile(copies *runner.Copies, name string, maxSize limits.Bytes) (text []byte, exists bool, err error) {
	file := copies.Get(path.Join(feedback, name))
	if err = file.Err; err == nil {
		text, err = file.Content.Bytes()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case errors.Is(err, sandbox.ErrNotFile):
		return nil, false, fmt.Errorf("%s: %w", name, sandbox.ErrNotFile)
	case err == nil && limits.Bytes(len(text)) > maxSize:
		return nil, false, fmt.Errorf("%s is larger than %v", name, maxSize)
	}
	return text, err == nil, err
}
