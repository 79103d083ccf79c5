package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/gauge"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/web"
)

// listeners is how many clients listen at the same time.
const listeners = 2000

// BenchmarkListeners has 2,000 clients listen to the same submission by server-sent events, and reports
// how long it takes from the record of a change in the ledger until the last of them, or all but a
// twentieth, knows; and the memory for a listener, with its end of the connection. The floor passes
// the same text on by channels.
func BenchmarkListeners(b *testing.B) {
	var floor, floorSize float64
	for _, row := range []struct {
		name  string
		begin func(*testing.B) (server *httptest.Server, path string, change func() (id uint64, at time.Time))
	}{
		{"floor", plain},
		{"HTTP", watched},
	} {
		b.Run(row.name, func(b *testing.B) {
			server, path, change := row.begin(b)
			size := heap()
			heard := make(chan event, listeners)
			for range listeners {
				listen(b, server, path, heard)
			}
			for range listeners {
				<-heard // the present state
			}
			size = (heap() - size) / listeners
			var q, last quantiles
			for b.Loop() {
				id, at := change()
				var late time.Duration
				for n := 0; n < listeners; {
					e := <-heard
					if e.id != id {
						continue
					}
					n++
					late = max(late, e.at.Sub(at))
					q = append(q, e.at.Sub(at))
				}
				last = append(last, late)
			}
			b.ReportMetric(0, "ns/op") // with the change
			b.ReportMetric(float64(q.at(95).Nanoseconds()), "ns-p95")
			b.ReportMetric(float64(last.at(50).Nanoseconds()), "ns-last")
			b.ReportMetric(size, "B/listener")
			if row.name == "floor" {
				floor, floorSize = float64(q.at(95)), size
			}
			if floor > 0 {
				b.ReportMetric(float64(q.at(95))/floor, "x-floor")
				b.ReportMetric(size/floorSize, "x-floor-memory")
			}
		})
	}
}

// event is an event that a listener received.
type event struct {
	id uint64
	at time.Time
}

// listen passes on what a client hears.
func listen(b *testing.B, server *httptest.Server, path string, heard chan<- event) {
	b.Helper()
	resp, err := server.Client().Get(server.URL + path)
	if err != nil {
		b.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status)
	}
	b.Cleanup(func() { resp.Body.Close() })
	go func() {
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				id, _ := strconv.ParseUint(text, 10, 64)
				heard <- event{id, time.Now()}
			}
		}
	}()
}

// plain is a server that passes texts on and does nothing else.
func plain(b *testing.B) (*httptest.Server, string, func() (uint64, time.Time)) {
	text := strings.Repeat("x", 1200) // about as long as a submission
	all := make(chan chan uint64, listeners)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mine := make(chan uint64, 1)
		all <- mine
		mine <- 0
		for {
			select {
			case id := <-mine:
				fmt.Fprintf(rw, "event: judging\nid: %d\ndata: %s\n\n", id, text)
				_ = http.NewResponseController(rw).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	b.Cleanup(server.Close)
	var every []chan uint64
	var id uint64
	return server, "/", func() (uint64, time.Time) {
		for len(every) < listeners {
			every = append(every, <-all)
		}
		id++
		at := time.Now()
		for _, mine := range every {
			mine <- id
		}
		return id, at
	}
}

// watched is the API with a submission whose judging fails again and again.
func watched(b *testing.B) (*httptest.Server, string, func() (uint64, time.Time)) {
	l, nc := small(b), brokertest.Connect(b)
	st := brokertest.Open(b, nc, broker.Options{})
	again := make(chan bool)
	svc, stop := run(b, nc, st, service.Options{Attempts: 1 << 30}, &gauge.Player{Name: "failing", Slots: 1, Judge: func(ctx context.Context) error {
		select {
		case <-again:
			return errors.New("again")
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	b.Cleanup(stop)
	l.publish(b, svc)
	sub, _, err := svc.Submit(b.Context(), l.request(0))
	if err == nil {
		err = svc.CatchUp(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(web.New(web.Options{Service: svc, Open: true}))
	b.Cleanup(server.Close)
	records := make(chan store.Record)
	go func() {
		_ = st.Log.Follow(b.Context(), sub.Sequence, func(r store.Record) error {
			records <- r
			return nil
		})
	}()
	return server, "/v1/judgings/" + sub.ID + "/events", func() (uint64, time.Time) {
		again <- true
		r := <-records
		return r.Sequence, r.Time
	}
}
