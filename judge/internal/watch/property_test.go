package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tribunal/internal/tier"
)

// reader holds the contents of files when a reader last read them, by path. They are up to date if
// every change was reported to it.
type reader map[string]string

func (r reader) look(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		delete(r, path)
		return
	}
	r[path] = string(text)
}

func (r reader) lookAt(b Batch, roots []string) {
	if b.Lost {
		clear(r)
		maps.Copy(r, read(roots))
	}
	for _, p := range b.Paths {
		r.look(p)
	}
}

// read returns the present contents of all files below the roots.
func read(roots []string) reader {
	r := reader{}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				r.look(path)
			}
			return nil
		})
	}
	return r
}

// randomEditor changes files and folders at random. It uses few names, so that changes often
// concern the same path.
type randomEditor struct {
	dir string
	rnd *rand.Rand
}

func (v randomEditor) pick(of string) string { return string(of[v.rnd.IntN(len(of))]) }

func (v randomEditor) folder() string {
	path := filepath.Join(v.dir, v.pick("abc"))
	for range v.rnd.IntN(3) {
		path = filepath.Join(path, v.pick("abc"))
	}
	return path
}

func (v randomEditor) file() string { return filepath.Join(v.folder(), v.pick("xyz")) }

// act makes a random change, which may fail. All contents have the same length, so that neither
// their size nor, often, their times distinguish them.
func (v randomEditor) act() {
	text := fmt.Appendf(nil, "%08x", v.rnd.Uint32())
	switch v.rnd.IntN(12) {
	case 0, 1, 2, 3:
		_ = os.WriteFile(v.file(), text, 0o644)
	case 4:
		temp := v.file() + ".tmp"
		_ = os.WriteFile(temp, text, 0o644)
		_ = os.Rename(temp, v.file())
		_ = os.Remove(temp)
	case 5:
		_ = os.Rename(v.file(), v.file())
	case 6:
		_ = os.Remove(v.file())
	case 7, 8:
		_ = os.MkdirAll(v.folder(), 0o755)
	case 9, 10:
		_ = os.Rename(v.folder(), v.folder())
	case 11:
		_ = os.RemoveAll(v.folder())
	}
}

// TestReaderIsNeverWrong changes files at random, while a reader reads reported files at random
// times. It checks that the reader knows the present content of every file once files are quiet.
func TestReaderIsNeverWrong(t *testing.T) {
	t.Parallel()
	seeds, acts := 6, 300
	switch {
	case testing.Short():
		seeds = 2
	case tier.All():
		seeds = 20
	}
	for _, mode := range modes {
		for _, sets := range []bool{false, true} {
			for seed := range seeds {
				t.Run(fmt.Sprintf("%s/sets=%v/%d", mode.name, sets, seed), func(t *testing.T) {
					t.Parallel()
					editAtRandom(t, mode.poll, sets, uint64(seed), acts)
				})
			}
		}
	}
}

func editAtRandom(t *testing.T, poll time.Duration, sets bool, seed uint64, acts int) {
	d := newTestFolder(t)
	v := randomEditor{d.dir, rand.New(rand.NewPCG(seed, 1))}
	for range 50 {
		v.act()
	}
	// Every choice has the same files below its roots.
	choices := [][]string{d.paths("a", "b", "c"), d.paths("a", "b", "c", "a/b", "b/x"), d.paths(".")}
	roots := choices[0]
	d.watch(Options{Quiet: 20 * time.Millisecond, Lull: time.Millisecond, Poll: poll}, "a", "b", "c")
	known := read(roots)
	for i := range acts {
		v.act()
		if v.rnd.IntN(10) == 0 {
			select {
			case b := <-d.w.Batches():
				known.lookAt(b, roots)
			default:
			}
		}
		if v.rnd.IntN(50) == 0 { // wait until the reader has received a batch
			if err := os.WriteFile(filepath.Join(d.dir, "marks", fmt.Sprint(i)), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			b := <-d.w.Batches()
			known.lookAt(b, roots)
		}
		if sets && i%20 == 0 {
			if err := d.w.Set(append(choices[i/20%3], filepath.Join(d.dir, "marks"))); err != nil {
				t.Fatal(err)
			}
		}
	}
	mark := filepath.Join(d.dir, "marks", "end")
	if err := os.WriteFile(mark, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var settled <-chan struct{}
	for done := false; !done; {
		select {
		case b := <-d.w.Batches():
			known.lookAt(b, roots)
			if settled = nil; known.has(mark) {
				settled = b.Settled
			}
		case <-settled:
			done = true
		case <-tier.Late(t):
			t.Fatal("never settled")
		}
	}
	maps.DeleteFunc(known, func(path, _ string) bool { return filepath.Dir(path) == filepath.Dir(mark) })
	if err := known.differ(read(roots)); err != nil {
		t.Error(err)
	}
}

func (r reader) has(path string) bool {
	_, ok := r[path]
	return ok
}

// differ returns an error for each file whose content the reader does not know.
func (r reader) differ(truth reader) error {
	var errs []error
	for path, text := range truth {
		if got, ok := r[path]; !ok || got != text {
			errs = append(errs, fmt.Errorf("%s is %q, the reader knows %q (%v)", path, text, got, ok))
		}
	}
	for path := range r {
		if _, ok := truth[path]; !ok {
			errs = append(errs, fmt.Errorf("%s is removed, and the reader still has its content", path))
		}
	}
	return errors.Join(errs...)
}
