package grade

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/problem"
)

// dmojAnswer reads the answer of a program of DMOJ, by the protocols DMOJ, COCI and PEG. An interactor
// has no stdout of its own, so its message is on standard error.
func dmojAnswer(protocol problem.Protocol, status int, stdout, stderr string) (a answer, err error) {
	a.message = shortened(strings.TrimSpace(stdout))
	if a.message == "" {
		a.message = shortened(strings.TrimSpace(stderr))
	}
	switch {
	case protocol == problem.PEG && (status == testlibRight || status == testlibWrong):
		if part, ok := ratio(stdout); ok {
			return partly(a, part), nil
		}
		a.right = status == testlibRight
	case status == testlibRight:
		a.right = true
	case status == testlibWrong:
	case protocol == problem.COCI && (status == testlibFormat || status == testlibDirt || status == testlibEOF):
		a.format = true
	case protocol == problem.COCI && status == testlibPoints:
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
	default:
		return a, failure(fmt.Sprintf("exited with status %d", status), stderr)
	}
	if !a.right && a.message == "" {
		a.message = noMessage
	}
	return a, nil
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
