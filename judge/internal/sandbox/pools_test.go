//go:build linux

package sandbox_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/internal/tier"
	"tribunal/judge/internal/sandbox"
)

// pool is a resource that the whole machine shares.
type pool struct {
	name     string
	inUse    func() (int, bool)
	most     int  // how much one run may add, with room for other processes on the machine
	together bool // checked during the run as well
}

// pools lists the resources whose use can be read. A run's share cannot be separated from what
// other processes use at the same time; see TestGuiltyPools. Some other resources can be read by
// container (sandbox.Footprint) or by control group (kernel memory); others, such as an account's
// counts of signals and pipes, cannot be read.
var pools = []pool{
	{"bytes of compiled filters", compiledFilters, 16 << 20, true},
	{"open files", numberIn("/proc/sys/fs/file-nr", 0), 20_000, false},
	{"processes and threads", tasksOfAll, 1000, false},
	{"control groups for memory, dying ones included", memoryGroups, 20, false},
	{"entries of folders in use", entriesInUse, 200_000, false},
	{"keys", linesOf("/proc/keys"), 50, false},
}

// compiledFilters returns the kernel's memory for BPF programs; only root sees it.
func compiledFilters() (sum int, ok bool) {
	text, err := os.ReadFile("/proc/vmallocinfo")
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		if fields := bytes.Fields(line); len(fields) > 2 && bytes.Contains(fields[2], []byte("bpf_")) {
			n, _ := strconv.Atoi(string(fields[1]))
			sum += n
		}
	}
	return sum, true
}

// numberIn returns a reader of the nth number in a file.
func numberIn(file string, n int) func() (int, bool) {
	return func() (int, bool) {
		text, err := os.ReadFile(file)
		fields := strings.Fields(string(text))
		if err != nil || len(fields) <= n {
			return 0, false
		}
		number, err := strconv.Atoi(fields[n])
		return number, err == nil
	}
}

func entriesInUse() (int, bool) {
	all, ok := numberIn("/proc/sys/fs/dentry-state", 0)()
	unused, ok2 := numberIn("/proc/sys/fs/dentry-state", 1)()
	return all - unused, ok && ok2
}

// tasksOfAll reads the fourth field of loadavg, such as 2/415.
func tasksOfAll() (int, bool) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	_, after, _ := strings.Cut(string(text), "/")
	number, _, found := strings.Cut(after, " ")
	n, err := strconv.Atoi(number)
	return n, found && err == nil
}

func memoryGroups() (int, bool) {
	text, err := os.ReadFile("/proc/cgroups")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 4 && fields[0] == "memory" {
			n, err := strconv.Atoi(fields[2])
			return n, err == nil
		}
	}
	return 0, false
}

func linesOf(file string) func() (int, bool) {
	return func() (int, bool) {
		text, err := os.ReadFile(file)
		return bytes.Count(text, []byte("\n")), err == nil
	}
}

// lowest returns the lowest use of several reads: other processes use and release the resource all
// the time, but what leaks stays in use.
func (p pool) lowest() int {
	n, _ := p.inUse()
	for range 3 {
		again, _ := p.inUse()
		n = min(n, again)
	}
	return n
}

// watch reads the use of a pool repeatedly until stop is called, which returns the highest use.
func (p pool) watch() (stop func() int) {
	done, most := make(chan struct{}), make(chan int)
	go func() {
		high := 0
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			n, _ := p.inUse()
			high = max(high, n)
			select {
			case <-tick.C:
			case <-done:
				most <- high
				return
			}
		}
	}()
	return func() int { close(done); return <-most }
}

