//go:build linux

package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Runner runs requests in a service. It is safe for concurrent use.
type Runner struct {
	path  string
	facts runner.Facts

	mu   sync.Mutex
	idle []*net.UnixConn
}

// Dial connects to the service at a path, which must belong to root or to this account: the
// service of another account could invent results.
func Dial(path string) (*Runner, error) {
	r := &Runner{path: path}
	c, greeting, err := r.dial()
	if err != nil {
		return nil, err
	}
	r.facts = runner.Facts{Mechanisms: greeting.Mechanisms, Notes: greeting.Notes, Runs: greeting.Runs}
	r.facts.Mechanisms.Service = path
	r.idle = append(r.idle, c)
	return r, nil
}

func (r *Runner) dial() (c *net.UnixConn, greeting hello, err error) {
	c, err = net.DialUnix("unix", nil, &net.UnixAddr{Name: r.path, Net: "unix"})
	if err != nil {
		return nil, greeting, err
	}
	opened := c
	defer func() {
		if err != nil {
			opened.Close()
			err = fmt.Errorf("runner service %s: %w", r.path, err)
		}
	}()
	cred, _, err := peer(c)
	if err != nil {
		return nil, greeting, err
	}
	if cred.Uid != 0 && int(cred.Uid) != os.Geteuid() {
		return nil, greeting, fmt.Errorf("the service belongs to account %d, neither root nor this one", cred.Uid)
	}
	f, err := read(c, maxReply, 0)
	if err != nil {
		return nil, greeting, err
	}
	if f.kind == kindReply {
		var refused reply
		if err := json.Unmarshal(f.text, &refused); err != nil || refused.Failed == nil {
			return nil, greeting, violation("not a reply: %.40q", f.text)
		}
		return nil, greeting, refused.Failed.err()
	}
	if err := json.Unmarshal(f.text, &greeting); err != nil || f.kind != kindHello {
		return nil, greeting, violation("not a hello: %.40q", f.text)
	}
	if greeting.Version != version {
		return nil, greeting, fmt.Errorf("the service speaks version %d of the protocol, this judge %d (hint: they must come from the same release)", greeting.Version, version)
	}
	return c, greeting, nil
}

// Facts returns the facts of the service at the time of Dial.
func (r *Runner) Facts() runner.Facts { return r.facts }

// Close closes the idle connections. The runner can still be used.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, c := range r.idle {
		errs = append(errs, c.Close())
	}
	r.idle = nil
	return errors.Join(errs...)
}

// acquire returns an idle connection, or dials one.
func (r *Runner) acquire() (*net.UnixConn, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		defer r.mu.Unlock()
		c := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return c, nil
	}
	r.mu.Unlock()
	c, _, err := r.dial()
	return c, err
}

// Run is like [runner.Local.Run]. A lost connection counts as a box that died.
func (r *Runner) Run(ctx context.Context, request runner.Request, out io.Writer) (reply runner.Reply, err error) {
	if ctx.Err() != nil {
		return runner.Reply{Result: sandbox.Result{Stop: sandbox.Cancelled}}, nil
	}
	p, err := pack(request)
	if err != nil {
		return reply, err
	}
	defer p.close()
	c, err := r.acquire()
	if err != nil {
		return reply, err
	}
	reply, err = r.exchange(ctx, c, p, &request, out)
	if errors.Is(err, errBroken) {
		// If the service has exited, all connections are lost, and a new service may have replaced
		// it.
		return runner.Reply{}, errors.Join(err, c.Close(), r.Close())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, c)
	return reply, err
}

// errBroken is wrapped by errors after which a connection is unusable.
var errBroken = fmt.Errorf("the connection to the runner service broke: %w", sandbox.ErrDied)

func broken(err error) error { return fmt.Errorf("%w (%w)", errBroken, err) }

