package grade

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/runner"
)

// dmojAnswer reads the answer of a program of DMOJ. An interactor has no stdout of its own, so its
// message is on standard error.
func dmojAnswer(status int, stdout, stderr string, _ *runner.Copies) (a answer, err error) {
	if status != testlibRight && status != testlibWrong {
		return a, failure(fmt.Sprintf("exited with status %d", status), stderr)
	}
	a.right, a.message = status == testlibRight, dmojMessage(stdout, stderr)
	if !a.right && a.message == "" {
		a.message = noMessage
	}
	return a, nil
}

func dmojMessage(stdout, stderr string) string {
	return cmp.Or(shortened(strings.TrimSpace(stdout)), shortened(strings.TrimSpace(stderr)))
}

// cociAnswer reads what the protocol COCI has besides DMOJ's.
func cociAnswer(status int, stdout, stderr string, copies *runner.Copies) (a answer, err error) {
	a.message = dmojMessage(stdout, stderr)
	switch status {
	case testlibFormat, testlibDirt, testlibEOF:
		a.format, a.message = true, cmp.Or(a.message, noMessage)
		return a, nil
	case testlibPoints:
	default:
		return dmojAnswer(status, stdout, stderr, copies)
	}
	m := partialLine().FindStringSubmatch(stderr)
	if m == nil {
		return a, failure("exited with status 7 (points), but no line of its standard error is \"partial X/Y\"", stderr)
	}
	above, _ := strconv.ParseFloat(m[1], 64)
	below, _ := strconv.ParseFloat(m[2], 64)
	part := above / below
	if !(part >= 0 && part <= 1) {
		return a, failure(fmt.Sprintf("gives the part %s/%s of the points", m[1], m[2]), "")
	}
	if a.right = true; part < 1 {
		a.multiplier = &part
	}
	return a, nil
}

// pegAnswer reads what the protocol PEG has besides DMOJ's.
func pegAnswer(status int, stdout, stderr string, copies *runner.Copies) (answer, error) {
	if part, ok := ratio(stdout); ok && (status == testlibRight || status == testlibWrong) {
		return partly(answer{message: dmojMessage(stdout, stderr)}, part), nil
	}
	return dmojAnswer(status, stdout, stderr, copies)
}

var partialLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^partial ([0-9]+)/([0-9]+)$`) })

// ratio returns the quotient of the first two successive lines that are numbers with one above 0.
func ratio(text string) (float64, bool) {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		above, err := strconv.ParseFloat(strings.TrimSpace(lines[i-1]), 64)
		if err != nil {
			continue
		}
		below, err := strconv.ParseFloat(strings.TrimSpace(lines[i]), 64)
		if part := above / below; err == nil && below != 0 && part > 0 {
			return part, true
		}
	}
	return 0, false
}
