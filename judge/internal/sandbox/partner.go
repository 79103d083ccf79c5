//go:build linux

package sandbox

import (
	"bytes"
	"strconv"
)

// The judge does not read the pipes between two connected programs: that keeps them fast. It still
// enforces their output limits, by the bytes that the kernel counts for each process
// (/proc/pid/io).
//
// Those counts include other files and standard error. So a program is over its limit only if it
// has written more than the limit and its partner has read more than the limit, both without the
// bytes that the judge knows to be something else. A program that floods its partner is far over
// the limit at the next poll; one that goes slightly over it and exits at once is not noticed.

// sentToPartner returns an upper bound of the bytes that the watchdog's run has sent to its
// partner.
func (w *watchdog) sentToPartner() (n int64) {
	if len(w.waits.sides) < 2 || w.limits.Output <= 0 {
		return 0
	}
	own, partner := w.waits.sides[0], w.waits.sides[1]
	n = own.run.transferred("wchar: ") - w.stderr()
	if n <= int64(w.limits.Output) {
		return n
	}
	partner.running.ifRunning(func() { n = min(n, partner.run.transferred("rchar: ")-partner.otherInput) })
	return n
}

// transferred returns the value of the line with this name in /proc/pid/io: the largest among the
// run's processes, each with its dead children, or 0 if the kernel does not say.
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
