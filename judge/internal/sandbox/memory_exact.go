//go:build linux

package sandbox

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// costly is a figure that takes much time to measure.
type costly struct {
	last  limits.Bytes
	until time.Time // when last is too old
}

// exactMost is how much CPU time one measurement may take. Processes that are left by then count with
// their cheaper, larger figures.
const exactMost = time.Second

// value returns the result of measure. It reuses that for five times as long as the measurement took,
// and at least for the time least. measure is given a function that reports whether its time is over.
func (c *costly) value(least time.Duration, measure func(over func() bool) limits.Bytes) limits.Bytes {
	if time.Now().Before(c.until) {
		return c.last
	}
	runtime.LockOSThread() // threadClock reads this thread's CPU time
	defer runtime.UnlockOSThread()
	begin := threadClock()
	c.last = measure(func() bool { return threadClock()-begin >= exactMost })
	c.until = time.Now().Add(max(5*(threadClock()-begin), least))
	return c.last
}

// exact returns the memory of the tree, with pages that several processes share counted once. It
// walks through all their pages, which takes a millisecond of CPU time for some hundred megabytes.
func (t *tree) exact() limits.Bytes {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pages.value(0, func(over func() bool) (sum limits.Bytes) {
		for _, p := range t.spaces() {
			if over() {
				sum += p.total
			} else {
				sum += t.memoryOf(p)
			}
		}
		return sum
	})
}

// recount is the shortest time between two counts of the mappings of a run. A Java program has some
// hundred, which take half a millisecond.
const recount = 100 * time.Millisecond

// mappings returns how much memory the kernel needs for the mappings of the tree, or some of that if it
// is more than enough. It reads a line for each of them, a million of which take half a second.
func (t *tree) mappings(enough limits.Bytes) limits.Bytes {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.maps.value(recount, func(over func() bool) (sum limits.Bytes) {
		for _, p := range t.spaces() {
			switch {
			case sum > enough:
				return sum
			case over():
				sum += p.mappable
			default:
				sum += p.mappings(enough - sum)
			}
		}
		return sum
	})
}

// mappings is [tree.mappings] for one process. If the kernel does not show them, it returns the most
// that is possible; if the process has ended, 0.
func (p process) mappings(enough limits.Bytes) (sum limits.Bytes) {
	f, err := os.Open(p.thread + "/maps")
	if errors.Is(err, fs.ErrPermission) {
		return p.mappable
	}
	if err != nil {
		return 0
	}
	defer f.Close()
	for buf := make([]byte, 1<<14); sum <= enough; {
		n, err := f.Read(buf)
		sum += limits.Bytes(bytes.Count(buf[:n], []byte("\n"))) * mappingSize
		if err != nil {
			break
		}
	}
	return sum
}

func threadClock() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now)
	return time.Duration(now.Nano())
}

// process stands for all processes that share one address space.
type process struct {
	holding
	dir    string // the /proc folder of one of the processes
	thread string // the /proc folder of a thread of it that has not ended
}

// spaces returns the processes of the tree that have memory, one for each address space.
func (t *tree) spaces() []process {
	list, err := t.members()
	if err != nil {
		t.readErr = err
	}
	return t.distinct(list)
}

// distinct returns the processes of list that have memory, one for each address space. Only a child
// that has not executed another program yet can share its parent's.
func (t *tree) distinct(list map[int]processStat) (all []process) {
	var forked []process
	for pid, stat := range list {
		p := process{dir: t.proc + "/" + strconv.Itoa(pid)}
		p.holding, p.thread = holdingOf(p.dir)
		switch {
		case p.total == 0 || pid == t.root && stat.forked:
		case stat.forked:
			forked = append(forked, p)
		default:
			all = append(all, p)
		}
	}
	if len(forked) == 0 {
		return all
	}
	numbers := t.hostNumbers()
	for _, p := range forked {
		same := false
		for _, other := range all {
			if same = sameMemory(numbers[threadNumber(p.thread)], numbers[threadNumber(other.thread)]) && readHolding(p.thread).total > 0; same {
				break
			}
		}
		if !same {
			all = append(all, p)
		}
	}
	return all
}

