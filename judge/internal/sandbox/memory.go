//go:build linux

package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Without cgroups the memory of a run is read from /proc. The figure is meant to be what a cgroup
// would charge: anonymous memory and memory that processes share, each page once, and what the kernel
// needs for page tables, stacks of threads and mappings. It leaves out pages of files on a disk: the libraries, the
// executable and the class archive of a virtual machine are tens of megabytes that the whole host shares, and the
// kernel can reclaim them at any time.
//
// Each poll adds up the processes, which is cheap and never too little. If the sum is over the
// limit but no process is by itself, exact looks at the pages: those shared after a fork count
// once, and so does the memory that a child by vfork or posix_spawn still shares with its parent;
// files that the judge handed in do not count. So a run is stopped only for what it uses. Mappings
// are counted only if so many are possible that the run may exceed its limit by them.

// holding is the memory of one process.
type holding struct {
	total    limits.Bytes // anonymous and shared memory, including what is swapped out, and kernel
	anon     limits.Bytes // the anonymous part of total
	kernel   limits.Bytes // the kernel's memory for its page tables and the stacks of its threads
	files    limits.Bytes // pages of files on a disk
	mappable limits.Bytes // the most that the kernel may need for its mappings; not in total
}

const (
	kernelStack = 16 * limits.KiB // of each thread, on amd64 and arm64
	mappingSize = 200             // a vm_area_struct and its share of the tree; measured with 60,000
)

// mostMappings is how many mappings a process may have.
var mostMappings = sync.OnceValue(func() limits.Bytes {
	n, err := number("/proc/sys/vm", "max_map_count")
	if err != nil {
		n = 65530 // the kernel's default
	}
	return limits.Bytes(n)
})

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
	h := holding{
		anon: kibibytes(text, "RssAnon:") + kibibytes(text, "VmSwap:"), files: kibibytes(text, "RssFile:"),
		kernel:   kibibytes(text, "VmPTE:") + statusNumber(text, "Threads:")*kernelStack,
		mappable: min(kibibytes(text, "VmSize:")/pageSize, mostMappings()) * mappingSize,
	}
	h.total = h.anon + h.kernel + kibibytes(text, "RssShmem:")
	return h
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
func kibibytes(text []byte, key string) limits.Bytes { return statusNumber(text, key) * limits.KiB }

// statusNumber returns the number in a line such as "Threads:  12" or "VmSwap:  12 kB", 0 if there is
// none.
func statusNumber(text []byte, key string) limits.Bytes {
	_, after, _ := bytes.Cut(text, []byte("\n"+key))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	return kib(line) / limits.KiB
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
