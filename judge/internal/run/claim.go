package run

import (
	"errors"
	"io"
	"net"
	"strconv"
	"syscall"
)

// claimPrefix followed by the number of a CPU is the name of an abstract Unix socket. A pool holds
// the sockets of the CPUs that it uses. The kernel closes the sockets of a judge that is killed,
// so that nothing has to be cleaned up. All judges in one network namespace see each other's
// sockets; judges in separate containers do not.
const claimPrefix = "@tribunal-cpu-"

// claims are the CPUs of a pool.
type claims struct {
	cpus   []int // first the claimed ones, then, only if these are too few, those of other pools
	shared bool  // other pools may use some of the CPUs
	held   []io.Closer
}

// claim claims the first want of the allowed CPUs that no other pool has claimed. If fewer are
// free, the pool uses all allowed CPUs and shares some with other pools.
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
			c.shared = true // without a claim, other pools may use it
		}
		// On a host without abstract sockets, CPUs are used without a claim.
		c.cpus = append(c.cpus, cpu)
	}
	if len(c.cpus) < want && len(taken) > 0 {
		c.shared = true
		c.cpus = append(c.cpus, taken...)
	}
	return c
}

// release releases all claimed CPUs.
func (c *claims) release() error {
	var errs []error
	for _, s := range c.held {
		errs = append(errs, s.Close())
	}
	c.held = nil
	return errors.Join(errs...)
}
