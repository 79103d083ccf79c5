package pages

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/enrol"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/rate"
	"tribunal/judge/judged/internal/service"
)

// sessionTime is how long somebody stays signed in.
const sessionTime = 24 * time.Hour

// cookieName returns the name of the cookie with the session. Browsers take the prefix only by HTTPS and from this
// host alone.
func (q *request) cookieName() string {
	if q.TLS != nil {
		return "__Host-judged"
	}
	return "judged"
}

func (q *request) setCookie(secret string, life time.Duration) {
	http.SetCookie(q.ResponseWriter, &http.Cookie{
		Name: q.cookieName(), Value: secret, Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true, Secure: q.TLS != nil, SameSite: http.SameSiteLaxMode,
	})
}

// enter signs somebody in: whatever session there was ends, and another begins.
func (q *request) enter(p access.Pass) error {
	q.leave()
	p.Kind, p.Expires = access.Session, q.now.Add(sessionTime)
	secret, err := q.o.Accounts.OpenPass(q.ctx, p)
	if err != nil {
		return err
	}
	q.setCookie(secret, sessionTime)
	return nil
}

// leave ends the session of the request, if it has one.
func (q *request) leave() {
	if cookie, err := q.Cookie(q.cookieName()); err == nil {
		_ = q.o.Accounts.ClosePass(q.ctx, access.Session, cookie.Value) // one that is not valid is over anyway
	}
}

// next returns the page to go to after signing in, which is one of this service.
func (q *request) next() string {
	next := q.FormValue("next")
	// Browsers pass over control characters: to them /<tab>/host is //host.
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsFunc(next, func(r rune) bool { return r < ' ' || r == '\\' }) {
		return "/"
	}
	return next
}

func (p *Pages) home(q *request) error {
	type card struct {
		ledger.CourseState
		Role  ledger.Role
		Times ledger.Times
	}
	var list []card
	for _, c := range p.o.Service.Courses() {
		person, err := p.o.Service.Person(c.ID, q.viewer.Login)
		if member := err == nil; (member || q.viewer.Admin) && (!c.Archived || q.viewer.Admin || person.Role != ledger.Participant) {
			list = append(list, card{c, person.Role, c.Times(person.Group)})
		}
	}
	if !q.viewer.SignedIn() {
		return q.then("/sign-in")
	}
	return q.show("home", "Courses", list)
}

func (p *Pages) signInPage(q *request) error {
	return q.show("sign-in", "Sign in", map[string]string{"Next": q.next()})
}

func (p *Pages) signIn(q *request) error {
	login, password := strings.ToLower(strings.TrimSpace(q.FormValue("login"))), q.FormValue("password")
	if err := q.limited(login); err != nil {
		return err
	}
	wrong := func() error {
		q.page(http.StatusUnauthorized, "sign-in", "Sign in", map[string]string{"Next": q.next(), "Login": login, "Wrong": "yes"})
		return nil
	}
	if login == "" { // a token alone
		id, err := p.o.Accounts.Verify(q.ctx, strings.TrimSpace(password))
		if _, refused := errors.AsType[access.Refusal](err); refused {
			return wrong()
		}
		if err != nil {
			return err
		}
		if err := q.enter(access.Pass{Token: id.Token, Owner: id.Owner, Scopes: id.Scopes}); err != nil {
			return err
		}
		return q.then("%s", q.next())
	}
	err := q.patiently(func() error { return p.o.Accounts.SignIn(q.ctx, login, password) })
	if errors.Is(err, access.Wrong) {
		return wrong()
	}
	if err != nil {
		return err
	}
	if err := q.enter(access.Pass{Login: login}); err != nil {
		return err
	}
	return q.then("%s", q.next())
}

