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
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
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
// passwords, twice.
type contest struct {
	People int
	Open   time.Time
}

// hold makes the contest, unless an earlier process has, and returns its pages.
func (c *contest) hold(ctx context.Context, svc *service.Service, st *store.Store, log *slog.Logger) (web.Pages, error) {
	entries, err := access.NewLogStore(ctx, st.Tokens, log)
	if err != nil {
		return nil, err
	}
	tokens := access.New(entries, access.Options{Cost: access.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	course := ledger.Course{Title: "Contest", Open: c.Open, Scoring: ledger.ICPC, Standings: ledger.Public}
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
				if _, err := p.send(ctx, "/sign-in", map[string]string{"login": p.login, "password": passwordOf(p.login)}); err != nil {
					return nil, err
				}
				continue
			case resp.StatusCode < 500:
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

// TestContest holds a contest whose processes are killed, one after the other. In the end the standings are those that
// a naive count finds in what was acknowledged.
func TestContest(t *testing.T) {
	tier.T2(t, "a contest whose processes are killed")
	people, each, kills := 6, 4, 6
	if tier.All() {
		people, each, kills = 30, 12, 40
	}
	opened := time.Now().UTC().Truncate(time.Minute).Add(-time.Hour)
	w := newWorld(t, shape{services: 1, workers: 2, contest: &contest{people, opened}})
	base := w.client.urls[0]
	ctx, stop := context.WithDeadline(t.Context(), tier.Deadline(t))
	defer stop()
	var mu sync.Mutex
	acknowledged := map[string]script{} // by id
	var g errgroup.Group
	for i := range people {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		p := &participant{fmt.Sprint("p", i), base, &http.Client{
			Jar: jar, Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}}
		g.Go(func() error {
			random := rand.New(rand.NewPCG(39, uint64(i)))
			for n := range each {
				s := scriptOf(i*each + n)
				s.Fails = 0
				text, err := json.Marshal(s)
				if err != nil {
					return err
				}
				key := fmt.Sprintf("%026d", i*each+n)
				problem := string("abc"[random.IntN(3)])
				resp, err := p.send(ctx, "/c/c/p/"+problem, map[string]string{"text": string(text), "language": "script", "key": key})
				if err != nil {
					return err
				}
				if resp.StatusCode != http.StatusSeeOther {
					return fmt.Errorf("%s hands in: %s", p.login, resp.Status)
				}
				mu.Lock()
				acknowledged[path.Base(resp.Header.Get("Location"))] = s
				mu.Unlock()
			}
			return nil
		})
	}
	names := []string{"server0", "worker0", "worker1"}
	for i := range kills {
		p := w.processes[names[i%len(names)]]
		p.kill()
		if err := p.start(); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(acknowledged) != people*each {
		t.Fatalf("%d of %d submissions have ids of their own", len(acknowledged), people*each)
	}
	type submission struct {
		Submitter, Problem string
		Created            time.Time
		Verdict            string
		id                 string
	}
	var list []submission
	for id, s := range acknowledged {
		for {
			var got struct {
				submission
				Status string
			}
			if err := w.client.get(ctx, base+"/v1/judgings/"+id+"?wait=5s", &got); err != nil {
				t.Fatal(err)
			}
			if got.Status == "done" {
				if got.Verdict != s.Verdict.String() {
					t.Errorf("%s was judged %s, want %s", id, got.Verdict, s.Verdict)
				}
				got.id = id
				list = append(list, got.submission)
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b submission) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.id, b.id)) })
	var want []string
	for i := range people {
		login, solved, minutes := fmt.Sprint("p", i), 0, 0
		for _, problem := range []string{"a", "b", "c"} {
			wrong := 0
			for _, s := range list {
				if s.Submitter != "c/"+login || s.Problem != problem {
					continue
				}
				if s.Verdict == verdict.AC.String() {
					solved++
					minutes += int(s.Created.Sub(opened)/time.Minute) + 20*wrong
					break
				}
				wrong++
			}
		}
		want = append(want, fmt.Sprintf("%s %d %d", login, solved, minutes))
	}
	slices.Sort(want)
	rows := regexp.MustCompile(`<th scope="row">(p\d+)<td class="n"><b>(\d+)</b><td class="n">(\d+)`)
	var got []string
	for {
		page, err := w.client.page(ctx, base+"/c/c/standings")
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		for _, m := range rows.FindAllStringSubmatch(html.UnescapeString(page), -1) {
			got = append(got, strings.Join(m[1:], " "))
		}
		slices.Sort(got)
		if slices.Equal(want, got) || ctx.Err() != nil { // the page may be half a second old
			break
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("the standings (-want +got):\n%s", d)
	}
}
