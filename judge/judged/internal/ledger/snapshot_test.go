package ledger

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/store"
)

// TestSnapshot checks that a snapshot has everything, and that the fold goes on from there as if nothing
// had happened. TestRandom does so with random states.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	records := stream(t, Schema)
	whole := folded(t, records)
	for cut := range records {
		f := restored(t, folded(t, records[:cut]))
		if d := cmp.Diff(folded(t, records[:cut]), f); d != "" {
			t.Fatalf("after %d records (-want +got):\n%s", cut, d)
		}
		for _, r := range records[cut:] {
			if _, err := f.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(whole, f); d != "" {
			t.Fatalf("going on after %d records (-want +got):\n%s", cut, d)
		}
	}
}

// TestDamagedSnapshot cuts a snapshot everywhere and flips each of its bits: nothing is restored.
func TestDamagedSnapshot(t *testing.T) {
	t.Parallel()
	data, err := folded(t, stream(t, Schema)).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte) {
		t.Helper()
		if f, err := Restore(data); err == nil || f != nil {
			t.Fatalf("%s: restored as %v", what, f)
		}
	}
	for n := range data {
		refused(fmt.Sprintf("the first %d of %d bytes", n, len(data)), data[:n])
		refused(fmt.Sprintf("all but the first %d of %d bytes", n+1, len(data)), data[n+1:])
		for bit := range 8 {
			flipped := bytes.Clone(data)
			flipped[n] ^= 1 << bit
			refused(fmt.Sprintf("bit %d of byte %d is flipped", bit, n), flipped)
		}
	}
	refused("a byte too many", append(bytes.Clone(data), 0))
	refused("twice", append(bytes.Clone(data), data...))
}

func TestOtherSnapshots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ data, want string }{
		{"", "a snapshot of another version"},
		{"tribunal ledger snapshot 0\nwhatever", "a snapshot of another version"},
		{snapshotVersion, "damaged snapshot: it ends early"},
		{snapshotVersion + strings.Repeat("x", 100), "damaged snapshot: it does not have its checksum"},
	} {
		if _, err := Restore([]byte(tt.data)); err == nil || err.Error() != tt.want {
			t.Errorf("%q: %v, want %s", tt.data, err, tt.want)
		}
	}
}

// TestSnapshotForm fails if the form of the state changes: then a snapshot needs another version,
// because an older one would be read as a state without what is new.
func TestSnapshotForm(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(snapshotVersion)
	seen := map[reflect.Type]bool{}
	var describe func(reflect.Type)
	describe = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			describe(typ.Elem())
		case reflect.Map:
			describe(typ.Key())
			describe(typ.Elem())
		}
		if typ.Kind() != reflect.Struct || seen[typ] || !strings.HasPrefix(typ.PkgPath(), "tribunal/") {
			return
		}
		seen[typ] = true
		for field := range typ.Fields() {
			fmt.Fprintf(&b, "%s.%s %s\n", typ.Name(), field.Name, field.Type)
		}
		for field := range typ.Fields() {
			describe(field.Type)
		}
	}
	describe(reflect.TypeFor[snapshot]())
	for _, v := range verdict.All() {
		fmt.Fprintf(&b, "%d is %s\n", v, v)
	}
	golden(t, "snapshot.txt", b.String())
}

// TestMemory adds up judgings with results that are inline: the state does not hold them.
func TestMemory(t *testing.T) {
	f := NewFold()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	const count = 500
	inline := bytes.Repeat([]byte("r"), store.MaxInline)
	for i := range uint64(count) {
		ref := store.RefOf(inline)
		ref.Inline = inline
		for step, e := range []Event{
			{Submitted: &Submitted{Submitter: "s", Problem: "p", Source: ref}},
			{Ended: &Ended{Judging: 1, Attempt: 1, Summary: Summary{Verdict: verdict.AC, Cause: "cause"}, Result: ref}},
		} {
			r := store.Record{Sequence: 2*i + uint64(step) + 1, Subject: fmt.Sprint("submission.", i), Data: Encode(e)}
			if _, err := f.Add(r); err != nil || f.Ignored > 0 {
				t.Fatal(err)
			}
		}
	}
	if held := int64(heap()-before) / count; held > store.MaxInline/4 {
		t.Errorf("the state holds %d bytes for each submission", held)
	}
	runtime.KeepAlive(f)
}

// BenchmarkSnapshot measures writing and reading a snapshot, for each submission in it.
func BenchmarkSnapshot(b *testing.B) {
	f := NewFold()
	r := rand.New(rand.NewPCG(1, 4))
	for i := range uint64(10000) {
		points := r.Float64()
		for step, e := range []Event{
			{Submitted: &Submitted{Submitter: "s", Problem: "p", Source: store.RefOf(nil)}},
			{Ended: &Ended{Judging: 1, Attempt: 1, Summary: Summary{Verdict: verdict.AC, Points: &points}}},
		} {
			if _, err := f.Add(store.Record{Sequence: 2*i + uint64(step) + 1, Subject: fmt.Sprint("submission.", i), Data: Encode(e)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		restored(b, f)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10000, "ns/submission")
}