// limited returns an error if too many requests about a login, or from the address of the request, came lately. Those
// about a login from one address are bounded more tightly, so that attempts from elsewhere do not keep its owner out. A
// text that can be no login has no account, and no place among the keys of the limiters.
func (q *request) limited(login string) error {
	from := q.RemoteAddr
	if a, err := netip.ParseAddrPort(from); err == nil {
		from = rate.AddressKey(a.Addr())
	}
	ok, wait := q.addresses.Allow(from)
	if ok {
		if login != "" && !service.ValidLogin(login) { // "" is for a token, which cannot be guessed
			return fail(http.StatusUnprocessableEntity, "this is no login (hint: it has up to 63 lower-case letters, digits and ._@+-)")
		}
		ok, wait = q.attempts.Allow("login " + login + " " + from)
	}
	if ok && login != "" {
		ok, wait = q.logins.Allow(login)
	}
	if !ok {
		return fail(http.StatusTooManyRequests, "too many attempts (hint: wait %v and try again)", max(wait, time.Second).Round(time.Second))
	}
	return nil
}

// patiently does what needs a slow hash, and waits while too many others do: a whole class signs in at the same time.
func (q *request) patiently(hash func() error) error {
	for {
		err := hash()
		if !errors.Is(err, access.ErrBusy) {
			return err
		}
		select {
		case <-time.After(busyPause):
		case <-q.ctx.Done():
			return err
		}
	}
}

// busyPause is the time between two tries of patiently.
const busyPause = 100 * time.Millisecond

func (p *Pages) signOut(q *request) error {
	q.leave()
	q.setCookie("", -time.Second)
	return q.then("/sign-in")
}

// joinPage shows the form by which the receiver of an invitation sets a password.
func (p *Pages) joinPage(q *request) error {
	pass, err := q.invitation()
	if err != nil {
		return err
	}
	return q.show("join", "Welcome", map[string]string{"Login": pass.Login})
}

func (q *request) invitation() (access.Pass, error) {
	pass, err := q.o.Accounts.Pass(q.ctx, access.Invitation, q.PathValue("token"))
	if _, refused := errors.AsType[access.Refusal](err); refused {
		return pass, fail(http.StatusNotFound, "this invitation was used or has expired (hint: sign in, or ask a teacher for another)")
	}
	if err == nil && !enrol.Holds(q.o.Service, pass) {
		return pass, fail(http.StatusForbidden, "this invitation is not valid any more, because %s is in another course now (hint: ask an operator for another)", pass.Login)
	}
	return pass, err
}

func (p *Pages) join(q *request) error {
	pass, err := q.invitation()
	if err != nil {
		return err
	}
	if q.FormValue("password") != q.FormValue("again") {
		q.page(http.StatusUnprocessableEntity, "join", "Welcome", map[string]string{"Login": pass.Login, "Wrong": "the two passwords differ"})
		return nil
	}
	err = q.patiently(func() error { return p.o.Accounts.Join(q.ctx, q.PathValue("token"), q.FormValue("password")) })
	_, refused := errors.AsType[access.Refusal](err)
	switch {
	case errors.Is(err, access.ErrPassword):
		q.page(http.StatusUnprocessableEntity, "join", "Welcome", map[string]string{"Login": pass.Login, "Wrong": err.Error()})
		return nil
	case refused:
		return fail(http.StatusConflict, "this invitation was used a moment ago (hint: sign in)")
	case errors.Is(err, access.ErrConflict):
		return fail(http.StatusConflict, "somebody else has set this password a moment ago (hint: sign in, or use the invitation again)")
	case err != nil:
		return err
	}
	if err := q.enter(access.Pass{Login: pass.Login}); err != nil {
		return err
	}
	return q.then("/")
}

// registering returns an error unless everybody may register for the course of the request.
func (q *request) registering() error {
	if q.course.Register == "" {
		return errNoPage
	}
	return nil
}

func (p *Pages) registerPage(q *request) error {
	if err := q.registering(); err != nil {
		return err
	}
	return q.show("register", "Register", map[string]string{})
}

