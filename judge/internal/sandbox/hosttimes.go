//go:build linux

package sandbox

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// hostTimes are the host's own accounts at one moment, counted since it booted. Fields may be
// unset.
type hostTimes struct {
	at       time.Time
	steal    []time.Duration // steal time of each CPU, by its number
	pressure time.Duration   // time in which a task had to wait for a CPU; 0 if the kernel does not count it
}

// recent is the latest sample. Runs that begin within a second of it share it, because most runs
// end before anything is compared with their sample.
var recent struct {
	sync.Mutex
	times hostTimes
}

// recentHostTimes returns the host's accounts as of at most a second ago.
func recentHostTimes() hostTimes {
	recent.Lock()
	defer recent.Unlock()
	if time.Since(recent.times.at) >= time.Second {
		recent.times = readHostTimes()
	}
	return recent.times
}

func readHostTimes() hostTimes {
	h := hostTimes{at: time.Now()}
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		h.steal = parseSteal(string(text))
	}
	if p, ok := readPressure(); ok {
		h.pressure = p.total
	}
	return h
}

// parseSteal reads the eighth figure of each line "cpu<n> …" of /proc/stat.
func parseSteal(text string) (steal []time.Duration) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 9 {
			continue
		}
		number, ok := strings.CutPrefix(fields[0], "cpu")
		cpu, err := strconv.ParseUint(number, 10, 16) // fails for "cpu" alone, which is the sum
		ticks, err2 := strconv.ParseInt(fields[8], 10, 64)
		if !ok || err != nil || err2 != nil {
			continue
		}
		for len(steal) <= int(cpu) { // CPUs that are switched off leave gaps
			steal = append(steal, 0)
		}
		steal[cpu] = time.Duration(ticks) * clockTick
	}
	return steal
}

// pressure is a line of a pressure file such as /proc/pressure/cpu. The line "some" of that file
// counts the time in which at least one task of the host was ready and had no CPU.
type pressure struct {
	recent float64       // percentage of the last ten seconds
	total  time.Duration // time since the host booted
}

func readPressure() (pressure, bool) {
	text, err := readSmall("/proc/pressure", "cpu")
	if err != nil {
		return pressure{}, false
	}
	return parsePressure(string(text), "some")
}

// parsePressure parses the line of a pressure file whose first word is line.
func parsePressure(text, line string) (p pressure, ok bool) {
	var fields []string
	for l := range strings.Lines(text) {
		if fields = strings.Fields(l); len(fields) > 0 && fields[0] == line {
			break
		}
		fields = nil
	}
	if fields == nil {
		return p, false
	}
	for _, f := range fields[1:] {
		name, value, _ := strings.Cut(f, "=")
		var err error
		switch name {
		case "avg10":
			p.recent, err = strconv.ParseFloat(value, 64)
		case "total":
			var us int64
			us, err = strconv.ParseInt(value, 10, 64)
			p.total, ok = time.Duration(us)*time.Microsecond, true
		}
		if err != nil {
			return pressure{}, false
		}
	}
	return p, ok
}

// Busy returns the percentage of the last ten seconds in which a task of this host was ready to run
// but had no CPU; 0 if the kernel does not say.
func Busy() float64 {
	p, _ := readPressure()
	return p.recent
}

// stolenSince returns the largest steal time of one of cpus in the period of length took that ends
// at now. If before is earlier than the period, it assumes that the steal time since before is
// spread evenly.
func (now hostTimes) stolenSince(before hostTimes, took time.Duration, cpus []int) (steal time.Duration) {
	for _, cpu := range cpus {
		if cpu < len(now.steal) && cpu < len(before.steal) {
			steal = max(steal, now.part(before, took, now.steal[cpu]-before.steal[cpu]))
		}
	}
	return steal
}

// pressedSince is like stolenSince, but returns the time in which any task of the host had to wait.
func (now hostTimes) pressedSince(before hostTimes, took time.Duration) time.Duration {
	return now.part(before, took, now.pressure-before.pressure)
}

// part returns the share of amount, by which an account has grown since before, that falls to a run which
// took only a part of that time.
func (now hostTimes) part(before hostTimes, took, amount time.Duration) time.Duration {
	if all := now.at.Sub(before.at); all > took {
		amount = time.Duration(float64(amount) * float64(took) / float64(all))
	}
	return max(amount, 0)
}
