package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// line returns a line of a batch.
func line(key, source string) string {
	return fmt.Sprintf(`{"key":%q,"problem":"maze","language":"cpp","source":%q}`+"\n", key, source)
}

// events decodes the lines of an answer to a batch.
func events(t *testing.T, text string) (list []BatchEvent) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	for d.More() {
		var e BatchEvent
		if err := d.Decode(&e); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		list = append(list, e)
	}
	return list
}

// short describes the events in a word each.
func short(list []BatchEvent) (words []string) {
	for _, e := range list {
		word := e.Event + " " + e.Key
		if e.Judging != nil && e.Event == "ended" {
			word += " " + e.Judging.Status + " " + e.Judging.Verdict
		}
		if e.Problem != nil {
			word += fmt.Sprint(e.Problem.Status)
		}
		words = append(words, word)
	}
	return words
}

const ndjson = "application/x-ndjson"

// TestBatchKeys checks that submissions of two batches are two, whatever their keys are.
func TestBatchKeys(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	w.do("ann", "POST", "/v1/judgings", program("TLE"), "Idempotency-Key", "a/b/c").decode(t, http.StatusCreated, &Judging{})
	for _, one := range []struct{ batch, key, program string }{{"a", "b/c", "AC"}, {"a/b", "c", "WA"}} {
		r := w.do("ann", "POST", "/v1/batches", line(one.key, one.program), "Content-Type", ndjson, "Idempotency-Key", one.batch)
		if want := fmt.Sprintf("ended %s done %s", one.key, one.program); !slices.Contains(short(events(t, r.text)), want) {
			t.Errorf("batch %s: %s, want %s", one.batch, r.text, want)
		}
	}
}

// TestBatch hands in lines, good and bad, and hands them in again.
func TestBatch(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	body := line("a", "AC") + "\n" + line("b", "WA") + "{\n" + `{"key":"x","problem":"cake","language":"c","source":""}` + "\n" +
		`{"problem":"maze","language":"c","source":""}` + "\n" + line("a", "TLE") + `{"key":"y","sauce":1}` + "\n" + line("a", "AC") + strings.TrimSpace(line("c", "JE"))
	ask := func(key string) []BatchEvent {
		r := w.do("ann", "POST", "/v1/batches", body, "Content-Type", ndjson, "Idempotency-Key", key)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != ndjson {
			t.Fatal(r.Status, r.text)
		}
		return events(t, r.text)
	}
	list := ask("one")
	last := list[len(list)-1]
	if last.Event != "end" || last.Taken != 4 || last.Refused != 5 {
		t.Errorf("%+v", last)
	}
	words := short(list)
	slices.Sort(words)
	want := []string{
		"end ", "ended a done AC", "ended a done AC", "ended b done WA", "ended c held ",
		"refused 400", "refused 422", "refused 422", "refused a422", "refused x404", "taken a", "taken a", "taken b", "taken c",
	}
	if !slices.Equal(words, want) {
		t.Errorf("%q, want %q", words, want)
	}
	ids := map[string]string{}
	for i, e := range list {
		if e.Event == "taken" && e.Key != "" {
			ids[e.Key] = e.Judging.ID
		}
		if e.Event == "ended" && !slices.ContainsFunc(list[:i], func(before BatchEvent) bool { return before.Event == "taken" && before.Key == e.Key }) {
			t.Errorf("%s ended before it was taken", e.Key)
		}
	}
	for _, e := range ask("one") {
		if e.Event == "ended" && e.Judging.ID != ids[e.Key] {
			t.Errorf("%s is another judging when it is sent again", e.Key)
		}
	}
	for _, e := range ask("two") {
		if e.Event == "ended" && e.Judging.ID == ids[e.Key] {
			t.Errorf("%s is the same judging in another batch", e.Key)
		}
	}
	if r := w.do("ann", "POST", "/v1/batches", body, "Content-Type", ndjson); r.StatusCode != 422 {
		t.Errorf("without a key: %s", r.Status)
	}
	var j Judging
	if w.do("ann", "GET", "/v1/judgings/"+ids["b"], nil).decode(t, 200, &j); j.Verdict != "WA" {
		t.Errorf("%+v", j)
	}
}

// TestBatchStream talks with the service line by line: an answer comes before the next line is sent.
// Then it is cut off, and gets the rest with the same keys.
func TestBatchStream(t *testing.T) {
	t.Parallel()
	open, work := gated()
	w := start(t, work)
	t.Cleanup(open)
	w.problem("maze")
	from, to := io.Pipe()
	ctx, cut := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", w.http.URL+"/v1/batches", from)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer ann")
	r.Header.Set("Idempotency-Key", "k")
	go func() { _, _ = to.Write([]byte(line("a", "AC"))) }() // the connection may be cut meanwhile
	resp, err := w.http.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	d := json.NewDecoder(resp.Body)
	for _, key := range []string{"a", "b"} {
		var e BatchEvent
		if err := d.Decode(&e); err != nil || e.Event != "taken" || e.Key != key {
			t.Fatalf("%+v %v", e, err)
		}
		go func() { _, _ = to.Write([]byte(line("b", "WA"))) }()
	}
	cut()
	open()
	again := w.do("ann", "POST", "/v1/batches", line("a", "AC")+line("b", "WA")+line("c", "TLE"), "Content-Type", ndjson, "Idempotency-Key", "k")
	words := short(events(t, again.text))
	slices.Sort(words)
	if want := []string{"end ", "ended a done AC", "ended b done WA", "ended c done TLE", "taken a", "taken b", "taken c"}; !slices.Equal(words, want) {
		t.Errorf("%q, want %q", words, want)
	}
}

