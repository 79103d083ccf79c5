package broker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"tribunal/judge/judged/internal/store"
)

// TestCopy copies a store, through the socket of its folder, while another writes to it. The copy has everything
// from before, without a gap, and every content to which its records refer.
func TestCopy(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := t.TempDir()
	server := start(t, Embedded{Dir: dir})
	st := opened(t, connected(t, server), Options{AckWait: shortTimes(1).AckWait})
	content := func(i int) []byte { return []byte(strings.Repeat(fmt.Sprint(i, " "), 50_000)) }
	write := func(ctx context.Context, i int) error {
		ref, err := st.Blobs.Put(ctx, content(i))
		if err == nil {
			_, err = st.Log.Append(ctx, fmt.Sprint("x.", i), 0, []byte(ref.Hash))
		}
		return err
	}
	const before = 20
	for i := range before {
		if err := write(ctx, i); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.Tokens.Append(ctx, "t", 0, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Board.Keep(ctx, "k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	unshare, err := server.Share()
	if err != nil {
		t.Fatal(err)
	}
	defer unshare()
	shared, err := Shared(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()

	writing, stop := context.WithCancel(ctx)
	var writer sync.WaitGroup
	var sequence uint64
	first := make(chan struct{}) // closed when the writer has written
	writer.Go(func() {
		for i := before; writing.Err() == nil; i++ {
			err := write(writing, i)
			for after := uint64(0); err == nil && after <= 1; after++ { // a token that is deleted again
				sequence, err = st.Tokens.Append(writing, fmt.Sprint("t.", i), after*sequence, nil)
			}
			if err == nil {
				err = st.Tokens.Forget(writing, fmt.Sprint("t.", i))
			}
			if err != nil && writing.Err() == nil {
				t.Error(err)
			}
			if i == before {
				close(first)
			}
		}
	})
	<-first
	to := connected(t, start(t, Embedded{Dir: t.TempDir()}))
	err = Copy(ctx, shared, to, "")
	stop()
	writer.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if err := Copy(ctx, shared, to, "nothing"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a copy of nothing: %v", err)
	}
	got, records, tokens, err := Read(ctx, to, "")
	if err != nil || records < before || tokens < 1 {
		t.Fatalf("%d records, %d tokens, %v", records, tokens, err)
	}
	for i := range int(records) {
		r, err := got.Log.Get(ctx, uint64(i+1))
		if err != nil || r.Subject != fmt.Sprint("x.", i) {
			t.Fatalf("record %d: %+v, %v", i+1, r, err)
		}
		if _, err := got.Blobs.Get(ctx, store.RefOf(content(i))); err != nil {
			t.Errorf("the content of record %d: %v", i+1, err)
		}
	}
	again := opened(t, to, Options{})
	if kept, err := again.Board.Keep(ctx, "k", []byte("other")); string(kept) != "v" || err != nil {
		t.Errorf("the setting is %q, %v", kept, err)
	}
}
