package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner/remote"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
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
		Short: "Run programs in sandboxes for users without privileges",
		Long: `Run a service that runs programs in sandboxes for other users of this machine.
A user who has no control groups cannot measure exactly without it. Their judge finds
the service by its socket. The service must run as root, usually under systemd
(docs/runner.md).

Root and members of --group may connect. On SIGTERM the service stops all runs and exits,
with status 0.`,
		Example: "  judge runner --group judges\n  judge runner --socket /run/tribunal/runner.sock --group judges --runs 2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("runner takes no arguments, found %q (hint: judge runner --help)", args[0]))
			}
			return r.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.socket, "socket", remote.DefaultPath, "`path` of the socket, unless systemd passes one")
	f.StringVar(&r.group, "group", "", "`group` whose members may connect, in addition to root")
	f.IntVar(&r.quota.Runs, "runs", sandbox.DefaultSlots(), "`number` of programs at a time for one user")
	f.IntVar(&r.quota.Connections, "connections", 2*sandbox.DefaultSlots(), "largest `number` of open connections of one user")
	f.Lookup("runs").DefValue, f.Lookup("connections").DefValue = "the CPUs", "twice the CPUs" // the help is the same everywhere
	f.StringVar(&r.memory, "memory", "auto", "memory `limit` for all runs of one user together; auto means the memory of this machine")
	f.StringArrayVar(&r.show, "show", nil, "`pattern` of files and folders that sandboxes may see, instead of the toolchains; may be repeated")
	return cmd
}

func (r *runnerOptions) run(ctx context.Context) (err error) {
	if os.Geteuid() != 0 {
		return usage(errors.New("the runner must run as root (hint: docs/runner.md has units for systemd)"))
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
		return fmt.Errorf("%w: the runner service needs control groups: %v", sandbox.ErrMode, host.Notes())
	}
	l, err := r.listen(group)
	if err != nil {
		return err
	}
	r.std.note("runner: listening on %s, for %s", l.Addr(), clients(r.group))
	return remote.NewService(host, group, r.quota, r.show).Serve(ctx, l)
}

// clients returns a phrase that names the accounts that may connect.
func clients(group string) string {
	if group == "" {
		return "root only"
	}
	return "root and the group " + group
}

// listen returns the socket that systemd passed, or else a new one.
func (r *runnerOptions) listen(group int) (*net.UnixListener, error) {
	l, err := remote.Inherited()
	if err != nil || l != nil {
		return l, err
	}
	if r.socket == remote.DefaultPath {
		dir := filepath.Dir(r.socket)
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			err = os.Chmod(dir, 0o755) // the umask of root must not keep clients out, who have other accounts
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return remote.Listen(r.socket, group)
}

// groupOf returns the id of a group that is given by its name or id.
func groupOf(name string) (int, error) {
	g, err := user.LookupGroup(name)
	if err != nil {
		if g, err = user.LookupGroupId(name); err != nil {
			if id, number := strconv.Atoi(name); number == nil && id >= 0 {
				return id, nil
			}
			return 0, fmt.Errorf("--group %s: no such group", name)
		}
	}
	return strconv.Atoi(g.Gid)
}

// memoryQuota returns the value of --memory.
func (r *runnerOptions) memoryQuota() (limits.Bytes, error) {
	if r.memory == "auto" {
		size, err := system.Memory()
		return limits.Bytes(size), err
	}
	size, err := limits.ParseBytes(r.memory)
	if err == nil && size < 64*limits.MiB {
		err = fmt.Errorf("%v is too little (hint: give at least 64MiB)", size)
	}
	if err != nil {
		return 0, fmt.Errorf("--memory: %w", err)
	}
	return size, nil
}

// serviceToAttack returns the path of the socket of the runner service that judge doctor attacks,
// or "" if this account can use none.
func serviceToAttack() string {
	path, named := os.LookupEnv(engine.RunnerVariable)
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