// TestBatchCutOff checks that a line is taken as a whole or not at all.
func TestBatchCutOff(t *testing.T) {
	t.Parallel()
	tooLong := refuse(http.StatusRequestEntityTooLarge, "the line has more than 10 bytes")
	for _, tt := range []struct {
		why, text string
		most      int
		lines     []string
		err       error
	}{
		{"lines", "{}\n{}\n", 10, []string{"{}\n", "{}\n", ""}, io.EOF},
		{"a last line without an end", "{}\n{}", 10, []string{"{}\n", "{}", ""}, io.EOF},
		{"half a line, which is refused later", "{}\n{\"a\":", 10, []string{"{}\n", "{\"a\":", ""}, io.EOF},
		{"a long line", strings.Repeat("x", 100_000) + "\n", 10, []string{""}, tooLong},
		{"a line behind a long one", strings.Repeat("x", 100_000) + "\n{}\n", 10, []string{"", "{}\n"}, nil},
		{"a line for which there is no room", strings.Repeat("x", 1000) + "\n", 10_000, []string{""}, errBuffered},
		{"a line behind one for which there was none", strings.Repeat("x", 1000) + "\n{}\n", 10_000, []string{"", "{}\n"}, nil},
		{"a long line without an end", strings.Repeat("x", 100_000), 10, []string{"", ""}, io.EOF},
		{"a line as long as possible", "0123456789\n", 11, []string{"0123456789\n"}, nil},
	} {
		r, held := bufio.NewReaderSize(strings.NewReader(tt.text), 16), lease{from: &budget{most: 200}}
		var got []string
		var err error
		for range tt.lines {
			var line []byte
			line, err = readLine(r, tt.most, &held)
			got = append(got, string(line))
			if n := held.from.held(); n != int64(len(line)) && err == nil {
				t.Errorf("%s: %d bytes count for a line of %d", tt.why, n, len(line))
			}
			held.end()
		}
		if same := errors.Is(err, tt.err) || err != nil && tt.err != nil && err.Error() == tt.err.Error(); !slices.Equal(got, tt.lines) || !same {
			t.Errorf("%s: %.40q, %v", tt.why, got, err)
		}
	}
}

// TestBatchBusy checks that a batch waits while too many judgings wait, instead of being refused.
func TestBatchBusy(t *testing.T) {
	t.Parallel()
	refusals := make(chan struct{})
	w := start(t, judge, func(o *Options) { o.Service = &busy{Service: o.Service, times: 1, refused: refusals} })
	w.problem("maze")
	r := w.do("ann", "POST", "/v1/batches", line("a", "AC"), "Content-Type", ndjson, "Idempotency-Key", "k")
	if got, want := short(events(t, r.text)), []string{"taken a", "ended a done AC", "end "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	select {
	case <-refusals:
	default:
		t.Error("nothing was refused")
	}
}

// TestBatchAtOnce checks that a submission that has ended before the batch knows that it was taken, ends for
// the batch too.
func TestBatchAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t, judge, func(o *Options) { o.Service = &hasty{o.Service, make(chan struct{}, 9)} })
	w.problem("maze")
	r := w.do("ann", "POST", "/v1/batches", line("a", "AC"), "Content-Type", ndjson, "Idempotency-Key", "k")
	if got, want := short(events(t, r.text)), []string{"taken a", "ended a done AC", "end "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// hasty judges a submission before it says that it was taken, while the batch watches.
type hasty struct {
	Service
	watched chan struct{}
}

func (h *hasty) WatchAll(filter func(*ledger.Submission) bool) *service.Watch {
	defer func() { h.watched <- struct{}{} }()
	return h.Service.WatchAll(filter)
}

func (h *hasty) Submit(ctx context.Context, r service.Request) (ledger.Submission, bool, error) {
	<-h.watched
	all := h.Service.WatchAll(nil)
	defer all.Close()
	sub, created, err := h.Service.Submit(ctx, r)
	for u := range all.C {
		if over(u.Submission) {
			break
		}
	}
	return sub, created, err
}

// busy refuses the first submissions.
type busy struct {
	Service
	times   int
	refused chan struct{}
}

func (b *busy) Submit(ctx context.Context, r service.Request) (sub ledger.Submission, created bool, err error) {
	if b.times > 0 {
		if b.times--; b.times == 0 {
			close(b.refused)
		}
		return sub, false, service.ErrBusy
	}
	return b.Service.Submit(ctx, r)
}

// FuzzBatchLine checks that no line makes a batch fail, and that what it accepts is a valid request.
func FuzzBatchLine(f *testing.F) {
	f.Add([]byte(line("a", "AC")))
	f.Add([]byte(`{"key":"a","tests":[{"input":"","output":""}],"name":"a.zip","source_base64":"eA==","limits":"cpu=1s","priority":"batch"}`))
	f.Add([]byte("{\"key\":\"a\",\"submitter\":\"\\u0000\"}"))
	w := described()
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := bufio.NewReader(bytes.NewReader(text))
		one, err := readLine(lines, 1<<20, &lease{from: &budget{most: 1 << 30}})
		if err != nil {
			return
		}
		var l BatchLine
		if json.Unmarshal(one, &l) != nil {
			return
		}
		c := &Caller{}
		c.Owner = "ann"
		r, err := w.request(&l.Submission, c)
		if err != nil {
			if p := problemOf(err); p.Status < 400 || p.Status >= 500 {
				t.Fatalf("%d: %v", p.Status, err)
			}
			return
		}
		if !c.own(&ledger.Submission{Submitter: r.Submitter}) || badName(r.Name) != "" || (r.Problem == "") == (l.Tests == nil) {
			t.Fatalf("%+v", r.Submitted)
		}
	})
}
