package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/web"
)

// BenchmarkSubmit hands in 200 programs a second while a worker judges on two slots, and reports how
// long it takes until they are acknowledged. The floor writes the same records, and nothing else.
func BenchmarkSubmit(b *testing.B) {
	const perSecond, slots, backlog = 200, 2, 200
	b.Setenv(config.CacheVariable, cachetest.Dir(b))
	l := small(b)
	var floor time.Duration
	for _, row := range []struct {
		name  string
		begin func(*testing.B, *nats.Conn, *service.Service) func(n int) error
	}{
		{"floor", func(b *testing.B, nc *nats.Conn, _ *service.Service) func(int) error {
			st := brokertest.Open(b, nc, broker.Options{Prefix: "floor"})
			r := l.request(0)
			ref, err := store.Stow(b.Context(), st.Blobs, r.Code)
			if err != nil {
				b.Fatal(err)
			}
			r.Source = ref
			record := ledger.Encode(ledger.Event{At: time.Now(), Submitted: &r.Submitted})
			return func(n int) error {
				_, err := st.Log.Append(b.Context(), ledger.SubmissionSubject(fmt.Sprint(n)), 0, record)
				return err
			}
		}},
		{"service", func(b *testing.B, _ *nats.Conn, svc *service.Service) func(int) error {
			return func(n int) error {
				_, _, err := svc.Submit(b.Context(), l.request(n))
				return err
			}
		}},
		{"HTTP", func(b *testing.B, _ *nats.Conn, svc *service.Service) func(int) error {
			server := httptest.NewServer(web.New(web.Options{Service: svc, Open: true, Languages: []web.Language{{ID: "c", Extensions: []string{".c"}}}}))
			b.Cleanup(server.Close)
			server.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = perSecond
			return func(int) error { return post(server, l) }
		}},
	} {
		b.Run(row.name, func(b *testing.B) {
			nc := brokertest.Connect(b)
			svc := serve(b, brokertest.Open(b, nc, broker.Options{}), service.Options{}, slots)
			l.publish(b, svc)
			for n := range backlog {
				if _, _, err := svc.Submit(b.Context(), l.request(n)); err != nil {
					b.Fatal(err)
				}
			}
			q := open(b, perSecond, row.begin(b, nc, svc))
			b.ReportMetric(0, "ns/op") // the pace of the benchmark
			q.report(b)
			if row.name == "floor" {
				floor = q.at(95)
			}
			if floor > 0 {
				b.ReportMetric(float64(q.at(95))/float64(floor), "x-floor")
			}
		})
	}
}

// post hands a program in over HTTP.
func post(server *httptest.Server, l load) error {
	code := string(l.code)
	body, err := json.Marshal(web.Submission{Problem: l.problem, Name: l.name, Source: &code})
	if err != nil {
		return err
	}
	resp, err := server.Client().Post(server.URL+"/v1/judgings", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("%s: %s", resp.Status, text)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
