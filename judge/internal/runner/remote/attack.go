//go:build linux

package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Attempt is the outcome of one attack on a service.
type Attempt struct {
	Name, What, Want, Seen string
	Broke                  bool
}

// Attack attacks the service at a path as this account. An error means that the service cannot
// be reached.
func Attack(ctx context.Context, path string) (list []Attempt, err error) {
	r, err := Dial(path)
	if err != nil {
		return nil, err
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	folder := sandbox.Folder{Path: "/check", Size: limits.MiB, Mode: 0o777}
	show := func(path string) func(*program) {
		return func(p *program) { p.Mounts = append(p.Mounts, mount{Path: path}) }
	}
	for _, a := range []struct {
		name, what string
		change     func(p *program)
	}{
		{"service-root", "see the home folder of root", show("/root")},
		{"service-shadow", "see the passwords of the host", show("/etc/shadow")},
		{"service-proc", "see the host's processes", show("/proc")},
		{"service-host", "see the whole host", show("/")},
		{"service-up", "name a folder by a path with ..", show("/usr/../root")},
		{"service-own", "see a folder that others can change", show(os.TempDir())},
		{"service-target", "put a folder over the jail's /proc", func(p *program) { p.Folder = sandbox.Folder{Path: "/proc", Size: limits.MiB, Mode: 0o777} }},
		{"service-outside", "put a folder outside of the jail", func(p *program) { p.Folder = sandbox.Folder{Path: "/../tmp", Size: limits.MiB, Mode: 0o777} }},
		{"service-write", "put a file outside of its folder", func(p *program) { p.Folder, p.In = folder, []file{{Name: text("../../x"), Mode: 0o644}} }},
		{"service-copy", "have a file of the host copied out", func(p *program) {
			p.Folder, p.Out = folder, []runner.CopyOut{{Name: "../../etc/shadow", Most: limits.KiB}}
		}},
		{"service-tool", "execute what the jail's first process has open", func(p *program) { p.Args = []text{text("/proc/self/fd/3")} }},
		{"service-start", "start in a folder that it has open", func(p *program) { p.Dir = "/proc/self/fd/3" }},
		{"service-forever", "run without a limit of time", func(p *program) { p.Limits.Wall = 0 }},
		{"service-memory", "run with more memory than a host has", func(p *program) { p.Limits.Memory = 1 << 50 }},
	} {
		asked := request{Program: program{
			Args: []text{text("/usr/bin/true")}, Mounts: []mount{{Path: "/usr"}},
			Limits: limits.Limits{CPU: time.Second, Wall: time.Second, Memory: 64 * limits.MiB, Output: limits.KiB, Processes: 1},
		}}
		a.change(&asked.Program)
		list = append(list, attempt(ctx, path, a.name, a.what, asked))
	}
	plain, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	asked := request{Program: program{Exe: true, Args: []text{text("/x")}, Limits: limits.Limits{CPU: time.Second, Wall: time.Second, Memory: 64 * limits.MiB, Output: limits.KiB, Processes: 1}}}
	return append(list, attempt(ctx, path, "service-descriptor", "hand over a file that can change", asked, plain)), ctx.Err()
}

// attempt sends a request that must be refused, together with the given files and, last, an empty
// file for the contents.
func attempt(ctx context.Context, path, name, what string, r request, files ...*os.File) Attempt {
	a := Attempt{Name: name, What: what, Want: "refused"}
	answer, err := ask(ctx, path, r, files...)
	switch {
	case errors.Is(err, errUnreachable):
		a.Seen, a.Broke = err.Error(), true // the service must survive every request
	case err != nil:
		a.Seen = "the connection was closed"
	case answer.Failed != nil && strings.Contains(answer.Failed.Text, "refuses"):
		a.Seen = "refused"
	case answer.Failed != nil:
		a.Seen, a.Broke = answer.Failed.Text, true
	default:
		a.Seen, a.Broke = "it ran: "+answer.Result.Stop.String(), true
	}
	return a
}

var errUnreachable = errors.New("the service cannot be reached any more")

// ask sends a request over a connection of its own and returns the reply.
func ask(ctx context.Context, path string, r request, files ...*os.File) (answer reply, err error) {
	data, err := json.Marshal(r)
	if err != nil {
		return answer, err
	}
	empty, err := sandbox.MemFile(nil)
	if err != nil {
		return answer, err
	}
	defer empty.Close()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return answer, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	if f, err := read(c, maxReply, 0); err != nil || f.kind != kindHello {
		return answer, fmt.Errorf("%w: %.80q, %w", errUnreachable, f.text, err)
	}
	if err := write(c, kindRequest, data, append(files, empty)...); err != nil {
		return answer, err
	}
	for {
		f, err := read(c, maxReply, 0)
		if err != nil {
			return answer, err
		}
		if f.kind == kindReply {
			return answer, json.Unmarshal(f.text, &answer)
		}
	}
}
