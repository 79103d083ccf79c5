package grade

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/runner"
)

// maxStdout bounds the answer that a checker of CMS or SIO2 writes to standard output.
const maxStdout = 64 << 10

// answerText keeps the beginning of the standard output of a checker.
type answerText struct{ strings.Builder }

// Write implements [io.Writer].
func (a *answerText) Write(p []byte) (int, error) {
	a.Builder.Write(p[:min(len(p), maxStdout-a.Len())])
	return len(p), nil
}

// cmsAnswer reads the answer of a comparator of CMS: the fraction of the points on standard output, a
// message on standard error. A fraction of 0 refuses the output.
func cmsAnswer(status int, stdout, stderr string, _ *runner.Copies) (a answer, err error) {
	if status != 0 {
		return a, failure(fmt.Sprintf("exited with status %d", status), stderr)
	}
	first, _, _ := strings.Cut(stdout, "\n")
	a.message = shortened(quote.First(stderr))
	if word, ok := strings.CutPrefix(a.message, "translate:"); ok {
		a.message = strings.TrimSpace(word)
	}
	return cmsPart(a, first)
}

// adaptedAnswer reads the answer of a program whose protocol a script adapts. A script for a manager of
// CMS leaves the fraction of the points in multiplierFile, as the manager wrote it.
func adaptedAnswer(status int, _, stderr string, copies *runner.Copies) (answer, error) {
	a, err := icpcStatus(status, stderr, copies)
	if err != nil {
		return a, err
	}
	text, exists, err := feedbackFile(copies, multiplierFile, maxScore)
	if err != nil || !exists {
		return a, err
	}
	return cmsPart(answer{message: message(copies)}, string(text))
}

// cmsPart returns the answer for the fraction of the points that a program of CMS wrote.
func cmsPart(a answer, text string) (answer, error) {
	part, err := parseScore(text)
	switch {
	case err != nil:
		return a, failure(fmt.Sprintf("wrote no fraction to standard output, but %.40q", text), a.message)
	case part < 0 || part > 1:
		return a, failure(fmt.Sprintf("wrote the fraction %v to standard output, which is not from 0 to 1", part), a.message)
	}
	return partly(a, part), nil
}

// sio2Answer reads the answer of a checker of SIO2: OK or not, a message and a percentage.
func sio2Answer(status int, stdout, stderr string, _ *runner.Copies) (a answer, err error) {
	if status > 2 {
		return a, failure(fmt.Sprintf("exited with status %d", status), stderr)
	}
	lines := append(strings.Split(stdout, "\n"), "", "", "")
	a.message = shortened(strings.TrimSpace(lines[1]))
	if strings.TrimSpace(lines[0]) != "OK" {
		return partly(a, 0), nil
	}
	percent := 100.0
	if text := strings.TrimSpace(lines[2]); text != "" {
		if percent, err = fraction(text); err != nil {
			return a, failure(fmt.Sprintf("its percentage is no number: %.40q", text), stderr)
		}
	}
	return partly(a, percent/100), nil
}

// fraction parses a number such as 50, 12.5 or 100/3.
func fraction(text string) (float64, error) {
	above, below, is := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(strings.TrimSpace(above), 64)
	if is && err == nil {
		var d float64
		d, err = strconv.ParseFloat(strings.TrimSpace(below), 64)
		n /= d
	}
	if err == nil && (math.IsNaN(n) || math.IsInf(n, 0)) {
		err = errors.New("no number")
	}
	return n, err
}

// partly returns the answer for an output that gets a part of the points.
func partly(a answer, part float64) answer {
	switch {
	case part <= 0:
		if a.message == "" {
			a.message = noMessage
		}
	case part == 1:
		a.right = true
	default:
		a.right, a.multiplier = true, &part
	}
	return a
}

// entire turns a part of the points into a refusal if the problem has no points to give.
func (c *checker) entire(a answer) answer {
	if !c.validator.Entire || a.multiplier == nil {
		return a
	}
	refused := answer{message: fmt.Sprintf("gets the part %v", *a.multiplier)}
	if a.message != "" {
		refused.message += ": " + a.message
	}
	return refused
}
