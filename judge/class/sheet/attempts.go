package sheet

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// Attempts says which of several attempts of a student counts.
type Attempts string

const (
	Last  Attempts = "last"
	First Attempts = "first"
	Best  Attempts = "best" // of those that the caller judges
	All   Attempts = "all"  // the last, but the caller judges the others too
)

// AllAttempts returns the values of [Attempts].
func AllAttempts() []Attempts { return []Attempts{Last, First, Best, All} }

// order compares two attempts: by time or else by number or name; 0 if their order is unknown.
func order(a, b Entry) int {
	if !a.Time.IsZero() && !b.Time.IsZero() && !a.Time.Equal(b.Time) {
		return a.Time.Compare(b.Time)
	}
	if a.Attempt == "" || b.Attempt == "" {
		return 0
	}
	m, wrongM := strconv.ParseUint(a.Attempt, 10, 64)
	n, wrongN := strconv.ParseUint(b.Attempt, 10, 64)
	if wrongM == nil && wrongN == nil {
		return cmp.Compare(m, n)
	}
	return strings.Compare(a.Attempt, b.Attempt)
}

// choose returns the entry of a student for a problem.
func (r *reader) choose(list []Entry) Entry {
	slices.SortStableFunc(list, order)
	ordered := true
	for i := range list[1:] {
		ordered = ordered && order(list[i], list[i+1]) < 0
	}
	if !ordered {
		return together(list)
	}
	at := len(list) - 1
	if r.attempts == First {
		at = 0
	}
	e := list[at]
	if others := slices.Delete(slices.Clone(list), at, at+1); r.attempts == Best || r.attempts == All {
		e.Others = others
	} else if len(others) > 0 {
		var paths []string
		for _, o := range others {
			if paths = append(paths, o.Path); o.Wrong != "" {
				r.notes = append(r.notes, fmt.Sprintf("%s, %s: %s", o.Student, o.Problem, o.Wrong))
			}
		}
		which := Last
		if at == 0 {
			which = First
		}
		r.notes = append(r.notes, fmt.Sprintf("%s, %s: the %s of %d attempts counts: %s, not %s", e.Student, e.Problem, which, len(list), e.Path, strings.Join(paths, ", ")))
	}
	if _, err := os.Lstat(e.Path); err != nil && e.Wrong == "" {
		e.Wrong = e.Path + ": " + yamlstrict.FileError(e.Path, err).Msg
	}
	return e
}

// together returns the entry for files whose order is unknown.
func together(list []Entry) Entry {
	e := list[0]
	var paths, wrongs []string
	for _, one := range list {
		paths = append(paths, one.Path)
		if one.Wrong != "" {
			wrongs = append(wrongs, one.Wrong)
		}
	}
	e.Wrong = strings.Join(append([]string{"several files: " + strings.Join(paths, " and ")}, wrongs...), "; ")
	return e
}
