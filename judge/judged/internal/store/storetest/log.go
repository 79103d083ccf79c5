package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"tribunal/judge/judged/internal/store"
)

// add appends a record that must fit.
func add(t *testing.T, log store.Log, subject string, after uint64, data string) uint64 {
	t.Helper()
	sequence, err := log.Append(Patient(t), subject, after, []byte(data))
	if err != nil {
		t.Fatalf("appending %q after %d: %v", subject, after, err)
	}
	return sequence
}

func last(t *testing.T, log store.Log) uint64 {
	t.Helper()
	n, err := log.Last(Patient(t))
	must(t, err)
	return n
}

// follow returns the records behind a sequence, until the test ends.
func follow(t *testing.T, log store.Log, from uint64) <-chan store.Record {
	ctx, cancel := context.WithCancel(t.Context())
	records, result := make(chan store.Record), make(chan error, 1)
	go func() {
		result <- log.Follow(ctx, from, func(r store.Record) error {
			select {
			case records <- r:
			case <-ctx.Done():
			}
			return nil
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := receive(t, result, "end of a follower"); !errors.Is(err, context.Canceled) {
			t.Errorf("a follower whose context was cancelled returned %v", err)
		}
	})
	return records
}

func emptyLog(t *testing.T, p place) {
	if n := last(t, p.Log); n != 0 {
		t.Errorf("the highest sequence of an empty log is %d", n)
	}
	if _, err := p.Log.Get(Patient(t), 1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("getting a record of an empty log: %v", err)
	}
	must(t, p.Log.Forget(Patient(t), "submission.none"))
	records := follow(t, p.Log, 0)
	first := add(t, p.Log, "empty.a", 0, "first")
	if first != 1 {
		t.Errorf("the first sequence is %d", first)
	}
	if r := receive(t, records, "record"); r.Sequence != first || string(r.Data) != "first" {
		t.Errorf("a follower of an empty log saw %+v", r)
	}
}

func appends(t *testing.T, p place) {
	seq := map[string]uint64{"0": 0}
	for _, tt := range []struct {
		why            string
		subject, after string
		fits           bool
		name           string // of the new record
	}{
		{"a new subject has no record", "append.a", "0", true, "a1"},
		{"another has none either", "append.b", "0", true, "b1"},
		{"a subject is created once", "append.a", "0", false, ""},
		{"behind the last record", "append.a", "a1", true, "a2"},
		{"behind one that is not the last", "append.a", "a1", false, ""},
		{"behind the last record of another subject", "append.a", "b1", false, ""},
		{"behind the last, which is not the last of the log", "append.b", "b1", true, "b2"},
		{"a subject that begins with another", "append.a.x", "0", true, "x1"},
		{"that does not change the other", "append.a", "a2", true, "a3"},
		{"a new subject behind a record", "append.c", "a3", false, ""},
		{"which added nothing", "append.c", "0", true, "c1"},
	} {
		before := last(t, p.Log)
		sequence, err := p.Log.Append(Patient(t), tt.subject, seq[tt.after], []byte(tt.why))
		switch after := last(t, p.Log); {
		case tt.fits && err != nil:
			t.Fatalf("%s: %v", tt.why, err)
		case tt.fits && (sequence <= before || after != sequence):
			t.Errorf("%s: got sequence %d behind %d, and the last is %d", tt.why, sequence, before, after)
		case !tt.fits && (!errors.Is(err, store.ErrConflict) || after != before):
			t.Errorf("%s: %v, and the last sequence is %d instead of %d", tt.why, err, after, before)
		}
		seq[tt.name] = sequence
	}
}

func contents(t *testing.T, p place) {
	for name, data := range map[string][]byte{
		"none": nil, "text": []byte("text"), "zeros": make([]byte, 1000), "bytes": {0, 0xff, '\r', '\n', 0x80},
		"large": bytes.Repeat([]byte("0123456789abcdef"), 16<<10), // 256 KiB, several times more than an event has
	} {
		before := add(t, p.Log, "content.fence."+name, 0, "fence")
		given := bytes.Clone(data)
		sequence, err := p.Log.Append(Patient(t), "content."+name, 0, given)
		must(t, err)
		for i := range given {
			given[i] = 'x' // the caller may use its memory again
		}
		got, err := p.Log.Get(Patient(t), sequence)
		must(t, err)
		if got.Sequence != sequence || got.Subject != "content."+name || !bytes.Equal(got.Data, data) {
			t.Errorf("%s: got record %d of %q with %d bytes, want %d with %d", name, got.Sequence, got.Subject, len(got.Data), sequence, len(data))
		}
		if fence, err := p.Log.Get(Patient(t), before); err != nil || fence.Time.IsZero() || got.Time.Before(fence.Time) {
			t.Errorf("%s: received at %v, the record before at %v (%v)", name, got.Time, fence.Time, err)
		}
		followed := receive(t, follow(t, p.Log, before), "record")
		if followed.Sequence != sequence || followed.Subject != got.Subject || !bytes.Equal(followed.Data, data) || !followed.Time.Equal(got.Time) {
			t.Errorf("%s: a follower saw record %d of %q, not what Get returns", name, followed.Sequence, followed.Subject)
		}
		clear(got.Data) // the caller may change what it got
		clear(followed.Data)
		if again, err := p.Log.Get(Patient(t), sequence); err != nil || !bytes.Equal(again.Data, data) {
			t.Errorf("%s: the record changed with a copy of it (%v)", name, err)
		}
	}
	for _, n := range []uint64{0, last(t, p.Log) + 1} {
		if _, err := p.Log.Get(Patient(t), n); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("getting record %d: %v", n, err)
		}
	}
}

