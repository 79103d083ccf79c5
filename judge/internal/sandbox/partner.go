package sandbox

import (
	"bytes"
	"strconv"
)

// Two connected programs talk through pipes that the judge does not read: that keeps them fast. The
// limit of output still holds, by the bytes that the kernel counts for each process (/proc/pid/io).
//
// That count includes files and standard error. So a program is over the limit only if it has
// written more than that and its partner has read more, each without the bytes that the judge knows
// to be something else. A flood is far beyond the limit at the next poll; a program that goes
// slightly over it and ends at once is not noticed.

// sentToPartner returns an upper bound of the bytes that the watchdog's run has sent to its
// partner.
func (w *watchdog) sentToPartner() (n int64) {
	if w.partner == nil || w.limits.Output <= 0 {
		return 0
	}
	n = w.waits.sides[0].run.transferred("wchar: ") - w.stderr()
	if n <= int64(w.limits.Output) {
		return n
	}
	w.partner.running.ifRunning(func() { n = min(n, w.partner.run.transferred("rchar: ")-w.partner.otherInput) })
	return n
}

// transferred returns the largest number of bytes that any of the run's processes has transferred,
// including its dead children, by the line of /proc/pid/io of this name; 0 if the kernel does not
// say.
func (r *runState) transferred(name string) (most int64) {
	for i, dir := range r.threads() {
		if i == maxThreads {
			break
		}
		text, err := readSmall(dir, "io")
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
