package run

import (
	"errors"
	"io"
	"net"
	"strconv"
	"syscall"
)

// claimPrefix, with the number of a CPU after it, is the name of the abstract unix
// socket that the pool which uses the CPU holds. Names last as long as their
// sockets, so that a judge which is killed lets go of its CPUs, and nothing has to
// be cleaned up. They are seen by all judges in one network namespace; those in
// containers of their own do not know of each other.
const claimPrefix = "@tribunal-cpu-"

// claims are CPUs that no other pool on this machine has claimed.
type claims struct {
	cpus   []int // those claimed first, then, only if they are too few, those of others
	shared bool  // there are such of others among them
	held   []io.Closer
}

// claim claims up to want of the allowed CPUs, the first ones that are free. If
// there are fewer, all that are allowed are used, by turns with others.
func claim(prefix string, allowed []int, want int) *claims {
	c := &claims{}
	var taken []int
	for _, cpu := range allowed {
		if len(c.cpus) == want {
			return c
		}
		socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: prefix + strconv.Itoa(cpu), Net: "unixgram"})
		switch {
		case err == nil:
			c.held = append(c.held, socket)
		case errors.Is(err, syscall.EADDRINUSE):
			taken = append(taken, cpu)
			continue
		case !errors.Is(err, syscall.EAFNOSUPPORT):
			c.shared = true // perhaps: it could not be claimed
		}
		// A host without such sockets does not keep anybody from its CPUs.
		c.cpus = append(c.cpus, cpu)
	}
	if len(c.cpus) < want && len(taken) > 0 {
		c.shared = true
		c.cpus = append(c.cpus, taken...)
	}
	return c
}

// release lets go of all that were claimed.
func (c *claims) release() error {
	var errs []error
	for _, s := range c.held {
		errs = append(errs, s.Close())
	}
	c.held = nil
	return errors.Join(errs...)
}