// race lets several writers append behind the same record: each time, one must win, and the others can
// read at once what it wrote.
func race(t *testing.T, p place) {
	const writers, rounds = 6, 15
	logs := make([]store.Log, writers)
	for i := range logs {
		logs[i] = p.connect().Log
	}
	before := last(t, p.Log)
	var after uint64
	for range rounds {
		var wins atomic.Uint64
		var g sync.WaitGroup
		seen := make([]uint64, writers) // by those that lost
		for i, log := range logs {
			g.Go(func() {
				sequence, err := log.Append(Patient(t), "race", after, fmt.Append(nil, i))
				switch {
				case err == nil && !wins.CompareAndSwap(0, sequence):
					t.Errorf("two writers appended behind record %d", after)
				case errors.Is(err, store.ErrConflict):
					seen[i] = last(t, log)
				case err != nil:
					t.Errorf("a writer that lost: %v", err)
				}
			})
		}
		g.Wait()
		if after = wins.Load(); after == 0 {
			t.Fatal("no writer appended")
		}
		for _, n := range seen {
			if n > 0 && n < after {
				t.Errorf("a writer lost to record %d, and the last one was %d", after, n)
			}
		}
	}
	records, count := follow(t, p.Log, before), 0
	for receive(t, records, "record").Sequence != after {
		count++
	}
	if count+1 != rounds {
		t.Errorf("%d records were added in %d rounds", count+1, rounds)
	}
}

func follows(t *testing.T, p place) {
	before := last(t, p.Log)
	var want []uint64
	var next uint64
	for i := range 10 {
		want = append(want, add(t, p.Log, fmt.Sprint("follow.", i), 0, "x"))
	}
	for _, tt := range []struct {
		why  string
		from uint64
		want []uint64
	}{
		{"all of them", before, want},
		{"some", want[3], want[4:]},
		{"the last", want[8], want[9:]},
		{"only later ones", want[9], nil},
	} {
		records := follow(t, p.connect().Log, tt.from)
		for _, n := range tt.want {
			if r := receive(t, records, "record"); r.Sequence != n {
				t.Errorf("%s: got record %d, want %d", tt.why, r.Sequence, n)
			}
		}
		// The follower waits, and sees what comes; first, what came in earlier rows.
		next = add(t, p.Log, "follow.next", next, "next")
		for r := receive(t, records, "record"); r.Sequence != next; r = receive(t, records, "record") {
			if r.Subject != "follow.next" || r.Sequence > next {
				t.Fatalf("%s: got record %d of %s, want %d", tt.why, r.Sequence, r.Subject, next)
			}
		}
		want = append(want, next)
	}
}

// followWriters follows several writers, from two connections: both followers see the same.
func followWriters(t *testing.T, p place) {
	const writers, each = 3, 40
	before := last(t, p.Log)
	followers := []<-chan store.Record{follow(t, p.connect().Log, before), follow(t, p.connect().Log, before)}
	var g sync.WaitGroup
	for w := range writers {
		log := p.connect().Log
		g.Go(func() {
			var after uint64
			for i := range each {
				sequence, err := log.Append(Patient(t), fmt.Sprint("writer.", w), after, fmt.Append(nil, i))
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				after = sequence
			}
		})
	}
	var seen [2][]string
	for i, records := range followers {
		sequence, next := before, map[string]int{}
		for range writers * each {
			r := receive(t, records, "record")
			if r.Sequence <= sequence {
				t.Fatalf("record %d came behind %d", r.Sequence, sequence)
			}
			if want := fmt.Sprint(next[r.Subject]); string(r.Data) != want {
				t.Fatalf("%s: got record %s, want %s", r.Subject, r.Data, want)
			}
			sequence, next[r.Subject] = r.Sequence, next[r.Subject]+1
			seen[i] = append(seen[i], fmt.Sprint(r.Sequence, r.Subject))
		}
	}
	g.Wait()
	if !slices.Equal(seen[0], seen[1]) {
		t.Errorf("two followers saw different orders:\n%v\n%v", seen[0], seen[1])
	}
}

