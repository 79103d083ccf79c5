package main

import (
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"
)

// size is a number of bytes, written with a unit, as in 512MiB.
type size int64

// leastMemory is the least that Set accepts. With less, a search with files writes streams so short
// that the lists of their blocks do not fit.
const leastMemory = 1 << 20

var units = []string{"B", "KiB", "MiB", "GiB", "TiB"}

func (s size) String() string {
	unit := max(0, bits.Len64(uint64(s))-1) / 10
	unit = min(unit, len(units)-1)
	return strconv.FormatFloat(float64(s)/float64(int64(1)<<(10*unit)), 'g', 4, 64) + units[unit]
}

// Set implements flag.Value.
func (s *size) Set(text string) error {
	for i, unit := range units {
		number, ok := strings.CutSuffix(text, unit)
		if !ok || i == 0 && strings.HasSuffix(number, "i") {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 1 || n > 1<<62>>(10*i) {
			continue
		}
		if n <<= 10 * i; n < leastMemory {
			return fmt.Errorf("too little (hint: at least %v)", size(leastMemory))
		}
		*s = size(n)
		return nil
	}
	return fmt.Errorf("not a size (hint: write 512MiB or 4GiB)")
}

// availableMemory returns most of the memory that this process may still use: the free memory of
// the machine, or what its control groups leave if that is less. It returns 1 GiB if neither is
// known.
func availableMemory() int64 {
	least := int64(1) << 62
	known := false
	note := func(bytes int64, ok bool) {
		if ok {
			least, known = min(least, bytes), true
		}
	}
	note(freeMemory())
	groups, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		switch {
		case fields[1] == "":
			note(groupMemory("/sys/fs/cgroup", fields[2], "memory.max", "memory.current"))
		case strings.Contains(","+fields[1]+",", ",memory,"):
			note(groupMemory("/sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes", "memory.usage_in_bytes"))
		}
	}
	if !known {
		return 1 << 30
	}
	return max(least/10*9, 64<<20)
}

// freeMemory returns the free memory of the machine.
func freeMemory() (int64, bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemAvailable:" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}

// groupMemory returns the memory that a control group and those above it leave. A container may
// have its own group mounted as the root, so that the path of the group does not exist below mount.
func groupMemory(mount, group, limit, usage string) (int64, bool) {
	least, known := int64(0), false
	for dir := mount + group; ; dir = dir[:strings.LastIndexByte(dir, '/')] {
		max, err := readNumber(dir + "/" + limit)
		used, err2 := readNumber(dir + "/" + usage)
		if err == nil && err2 == nil && max < 1<<60 && (!known || max-used < least) {
			least, known = max-used, true
		}
		if len(dir) <= len(mount) {
			return least, known
		}
	}
}

func readNumber(file string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}