// TestGuiltyPools runs the guilty programs that use resources of the whole machine, and compares
// the use before, during and after the runs. Other processes use the machine at the same time, so a
// program fails only if it exceeds its share in each of three tries.
func TestGuiltyPools(t *testing.T) {
	tier.T2(t, "pools of the machine before and after programs")
	h, why := sandbox.OpenMode("cgroup")
	if why != "" {
		h, why = sandbox.OpenMode("polling")
	}
	if why != "" {
		t.Skipf("not checked: pools of the machine: %s", why)
	}
	t.Cleanup(func() { h.Close() })
	var known []pool
	for _, p := range pools {
		if _, ok := p.inUse(); ok {
			known = append(known, p)
		} else {
			t.Logf("not checked: %s (cannot be read here)", p.name)
		}
	}
	c := newCourt(t)
	topics := []string{"device", "files", "kernel", "leave", "namespace", "privilege", "starve", "talk"}
	for _, a := range attacks(t) {
		if !slices.Contains(topics, a.topic) || filepath.Ext(a.file) != ".c" {
			continue
		}
		if a.topic != "starve" && !tier.All() {
			continue // is about something else, and takes from a pool beside that
		}
		t.Run(filepath.Base(a.file), func(t *testing.T) {
			missing := map[string]int{}
			for range 3 {
				if missing = c.takes(t, h, a, known); len(missing) == 0 {
					return
				}
			}
			t.Errorf("%s: three times in a row it took %v", a.why, missing)
		})
	}
}

// takes returns how much a run of an attack took of each pool beyond what it may take.
func (c *court) takes(t *testing.T, h *sandbox.Host, a *attack, known []pool) map[string]int {
	t.Helper()
	c.program(t, a) // builds it before the pools are read
	before, high := map[string]int{}, map[string]func() int{}
	for _, p := range known {
		before[p.name] = p.lowest()
		if p.together {
			high[p.name] = p.watch()
		}
	}
	c.trials(t, h, a)
	missing := map[string]int{}
	for _, p := range known {
		now := p.lowest()
		if p.together {
			now = max(now, high[p.name]())
		}
		if now-before[p.name] > p.most {
			missing[p.name] = now - before[p.name]
		}
	}
	return missing
}

// TestPoolsAreSeen checks that the pool of compiled filters, as it is read, grows when a program
// outside of the jail takes some of it. Otherwise TestGuiltyPools could never find anything.
func TestPoolsAreSeen(t *testing.T) {
	t.Parallel()
	if _, ok := compiledFilters(); !ok {
		t.Skip("not checked: memory for compiled filters (only root sees it)")
	}
	const sockets, size = 400, 20 << 10 // number of filters, and bytes that each takes at least
	for range 3 {
		before, _ := compiledFilters()
		let := attachFilters(t, sockets)
		during, _ := compiledFilters()
		let()
		if during-before >= sockets*size {
			return
		}
	}
	t.Errorf("%d filters take less than %d bytes", sockets, sockets*size)
}

// clean checks that a run has left nothing in its container.
func clean(t *testing.T, what string, b sandbox.Box) {
	t.Helper()
	const usualFiles = 24 // number of files that an init has open
	var left map[string]int
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		left = sandbox.Footprint(b)
		if left["files of its init"] <= usualFiles {
			delete(left, "files of its init")
		}
		maps.DeleteFunc(left, func(_ string, n int) bool { return n == 0 })
		if len(left) == 0 {
			return // the kernel removes sockets a little later
		}
	}
	t.Error(what, "leaves", fmt.Sprint(left))
}

// attachFilters opens n sockets with a long filter each, and closes them when release is called.
func attachFilters(t *testing.T, n int) (release func()) {
	t.Helper()
	list := make([]unix.SockFilter, 2000)
	for i := range list {
		list[i] = unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_ADD | unix.BPF_K, K: uint32(77777 * i)}
	}
	list[len(list)-1] = unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K}
	program := &unix.SockFprog{Len: uint16(len(list)), Filter: &list[0]}
	var fds []int
	for range n {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			fds = append(fds, fd)
			err = unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, program)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		for _, fd := range fds {
			unix.Close(fd)
		}
	}
}
