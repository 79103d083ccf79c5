package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/verdict"
)

// judging is a service's answer about a submission.
type judging struct {
	ID       string
	Status   string
	Verdict  string
	Cause    string
	Error    string
	Attempt  int
	Judgings []struct{ Number int }
}

// client hands in submissions at several services, each under a key of its own, until each is
// acknowledged: when it does not know whether a submission was taken, it hands it in again.
type client struct {
	http *http.Client
	urls []string // of the services

	mu    sync.Mutex
	ids   map[string]string // of the acknowledged submissions, by key
	grown chan struct{}     // closed and replaced when ids has grown
}

func newClient(urls ...string) *client {
	return &client{
		http: &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 32}},
		urls: urls, ids: map[string]string{}, grown: make(chan struct{}),
	}
}

// scriptOf returns the script of submission i, which determines everything about it.
func scriptOf(i int) script {
	s := script{
		Key: fmt.Sprint("key-", i), Verdict: []verdict.Verdict{verdict.AC, verdict.WA, verdict.TLE, verdict.AC, verdict.RTE}[i%5],
		Takes: time.Duration(1+i*7%40) * time.Millisecond,
	}
	switch i % 20 {
	case 3:
		s.Padding = strings.Repeat("x", 40<<10)
	case 7:
		s.Large = 40 << 10
	case 11:
		s.Fails = 1
	case 13:
		s.Takes = 300 * time.Millisecond
	}
	return s
}

// body returns the request that hands in submission i. Its tests make a few problems.
func body(i int) []byte {
	source, err := json.Marshal(scriptOf(i))
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(map[string]any{
		"source": string(source), "name": "script.json", "submitter": fmt.Sprint("s", i%4),
		"priority": []string{"interactive", "batch"}[i%2],
		"tests":    []map[string]string{{"input": fmt.Sprint(i * 3 / 100), "output": "x"}},
	})
	if err != nil {
		panic(err)
	}
	return text
}

// submit hands in n submissions, several at a time.
func (c *client) submit(ctx context.Context, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i := range n {
		g.Go(func() error { return c.handIn(ctx, i) })
	}
	return g.Wait()
}

// handIn hands in submission i until it is acknowledged.
func (c *client) handIn(ctx context.Context, i int) error {
	key := scriptOf(i).Key
	for try := i; ; try++ {
		status, text, err := c.post(ctx, c.urls[try%len(c.urls)], i)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && (status == http.StatusCreated || status == http.StatusOK):
			var j judging
			if err := json.Unmarshal(text, &j); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			if err := c.acknowledged(key, j.ID); err != nil {
				return err
			}
			return c.known(ctx, c.urls[(try+1)%len(c.urls)]+"/v1/judgings/"+j.ID)
		case err == nil && status < 500 && status != http.StatusTooManyRequests:
			return fmt.Errorf("%s: %d %s", key, status, text)
		}
		c.pause(ctx)
	}
}

func (c *client) acknowledged(key, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.ids[key]; known != "" && known != id {
		return fmt.Errorf("%s is %s, and was %s before", key, id, known)
	}
	c.ids[key] = id
	close(c.grown)
	c.grown = make(chan struct{})
	return nil
}

// known asks once for a submission that was acknowledged. Whatever has failed, no service says that there is none.
func (c *client) known(ctx context.Context, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if status, text, err := c.do(r); err == nil && status == http.StatusNotFound {
		return fmt.Errorf("%s: %d %s", url, status, text)
	}
	return nil
}

// await waits until n submissions are acknowledged.
func (c *client) await(ctx context.Context, n int) error {
	for {
		c.mu.Lock()
		have, grown := len(c.ids), c.grown
		c.mu.Unlock()
		if have >= n {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// post hands in submission i once. Every third request waits for the verdict a little, as front ends do.
func (c *client) post(ctx context.Context, url string, i int) (status int, text []byte, err error) {
	path := url + "/v1/judgings"
	if i%3 == 0 {
		path += "?wait=1s"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(body(i)))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", scriptOf(i).Key)
	return c.do(r)
}

// get reads what is at a path of a service, as soon as the service can say.
func (c *client) get(ctx context.Context, url string, into any) error {
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		status, text, err := c.do(r)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && status == http.StatusOK:
			return json.Unmarshal(text, into)
		case err == nil && status < 500:
			return fmt.Errorf("%s: %d %s", url, status, text)
		}
		c.pause(ctx)
	}
}

// do returns the status and the body of an answer.
// page returns a page, and tries until the service answers.
func (c *client) page(ctx context.Context, url string) (string, error) {
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return "", err
		}
		status, text, err := c.do(r)
		if err == nil && status == http.StatusOK {
			return string(text), nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		c.pause(ctx)
	}
}

func (c *client) do(r *http.Request) (status int, text []byte, err error) {
	response, err := c.http.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// pause waits before another try.
func (c *client) pause(ctx context.Context) {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
	}
}
