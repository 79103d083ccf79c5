package cache

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"testing"

	"tribunal/judge/internal/content"
)

// TestSpool writes as much as a spool keeps in memory, and a byte less or more, in pieces of several
// sizes: the content must be all that was written, in memory or in a file.
func TestSpool(t *testing.T) {
	t.Parallel()
	const bound = content.InMemory
	whole := make([]byte, bound+5000)
	for i := range whole {
		whole[i] = byte(i>>8 ^ i)
	}
	s := open(t, t.TempDir(), 0).Spool()
	for _, tt := range []struct {
		why  string
		size int
		held bool
	}{
		{"nothing", 0, true},
		{"one byte", 1, true},
		{"a byte less than the bound", bound - 1, true},
		{"the bound", bound, true},
		{"a byte more than the bound", bound + 1, false},
		{"many pieces more than the bound", bound + 5000, false},
	} {
		for _, cuts := range []struct {
			how  string
			ends []int // of the pieces but the last
		}{
			{"at once", nil},
			{"many pieces", multiples(1000, tt.size)},
			{"the bound, and the rest", []int{bound}},
			{"all but a byte, and a byte", []int{tt.size - 1}},
			{"a byte, and all else", []int{1}},
			{"the pieces round the bound are empty", []int{bound, bound, bound + 1, bound + 1}},
		} {
			from := 0
			for _, to := range append(slices.Clone(cuts.ends), tt.size) {
				to = min(max(to, 0), tt.size)
				if n, err := s.Write(whole[from:to]); n != to-from || err != nil {
					t.Fatalf("%s, %s: Write of %d bytes: %d, %v", tt.why, cuts.how, to-from, n, err)
				}
				from = to
			}
			c, err := s.Content()
			if err != nil {
				t.Fatalf("%s, %s: %v", tt.why, cuts.how, err)
			}
			got, err := io.ReadAll(c.Reader())
			if err != nil || !bytes.Equal(got, whole[:tt.size]) {
				t.Errorf("%s, %s: %d bytes (%v), want the %d that were written", tt.why, cuts.how, len(got), err, tt.size)
			}
			if _, held := c.Held(); held != tt.held {
				t.Errorf("%s, %s: in memory is %t, want %t", tt.why, cuts.how, held, tt.held)
			}
			s.Reset()
		}
	}
}

// multiples returns the multiples of step below end.
func multiples(step, end int) (list []int) {
	for n := step; n < end; n += step {
		list = append(list, n)
	}
	return list
}

// TestSpoolFails checks that Write goes on when the disk does not, and Content reports the first
// error, until Reset.
func TestSpoolFails(t *testing.T) {
	t.Parallel()
	large := make([]byte, content.InMemory+1)
	for _, tt := range []struct {
		why  string
		fail func(s *Spool) error // after the first piece
		want error
	}{
		{"no file can be made", func(s *Spool) error { return os.RemoveAll(s.cache.making()) }, fs.ErrNotExist},
		{"the file cannot be written", func(s *Spool) error {
			s.Write(large)
			return s.file.Close()
		}, os.ErrClosed},
	} {
		s := open(t, t.TempDir(), 0).Spool()
		s.Write([]byte("a piece"))
		if err := tt.fail(s); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if n, err := s.Write(large); n != len(large) || err != nil {
				t.Errorf("%s: Write: %d, %v, want no error", tt.why, n, err)
			}
		}
		if _, err := s.Content(); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.why, err, tt.want)
		}
		s.Reset()
		s.Write([]byte("again"))
		c, err := s.Content()
		if got, held := c.Held(); err != nil || !held || string(got) != "again" {
			t.Errorf("%s: after Reset: %q, %v", tt.why, got, err)
		}
	}
}
