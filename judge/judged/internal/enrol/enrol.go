// Package enrol reads lists of people and makes them members of a course.
//
// [Parse] reads a list (read.go). [PlanFor] compares it with the members that a course has, and says what would
// change; [Enrol] changes that. Whatever the list has already done is not done again.
package enrol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// Service holds the methods of a [service.Service] that this package uses.
type Service interface {
	Courses() []ledger.CourseState
	People(course string) []ledger.PersonState
	Person(course, login string) (ledger.PersonState, error)
	CoursesOf(login string) []string
	SetPerson(ctx context.Context, course string, p ledger.Person, after uint64, by string) error
	ErasePerson(ctx context.Context, course, login, by string) error
	EraseSubmitter(ctx context.Context, submitter, by string) (int, error)
}

// Accounts knows who has a password, and makes invitations; see package access.
type Accounts interface {
	HasPassword(ctx context.Context, login string) bool
	OpenPass(ctx context.Context, p access.Pass) (string, error)
	EraseAccount(ctx context.Context, login string) error
}

// invitationTime is how long an invitation is valid.
const invitationTime = 14 * 24 * time.Hour

// State is what a list makes of a person.
type State string

// The states.
const (
	New     State = "new"     // becomes a member
	Changed State = "changed" // is a member, with other fields
	Same    State = "same"    // is a member as the list says
)

// Member is a person of a list, as a member of the course.
type Member struct {
	ledger.Person
	State      State         `json:"state" enum:"new,changed,same" doc:"whether the person was a member before"`
	Was        ledger.Person `json:"-"` // if Changed
	Invitation string        `json:"invitation,omitempty" doc:"the secret of a page /join/SECRET where the person sets a password, once, within 14 days"`
	Note       string        `json:"note,omitempty" doc:"that the login existed before, or why somebody without a password has no invitation"`
}

// PlanFor returns what a list of people would make of the members of a course, in the order of the list. A field that
// a list leaves empty stays as it is; a person without a role becomes a participant. Who has no login gets that of
// the member with the same e-mail address, or else with the same name, or else a new one such as ann.lee, which
// has no account, is in no course, and was not erased from this one. A login that exists already, but not in this course, becomes a participant only,
// and has a note, because teachers can list the logins of others; an administrator gives any role. The error names the
// logins of which that is not so, or one that two entries would have.
func PlanFor(ctx context.Context, svc Service, accounts Accounts, course string, people []ledger.Person, administrator bool) ([]Member, error) {
	taken, byEmail, byName := map[string]bool{}, map[string][]string{}, map[string][]string{}
	for _, c := range svc.Courses() {
		for _, m := range svc.People(c.ID) {
			taken[m.Login] = true
			if c.ID != course {
				continue
			}
			if m.Email != "" {
				byEmail[strings.ToLower(m.Email)] = append(byEmail[strings.ToLower(m.Email)], m.Login)
			}
			byName[m.Name] = append(byName[m.Name], m.Login)
		}
	}
	given := map[string]bool{}
	for _, p := range people {
		if p.Login != "" && given[p.Login] {
			return nil, fmt.Errorf("the login %s is there twice (hint: every login is there once): %w", p.Login, service.ErrInvalid)
		}
		given[p.Login] = true
	}
	exists := func(login string) bool { return taken[login] || accounts.HasPassword(ctx, login) }
	erased := func(login string) bool {
		_, err := svc.Person(course, login)
		return errors.Is(err, service.ErrErased)
	}
	plan, numbers := make([]Member, len(people)), map[string]int{}
	var faults []error
	for i, p := range people {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p.Login == "" {
			known, key := byEmail, strings.ToLower(p.Email)
			if p.Email == "" {
				known, key = byName, p.Name
			}
			for p.Login == "" && len(known[key]) > 0 {
				if login := known[key][0]; !given[login] {
					p.Login = login
				}
				known[key] = known[key][1:] // the next namesake does not look at it again
			}
			if p.Login == "" {
				p.Login = made(&p, numbers, func(login string) bool { return given[login] || exists(login) || erased(login) })
			}
			given[p.Login] = true
		}
		m := member(svc, course, p)
		if m.State == New && exists(m.Login) {
			m.Note = "has an account already (hint: a person of this course who has none needs another login)"
			if m.Role != ledger.Participant && !administrator {
				faults = append(faults, fmt.Errorf("%s has an account already, and becomes a participant (hint: only an administrator can add it as %s): %w", m.Login, m.Role, service.ErrInvalid))
			}
		}
		if m.State == New && erased(m.Login) {
			m.Note = "was erased from this course before (hint: another person needs another login)"
		}
		plan[i] = m
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	return plan, nil
}

// member compares a person with the member of a course who has the same login.
func member(svc Service, course string, p ledger.Person) Member {
	was, err := svc.Person(course, p.Login)
	if err != nil {
		if p.Role == "" {
			p.Role = ledger.Participant
		}
		return Member{Person: p, State: New}
	}
	for _, each := range []struct{ to, from *string }{
		{&p.Name, &was.Name}, {&p.Group, &was.Group}, {&p.Email, &was.Email}, {(*string)(&p.Role), (*string)(&was.Role)},
	} {
		if *each.to == "" {
			*each.to = *each.from
		}
	}
	if p == was.Person {
		return Member{Person: p, State: Same}
	}
	return Member{Person: p, State: Changed, Was: was.Person}
}

// made returns a login for somebody who has none: the local part of the e-mail address, or the name with dots, and a
// number if it is taken. numbers has the last number of each login that was tried, so that many namesakes do not try
// all numbers anew.
func made(p *ledger.Person, numbers map[string]int, taken func(string) bool) string {
	from, _, _ := strings.Cut(p.Email, "@")
	if from == "" {
		from = strings.Join(strings.Fields(p.Name), ".")
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(spelt.Replace(from))) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r) && b.Len() > 0 {
			b.WriteRune(r)
		}
	}
	login := strings.TrimRight(b.String(), "._+-")
	if len(login) > 56 {
		login = login[:56]
	}
	if login == "" { // the name is in another script
		login = "member"
	}
	unique := login
	for {
		if numbers[login]++; numbers[login] > 1 {
			unique = fmt.Sprint(login, numbers[login])
		}
		if !taken(unique) {
			return unique
		}
	}
}