// stopFollowing ends followers in both ways.
func stopFollowing(t *testing.T, p place) {
	before := last(t, p.Log)
	for i := range 20 {
		add(t, p.Log, fmt.Sprint("stop.", i), 0, "x")
	}
	enough, count := errors.New("enough"), 0
	err := p.Log.Follow(Patient(t), before, func(store.Record) error {
		if count++; count == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || count != 3 {
		t.Errorf("after %d records, Follow returned %v", count, err)
	}
	ctx, cancel := context.WithCancel(Patient(t))
	err = p.Log.Follow(ctx, before, func(r store.Record) error {
		if r.Subject == "stop.19" {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended, Follow returned %v", err)
	}
}

func forget(t *testing.T, p place) {
	var sequences []uint64
	var after uint64
	for i := range 4 {
		after = add(t, p.Log, "forget.me", after, fmt.Sprint(i))
		sequences = append(sequences, after)
	}
	others := []uint64{add(t, p.Log, "forget.me.not", 0, "x"), add(t, p.Log, "forget", 0, "x")}
	top := last(t, p.Log)
	for range 2 { // the second time, there is nothing left to forget
		must(t, p.Log.Forget(Patient(t), "forget.me"))
		for i, n := range sequences {
			r, err := p.Log.Get(Patient(t), n)
			if kept := i == len(sequences)-1; kept && (err != nil || string(r.Data) != fmt.Sprint(i)) || !kept && !errors.Is(err, store.ErrNotFound) {
				t.Errorf("record %d of %d of the forgotten subject: %q, %v", i+1, len(sequences), r.Data, err)
			}
		}
	}
	for _, n := range others {
		if _, err := p.Log.Get(Patient(t), n); err != nil {
			t.Errorf("a record of another subject: %v", err)
		}
	}
	if got := last(t, p.Log); got != top {
		t.Errorf("the highest sequence is %d, and was %d before", got, top)
	}
	if _, err := p.Log.Append(Patient(t), "forget.me", 0, nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("appending as if nothing was left: %v", err)
	}
	if n := add(t, p.Log, "forget.me", after, "next"); n <= top {
		t.Errorf("sequence %d was used again", n)
	}
	for _, subject := range []string{"", "*", "forget.>"} {
		if err := p.Log.Forget(Patient(t), subject); err == nil {
			t.Errorf("forgot %q, which is not a subject", subject)
		}
	}
}

// gaps follows a log from every sequence around gaps, with a follower that began before there were
// any, too.
func gaps(t *testing.T, p place) {
	before := last(t, p.Log)
	running := follow(t, p.Log, before)
	after := map[string]uint64{}
	for i := range 12 {
		subject := []string{"gap", "gap.x", "gap.y"}[i%3]
		after[subject] = add(t, p.Log, subject, after[subject], "data")
		receive(t, running, "record")
	}
	must(t, p.Log.Forget(Patient(t), "gap.x"))
	must(t, p.Log.Forget(Patient(t), "gap"))
	end := add(t, p.Log, "gap.y", after["gap.y"], "end")
	var left []uint64
	for n := before + 1; n <= end; n++ {
		if _, err := p.Log.Get(Patient(t), n); err == nil {
			left = append(left, n)
		}
	}
	if len(left) != 7 { // one of each forgotten subject, and five
		t.Errorf("%d of 13 records are left, want 7: %v", len(left), left)
	}
	for from := before; from < end; from++ {
		records := follow(t, p.Log, from)
		for _, n := range left {
			if n <= from {
				continue
			}
			if r := receive(t, records, "record"); r.Sequence != n {
				t.Fatalf("behind %d: got record %d, want %d", from, r.Sequence, n)
			}
		}
	}
	if r := receive(t, running, "record"); r.Sequence != end {
		t.Errorf("a follower that was there before the gaps saw record %d, want %d", r.Sequence, end)
	}
}

// twoLogs appends the same to both logs of a store.
func twoLogs(t *testing.T, p place) {
	for _, log := range []store.Log{p.Log, p.Tokens} {
		before := last(t, log)
		sequence := add(t, log, "both.logs", 0, "data")
		if r := receive(t, follow(t, log, before), "record"); r.Sequence != sequence || r.Subject != "both.logs" {
			t.Errorf("got record %d of %s, want %d", r.Sequence, r.Subject, sequence)
		}
	}
	must(t, p.Log.Forget(Patient(t), "both.logs"))
	add(t, p.Tokens, "both.logs", last(t, p.Tokens), "more")
}
