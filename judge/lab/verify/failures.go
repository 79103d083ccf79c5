package verify

import (
	"slices"
	"strings"

	"tribunal/judge/internal/verdict"
)

// failure is a way in which the output validator, or the judge, failed on one or more outputs.
type failure struct {
	key    string   // what causes have in common that differ only in what a program printed
	cause  string   // of the first place
	places []string // such as "a.c on secret/1", in the order in which they were found
}

// fails records a failure, for findFailures to report.
func (s *subject) fails(place, cause string) {
	cause = strings.TrimPrefix(cause, "the judge failed: ")
	key := failureKey(cause)
	for i := range s.failures {
		if f := &s.failures[i]; f.key == key {
			if !slices.Contains(f.places, place) {
				f.places = append(f.places, place)
			}
			return
		}
	}
	s.failures = append(s.failures, failure{key, cause, []string{place}})
}

// failureKey returns the first two parts of a cause, such as "checker: exited with status 1", or the
// last one of a cause about points, which names the case first.
func failureKey(cause string) string {
	parts := strings.Split(cause, ": ")
	if parts[0] == "points" {
		return parts[len(parts)-1]
	}
	return strings.Join(parts[:min(2, len(parts))], ": ")
}

// findFailures reports the failures recorded since the last call, each cause in one finding with the
// places. A cause that was reported before, by another check, is a note.
func (s *subject) findFailures() {
	file := s.p.Path
	if v := s.p.Validator; v != nil {
		file = s.path(v.Program)
	}
	for _, f := range s.failures {
		text := oneLine(f.cause) + "; on " + plural(len(f.places), "output") + ": " + some(f.places)
		if s.failed[f.key] {
			s.note("%s: %s", file, text)
			continue
		}
		if s.failed == nil {
			s.failed = map[string]bool{}
		}
		s.failed[f.key] = true
		s.findAt(file, "correct the validator, or the settings that it depends on", "%s", text)
	}
	s.failures = nil
}

// judgeFailed records the failures of the judge on a submission, and reports whether there are any:
// they leave open whether it keeps its promise.
func (s *subject) judgeFailed(e *example) bool {
	of := s.p.Show(e.path) + " on "
	any := false
	for _, c := range e.Cases {
		if c.Verdict == verdict.JE {
			any = true
			s.fails(of+c.Name, c.Cause)
		}
	}
	if !any && e.Done.Verdict == verdict.JE {
		any = true
		s.fails(strings.TrimSuffix(of+e.Done.First, " on "), e.Done.Cause)
	}
	return any
}
