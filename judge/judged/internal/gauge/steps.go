package gauge

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/scale"
	"tribunal/judge/judged/internal/store"
)

// calls says how many calls of each step are measured.
type calls struct {
	apart  int // calls that are measured one after the other
	little int // calls of several callers at once, each with little data
	much   int // the same with much data
	reads  int // how often a package is read
	rounds int // how often all is measured; the fastest time counts
	among  int // receivers that wait beside the one that gets a message
}

var usual = calls{300, 3000, 600, 5, 3, 128}

// record returns a record of the ledger with a source of this size.
func record(size int) []byte {
	source := make([]byte, size*3/4) // in base64 it is larger
	ref := store.RefOf(source)
	ref.Inline = source
	return ledger.Encode(ledger.Event{At: time.Now(), Submitted: &ledger.Submitted{Submitter: "ann", Name: "solution.cpp", Source: ref}})
}

func (g *gauge) ledger(ctx context.Context, c *scale.Costs) error {
	var append, fold [2]time.Duration
	var small *store.Store
	var n atomic.Int64
	for i, size := range []int{little, much} {
		st, err := g.open(ctx)
		if err != nil {
			return err
		}
		data, calls := record(size), []int{g.calls.little, g.calls.much}[i]
		add := func(int) error {
			_, err := st.Log.Append(ctx, ledger.SubmissionSubject(fmt.Sprint(n.Add(1))), 0, data)
			return err
		}
		if append[i], err = g.fastest(func() (time.Duration, error) { return together(callers, calls, add) }); err != nil {
			return err
		}
		if fold[i], err = g.fastest(func() (time.Duration, error) { return follow(ctx, st) }); err != nil {
			return err
		}
		if i > 0 {
			break
		}
		small = st
		alone, spread, err := apart(g.calls.apart, add)
		if err != nil {
			return err
		}
		c.Append.Delay, c.Append.Spread = alone, spread
	}
	c.Append = late(linear(append[0], append[1]), c.Append.Delay, c.Append.Spread)
	c.Fold = linear(fold[0], fold[1])
	alone, spread, err := apart(g.calls.apart, func(i int) error {
		_, err := small.Log.Get(ctx, uint64(i+1))
		return err
	})
	c.Read = scale.Step{Delay: alone, Spread: spread}
	return err
}

// follow returns how long it takes to read a record of the ledger and to add it to a fold.
func follow(ctx context.Context, st *store.Store) (time.Duration, error) {
	last, err := st.Log.Last(ctx)
	if err != nil {
		return 0, err
	}
	fold, n := ledger.NewFold(), 0
	begin := time.Now()
	err = st.Log.Follow(ctx, 0, func(r store.Record) error {
		n++
		if _, err := fold.Add(r); err != nil {
			return err
		}
		if r.Sequence == last {
			return errEnd
		}
		return nil
	})
	if !errors.Is(err, errEnd) {
		return 0, err
	}
	return time.Since(begin) / time.Duration(n), nil
}

// errEnd ends the reading of a ledger.
var errEnd = errors.New("the end")

func (g *gauge) queues(ctx context.Context, c *scale.Costs) error {
	var push, deliver [2]time.Duration
	for i, size := range []int{little, much} {
		data, calls := make([]byte, size), []int{g.calls.little, g.calls.much}[i]
		var receivers []store.Queue
		g.stores++
		for range 8 { // each has one request under way
			st, err := g.openAs(ctx, fmt.Sprint("gauge-", g.stores))
			if err != nil {
				return err
			}
			receivers = append(receivers, st.Work)
		}
		var n atomic.Int64
		add := func(int) error { return receivers[0].Push(ctx, fmt.Sprint(n.Add(1)), data) }
		take := func(i int) error { return take(ctx, receivers[i%len(receivers)]) }
		var err error
		if push[i], err = g.fastest(func() (time.Duration, error) { return together(callers, calls, add) }); err != nil {
			return err
		}
		if deliver[i], err = g.fastest(func() (time.Duration, error) { return together(len(receivers), calls, take) }); err != nil {
			return err
		}
		if i > 0 {
			break
		}
		if c.Push.Delay, c.Push.Spread, err = apart(g.calls.apart, add); err != nil {
			return err
		}
		if c.Deliver.Delay, c.Deliver.Spread, err = apart(g.calls.apart, func(int) error { return take(0) }); err != nil {
			return err
		}
	}
	c.Push = late(linear(push[0], push[1]), c.Push.Delay, c.Push.Spread)
	c.Deliver = late(linear(deliver[0], deliver[1]), c.Deliver.Delay, c.Deliver.Spread)
	return nil
}

// take receives a message, and acknowledges it.
func take(ctx context.Context, q store.Queue) error {
	m, err := q.Pull(ctx)
	if err != nil {
		return err
	}
	return m.Ack(ctx)
}

// receivers measures how much longer a delivery takes for each further receiver that waits.
func (g *gauge) receivers(ctx context.Context, c *scale.Costs) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g.stores++
	prefix := fmt.Sprint("gauge-", g.stores)
	got := make(chan error)
	var first *store.Store
	start := func(n int) error {
		for range n {
			st, err := g.openAs(ctx, prefix)
			if err != nil {
				return err
			}
			if first == nil {
				first = st
			}
			go func() {
				for ctx.Err() == nil {
					err := take(ctx, st.Work)
					select {
					case got <- err:
					case <-ctx.Done():
					}
				}
			}()
		}
		return nil
	}
	n := 0
	once := func() (time.Duration, error) {
		median, _, err := apart(g.calls.apart, func(int) error {
			n++
			return errors.Join(first.Work.Push(ctx, fmt.Sprint(n), nil), <-got)
		})
		return median, err
	}
	if err := start(1); err != nil {
		return err
	}
	alone, err := g.fastest(once)
	if err != nil {
		return err
	}
	if err := start(g.calls.among); err != nil {
		return err
	}
	among, err := g.fastest(once)
	c.Waiting = scale.Step{Each: max(0, among-alone) / time.Duration(g.calls.among)}
	return err
}

// packages measures how fast packages are read. It makes the requests without decoding the answers, because workers
// decode them on hosts of their own.
func (g *gauge) packages(ctx context.Context, c *scale.Costs) error {
	const size, pieces, readers = 8 << 20, 8 << 20 / scale.PieceSize, 4
	st, err := g.open(ctx)
	if err != nil {
		return err
	}
	ref, err := st.Blobs.Put(ctx, make([]byte, size))
	if err != nil {
		return err
	}
	stream := fmt.Sprintf("gauge-%d", g.stores)
	ask := func(i int) error { // for a message of the stream of blobs, as package broker does
		text := fmt.Sprintf(`{"last_by_subj":"%s.blobs.data.%s.%d"}`, stream, ref.Hash, i%pieces)
		m, err := g.nc.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+stream+"-blobs", []byte(text))
		if err == nil && len(m.Data) < scale.PieceSize {
			err = fmt.Errorf("no piece, but %s", m.Data)
		}
		return err
	}
	each, err := g.fastest(func() (time.Duration, error) { return together(readers, g.calls.reads*pieces, ask) })
	if err != nil {
		return err
	}
	alone, spread, err := apart(4*g.calls.reads, func(int) error {
		_, err := st.Blobs.Get(ctx, ref)
		return err
	})
	c.Piece = scale.Step{Each: each, Delay: max(0, alone/pieces-each), Spread: spread}
	return err
}
