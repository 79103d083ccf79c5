package sandbox

import (
	"bytes"
	"strconv"
)

// Two programs that are connected talk through pipes of their own, which the judge does
// not see into: that is what makes them fast. What one of them says is bounded all the
// same, by what the kernel counts for each process (/proc/pid/io).
//
// That count holds files and standard error as well. So a program has said too much when
// both it has written and its partner has read more than the limit, each without what the
// judge knows to be something else. A flood is far beyond that at the next look; a program
// that goes over it by little and ends at once is not noticed.

// said returns at most how many bytes the run of the watchdog has told its partner.
func (w *watchdog) said() (n int64) {
	if w.beside == nil || w.limits.Output <= 0 {
		return 0
	}
	n = w.waits.sides[0].run.transferred("wchar: ") - w.stderr()
	if n <= int64(w.limits.Output) {
		return n
	}
	w.beside.of.alive(func() { n = min(n, w.beside.run.transferred("rchar: ")-w.beside.given) })
	return n
}

// transferred returns the most that any of the run's processes has transferred, with its
// dead children, as the line of /proc/pid/io with this name counts it; 0 where the kernel
// does not say.
func (r *runState) transferred(name string) (most int64) {
	for i, dir := range r.threads() {
		if i == maxThreads {
			break
		}
		text, err := get(dir, "io")
		if err != nil {
			continue
		}
		_, after, _ := bytes.Cut(text, []byte(name))
		number, _, _ := bytes.Cut(after, []byte("\n"))
		n, _ := strconv.ParseInt(string(number), 10, 64)
		most = max(most, n)
	}
	return most
}
