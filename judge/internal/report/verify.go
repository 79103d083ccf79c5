package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verify"
)

// Findings writes the findings of judge verify, one line each.
func Findings(w io.Writer, r *verify.Report) error {
	p := &page{}
	for _, f := range r.Findings {
		p.printf("%s\n", word(f.String()))
	}
	return p.write(w)
}

// VerifySummary writes the notes of judge verify, a line or two about each problem, and totals.
func VerifySummary(w io.Writer, r *verify.Report) error {
	p := &page{}
	for _, n := range r.Notes {
		p.printf("%s\n", word(n.String()))
	}
	for _, s := range r.Problems {
		parts := []string{Count(s.Cases, "case")}
		if s.Examples > 0 {
			parts = append(parts, Count(s.Examples, "example"))
		}
		if s.Unchecked > 0 {
			parts = append(parts, fmt.Sprintf("%d not checked", s.Unchecked))
		}
		if s.Brute != (verify.Reach{}) {
			parts = append(parts, fmt.Sprintf("brute agrees on %d", s.Brute.Agrees))
		}
		if s.Brute.Beyond > 0 {
			parts = append(parts, fmt.Sprintf("%d too large for it", s.Brute.Beyond))
		}
		if s.Brute.Declined > 0 {
			parts = append(parts, fmt.Sprintf("%d declined", s.Brute.Declined))
		}
		p.printf("%s: %s\n", s.Problem, strings.Join(parts, ", "))
		parts = nil
		for _, m := range s.Margins {
			if m.Have > 0 && m.Need > 0 {
				parts = append(parts, fmt.Sprintf("%s %s of %s (%s)", m.Limit, quantity(m, m.Need), quantity(m, m.Have), times(m)))
			}
		}
		if len(parts) > 0 {
			p.printf("%s: %s\n", s.Problem, strings.Join(parts, ", "))
		}
	}
	p.printf("%s, %s, %s\n", Count(len(r.Problems), "problem"), Count(len(r.Checks), "check"), Count(len(r.Findings), "finding"))
	return p.write(w)
}

// times returns the limit as a multiple of what is needed, such as 3.4× or 41×.
func times(m verify.Margin) string {
	n := float64(m.Have) / float64(m.Need)
	switch {
	case n < 10:
		return fmt.Sprintf("%.1f×", n)
	case n > 1000:
		return "over 1000×"
	}
	return fmt.Sprintf("%.0f×", n)
}

// quantity formats an amount in the unit of a margin.
func quantity(m verify.Margin, n int64) string {
	if m.Unit == "ns" {
		return duration(time.Duration(n))
	}
	return size(limits.Bytes(n))
}
