package watch

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/internal/tier"
)

// modes are the ways in which a watcher finds changes.
var modes = []struct {
	name string
	poll time.Duration
}{
	{"events", 0},
	{"polled", 5 * time.Millisecond},
}

// testFolder is a temporary folder that a test changes while a watcher watches it.
type testFolder struct {
	t       *testing.T
	dir     string
	w       *Watcher
	scans   int          // scans of a mark after which the watcher has found all changes made before it
	mark    atomic.Int64 // number of the last mark
	noticed chan int64   // receives the number of a mark when the watcher scans it
}

func newTestFolder(t *testing.T) *testFolder {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &testFolder{t: t, dir: dir, noticed: make(chan int64, 16)}
}

// watch watches roots in the folder, and the folder of the marks that changes writes.
func (d *testFolder) watch(o Options, roots ...string) {
	d.t.Helper()
	d.do("mkdir marks")
	d.scans = 1
	if o.Poll > 0 {
		d.scans = 3 // the first scan may have reached other files before the mark, and the second must end
	}
	o.Ignore = func(path string) bool {
		if mark := d.mark.Load(); path == d.markPath(mark) {
			select {
			case d.noticed <- mark:
			default:
			}
		}
		return false
	}
	w, err := New(d.paths(append(roots, "marks")...), o)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { w.Close() })
	d.w = w
}

func (d *testFolder) paths(names ...string) []string {
	var paths []string
	for _, n := range names {
		paths = append(paths, filepath.Join(d.dir, n))
	}
	return paths
}

// do runs a script in the folder.
func (d *testFolder) do(script string) {
	d.t.Helper()
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "VIMINIT=set nocompatible")
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

func (d *testFolder) markPath(n int64) string { return filepath.Join(d.dir, "marks", fmt.Sprint(n)) }

// changes returns the paths of all batches until every change made so far has been reported. To
// know when, it writes a mark, which the watcher finds last. It receives no batch before that.
func (d *testFolder) changes() []string {
	d.t.Helper()
	number := d.mark.Add(1)
	mark := d.markPath(number)
	d.do("echo >" + mark)
	for scans := 0; scans < d.scans; {
		select {
		case n := <-d.noticed:
			if n == number {
				scans++
			}
		case <-tier.Late(d.t):
			d.t.Fatal("the mark was not scanned")
		}
	}
	seen := map[string]bool{}
	var settled <-chan struct{}
	for {
		select {
		case b := <-d.w.Batches():
			for _, p := range b.Paths {
				seen[p] = true
			}
			settled = nil
			if seen[mark] {
				settled = b.Settled
			}
		case <-settled:
			var names []string
			for p := range seen {
				if filepath.Dir(p) == filepath.Dir(mark) { // also an earlier mark, whose second event may come late
					continue
				}
				name, err := filepath.Rel(d.dir, p)
				if err != nil {
					d.t.Fatal(err)
				}
				names = append(names, name)
			}
			return slices.Sorted(slices.Values(names))
		case <-tier.Late(d.t):
			d.t.Fatalf("not settled; reported: %q", slices.Sorted(maps.Keys(seen)))
		}
	}
}
