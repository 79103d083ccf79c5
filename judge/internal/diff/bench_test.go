package diff

import (
	"bytes"
	"testing"
	"time"
)

const (
	benchSize  = 64 << 20
	benchPiece = 64 << 10 // the size of a Linux pipe
)

// output returns 64 MiB of lines.
func output() []byte {
	return bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog 0123456789 0123456789 0123456789 ..\n"), benchSize/80)
}

func stream(want, got []byte, o Options) *Mismatch {
	c := New(want, o)
	for len(got) > 0 {
		n := min(len(got), benchPiece)
		c.Write(got[:n])
		got = got[n:]
	}
	return c.Close()
}

// BenchmarkEqual streams an equal output. x-memcmp is the ratio of its time to that of bytes.Equal.
func BenchmarkEqual(b *testing.B) {
	want := output()
	got := bytes.Clone(want)
	for _, bm := range []struct {
		name string
		o    Options
	}{
		{"exact", Options{}},
		{"lines", Options{Mode: Lines}},
		{"tokens", Options{Mode: Tokens}},
		{"float", Options{Mode: Float}},
		{"tokens-fold", Options{Mode: Tokens, FoldCase: true}},
		{"float-fold-spaces", Options{Mode: Float, FoldCase: true, Spaces: true}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(got)))
			var floor time.Duration
			for b.Loop() {
				if stream(want, got, bm.o) != nil {
					b.Fatal("not equal")
				}
				b.StopTimer()
				start := time.Now()
				if !bytes.Equal(want, got) {
					b.Fatal("not equal")
				}
				floor += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed())/float64(floor), "x-memcmp")
		})
	}
}

// BenchmarkNearly streams outputs that count as equal but are not the same bytes.
func BenchmarkNearly(b *testing.B) {
	want := output()
	for _, bm := range []struct {
		name string
		o    Options
		got  []byte
	}{
		{"case", Options{Mode: Tokens, FoldCase: true}, bytes.ToUpper(want)},
		{"whitespace", Options{Mode: Tokens}, bytes.ReplaceAll(want, []byte("\n"), []byte(" \n"))},
		{"line-ends", Options{Mode: Lines}, bytes.ReplaceAll(want, []byte("\n"), []byte("\r\n"))},
		{"numbers", Options{Mode: Float, FoldCase: true, Spaces: true}, bytes.ReplaceAll(want, []byte("789 "), []byte("789.0 "))},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.got)))
			for b.Loop() {
				if stream(want, bm.got, bm.o) != nil {
					b.Fatal("not equal")
				}
			}
		})
	}
}

// BenchmarkWrong streams outputs that are not equal.
func BenchmarkWrong(b *testing.B) {
	want := output()
	first := bytes.Clone(want)
	first[0]++
	last := bytes.Clone(want)
	last[len(last)-2]++
	blanks := bytes.ReplaceAll(want, []byte("\n"), []byte(" \n"))
	for _, bm := range []struct {
		name string
		got  []byte
	}{
		{"first-byte", first},
		{"last-byte", last},
		{"whitespace", blanks},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.got)))
			b.ReportAllocs()
			for b.Loop() {
				if stream(want, bm.got, Options{}) == nil {
					b.Fatal("equal")
				}
			}
		})
	}
}
