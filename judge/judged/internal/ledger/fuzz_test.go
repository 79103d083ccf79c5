package ledger

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/store"
)

// FuzzDecode decodes any bytes: what is an event is the same event when it is written and read again.
func FuzzDecode(f *testing.F) {
	for schema := 1; schema <= Schema; schema++ {
		for _, r := range stream(f, schema) {
			f.Add(r.Data)
		}
	}
	f.Add([]byte(`{"v":1,"V":1,"at":"2026-01-01T00:00:00+01:00","released":{"judging":1},"RELEASED":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(store.Record{Data: data})
		if err != nil {
			return
		}
		if n := e.parts(); n != 1 || e.Schema < 1 || e.Schema > Schema {
			t.Fatalf("an event of schema %d with %d parts", e.Schema, n)
		}
		text := Encode(e)
		again, err := Decode(store.Record{Data: text})
		if d := cmp.Diff(string(text), string(Encode(again))); err != nil || d != "" {
			t.Fatalf("%v\n%s", err, d)
		}
	})
}

// FuzzFold adds up events that the bytes choose, and checks each step as TestRandom does.
func FuzzFold(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("a judging is a judging is a judging, and its result is a result"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, ended := bytesChoose(data)
		var records []store.Record
		for !ended() && len(records) < 300 {
			subject, e := randomEvent(c)
			records = append(records, store.Record{Sequence: uint64(len(records) + 1), Subject: subject, Data: Encode(e)})
		}
		state := playRandom(t, records)
		if d := cmp.Diff(state, restored(t, state)); d != "" {
			t.Fatalf("a snapshot has another state (-want +got):\n%s", d)
		}
	})
}

// FuzzRestore restores any bytes, and any bytes inside of a snapshot that is whole.
func FuzzRestore(f *testing.F) {
	data, err := folded(f, stream(f, 1)).Snapshot()
	if err != nil {
		f.Fatal(err)
	}
	_, packed := split(data)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		f.Fatal(err)
	}
	inside, err := io.ReadAll(z)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(inside)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, other := range [][]byte{data, wrap(data)} {
			if state, err := Restore(other); (err == nil) != (state != nil) {
				t.Fatalf("restored as %v, %v", state, err)
			}
		}
	})
}

// wrap returns a snapshot with the given bytes inside.
func wrap(inside []byte) []byte {
	var b bytes.Buffer
	b.WriteString(snapshotVersion)
	b.Write(make([]byte, sha256.Size))
	z := gzip.NewWriter(&b)
	_, _ = z.Write(inside) // to memory
	_ = z.Close()
	sum, rest := split(b.Bytes())
	*sum = sha256.Sum256(rest)
	return b.Bytes()
}
