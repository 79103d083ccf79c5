package pages

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/lab/likeness"
)

// The bounds of a comparison. One is made at a time, so that it takes at most one CPU.
const (
	mostCompared = 1000             // programs
	compareTime  = 20 * time.Second // which it may take
	mostPairs    = 200              // that a page lists
	mostAlike    = 32               // comparisons that are kept
)

// alike is a comparison of what was handed in to a problem. It holds no text, so that an erased one is in none.
type alike struct {
	ids    []string // of the submissions
	pairs  []likeness.Pair
	same   [][]int
	common []int
	left   int // submissions without a text that can be compared, or beyond the bounds
}

// compared returns the comparison of the submissions to a problem that count, one of each participant.
func (q *request) compared(of *ledger.CourseProblem) (*alike, error) {
	k := slices.IndexFunc(q.course.Problems, func(p ledger.CourseProblem) bool { return p.Problem == of.Problem })
	var ids []string
	for _, r := range course.StandingsOf(q.course, q.o.Service.People(q.course.ID), q.handedInTo(q.course.ID), true, q.now).Rows {
		if id := r.Cells[k].Submission; id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	key := q.course.ID + "/" + of.Problem
	known := func() *alike {
		q.mu.Lock()
		defer q.mu.Unlock()
		if a := q.likenesses[key]; a != nil && slices.Equal(a.ids, ids) {
			return a
		}
		return nil
	}
	if a := known(); a != nil {
		return a, nil
	}
	select {
	case q.comparing <- struct{}{}:
		defer func() { <-q.comparing }()
	case <-q.ctx.Done():
		return nil, fail(http.StatusServiceUnavailable, "others compare submissions at the moment (hint: try again in some seconds)")
	}
	if a := known(); a != nil {
		return a, nil
	}
	ctx, stop := context.WithTimeout(q.ctx, compareTime)
	defer stop()
	a, err := q.compare(ctx, ids)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fail(http.StatusUnprocessableEntity, "these submissions take too long to compare (hint: judge likeness compares files, without a bound)")
	}
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.likenesses) >= mostAlike {
		clear(q.likenesses)
	}
	q.likenesses[key] = a
	return a, nil
}

func (q *request) compare(ctx context.Context, ids []string) (*alike, error) {
	a := &alike{ids: ids}
	list, at := []likeness.Program{}, []int{} // at has the index of each program in ids
	for i, id := range ids {
		p, err := q.program(ctx, id)
		if err != nil {
			return nil, err
		}
		if p.Text == "" || len(list) == mostCompared {
			a.left++
			continue
		}
		list, at = append(list, p), append(at, i)
	}
	var err error
	if a.pairs, a.common, err = likeness.Find(ctx, list, nil); err != nil {
		return nil, err
	}
	a.same = likeness.Same(list, nil)
	for i := range a.pairs {
		a.pairs[i].A, a.pairs[i].B = at[a.pairs[i].A], at[a.pairs[i].B]
	}
	for _, group := range append(slices.Clone(a.same), a.common) {
		for i := range group {
			group[i] = at[group[i]]
		}
	}
	return a, nil
}

// program returns a submission to compare: its text, or those of the files of an archive by name. The text is "" if
// it is long or no text, or if the submission has been erased.
func (q *request) program(ctx context.Context, id string) (p likeness.Program, err error) {
	sub, err := q.o.Service.Get(id)
	if err == nil {
		p.Name, p.Language = sub.Name, cmp.Or(sub.Language, first(q.o.LanguagesOf(sub.Name)))
		var code []byte
		if _, code, err = q.o.Service.Source(ctx, id); err == nil && strings.EqualFold(path.Ext(sub.Name), ".zip") {
			code, p.Language = q.unpacked(code, p.Language)
		}
		if len(code) <= mostSource && utf8.Valid(code) {
			p.Text = strings.ReplaceAll(string(code), "\r\n", "\n")
		}
	}
	if errors.Is(err, service.ErrUnknown) {
		err = nil
	}
	return p, err
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// unpacked returns the sources in an archive, one after the other, and the language of the first of them if none is
// given.
func (q *request) unpacked(data []byte, language string) (text []byte, of string) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, language
	}
	slices.SortFunc(z.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range z.File {
		known := first(q.o.LanguagesOf(f.Name))
		if known == "" || len(text) > mostSource {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, language
		}
		code, err := io.ReadAll(io.LimitReader(r, mostSource+1))
		r.Close()
		if err != nil {
			return nil, language
		}
		language = cmp.Or(language, known)
		text = append(append(text, code...), '\n')
	}
	return text, language
}