func threadNumber(dir string) int { n, _ := strconv.Atoi(filepath.Base(dir)); return n }

// hostNumbers maps the thread numbers of the tree's /proc to those in this process's /proc. It
// reads only processes that may be in the tree.
func (t *tree) hostNumbers() map[int]int {
	numbers := map[int]int{}
	space, _ := os.Readlink(strings.TrimSuffix(t.proc, "/root/proc") + "/ns/pid") // the container's pid namespace
	processes, _ := os.ReadDir("/proc")
	for _, entry := range processes {
		if _, err := strconv.Atoi(entry.Name()); err != nil {
			continue
		}
		dir := "/proc/" + entry.Name()
		if t.root == 0 {
			if own, err := os.Readlink(dir + "/ns/pid"); err != nil || own != space {
				continue
			}
		}
		threads, _ := os.ReadDir(dir + "/task")
		for _, thread := range threads {
			outside, _ := strconv.Atoi(thread.Name())
			if t.root != 0 {
				numbers[outside] = outside
				continue
			}
			text, _ := readSmall(dir+"/task/"+thread.Name(), "status")
			_, after, _ := bytes.Cut(text, []byte("\nNSpid:"))
			line, _, _ := bytes.Cut(after, []byte("\n"))
			if fields := bytes.Fields(line); len(fields) > 0 {
				inside, _ := strconv.Atoi(string(fields[len(fields)-1]))
				numbers[inside] = outside
			}
		}
	}
	return numbers
}

// sameMemory reports whether two threads, by their numbers for this process, have the same address
// space. It is also true of two threads that have both ended.
func sameMemory(a, b int) bool {
	const kcmpVM = 1
	if a == 0 || b == 0 {
		return false
	}
	r, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(a), uintptr(b), kcmpVM, 0, 0, 0)
	return errno == 0 && r == 0
}

// memoryOf returns the memory of a process, with its proportional share of shared pages. If the
// kernel does not say, it returns the larger figure of holdingOf; if the process has ended, 0.
func (t *tree) memoryOf(p process) limits.Bytes {
	for range 3 {
		size, err := t.backing.share(p.thread + "/smaps")
		switch {
		case err == nil && size > 0:
			return size + p.kernel
		case err == nil, errors.Is(err, unix.ESRCH), errors.Is(err, unix.ENOENT): // the thread has ended; read another
			if p.holding, p.thread = holdingOf(p.dir); p.holding == (holding{}) {
				return 0
			}
		default:
			return p.total
		}
	}
	return p.total
}

// share adds up the mappings in a smaps file, see proc_pid_smaps(5): of anonymous and shared memory
// the process's proportional share; of files on a disk, and of files given to the run, only the
// pages that the process has changed for itself.
func (b backing) share(smaps string) (sum limits.Bytes, err error) {
	f, err := os.Open(smaps)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<16) // a path may be long
	var share limits.Bytes
	memory := false // the current mapping counts as memory
	for lines.Scan() {
		key, value, _ := bytes.Cut(lines.Bytes(), []byte(" "))
		switch string(key) {
		case "Pss:":
			share = kib(value)
		case "Anonymous:":
			if changed := kib(value); memory {
				sum += share
			} else {
				sum += min(share, changed)
			}
		case "SwapPss:":
			sum += kib(value)
		default:
			if len(key) > 0 && key[len(key)-1] != ':' { // addresses, then rights, offset, device, inode, path
				fields := strings.Fields(string(value))
				memory = len(fields) > 3 && (fields[3] == "0" || b.memory[fields[2]] && !b.given[fields[2]+" "+fields[3]])
			}
		}
	}
	return sum, lines.Err()
}

// kib parses a number such as that of "  12 kB".
func kib(text []byte) limits.Bytes {
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(text, []byte(" kB")))), 10, 64)
	return limits.Bytes(n) * limits.KiB
}