// exchange sends a request and gets the reply.
func (r *Runner) exchange(ctx context.Context, c *net.UnixConn, p *packed, request *runner.Request, out io.Writer) (runner.Reply, error) {
	data, err := json.Marshal(p.request)
	if err != nil {
		return runner.Reply{}, err
	}
	if len(data) > maxRequest {
		return runner.Reply{}, fmt.Errorf("a request of %d bytes is too large for the runner service", len(data))
	}
	if err := write(c, kindRequest, data, p.files...); err != nil {
		return runner.Reply{}, broken(err)
	}
	cancelled := make(chan struct{})
	var late *time.Timer
	stop := context.AfterFunc(ctx, func() {
		defer close(cancelled)
		_ = write(c, kindCancel, nil)
		late = time.AfterFunc(patience, func() { c.Close() })
	})
	defer func() {
		if !stop() {
			<-cancelled // the cancellation must not be sent during the next request
			late.Stop()
		}
	}()
	for {
		f, err := read(c, maxReply, 0)
		if err != nil {
			return runner.Reply{}, broken(err)
		}
		switch f.kind {
		case kindOutput:
			if out != nil {
				if _, err := out.Write(f.text); err != nil {
					out = nil
				}
			}
		case kindReply:
			var msg reply
			if err := json.Unmarshal(f.text, &msg); err != nil {
				return runner.Reply{}, broken(err)
			}
			if msg.Failed != nil {
				return runner.Reply{}, msg.Failed.err()
			}
			return r.unpack(c, msg, request)
		default:
			return runner.Reply{}, broken(violation("a frame %q", f.kind))
		}
	}
}

// unpack turns a reply and the contents that follow it into the result of the request.
func (r *Runner) unpack(c *net.UnixConn, msg reply, request *runner.Request) (result runner.Reply, err error) {
	data := &arrival{from: c}
	result = runner.Reply{Result: msg.Result.result(), Stderr: msg.Stderr, Truncated: msg.Truncated, Folder: string(msg.Folder)}
	defer func() {
		if err != nil {
			err = broken(errors.Join(err, closeCopies(&result)))
		}
	}()
	if err := data.copies(&result.Copies, msg.Copies); err != nil {
		return result, err
	}
	if d := msg.Interaction; d != nil {
		result.Interaction = &runner.Interaction{
			Interactor: d.Interactor.result(), Stderr: d.Stderr, Truncated: d.Truncated, First: d.First, Ended: d.Ended,
			Stalled: d.Stalled, Decided: d.Decided, Transcript: d.Transcript,
		}
		if err := data.copies(&result.Interaction.Copies, d.Copies); err != nil {
			return result, err
		}
	}
	if (result.Interaction == nil) != (request.Interactor == nil) || len(data.rest) > 0 {
		return result, violation("a reply that does not fit the request")
	}
	return result, nil
}

// arrival reads the contents of copies as they arrive.
type arrival struct {
	from *net.UnixConn
	rest []byte
}

func (a *arrival) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		f, err := read(a.from, chunk, 0)
		if err != nil {
			return 0, err
		}
		if f.kind != kindData {
			return 0, violation("a frame %q", f.kind)
		}
		a.rest = f.text
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// copies reads the contents of the copies in list, and adds them to to.
func (a *arrival) copies(to *runner.Copies, list []copied) error {
	for _, c := range list {
		got := runner.Copy{Err: c.Failed.err()}
		var held []*os.File
		hold := func(size int64) (err error) {
			if size < 0 {
				return violation("a copy of %d bytes", size)
			}
			var files []*os.File
			got.Content, files, err = runner.Hold(io.LimitReader(a, size), size)
			held = append(held, files...)
			return err
		}
		var err error
		if got.Err == nil {
			err = hold(c.Size)
			whole := got.Content
			for _, f := range c.Files {
				if err == nil {
					err = hold(f.Size)
					got.Files = append(got.Files, runner.File{Name: string(f.Name), Mode: f.Mode, Time: f.Time, Content: got.Content})
				}
			}
			got.Content = whole
		}
		to.Put(string(c.Name), got, held...)
		if err != nil {
			return err
		}
	}
	return nil
}
