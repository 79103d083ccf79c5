//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/web"
)

// The size of BenchmarkContest.
const (
	classmates      = 500
	contestProblems = 10
	contestRate     = 20 // submissions in a second
)

// BenchmarkContest holds a contest with a real service of one process, which judges what it takes: 500 participants hand
// in 20 programs a second by the pages, one for each iteration, and load a page as often, without viewers of the
// standings, or with 2,000. It reports how long it takes until a submission is acknowledged, and until a page has come;
// how often a viewer gets new standings, and what one reads; how much later than the last submission the last verdict is;
// and the most memory of the service, of which the programs that it judges are not a part.
func BenchmarkContest(b *testing.B) {
	for _, viewers := range []int{0, listeners} {
		b.Run(fmt.Sprint(viewers, " viewers"), func(b *testing.B) { contestWith(b, viewers) })
	}
}

func contestWith(b *testing.B, watchers int) {
	c := newContest(b)
	var size, boards atomic.Int64
	watching, stop := context.WithCancel(b.Context())
	defer stop()
	var viewers errgroup.Group
	var first sync.WaitGroup
	for i := range watchers {
		counted := &size
		if i == 0 {
			counted = nil
		}
		first.Add(1)
		viewers.Go(func() error { return c.watch(watching, &first, counted, &boards) })
	}
	first.Wait()
	var pages quantiles
	looking, done := context.WithCancel(b.Context())
	looked := make(chan error, 1)
	go func() {
		random := rand.New(rand.NewPCG(1, 2))
		tick := time.NewTicker(time.Second / contestRate)
		defer tick.Stop()
		for {
			select {
			case <-looking.Done():
				looked <- nil
				return
			case <-tick.C:
			}
			at := []string{"", "/p/g3", "/s", "/standings", "/questions"}[random.IntN(5)]
			begun := time.Now()
			if err := c.get(c.browsers[random.IntN(classmates)], "/c/c"+at); err != nil {
				looked <- err
				return
			}
			pages = append(pages, time.Since(begun))
		}
	}()
	boards.Store(0)
	size.Store(0)
	begun := time.Now()
	taken := open(b, contestRate, c.handIn)
	handedIn := time.Now()
	took := handedIn.Sub(begun).Seconds()
	if watchers > 0 {
		b.ReportMetric(float64(boards.Load())/took, "boards/s")
		b.ReportMetric(float64(size.Load())/float64(watchers-1)/took, "B/s")
	}
	done()
	if err := <-looked; err != nil {
		b.Fatal(err)
	}
	c.await(len(taken))
	b.ReportMetric(float64(time.Since(handedIn).Nanoseconds()), "ns-late")
	stop()
	if err := viewers.Wait(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(taken.at(95).Nanoseconds()), "ns-taken")
	b.ReportMetric(float64(pages.at(95).Nanoseconds()), "ns-page")
	b.ReportMetric(peakOf(b, c.process.Pid)/1e6, "MB-peak")
}

// served is a contest c of a service that runs in a process of its own.
type served struct {
	b        *testing.B
	url      string
	token    string
	process  *os.Process
	browsers []*http.Client // of the participants
	load     load
}

