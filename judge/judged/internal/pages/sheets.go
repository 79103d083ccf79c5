package pages

import (
	"slices"
	"strings"

	"tribunal/judge/judged/internal/ledger"
)

// sheetsData has the pages to hand out, one for each participant.
type sheetsData struct {
	Sheets  []sheet
	Groups  []string
	Group   string
	Sources bool
	Login   string // of the only participant; "" for all
}

// sheet is the page of a participant, with what that participant may see.
type sheet struct {
	ledger.Person
	Solved int
	Points float64
	Most   float64
	Rows   []sheetRow
}

// sheetRow is a problem on the page of a participant.
type sheetRow struct {
	problemRow
	Submission *submissionData // the one that counts, or else the last; nil if nothing was handed in
}

// mostSources bounds the sources on all sheets, in bytes; a longer page would not be printed anyway.
const mostSources = 16 << 20

// as returns the request as if a member had made it.
func (q *request) as(m *ledger.PersonState) *request {
	own := *q
	own.viewer, own.person = viewer{Login: m.Login}, m
	return &own
}

// sheetsPage shows pages to hand out, of one participant or of all of a group, to print.
func (p *Pages) sheetsPage(q *request) error {
	d := &sheetsData{Group: q.FormValue("group"), Sources: q.FormValue("sources") != "", Login: q.PathValue("login")}
	handed := map[string][]ledger.Submission{}
	for _, sub := range q.handedInTo(q.course.ID) {
		login, _ := ledger.LoginOf(q.course.ID, sub.Submitter)
		handed[login] = append(handed[login], sub)
	}
	people := p.o.Service.People(q.course.ID)
	slices.SortStableFunc(people, func(a, b ledger.PersonState) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	room := mostSources
	for i := range people {
		m := &people[i]
		if m.Role != ledger.Participant || m.Erased || d.Login != "" && m.Login != d.Login {
			continue
		}
		if m.Group != "" && !slices.Contains(d.Groups, m.Group) {
			d.Groups = append(d.Groups, m.Group)
		}
		if d.Group != "" && m.Group != d.Group {
			continue
		}
		one, err := q.as(m).sheet(handed[m.Login], d.Sources, &room)
		if err != nil {
			return err
		}
		d.Sheets = append(d.Sheets, *one)
	}
	slices.Sort(d.Groups)
	title := "Pages to hand out"
	if d.Login != "" {
		if len(d.Sheets) == 0 {
			return errNoPage
		}
		title = d.Sheets[0].Name
	}
	return q.show("sheets", title, d)
}

// sheet returns the sheet of the viewer, who handed in these submissions, the newest first. It takes the room that
// sources need.
func (q *request) sheet(own []ledger.Submission, sources bool, room *int) (*sheet, error) {
	problems, row := q.problems(own)
	s := &sheet{Person: q.person.Person, Solved: row.Solved, Points: row.Points}
	for _, of := range problems {
		s.Most += of.Most
		r := sheetRow{problemRow: of}
		i := slices.IndexFunc(own, func(sub ledger.Submission) bool {
			return sub.Problem == of.Problem && (of.Cell.Submission == "" || sub.ID == of.Cell.Submission)
		})
		if i >= 0 {
			d, err := q.submissionData(&own[i], 1)
			if err == nil && sources && *room >= 0 {
				err = q.readSource(&own[i], d)
				*room -= len(d.Source)
			}
			if err != nil {
				return nil, err
			}
			r.Submission = d
		}
		s.Rows = append(s.Rows, r)
	}
	return s, nil
}
