//go:build linux

package sandbox

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Without cgroups the memory of a run is read from /proc. The figure is meant to be what a cgroup
// would charge: anonymous memory and memory that processes share, each page once. It leaves out
// pages of files on a disk: the libraries, the executable and the class archive of a virtual
// machine are tens of megabytes that the whole host shares, and the kernel can reclaim them at any
// time.
//
// Each poll adds up the processes, which is cheap and never too little. If the sum is over the
// limit but no process is by itself, exact looks at the pages: those shared after a fork count
// once, and so does the memory that a child by vfork or posix_spawn still shares with its parent;
// files that the judge handed in do not count. So a run is stopped only for what it uses.

// holding is the memory of one process.
type holding struct {
	total limits.Bytes // anonymous and shared memory, including what is swapped out
	anon  limits.Bytes // the anonymous part of total
	files limits.Bytes // pages of files on a disk
}

// holdingOf returns the memory of a process, given its /proc folder, and the folder of a thread
// that shows it. A thread that has ended shows nothing; if the first one has, another is read.
func holdingOf(process string) (h holding, thread string) {
	if h := readHolding(process); h != (holding{}) {
		return h, process
	}
	threads, _ := os.ReadDir(process + "/task")
	for _, entry := range threads {
		thread := process + "/task/" + entry.Name()
		if h := readHolding(thread); h != (holding{}) {
			return h, thread
		}
	}
	return holding{}, process
}

// readHolding returns the memory that the /proc folder of a process or thread shows; the zero value
// if it has ended.
func readHolding(dir string) holding {
	text, err := readSmall(dir, "status")
	if err != nil {
		return holding{}
	}
	if !bytes.Contains(text, []byte("\nRssShmem:")) { // Linux before 4.5, or the user has so many groups that the line is cut off
		return holding{total: resident(dir)}
	}
	anon := kibibytes(text, "RssAnon:") + kibibytes(text, "VmSwap:")
	return holding{total: anon + kibibytes(text, "RssShmem:"), anon: anon, files: kibibytes(text, "RssFile:")}
}

// resident returns the resident size that a /proc folder shows, including files.
func resident(dir string) limits.Bytes {
	text, err := readSmall(dir, "statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return limits.Bytes(pages) * pageSize
}

// kibibytes returns the value of a line such as "VmSwap:  12 kB", 0 if there is none.
func kibibytes(text []byte, key string) limits.Bytes {
	_, after, _ := bytes.Cut(text, []byte("\n"+key))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	return kib(line)
}

// highWater returns the peak resident size of one process, including files.
func highWater(pid int) limits.Bytes {
	text, _ := readSmall("/proc/"+strconv.Itoa(pid), "status")
	return kibibytes(text, "VmHWM:")
}

// lowerBound returns a lower bound of the run's memory, given the peak resident size that the
// kernel recorded for one of its processes. That peak includes files, which lowerBound subtracts.
// It also includes what the process shared with its parent until the execve. So a peak says
// something about the run only if it is above the peak of the parent: callers check that.
func (t *tree) lowerBound(peak limits.Bytes) limits.Bytes {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(peak-t.files-t.backing.size, 0)
}

// backing says which mapped files count as memory.
type backing struct {
	given  map[string]bool // by device and inode: files in memory that the judge hands to the run and that do not count
	size   limits.Bytes    // total size of the given files
	memory map[string]bool // devices whose files are memory that nothing else accounts for
}

// backingOf returns the backing of a run that is given these files; nil ones are skipped.
// hostMounts says that the run sees the host's file systems and so can write to files in memory
// there; a container has its own, see [tempMemory].
func backingOf(hostMounts bool, files ...*os.File) backing {
	b := backing{given: map[string]bool{}, memory: map[string]bool{}}
	for _, f := range files {
		var stat unix.Stat_t
		if f != nil && unix.Fstat(int(f.Fd()), &stat) == nil && stat.Mode&unix.S_IFMT == unix.S_IFREG {
			b.given[deviceName(stat.Dev)+" "+strconv.FormatUint(stat.Ino, 10)] = true
			b.size += limits.Bytes(stat.Size)
		}
	}
	b.memory[sharedDevice()] = true
	if hostMounts {
		table, _ := os.ReadFile("/proc/self/mountinfo")
		for line := range strings.Lines(string(table)) {
			before, after, _ := strings.Cut(line, " - ")
			if fields := strings.Fields(before); len(fields) > 2 && strings.HasPrefix(after, "tmpfs ") {
				major, minor, _ := strings.Cut(fields[2], ":")
				first, _ := strconv.ParseUint(major, 10, 32)
				second, _ := strconv.ParseUint(minor, 10, 32)
				b.memory[deviceName(unix.Mkdev(uint32(first), uint32(second)))] = true
			}
		}
	}
	return b
}

// sharedDevice returns the device of shared memory, which is that of files without a name.
var sharedDevice = sync.OnceValue(func() string {
	var stat unix.Stat_t
	if f, err := MemFile(nil); err == nil {
		_ = unix.Fstat(int(f.Fd()), &stat)
		f.Close()
	}
	return deviceName(stat.Dev)
})

// deviceName returns the number of a device as /proc/pid/maps shows it.
func deviceName(dev uint64) string { return fmt.Sprintf("%02x:%02x", unix.Major(dev), unix.Minor(dev)) }

// exactMost is how much CPU time one call of exact may take. Processes that are left by then count
// with their cheaper, larger figures.
const exactMost = time.Second

// exact returns the memory of the tree, with pages that several processes share counted once. It
// walks through all their pages, which takes a millisecond of CPU time for some hundred megabytes.
// The result is reused for five times as long as the walk took.
func (t *tree) exact() limits.Bytes {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Now().Before(t.exactUntil) {
		return t.lastExact
	}
	runtime.LockOSThread() // threadClock reads this thread's CPU time
	defer runtime.UnlockOSThread()
	begin := threadClock()
	list, err := t.members()
	if err != nil {
		t.readErr = err
	}
	t.lastExact = 0
	for _, p := range t.distinct(list) {
		if threadClock()-begin < exactMost {
			t.lastExact += t.memoryOf(p)
		} else {
			t.lastExact += p.total
		}
	}
	t.exactUntil = time.Now().Add(5 * (threadClock() - begin))
	return t.lastExact
}

// threadClock returns the CPU time of the calling thread.
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
			return size
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