// register makes an account and a member of the course.
func (p *Pages) register(q *request) error {
	if err := q.registering(); err != nil {
		return err
	}
	person := q.entered()
	login := person.Login
	again := func(text string) error {
		q.page(http.StatusUnprocessableEntity, "register", "Register", map[string]string{"Login": login, "Name": person.Name, "Email": person.Email, "Wrong": text})
		return nil
	}
	if q.viewer.Login != "" {
		login = q.viewer.Login
	}
	if !service.ValidLogin(login) {
		return again("a login has up to 63 lower-case letters, digits and ._@+-")
	}
	if err := q.limited(login); err != nil {
		return err
	}
	switch {
	case q.FormValue("word") != q.course.Register:
		return again("the word for this course is another")
	case person.Name == "":
		return again("give your name")
	}
	person.Login, person.Group, person.Role = login, "", ledger.Participant
	if err := enrol.Check(&person); err != nil {
		return again(err.Error())
	}
	switch _, err := p.o.Service.Person(q.course.ID, login); {
	case err == nil:
		return again("this login is taken")
	case errors.Is(err, service.ErrErased): // the ledger still says what its owner did, who may be another person
		return again("this login was erased from the course, and is not given again (if it was yours, ask a teacher to add you; otherwise choose another)")
	}
	created := false
	if q.viewer.Login == "" {
		if len(p.o.Service.CoursesOf(login)) > 0 {
			return again("this login is taken (if it is yours, sign in first)")
		}
		// The account comes first, so that there is no member without a password. If it broke off there, the same
		// password completes it.
		password := q.FormValue("password")
		created = !p.o.Accounts.HasPassword(q.ctx, login)
		err := q.patiently(func() error {
			if created {
				return p.o.Accounts.NewAccount(q.ctx, login, password)
			}
			return p.o.Accounts.SignIn(q.ctx, login, password)
		})
		switch {
		case errors.Is(err, access.ErrPassword):
			return again(err.Error())
		case errors.Is(err, access.Wrong), errors.Is(err, access.ErrConflict):
			return again("this login is taken (if it is yours, sign in first)")
		case err != nil:
			return err
		}
	}
	err := p.o.Service.SetPerson(q.ctx, q.course.ID, person, 0, ledger.SubmitterOf(q.course.ID, login))
	if errors.Is(err, service.ErrChanged) { // somebody else became this member meanwhile, whose account this must not be
		if created {
			if err := p.o.Accounts.EraseAccount(q.ctx, login); err != nil {
				return err
			}
		}
		return again("this login is taken")
	}
	if err != nil {
		return err
	}
	if q.viewer.Login == "" {
		if err := q.enter(access.Pass{Login: login}); err != nil {
			return err
		}
	}
	return q.then("/c/%s", q.course.ID)
}

func (p *Pages) accountPage(q *request) error {
	return q.show("account", "Account", map[string]string{})
}

func (p *Pages) setPassword(q *request) error {
	again := func(status int, text string) error {
		q.page(status, "account", "Account", map[string]string{"Wrong": text})
		return nil
	}
	if q.viewer.Login == "" {
		return fail(http.StatusForbidden, "who signs in with a token has no password")
	}
	if err := q.limited(q.viewer.Login); err != nil {
		return err
	}
	switch err := p.o.Accounts.SignIn(q.ctx, q.viewer.Login, q.FormValue("old")); {
	case errors.Is(err, access.Wrong):
		return again(http.StatusUnauthorized, "the old password is another")
	case err != nil:
		return err
	case q.FormValue("password") != q.FormValue("again"):
		return again(http.StatusUnprocessableEntity, "the two passwords differ")
	}
	err := p.o.Accounts.SetPassword(q.ctx, q.viewer.Login, q.FormValue("password"))
	if errors.Is(err, access.ErrPassword) {
		return again(http.StatusUnprocessableEntity, err.Error())
	}
	if err != nil {
		return err
	}
	if err := q.enter(access.Pass{Login: q.viewer.Login}); err != nil {
		return err
	}
	return q.then("/")
}