// spelt has letters that are no letter of English with a mark.
var spelt = strings.NewReplacer("ß", "ss", "ø", "o", "Ø", "O", "æ", "ae", "Æ", "Ae", "ł", "l", "Ł", "L", "đ", "d", "ı", "i", "œ", "oe")

// atOnce is how many people are stored at a time.
const atOnce = 32

// Enrol sets the members of a plan, and makes invitations for those who have no password and are in no other course.
// After an error some may be set; doing it again sets the others. by is who does it, and administrator whether that is
// one, whose invitations stay valid in all courses.
func Enrol(ctx context.Context, svc Service, accounts Accounts, course string, plan []Member, by string, administrator bool) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i := range plan {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			m := &plan[i]
			if m.State != Same {
				if err := svc.SetPerson(ctx, course, m.Person, service.Newest, by); err != nil {
					return fmt.Errorf("%s: %w", m.Login, err)
				}
			}
			if accounts.HasPassword(ctx, m.Login) {
				return nil
			}
			if elsewhere(svc, course, m.Login) {
				m.Note = keeps
				return nil
			}
			var err error
			m.Invitation, m.Note, err = Invite(ctx, svc, accounts, course, m.Login, administrator)
			return err
		})
	}
	return g.Wait()
}

// Invite makes an invitation for a member to set a password, also in place of a forgotten one. A member of another
// course, too, gets none, because the teachers of this one must not be able to take over that account: the note says
// so. An administrator may invite everybody.
func Invite(ctx context.Context, svc Service, accounts Accounts, course, login string, administrator bool) (secret, note string, err error) {
	p := access.Pass{Kind: access.Invitation, Login: login, Expires: time.Now().Add(invitationTime)}
	if !administrator {
		p.Course = course
	}
	if !Holds(svc, p) {
		return "", keeps, nil
	}
	secret, err = accounts.OpenPass(ctx, p)
	return secret, "", err
}

// keeps is the note of a member whom teachers cannot invite.
const keeps = "is in another course, too, and keeps that account (hint: only an administrator can invite again)"

// Holds reports whether an invitation may be used: the teachers who made it may have kept it, so it is void once the
// login is in a course that is not theirs.
func Holds(svc Service, invitation access.Pass) bool {
	return invitation.Course == "" || !elsewhere(svc, invitation.Course, invitation.Login)
}

// elsewhere reports whether a login is in a course other than this one.
func elsewhere(svc Service, course, login string) bool {
	return slices.ContainsFunc(svc.CoursesOf(login), func(other string) bool { return other != course })
}

// Erase removes a member from a course with everything that was handed in there, and the account of a login that is in
// no other course. It returns how many submissions there were. After an error, doing it again erases the rest; the error
// wraps [service.ErrUnknown] if there is nothing to erase.
func Erase(ctx context.Context, svc Service, accounts Accounts, course, login, by string) (int, error) {
	// The membership goes first, because a member could hand in something while the submissions go.
	gone := svc.ErasePerson(ctx, course, login, by)
	if gone != nil && !errors.Is(gone, service.ErrErased) {
		return 0, gone
	}
	n, err := svc.EraseSubmitter(ctx, ledger.SubmitterOf(course, login), by)
	if err != nil {
		return n, err
	}
	if len(svc.CoursesOf(login)) == 0 {
		if err := accounts.EraseAccount(ctx, login); err != nil {
			return n, err
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, gone
}
