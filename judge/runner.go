package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/runner/remote"
	"tribunal/judge/internal/sandbox"
)

type runnerOptions struct {
	*options
	socket, group, memory string
	show                  []string
	quota                 remote.Quota
}

func runnerCommand(o *options) *cobra.Command {
	r := &runnerOptions{options: o}
	cmd := &cobra.Command{
		Use:   "runner",
		Short: "Serve as the runner of judges without privileges, on a socket",
		Long: `Run programs in jails for other users of this machine, who have no control groups of
their own: their judges find the socket by themselves, and measure exactly.
It needs root, and is meant to be started by systemd (docs/runner.md).

Root and members of the group may connect. Nothing that a caller sends is trusted.
On SIGTERM it stops all runs and exits.

Exit status: 0 it was told to stop, 2 wrong usage, 3 it failed.`,
		Example: "  judge runner --group judges\n  judge runner --socket /run/tribunal/runner.sock --group judges --runs 2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("runner takes no arguments, found %q (hint: judge runner --help)", args[0]))
			}
			return r.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.socket, "socket", remote.DefaultPath, "`path` of the socket, unless systemd hands one over")
	f.StringVar(&r.group, "group", "", "`group` whose members may connect, besides root")
	f.IntVar(&r.quota.Runs, "runs", sandbox.DefaultSlots(), "`runs` at a time of one user")
	f.IntVar(&r.quota.Connections, "connections", 2*sandbox.DefaultSlots(), "`connections` of one user")
	f.StringVar(&r.memory, "memory", "auto", "`size` of all runs of one user together; auto = the memory of this machine")
	f.StringArrayVar(&r.show, "show", nil, "`pattern` of files and folders that jails may see, in place of those of toolchains; may be repeated")
	return cmd
}

func (r *runnerOptions) run(ctx context.Context) (err error) {
	if os.Geteuid() != 0 {
		return usage(errors.New("the runner needs root (hint: docs/runner.md has units for systemd)"))
	}
	if r.quota.Runs < 1 || r.quota.Connections < 1 {
		return usage(errors.New("--runs, --connections: want a number from 1"))
	}
	group := -1
	if r.group != "" {
		if group, err = groupOf(r.group); err != nil {
			return usage(err)
		}
	}
	if r.quota.Memory, err = r.memoryQuota(); err != nil {
		return usage(err)
	}
	if r.show == nil {
		r.show = remote.DefaultShown
	}
	for _, dir := range r.show {
		if !filepath.IsAbs(dir) || filepath.Clean(dir) != dir || dir == "/" {
			return usage(fmt.Errorf("--show %q: not a clean absolute path", dir))
		}
	}
	host, err := sandbox.Open(sandbox.Container)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.Close()) }()
	if !host.Exact() {
		return fmt.Errorf("%w: a runner service without control groups is of no use: %v", sandbox.ErrMode, host.Notes())
	}
	l, err := r.listen(group)
	if err != nil {
		return err
	}
	r.std.note("runner: listening on %s, for %s", l.Addr(), who(r.group))
	return remote.NewService(host, group, r.quota, r.show).Serve(ctx, l)
}

func who(group string) string {
	if group == "" {
		return "root alone"
	}
	return "root and the group " + group
}

// listen returns the socket that systemd handed over, or a new one.
func (r *runnerOptions) listen(group int) (*net.UnixListener, error) {
	l, err := remote.Inherited()
	if err != nil || l != nil {
		return l, err
	}
	if r.socket == remote.DefaultPath {
		if err := os.MkdirAll(filepath.Dir(r.socket), 0o755); err != nil {
			return nil, err
		}
	}
	return remote.Listen(r.socket, group)
}

func groupOf(name string) (int, error) {
	g, err := user.LookupGroup(name)
	if err != nil {
		if g, err = user.LookupGroupId(name); err != nil {
			if id, number := strconv.Atoi(name); number == nil && id >= 0 {
				return id, nil
			}
			return 0, fmt.Errorf("--group %s: there is no such group", name)
		}
	}
	return strconv.Atoi(g.Gid)
}

func (r *runnerOptions) memoryQuota() (limits.Bytes, error) {
	if r.memory == "auto" {
		var machine syscall.Sysinfo_t
		err := syscall.Sysinfo(&machine)
		return limits.Bytes(machine.Totalram) * limits.Bytes(machine.Unit), err
	}
	size, err := limits.ParseBytes(r.memory)
	if err == nil && size < 64*limits.MiB {
		err = fmt.Errorf("%v is too little for a run", size)
	}
	if err != nil {
		return 0, fmt.Errorf("--memory: %w", err)
	}
	return size, nil
}

// runnerVariable is the environment variable that holds the path of a runner service's socket;
// "none" means that programs run without a service.
const runnerVariable = "TRIBUNAL_RUNNER"

// newRunner returns the runner of programs: the service that the environment names; the service of
// this machine, if this process has no control groups of its own and can connect to it; or else the
// host's own sandbox.
func (eng *engine) newRunner(slots int) (runner.Runner, error) {
	local := runner.NewLocal(eng.host, slots)
	path, named := os.LookupEnv(runnerVariable)
	if path == "none" || !named && (eng.config.Mode != sandbox.Auto || eng.host.Exact()) {
		return local, nil
	}
	if !named {
		path = remote.DefaultPath
	}
	service, err := remote.Dial(path)
	switch {
	case err == nil:
		return service, nil
	case named:
		return nil, usage(fmt.Errorf("%s: %w", runnerVariable, err))
	case !errors.Is(err, os.ErrNotExist):
		eng.std.note("note: programs run without the runner service: %v", err)
	}
	return local, nil
}

// attackable returns the path of the service that the doctor attacks, or "" if this account has
// none.
func attackable() string {
	path, named := os.LookupEnv(runnerVariable)
	switch {
	case path == "none":
		return ""
	case named:
		return path
	}
	service, err := remote.Dial(remote.DefaultPath)
	if err != nil {
		return ""
	}
	service.Close()
	return remote.DefaultPath
}
