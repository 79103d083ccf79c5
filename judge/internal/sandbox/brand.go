//go:build linux

package sandbox

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"sync"
	"syscall"

	"github.com/criyle/go-sandbox/pkg/rlimit"
	"golang.org/x/sys/unix"
)

// brand is a number that all processes of one run bear, by which they are found wherever they go: in
// sessions of their own, and without a parent in the tree. It is their limit of file locks. Processes
// inherit that through fork and execve, /proc shows it to everybody, and Linux has not enforced it
// since 2.4. A program can lose its brand only if it lowers the limit on purpose. 0 is no brand.
type brand uint64

// newBrand returns a brand that no other run bears; 0 if this process is itself limited so much that
// numbers would repeat.
func newBrand() brand {
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_LOCKS, &own); err != nil || own.Max < 1<<40 {
		return 0
	}
	most := min(own.Max, 1<<62) // own.Max is the brand of a run if the judge itself runs in this mode
	return brand(most/2 + rand.Uint64N(most/2))
}

// limits returns the resource limits that give a process the brand.
func (b brand) limits() []rlimit.RLimit {
	if b == 0 {
		return nil
	}
	return []rlimit.RLimit{{Res: unix.RLIMIT_LOCKS, Rlim: syscall.Rlimit{Cur: uint64(b), Max: uint64(b)}}}
}

// readBrand returns the brand of a process, given its /proc folder.
func readBrand(dir string) brand {
	text, _ := readSmall(dir, "limits")
	_, after, _ := bytes.Cut(text, []byte("\nMax file locks"))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	if fields := bytes.Fields(line); len(fields) > 1 {
		n, _ := strconv.ParseUint(string(fields[1]), 10, 64) // the hard limit; 0 if it is unlimited
		return brand(n)
	}
	return 0
}

// brands remembers which processes bear a brand, because that does not change. The zero value is
// ready for use.
type brands struct {
	mu   sync.Mutex
	seen map[int]branded
}

// branded says what one process bears.
type branded struct {
	start int // of the process: a later one may have its number
	brand brand
}

// of returns the brand of a process that has been found in the folder proc.
func (b *brands) of(proc string, pid int, stat processStat) brand {
	b.mu.Lock()
	defer b.mu.Unlock()
	known, ok := b.seen[pid]
	if !ok || known.start != stat.start {
		if b.seen == nil {
			b.seen = map[int]branded{}
		}
		known = branded{stat.start, readBrand(proc + "/" + strconv.Itoa(pid))}
		b.seen[pid] = known
	}
	return known.brand
}
