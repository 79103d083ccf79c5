package ledger

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
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
	for schema := 1; schema <= Schema; schema++ {
		checkSnapshots(t, stream(t, schema))
	}
}

// checkSnapshots makes a snapshot after each record, and goes on from it.
func checkSnapshots(t *testing.T, records []store.Record) {
	t.Helper()
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
	data, err := folded(t, stream(t, 1)).Snapshot()
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

// TestOtherForms seals what is no state of this build as Snapshot seals one: its version and its checksum are right.
// A build that forgot to change the version writes such a snapshot, and it is refused as a damaged one is, so that
// the service reads the whole ledger.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	whole, err := folded(t, stream(t, 1)).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	encoded := func(v any) []byte {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(v); err != nil {
			t.Fatal(err)
		}
		return packed(t, b.Bytes())
	}
	type submission struct{ Sequence string }
	type renamed struct {
		ID        string
		Runs      []Judging
		Effective int
	}
	for _, tt := range []struct {
		why  string
		rest []byte // behind the checksum
		want string
	}{
		{"it is not compressed", []byte("plain"), "unexpected EOF"},
		{"nothing is compressed", packed(t, nil), "EOF"},
		{"what is compressed is no gob", packed(t, []byte("plain text, and not too short")), "EOF"},
		{"the gob ends early", packed(t, unpacked(t, whole)[:1000]), "unexpected EOF"},
		{"another type instead of a state", encoded("a state"), "gob: "},
		{"a struct without any of the fields", encoded(struct{ Other int }{1}), "type mismatch: no fields matched"},
		{"a field of another type", encoded(struct {
			Fold struct{ Submissions map[string]submission }
		}{struct{ Submissions map[string]submission }{map[string]submission{"a": {"1"}}}}), "gob: "},
		{"submissions whose judgings have another name", encoded(struct {
			Fold struct{ Submissions map[string]renamed }
		}{struct{ Submissions map[string]renamed }{map[string]renamed{"a": {"a", []Judging{{Number: 1}}, 1}}}}), "submission a has no judging that counts"},
		{"points of a submission that is not there", encoded(struct{ Zero []Member }{[]Member{{"nobody", 1}}}), "it has points of nobody/1"},
	} {
		f, err := Restore(sealed(tt.rest))
		if err == nil || f != nil || !strings.HasPrefix(err.Error(), "damaged snapshot: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v; want %s", tt.why, f, err, tt.want)
		}
	}
	if f, err := Restore(sealed(packed(t, unpacked(t, whole)))); err != nil || f.Sequence == 0 {
		t.Errorf("the state itself, sealed again: %v", err)
	}
}

// sealed returns a snapshot with this content behind its checksum.
func sealed(rest []byte) []byte {
	sum := sha256.Sum256(rest)
	return slices.Concat([]byte(snapshotVersion), sum[:], rest)
}

// packed compresses what a snapshot has.
func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpacked returns what is compressed in a snapshot.
func unpacked(t *testing.T, snapshot []byte) []byte {
	t.Helper()
	_, rest := split(snapshot)
	z, err := gzip.NewReader(bytes.NewReader(rest))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
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
