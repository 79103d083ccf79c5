//go:build linux

package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Quota bounds what one user may use of a service at a time.
type Quota struct {
	Connections int // open connections; further ones are refused
	Runs        int // runs at a time; further ones wait
	// Memory bounds the sum of the memory limits of runs and the contents of requests and
	// replies. Further runs wait; a single run that needs more is refused.
	Memory limits.Bytes
}

// maxConnections bounds the connections of all users, because each needs descriptors and
// processes.
const maxConnections = 512

// users are the connected accounts. They are safe for concurrent use.
type users struct {
	quota Quota
	group int // its members may connect, besides root and the service's own account; -1 for none
	own   uint32

	mu    sync.Mutex
	total int
	by    map[uint32]*user
}

// user is a connected account.
type user struct {
	connections  int
	runs, memory *semaphore.Weighted
}

// admit registers a connection under the account that the kernel reports for the caller, or
// refuses it.
func (u *users) admit(c *net.UnixConn) (uid uint32, account *user, err error) {
	cred, groups, err := peer(c)
	if err != nil {
		return 0, nil, err
	}
	if cred.Uid != 0 && cred.Uid != u.own && (u.group < 0 || !slices.Contains(append(groups, cred.Gid), uint32(u.group))) {
		return 0, nil, refusal("account %d is not in its group", cred.Uid)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	account = u.by[cred.Uid]
	if account == nil {
		account = &user{runs: semaphore.NewWeighted(int64(u.quota.Runs)), memory: semaphore.NewWeighted(int64(u.quota.Memory))}
	}
	if account.connections >= u.quota.Connections || u.total >= maxConnections {
		return 0, nil, refusal("more than %d connections", u.quota.Connections)
	}
	account.connections++
	u.total++
	u.by[cred.Uid] = account
	return cred.Uid, account, nil
}

// leave removes a connection.
func (u *users) leave(uid uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.total--
	if u.by[uid].connections--; u.by[uid].connections == 0 {
		delete(u.by, uid)
	}
}

// share waits until the quota has room for another run with this much memory.
func (u *user) share(ctx context.Context, quota Quota, memory int64) (release func(), err error) {
	if memory > int64(quota.Memory) {
		return nil, refusal("a run that needs up to %v; one user may have %v", limits.Bytes(memory), quota.Memory)
	}
	if err := u.runs.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	if err := u.memory.Acquire(ctx, memory); err != nil {
		u.runs.Release(1)
		return nil, err
	}
	return func() {
		u.memory.Release(memory)
		u.runs.Release(1)
	}, nil
}

// peer returns the account of the process at the other end of a connection, and the groups that
// it had when it connected.
func peer(c *net.UnixConn) (cred *unix.Ucred, groups []uint32, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	var inner error
	err = raw.Control(func(fd uintptr) {
		if cred, inner = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); inner == nil {
			groups, inner = peerGroups(fd)
		}
	})
	if err = errors.Join(err, inner); err != nil {
		return nil, nil, fmt.Errorf("account of the peer: %w", err)
	}
	return cred, groups, nil
}

// peerGroups returns the supplementary groups, see SO_PEERGROUPS in socket(7).
func peerGroups(fd uintptr) ([]uint32, error) {
	groups := make([]uint32, 1<<16) // as many as an account can have
	size := uint32(4 * len(groups))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, fd, unix.SOL_SOCKET, unix.SO_PEERGROUPS,
		uintptr(unsafe.Pointer(&groups[0])), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return nil, errno
	}
	return groups[:size/4], nil
}
