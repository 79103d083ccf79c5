//go:build linux

package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/criyle/go-sandbox/pkg/mount"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

const (
	tempSize = 256 * limits.MiB
	// tempFiles is how many files a temporary folder may hold: more than any program needs, and
	// few enough to remove quickly.
	tempFiles = 1 << 16
)

// procOptions make /proc show a program its own processes and nothing else: neither the container's
// init nor anything about the machine. They need Linux 5.8.
const procOptions = "hidepid=invisible,subset=pid"

var devices = []string{"null", "zero", "full", "random", "urandom"}

// deviceLinks are the links in /dev that programs expect beside the devices.
var deviceLinks = []link{
	{"/dev/fd", "/proc/self/fd"},
	{"/dev/stdin", "/proc/self/fd/0"},
	{"/dev/stdout", "/proc/self/fd/1"},
	{"/dev/stderr", "/proc/self/fd/2"},
}

// containerBox is a pre-forked container.
type containerBox struct {
	host     *Host
	spec     Spec
	file     limits.Bytes     // largest size of one file; 0 is no limit
	jail     *jail            // the running container; nil after a failure, and the next run starts a new one
	starting chan startedJail // receives the jail between begin and started; nil otherwise
	temp     []tempFolder     // the temporary folders
	ran      bool             // whether a program has begun in this container
	began    bool             // whether the program of the last run may have begun
	cpus     []int            // the CPUs that the init is pinned to
	group    group            // the programs' control group; nil without cgroups
	deny     *denials         // reports of denied calls; nil if the kernel sends none

	account jailAccount // the programs' account when the judge is root
}

func (h *Host) newContainer(spec Spec) (Box, error) {
	b := h.beginContainer(spec)
	if err := b.finish(); err != nil {
		return nil, err
	}
	return b, nil
}

// beginContainer begins to start a container. The caller calls finish or Close.
func (h *Host) beginContainer(spec Spec) *containerBox {
	b := &containerBox{host: h, spec: spec}
	if spec.Folder.Path != "" {
		b.file = max(fileSize, spec.Folder.Size) // files left in the Folder may be copied to a real disk
	}
	b.begin()
	return b
}

// begin starts the init in the background.
func (b *containerBox) begin() {
	accounts := idMaps{fmt.Sprintf("0 %d 1\n", os.Geteuid()), fmt.Sprintf("0 %d 1\n", os.Getegid())}
	if os.Geteuid() == 0 {
		b.account = newAccount()
		own := fmt.Sprintf("%d %d 1\n", programAccount, b.account)
		accounts.uids += own
		accounts.gids += own
	}
	b.starting = make(chan startedJail, 1)
	go func() {
		j, err := startJail(ownNamespaces, accounts)
		b.starting <- startedJail{j, err}
	}()
	runtime.Gosched() // now, because it takes longer than all that the judge can do meanwhile
}

type startedJail struct {
	*jail
	err error
}

// started waits for the init that begin has started.
func (b *containerBox) started() error {
	s := <-b.starting
	b.starting = nil
	if s.err != nil {
		return fmt.Errorf("container: %w", s.err)
	}
	b.jail = s.jail
	return nil
}

func (b *containerBox) start() error {
	b.begin()
	return b.finish()
}

// finish completes the container that begin has started. By now the host's control groups are known.
func (b *containerBox) finish() error {
	if b.host.groups != nil {
		b.group = b.host.groups.group()
	}
	if err := b.setUp(); err != nil {
		b.Close()
		return err
	}
	return nil
}