// likenessData fills the page of submissions that are alike.
type likenessData struct {
	Of     ledger.CourseProblem
	Title  string
	Pairs  []likePair
	Same   [][]Listed
	Common []Listed
	Count  int // submissions that were compared
	Left   int // and were not
	More   int // pairs that are not listed
}

// likePair is a pair of submissions that are alike.
type likePair struct {
	A, B    Listed
	Percent int
	Tokens  int
}

// likenessPage lists the submissions to a problem that are alike; that is the first one if the request names none.
func (p *Pages) likenessPage(q *request) error {
	if len(q.course.Problems) == 0 {
		return fail(http.StatusNotFound, "the course has no problems yet")
	}
	of := &q.course.Problems[0]
	if id := q.FormValue("problem"); id != "" {
		if of = q.course.Problem(id); of == nil {
			return errNoPage
		}
	}
	a, err := q.compared(of)
	if err != nil {
		return err
	}
	d := &likenessData{Of: *of, Title: q.titleOf(of.Problem), Count: len(a.ids) - a.left, Left: a.left, More: max(0, len(a.pairs)-mostPairs)}
	list := func(group []int) (rows []Listed) {
		for _, i := range group {
			if sub, err := p.o.Service.Get(a.ids[i]); err == nil {
				rows = append(rows, q.row(&sub))
			}
		}
		return rows
	}
	for _, pair := range a.pairs[:min(len(a.pairs), mostPairs)] {
		if both := list([]int{pair.A, pair.B}); len(both) == 2 {
			d.Pairs = append(d.Pairs, likePair{both[0], both[1], percent(pair.Shared), pair.Tokens})
		}
	}
	for _, group := range a.same {
		d.Same = append(d.Same, list(group))
	}
	d.Common = list(a.common)
	return q.show("likeness", "Likeness", d)
}

// likeSide is one of two submissions side by side.
type likeSide struct {
	Listed
	Name     string // of the file
	Side     string // a or b
	Segments []segment
}

func percent(part float64) int { return int(math.Round(100 * part)) }

// segment is a part of a source that the other has, too, or what is between two of these.
type segment struct {
	Part        int  // from 1; 0 for what only this one has
	Begins      bool // no segment before is of the same part
	First, Last int  // lines
	Text        string
}

// Kind returns the number of the colour of a part.
func (s segment) Kind() int { return s.Part % 4 }

// Other returns the other side.
func (s *likeSide) Other() string { return map[string]string{"a": "b", "b": "a"}[s.Side] }

// segments splits a source by the parts that it shares, of which at gives the lines.
func segments(text string, parts []likeness.Part, at func(likeness.Part) [2]int) (list []segment) {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	of := make([]int, len(lines)) // the part of each line
	for i, part := range parts {
		for l := at(part)[0]; l <= min(at(part)[1], len(lines)); l++ {
			of[l-1] = cmp.Or(of[l-1], i+1)
		}
	}
	seen := map[int]bool{}
	for i, l := range lines {
		if n := len(list); n == 0 || list[n-1].Part != of[i] {
			list = append(list, segment{Part: of[i], Begins: !seen[of[i]], First: i + 1})
			seen[of[i]] = true
		}
		s := &list[len(list)-1]
		s.Last, s.Text = i+1, s.Text+l
	}
	return list
}

// pairPage shows two submissions that are alike side by side.
func (p *Pages) pairPage(q *request) error {
	of, err := q.problem()
	if err != nil {
		return err
	}
	a, err := q.compared(of)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(a.pairs, func(pair likeness.Pair) bool {
		return a.ids[pair.A] == q.PathValue("id") && a.ids[pair.B] == q.PathValue("other")
	})
	if i < 0 {
		return fail(http.StatusNotFound, "these two are not alike, or do not count any more (hint: look at the list again)")
	}
	pair := a.pairs[i]
	d := struct {
		Of              *ledger.CourseProblem
		Percent, Tokens int
		Sides           []*likeSide
	}{of, percent(pair.Shared), pair.Tokens, nil}
	for side, k := range []int{pair.A, pair.B} {
		sub, err := p.o.Service.Get(a.ids[k])
		if err != nil {
			return err
		}
		program, err := q.program(q.ctx, sub.ID)
		if err != nil {
			return err
		}
		s := &likeSide{Listed: q.row(&sub), Name: program.Name, Side: string("ab"[side])}
		s.Segments = segments(program.Text, pair.Parts, func(part likeness.Part) [2]int { return [][2]int{part.A, part.B}[side] })
		d.Sides = append(d.Sides, s)
	}
	return q.show("pair", d.Sides[0].Who+" and "+d.Sides[1].Who, d)
}
