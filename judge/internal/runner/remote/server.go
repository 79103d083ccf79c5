//go:build linux

package remote

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"sync"
	"time"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Service runs requests of callers that it does not trust: a run sees only files of the host that
// every account can read anyway, has limits, and is stopped when its connection is closed.
type Service struct {
	host  *sandbox.Host
	users users
	cpus  *cpuQueue
	shown []string
}

// NewService returns a service that runs requests on a host for root, its own account and the
// members of a group (-1 for none). shown are patterns of the host's files that jails may show,
// see [DefaultShown]. The caller closes the host.
func NewService(host *sandbox.Host, group int, quota Quota, shown []string) *Service {
	return &Service{host: host, shown: shown, cpus: newCPUQueue(sandbox.AllowedCPUs()), users: users{quota: quota, group: group, own: uint32(os.Geteuid()), by: map[uint32]*user{}}}
}

// Serve accepts connections until ctx ends, and returns when all runs have ended. It closes the
// listener.
func (s *Service) Serve(ctx context.Context, l *net.UnixListener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer l.Close()
	var all sync.WaitGroup
	defer all.Wait()
	for {
		c, err := l.AcceptUnix()
		if ctx.Err() != nil {
			return nil
		}
		if sandbox.Exhausted(err) {
			select {
			case <-time.After(100 * time.Millisecond): // other connections may be closed meanwhile
			case <-ctx.Done():
			}
			continue
		}
		if err != nil {
			cancel()
			return err
		}
		all.Go(func() { s.serve(ctx, c) })
	}
}

// connection serves one caller.
type connection struct {
	*net.UnixConn
	service     *Service
	user        *user
	local       *runner.Local
	executables executables
	trees       trees
}

func (s *Service) serve(ctx context.Context, c *net.UnixConn) {
	defer c.Close()
	who, user, err := s.users.admit(c)
	if err != nil {
		_ = send(c, kindReply, reply{Failed: failureOf(err)})
		return
	}
	defer s.users.leave(who)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	frames, done := make(chan frame), make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(frames)
		for {
			f, err := read(c, maxRequest, 3)
			if err != nil {
				return
			}
			select {
			case frames <- f:
			case <-done:
				f.close()
				return
			}
		}
	})
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	k := &connection{UnixConn: c, service: s, user: user, local: runner.NewLocal(s.host, 1)}
	k.local.Tidy()
	defer func() {
		close(done)
		c.Close()
		reader.Wait()
		k.local.Close()
		k.executables.close()
		k.trees.close()
	}()
	err = send(c, kindHello, hello{Version: version, Mechanisms: s.host.Mechanisms(), Notes: s.host.Notes(), Runs: s.users.quota.Runs})
	for next := (*frame)(nil); err == nil; {
		f, ok := frame{}, true
		if next != nil {
			f = *next
		} else {
			f, ok = <-frames
		}
		next = nil
		switch {
		case !ok:
			return
		case f.kind == kindRequest:
			next, err = k.answer(ctx, &f, frames)
		case f.kind != kindCancel: // a cancel may arrive after the end of the run
			err = errProtocol
		}
		f.close()
	}
}

// send sends a frame with v as JSON.
func send(c *net.UnixConn, kind byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return write(c, kind, data)
}

// answer runs a request, and stops it when the caller cancels it or disconnects. It returns the
// next request if that has arrived meanwhile, because the caller may get the reply before answer
// returns. An error ends the connection.
func (k *connection) answer(ctx context.Context, f *frame, frames <-chan frame) (next *frame, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- k.perform(ctx, f) }()
	for {
		select {
		case err := <-done:
			if err != nil && next != nil {
				next.close()
			}
			return next, err
		case g, ok := <-frames:
			if ok && g.kind == kindRequest && next == nil {
				next = &g
				continue
			}
			g.close()
			cancel()
			if !ok || g.kind != kindCancel {
				if next != nil {
					next.close()
				}
				<-done
				return nil, errProtocol
			}
		}
	}
}
