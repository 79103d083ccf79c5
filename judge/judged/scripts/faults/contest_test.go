package faults

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"golang.org/x/sync/errgroup"

	"tribunal/internal/tier"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/pages"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/web"
)

// contest is a course with the problems a, b and c, whose participants are p0, p1 and so on. Their logins are their
// passwords, repeated. Times that are zero are no bounds.
type contest struct {
	People                  int
	Open, Freeze, Due, Thaw time.Time
	Pace                    *pace `json:",omitempty"`
}

// hold makes the contest, unless an earlier process has, and returns its pages.
func (c *contest) hold(ctx context.Context, svc *service.Service, st *store.Store, log *slog.Logger) (web.Pages, error) {
	entries, err := access.NewLogStore(ctx, st.Tokens, log)
	if err != nil {
		return nil, err
	}
	tokens := access.New(entries, access.Options{Cost: access.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	course := ledger.Course{Title: "Contest", Open: c.Open, Freeze: c.Freeze, Due: c.Due, Late: c.Due, Thaw: c.Thaw, Scoring: ledger.ICPC, Standings: ledger.Public}
	for _, id := range []string{"a", "b", "c"} {
		course.Problems = append(course.Problems, ledger.CourseProblem{Label: strings.ToUpper(id), Problem: id})
		if _, _, err := svc.Upload(ctx, service.Upload{ID: id, Title: id, Archive: []byte(id)}); err != nil {
			return nil, err
		}
	}
	if err := svc.SetCourse(ctx, "c", course, service.Newest, "test"); err != nil {
		return nil, err
	}
	for i := range c.People {
		login := fmt.Sprint("p", i)
		err := svc.SetPerson(ctx, "c", ledger.Person{Login: login, Name: login, Role: ledger.Participant}, 0, "test")
		if err != nil && !errors.Is(err, service.ErrChanged) {
			return nil, err
		}
		if !tokens.HasPassword(ctx, login) {
			if err := tokens.SetPassword(ctx, login, passwordOf(login)); err != nil {
				return nil, err
			}
		}
	}
	return pages.New(pages.Options{
		Service: svc, Accounts: tokens, Languages: []string{"script"}, Log: log, Now: clock.Now,
		LanguagesOf: func(string) []string { return []string{"script"} }, ExtensionOf: func(string) string { return ".json" },
	}), nil
}

func passwordOf(login string) string { return strings.Repeat(login+"-", 4) }

// participant is a browser of somebody who hands in until that is acknowledged.
type participant struct {
	login string
	base  string
	http  *http.Client
}

func newParticipant(login, base string) (*participant, error) {
	jar, err := cookiejar.New(nil)
	return &participant{login, base, &http.Client{
		Jar: jar, Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, err
}

// handIn hands in what the worker judges as s says, and returns the id that the service acknowledges, or "" if the
// course takes no submissions.
func (p *participant) handIn(ctx context.Context, problem string, n int, s script) (id string, err error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	resp, err := p.send(ctx, "/c/c/p/"+problem, map[string]string{"text": string(text), "language": "script", "key": fmt.Sprintf("%026d", n)})
	switch {
	case err != nil:
		return "", err
	case resp.StatusCode == http.StatusForbidden:
		return "", nil
	case resp.StatusCode != http.StatusSeeOther:
		return "", fmt.Errorf("%s hands in: %s", p.login, resp.Status)
	}
	return path.Base(resp.Header.Get("Location")), nil
}

// send sends a form until the answer has a status that is no failure of the service. It signs in when it must.
func (p *participant) send(ctx context.Context, at string, fields map[string]string) (*http.Response, error) {
	for {
		var body bytes.Buffer
		m := multipart.NewWriter(&body)
		for name, value := range fields {
			_ = m.WriteField(name, value)
		}
		m.Close()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+at, &body)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", m.FormDataContentType())
		resp, err := p.http.Do(r)
		if err == nil {
			resp.Body.Close()
			switch {
			case resp.StatusCode == http.StatusUnauthorized && at != "/sign-in":
				in, err := p.send(ctx, "/sign-in", map[string]string{"login": p.login, "password": passwordOf(p.login)})
				if err != nil {
					return nil, err
				}
				if in.StatusCode != http.StatusSeeOther {
					return nil, fmt.Errorf("%s signs in: %s", p.login, in.Status)
				}
				continue
			case resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests:
				return resp, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// handedIn are the submissions that were acknowledged, by id.
type handedIn struct {
	mu   sync.Mutex
	list map[string]script
}

func (h *handedIn) add(id string, s script) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list[id] = s
}

// judgedOne is a submission with its verdict.
type judgedOne struct {
	ID, Submitter, Problem, Verdict, Status string
	Created                                 time.Time
}

// await returns the submissions in their order, as soon as all have been judged, each as its script says.
func (h *handedIn) await(t *testing.T, ctx context.Context, w *world) (list []judgedOne) {
	t.Helper()
	for id, s := range h.list {
		var one judgedOne
		for one.Status != "done" {
			if err := w.client.get(ctx, w.client.urls[0]+"/v1/judgings/"+id+"?wait=5s", &one); err != nil {
				t.Fatal(err)
			}
		}
		if one.Verdict != s.Verdict.String() {
			t.Errorf("%s was judged %s, want %s", id, one.Verdict, s.Verdict)
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b judgedOne) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return list
}

// standing is a row of standings: solved problems, and minutes.
type standing struct{ Solved, Minutes int }

// count finds standings in the simplest way.
func (c *contest) count(list []judgedOne) map[string]standing {
	all := map[string]standing{}
	for i := range c.People {
		login := fmt.Sprint("p", i)
		var row standing
		for _, problem := range []string{"a", "b", "c"} {
			wrong := 0
			for _, s := range list {
				if s.Submitter != "/c/"+login || s.Problem != problem {
					continue
				}
				if s.Verdict == verdict.AC.String() {
					row.Solved++
					row.Minutes += int(s.Created.Sub(c.Open)/time.Minute) + 20*wrong
					break
				}
				wrong++
			}
		}
		all[login] = row
	}
	return all
}

var boardRow = regexp.MustCompile(`<th scope="row">(p\d+)<td class="n"><b>(\d+)</b><td class="n">(\d+)`)

// standings reads the page of the standings.
func (w *world) standings(ctx context.Context) (map[string]standing, error) {
	page, err := w.client.page(ctx, w.client.urls[0]+"/c/c/standings")
	all := map[string]standing{}
	for _, m := range boardRow.FindAllStringSubmatch(html.UnescapeString(page), -1) {
		solved, err1 := strconv.Atoi(m[2])
		minutes, err2 := strconv.Atoi(m[3])
		err = errors.Join(err, err1, err2)
		all[m[1]] = standing{solved, minutes}
	}
	return all, err
}

// settle compares the standings with what was counted, as soon as they agree: the page may be some seconds old.
func (w *world) settle(t *testing.T, ctx context.Context, want map[string]standing) {
	t.Helper()
	for {
		got, err := w.standings(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if maps.Equal(want, got) {
			return
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("the standings (-want +got):\n%s", gocmp.Diff(want, got))
		}
	}
}

// TestContest holds a contest whose processes are killed, one after the other. In the end the standings are those that
// a naive count finds in what was acknowledged.
func TestContest(t *testing.T) {
	tier.T2(t, "a contest whose processes are killed")
	people, each, kills := 6, 4, 6
	if tier.All() {
		people, each, kills = 30, 12, 40
	}
	c := &contest{People: people, Open: time.Now().UTC().Truncate(time.Minute).Add(-time.Hour)}
	w := newWorld(t, shape{services: 1, workers: 2, contest: c})
	ctx, stop := context.WithDeadline(t.Context(), tier.Deadline(t))
	defer stop()
	all := handedIn{list: map[string]script{}}
	var g errgroup.Group
	for i := range people {
		p, err := newParticipant(fmt.Sprint("p", i), w.client.urls[0])
		if err != nil {
			t.Fatal(err)
		}
		g.Go(func() error {
			random := rand.New(rand.NewPCG(39, uint64(i)))
			for n := range each {
				s := scriptOf(i*each + n)
				s.Fails = 0
				id, err := p.handIn(ctx, string("abc"[random.IntN(3)]), i*each+n, s)
				if err != nil {
					return err
				}
				all.add(id, s)
			}
			return nil
		})
	}
	for i := range kills {
		if err := w.replace(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(all.list) != people*each {
		t.Fatalf("%d of %d submissions have ids of their own", len(all.list), people*each)
	}
	w.settle(t, ctx, c.count(all.await(t, ctx, w)))
}

// replace kills a process of a contest, and starts it again: the service, then each worker, and so on.
func (w *world) replace(n int) error {
	p := w.processes[[]string{"server0", "worker0", "worker1"}[n%3]]
	p.kill()
	return p.start()
}

// TestFiveHours holds a contest of five hours in five minutes. It is frozen in the last hour, and each process is killed
// a dozen times. No submission is lost, none is taken after the end, standings never show what the freeze hides, and
// those after the thaw are what a naive count finds.
func TestFiveHours(t *testing.T) {
	tier.T3(t, "a contest of five hours")
	if !canSet() {
		t.Skip("not checked: a contest of five hours (times are laid out differently)")
	}
	const people, submissions, times = 60, 900, 60
	open := time.Now().UTC().Truncate(time.Second)
	c := &contest{
		People: people, Open: open, Freeze: open.Add(4 * time.Hour), Due: open.Add(5 * time.Hour), Thaw: open.Add(5*time.Hour + 20*time.Minute),
		Pace: &pace{Since: open, Times: times},
	}
	w := newWorld(t, shape{services: 1, workers: 2, contest: c})
	ctx, stop := context.WithDeadline(t.Context(), tier.Deadline(t))
	defer stop()
	await := func(at time.Time) error {
		select {
		case <-time.After(c.Pace.until(at)):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	all := handedIn{list: map[string]script{}}
	var refused atomic.Int64
	var g errgroup.Group
	for i := range people {
		p, err := newParticipant(fmt.Sprint("p", i), w.client.urls[0])
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(5, uint64(i)))
		when := make([]time.Duration, submissions/people)
		for n := range when { // some too early, some too late
			when[n] = time.Duration(random.Int64N(int64(5*time.Hour+10*time.Minute))) - 2*time.Minute
		}
		slices.Sort(when)
		g.Go(func() error {
			for n, after := range when {
				if err := await(open.Add(after)); err != nil {
					return err
				}
				s := scriptOf(i*len(when) + n)
				s.Fails = 0
				id, err := p.handIn(ctx, string("abc"[random.IntN(3)]), i*len(when)+n, s)
				switch {
				case err != nil:
					return err
				case id == "":
					refused.Add(1)
				default:
					all.add(id, s)
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		for n, at := 0, open; at.Before(c.Due); n, at = n+1, at.Add(8*time.Minute) {
			if err := errors.Join(await(at), w.replace(n)); err != nil {
				return err
			}
		}
		return nil
	})
	var frozen []map[string]standing // what a viewer saw in the freeze
	g.Go(func() error {
		for at := c.Freeze; at.Before(c.Thaw.Add(-time.Minute)); at = at.Add(2 * time.Minute) {
			if err := await(at); err != nil {
				return err
			}
			seen, err := w.standings(ctx)
			if err != nil {
				return err
			}
			if c.Pace.until(c.Thaw) > 0 { // else the page may be from after it
				frozen = append(frozen, seen)
			}
		}
		return nil
	})
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	list := all.await(t, ctx, w)
	hidden := slices.IndexFunc(list, func(s judgedOne) bool { return !s.Created.Before(c.Freeze) })
	if hidden <= 0 || list[len(list)-1].Created.After(c.Due) {
		t.Fatalf("%d submissions before the freeze, and the last one %v after the end", hidden, list[len(list)-1].Created.Sub(c.Due))
	}
	most := c.count(list[:hidden])
	for _, seen := range frozen {
		for login, row := range seen {
			if row.Solved > most[login].Solved {
				t.Errorf("in the freeze %s has solved %d, want at most %d", login, row.Solved, most[login].Solved)
			}
		}
	}
	t.Logf("%d submissions taken, %d of them in the freeze; %d refused; %d pages in the freeze", len(list), len(list)-hidden, refused.Load(), len(frozen))
	w.settle(t, ctx, c.count(list))
}
