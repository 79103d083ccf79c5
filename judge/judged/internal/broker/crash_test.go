package broker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// load writes to a store from several goroutines until it is stopped, and remembers what the store
// acknowledged.
type load struct {
	store *store.Store
	acked chan struct{} // gets a value for each acknowledged record

	mu       sync.Mutex
	records  map[uint64]string // by sequence: the subject and data of acknowledged records
	messages map[string]bool   // ids of acknowledged messages of the queue
}

const writers = 4

func startLoad(t *testing.T, s *store.Store) (l *load, stop func()) {
	l = &load{store: s, acked: make(chan struct{}, 1000), records: map[uint64]string{}, messages: map[string]bool{}}
	ctx, cancel := context.WithCancel(t.Context())
	var g sync.WaitGroup
	for w := range writers {
		g.Go(func() { l.write(ctx, t, w) })
	}
	stop = func() {
		cancel()
		g.Wait()
	}
	t.Cleanup(stop)
	return l, stop
}

// write appends records to a subject until an outcome is unknown, then to another one: whatever becomes
// of that append, no other must follow.
func (l *load) write(ctx context.Context, t *testing.T, writer int) {
	for run := 0; ctx.Err() == nil; run++ {
		subject := fmt.Sprint("load.", writer, ".", run)
		var after uint64
		for i := 0; ctx.Err() == nil; i++ {
			data := fmt.Sprint(i)
			sequence, err := l.store.Log.Append(ctx, subject, after, []byte(data))
			if err != nil {
				if errors.Is(err, store.ErrConflict) {
					t.Errorf("%s: the record behind %d: %v", subject, after, err)
				}
				break
			}
			after = sequence
			l.mu.Lock()
			if l.records[sequence] != "" {
				t.Errorf("sequence %d was given to %s, and to %s %s", sequence, l.records[sequence], subject, data)
			}
			l.records[sequence] = subject + " " + data
			l.mu.Unlock()
			if i%10 == 0 && l.store.Work.Push(ctx, subject+"."+data, nil) == nil {
				l.mu.Lock()
				l.messages[subject+"."+data] = true
				l.mu.Unlock()
			}
			select {
			case l.acked <- struct{}{}:
			case <-ctx.Done():
			}
		}
	}
}

// wait waits until n more records are acknowledged.
func (l *load) wait(t *testing.T, n int) {
	t.Helper()
	ctx := storetest.Patient(t)
	for range n {
		select {
		case <-l.acked:
		case <-ctx.Done():
			t.Fatal("nothing can be written any more")
		}
	}
}

// check reads everything: each acknowledged record is there once, where it was acknowledged, and each
// acknowledged message is delivered.
func (l *load) check(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := storetest.Patient(t)
	last, err := s.Log.Last(ctx)
	if err != nil {
		t.Fatal(err)
	}
	there, done, next := map[uint64]string{}, errors.New("done"), map[string]int{}
	for from := uint64(0); !errors.Is(err, done); {
		err = s.Log.Follow(ctx, from, func(r store.Record) error {
			if r.Sequence <= from {
				t.Errorf("record %d came behind %d", r.Sequence, from)
			}
			if want := fmt.Sprint(next[r.Subject]); string(r.Data) != want {
				t.Errorf("%s: got record %s, want %s", r.Subject, r.Data, want)
			}
			next[r.Subject]++
			from, there[r.Sequence] = r.Sequence, r.Subject+" "+string(r.Data)
			if r.Sequence == last {
				return done
			}
			return nil
		})
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
	for sequence, what := range l.records {
		if there[sequence] != what {
			t.Errorf("record %d was acknowledged as %s, and is %q", sequence, what, there[sequence])
		}
	}
	t.Logf("%d of %d records were acknowledged, and %d messages", len(l.records), len(there), len(l.messages))
	for missing := maps.Clone(l.messages); len(missing) > 0; {
		m, err := s.Work.Pull(ctx)
		if ctx.Err() != nil {
			t.Fatalf("messages are lost: %v: %v", slices.Sorted(maps.Keys(missing)), err)
		}
		if err == nil {
			delete(missing, m.ID())
			_ = m.Ack(ctx)
		}
	}
}

// TestKilled kills the process of a server while it is being written to. The connection survives, and
// so does everything that was acknowledged.
func TestKilled(t *testing.T) {
	tier.T2(t, "the death of a server while it is written to")
	t.Parallel()
	for _, sync := range []bool{false, true} {
		t.Run(fmt.Sprint("sync ", sync), func(t *testing.T) {
			t.Parallel()
			n := nodes(t, 1)[0]
			n.Sync = sync
			kill := n.spawn(t)
			s, _ := ready(t, n.url(), shortTimes(1))
			l, stop := startLoad(t, s)
			for range 3 {
				l.wait(t, 200)
				kill()
				kill = n.spawn(t)
			}
			l.wait(t, 200)
			stop()
			l.check(t, s)
		})
	}
}

// TestLeaderKilled kills the leader of the ledger in a cluster, twice.
func TestLeaderKilled(t *testing.T) {
	tier.T3(t, "the death of the leader of a cluster")
	t.Parallel()
	cluster := nodes(t, clusterSize)
	kill := map[string]func(){}
	for _, n := range cluster {
		kill[n.Name] = n.spawn(t)
	}
	o := shortTimes(clusterSize)
	s, nc := ready(t, urls(cluster), o)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	l, stop := startLoad(t, s)
	for range 2 {
		l.wait(t, 200)
		leader := whole(t, js, o.Prefix+"-ledger")
		kill[leader]()
		l.wait(t, 200)
		i := slices.IndexFunc(cluster, func(n node) bool { return n.Name == leader })
		kill[leader] = cluster[i].spawn(t)
	}
	whole(t, js, o.Prefix+"-ledger")
	stop()
	l.check(t, s)
}

// whole waits until all replicas of a stream are up to date, and returns the name of their leader.
func whole(t *testing.T, js jetstream.JetStream, stream string) string {
	t.Helper()
	ctx, pause := storetest.Patient(t), time.NewTicker(50*time.Millisecond)
	defer pause.Stop()
	for {
		try, end := context.WithTimeout(ctx, patience)
		s, err := js.Stream(try, stream)
		end()
		if err == nil && s.CachedInfo().Cluster != nil {
			c := s.CachedInfo().Cluster
			behind := slices.ContainsFunc(c.Replicas, func(p *jetstream.PeerInfo) bool { return p.Offline || !p.Current })
			if c.Leader != "" && !behind {
				return c.Leader
			}
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			t.Fatalf("the replicas of %s do not agree: %v", stream, err)
		}
	}
}