// setUp lets the init build the container. While the init starts, the judge looks up what to show in it.
func (b *containerBox) setUp() error {
	bornInGroup := b.host.groups != nil && b.host.groups.v2
	inside := mount.NewBuilder()
	for _, name := range devices {
		inside.WithBind("/dev/"+name, "dev/"+name, true) // read-only, but the devices themselves can be written to
	}
	inside.FilterNotExist()
	inside.WithMount(mount.Mount{
		Source: "proc", Target: "proc", FsType: "proc", Data: procOptions,
		Flags: unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_RDONLY,
	})
	for _, dir := range b.spec.temporaries() {
		size, mode := cmp.Or(b.spec.Temp, tempSize), "1777"
		if dir == b.spec.Folder.Path {
			size, mode = b.spec.Folder.Size, fmt.Sprintf("%o", b.spec.Folder.Mode)
		}
		inside.WithTmpfs(strings.TrimPrefix(dir, "/"), fmt.Sprintf("mode=%s,size=%d,nr_inodes=%d", mode, size, tempFiles))
	}
	links, err := showHost(inside, b.spec.Mounts)
	if err != nil {
		return err
	}
	to := setup{
		Root:        b.host.root(),
		Mounts:      inside.Mounts,
		Links:       links,
		Dir:         cmp.Or(b.spec.Dir, workDir),
		Temporaries: b.spec.temporaries(),
		Locked:      b.spec.locked(),
		Unshare:     bornInGroup,
	}
	if os.Geteuid() == 0 {
		to.Account = programAccount
	}
	if !b.host.noFilter {
		if to.Filter, to.Second, err = jailFilters(bornInGroup); err != nil {
			return fmt.Errorf("system call filter: %w", err)
		}
	}
	if err := b.started(); err != nil {
		return err
	}
	listener, err := b.jail.setUp(to)
	if listener != nil {
		b.deny = listenForDenials(listener)
	}
	if err == nil {
		b.temp, err = openTemp(b.jail.pid(), b.spec)
	}
	if err != nil {
		return fmt.Errorf("container: %w", err)
	}
	return nil
}

// ownNamespaces are the namespaces in which an init starts. A cgroup namespace follows, see [setup].
const ownNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

func (b *containerBox) Path(inside string) string { return inside }

func (b *containerBox) Remains() (*Remains, error) {
	dir := b.dir(b.spec.Folder.Path)
	if dir == nil || !b.ran {
		return nil, errors.New("container: no run has left anything")
	}
	return NewRemains(dir, b.spec.Folder.Path), nil
}

// Tidy removes what the last run left behind. Without it, the next run does that first.
func (b *containerBox) Tidy() {
	if b.jail == nil {
		return
	}
	// Without cgroups, measure cannot see a peak of a program below that of the init, which a large
	// request has raised for good.
	swollen := b.group == nil && b.jail.largest() > largeRequest
	if swollen || !b.clean() {
		b.Close()
	}
}

func (b *containerBox) Close() error {
	if b.starting != nil {
		_ = b.started() // without a jail nothing is left
	}
	if b.jail == nil {
		return nil
	}
	closeTemp(b.temp)
	err := b.jail.close()
	if b.group != nil {
		b.group.close()
	}
	b.deny.close()
	b.jail, b.temp, b.ran, b.cpus, b.group, b.deny = nil, nil, false, nil, nil, nil
	return err
}

// clean empties the temporary folders if the last run left something in them, and renews them in any
// case. It returns false if that fails and the container must be thrown away.
func (b *containerBox) clean() bool {
	state := pristine
	for i := range b.temp {
		state = max(state, b.temp[i].state())
	}
	if state == spoilt || state == used && b.jail.empty() != nil {
		return false
	}
	for i := range b.temp {
		if !b.temp[i].renew() {
			return false
		}
	}
	return true
}

// largeRequest is a size of a request that adds little to the memory of an init.
const largeRequest = limits.MiB

// pin pins a run to its CPUs, and the container's init with it: then programs are born on the right
// CPU and need not be moved while they wait to start.
func (b *containerBox) pin(pid int, cpus []int) error {
	if !slices.Equal(b.cpus, cpus) {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", b.jail.pid()))
		for _, t := range threads {
			if tid, err := strconv.Atoi(t.Name()); err == nil {
				_ = pin(tid, cpus) // a thread may be gone; the run itself is pinned below
			}
		}
		b.cpus = slices.Clone(cpus)
	}
	return pin(pid, cpus)
}