func newContest(b *testing.B) *served {
	b.Helper()
	dir := b.TempDir()
	program := filepath.Join(dir, "judged")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(program, "serve", "--data", filepath.Join(dir, "data"), "--no-doctor", "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), config.CacheVariable+"="+cachetest.Dir(b))
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	c := &served{b: b, process: cmd.Process, load: spinning(b)}
	c.load.code = []byte("#include <stdio.h>\n\nint main(void) {\n\tint c;\n\twhile ((c = getchar()) != EOF)\n\t\tputchar(c);\n}\n")
	lines := bufio.NewScanner(said)
	for address := regexp.MustCompile(`"listening","address":"([^"]+)"`); c.url == "" && lines.Scan(); {
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			c.url = "http://" + m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	token, err := os.ReadFile(filepath.Join(dir, "data", adminFile))
	if err != nil {
		b.Fatal(err)
	}
	c.token = strings.TrimSpace(string(token))
	contest := ledger.Course{Title: "Contest", Open: time.Now().Add(-time.Hour), Scoring: ledger.ICPC, Standings: ledger.Public}
	for i := range contestProblems {
		id := fmt.Sprint("g", i)
		var version struct {
			Status   string
			Findings []string
		}
		c.api("POST", "/v1/problems?wait=60s&id="+id, c.load.archive, &version)
		if version.Status != "usable" {
			b.Fatal(version)
		}
		contest.Problems = append(contest.Problems, ledger.CourseProblem{Label: string(rune('A' + i)), Problem: id})
	}
	c.api("PUT", "/v1/courses/c", contest, nil)
	var list web.Enrolment
	for i := range classmates {
		list.People = append(list.People, ledger.Person{Login: fmt.Sprint("p", i), Name: fmt.Sprintf("Participant with number %d", i), Role: ledger.Participant})
	}
	var members web.EnrolledList
	c.api("POST", "/v1/courses/c/people", list, &members)
	c.browsers = make([]*http.Client, classmates)
	var g errgroup.Group
	g.SetLimit(4)
	for i, m := range members.People {
		g.Go(func() error {
			jar, err := cookiejar.New(nil)
			if err != nil {
				return err
			}
			client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			c.browsers[i] = client
			for {
				resp, err := client.PostForm(c.url+"/join/"+m.Invitation, url.Values{"password": {"long enough"}, "again": {"long enough"}})
				if err != nil {
					return err
				}
				resp.Body.Close()
				switch resp.StatusCode {
				case http.StatusSeeOther:
					return nil
				case http.StatusTooManyRequests: // all have one address
					time.Sleep(time.Second)
				default:
					return fmt.Errorf("%s cannot join: %s", m.Login, resp.Status)
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		b.Fatal(err)
	}
	return c
}

// api calls the API as the administrator. in is JSON, unless it is bytes.
func (c *served) api(method, path string, in, out any) {
	c.b.Helper()
	body, raw := in.([]byte)
	if !raw && in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			c.b.Fatal(err)
		}
	}
	r, err := http.NewRequest(method, c.url+path, bytes.NewReader(body))
	if err != nil {
		c.b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if !raw {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.b.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode/100 == 2 && out != nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil || resp.StatusCode/100 != 2 {
		c.b.Fatalf("%s %s: %s %v %s", method, path, resp.Status, err, text)
	}
}

func (c *served) get(client *http.Client, path string) error {
	resp, err := client.Get(c.url + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s %v", path, resp.Status, err)
	}
	return nil
}

// handIn hands in a program for one participant after the other.
func (c *served) handIn(n int) error {
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name, value := range map[string]string{"text": string(c.load.code), "language": "c", "key": fmt.Sprintf("%026d", n)} {
		if err := m.WriteField(name, value); err != nil {
			return err
		}
	}
	m.Close()
	path := fmt.Sprintf("/c/c/p/g%d", n/classmates%contestProblems)
	resp, err := c.browsers[n*7%classmates].Post(c.url+path, m.FormDataContentType(), &body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		text, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("%s: %s %s", path, resp.Status, text)
	}
	return nil
}

// watch follows the standings as a browser without an account does. It counts the bytes that come, or if size is nil,
// the standings.
func (c *served) watch(ctx context.Context, first *sync.WaitGroup, size, boards *atomic.Int64) error {
	var once sync.Once
	defer once.Do(first.Done)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/c/c/standings/events", nil)
	if err != nil {
		return err
	}
	if size != nil {
		r.Header.Set("Accept-Encoding", "gzip") // so that it is not decoded here
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the standings: %s", resp.Status)
	}
	if size == nil {
		once.Do(first.Done)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if lines.Text() == "event: board" {
				boards.Add(1)
			}
		}
		err = lines.Err()
	}
	for buffer := make([]byte, 64<<10); err == nil && size != nil; {
		var n int
		n, err = resp.Body.Read(buffer)
		size.Add(int64(n))
		once.Do(first.Done)
	}
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("the standings: %w", err)
}

// await waits until n submissions have been accepted.
func (c *served) await(n int) {
	c.b.Helper()
	for {
		var list struct{ Judgings []struct{ Status string } }
		c.api("GET", "/v1/judgings?status=waiting&limit=1", nil, &list)
		if len(list.Judgings) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	accepted, after := 0, ""
	for {
		var list struct {
			Judgings []struct{ ID, Verdict string }
			Next     string
		}
		c.api("GET", "/v1/judgings?limit=1000&after="+after, nil, &list)
		for _, j := range list.Judgings {
			if j.Verdict == "AC" {
				accepted++
			}
		}
		if after = list.Next; after == "" {
			break
		}
	}
	if accepted < n {
		c.b.Fatalf("%d of %d submissions were accepted", accepted, n)
	}
}
