package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/criyle/go-sandbox/container"
	"github.com/criyle/go-sandbox/pkg/forkexec"
	"github.com/criyle/go-sandbox/pkg/mount"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

const (
	workDir  = "/w" // where programs start, unless the Spec has a Dir: an empty tmpfs
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
var deviceLinks = []container.SymbolicLink{
	{LinkPath: "/dev/fd", Target: "/proc/self/fd"},
	{LinkPath: "/dev/stdin", Target: "/proc/self/fd/0"},
	{LinkPath: "/dev/stdout", Target: "/proc/self/fd/1"},
	{LinkPath: "/dev/stderr", Target: "/proc/self/fd/2"},
}

// containerBox is a pre-forked container of go-sandbox.
type containerBox struct {
	host        *Host
	spec        Spec
	file        limits.Bytes          // largest size of one file; 0 is no limit
	env         container.Environment // the running container; nil after a failure, and the next run starts a new one
	init        int                   // process number of the container's init; 0 before the first run
	temp        []tempFolder          // the temporary folders, opened at the first run
	cpus        []int                 // the CPUs that the init is pinned to
	group       group                 // the programs' control group; nil without cgroups
	bornInGroup bool                  // programs are born in their group, under a filter of their own
	line        *initLine             // the connection to the init
	deny        *denials              // reports of denied calls; nil if the kernel sends none

	account jailAccount // the programs' account when the judge is root
}

func (h *Host) newContainer(spec Spec) (Box, error) {
	b := &containerBox{host: h, spec: spec}
	if spec.Folder.Path != "" {
		b.file = fileSize // the files left in the Folder are copied out
	}
	if err := b.start(); err != nil {
		return nil, err
	}
	return b, nil
}

// start starts the container.
func (b *containerBox) start() error {
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
	builder := container.Builder{
		Root:          b.host.root(),
		Mounts:        inside.Mounts,
		SymbolicLinks: links,
		WorkDir:       cmp.Or(b.spec.Dir, workDir),
		HostName:      jailName,
		DomainName:    jailName,
	}
	b.bornInGroup = b.host.groups != nil && b.host.groups.v2
	if b.bornInGroup {
		// If the init had a cgroup namespace, the groups of the runs would lie outside of it, and
		// the kernel would not let the init put children there. So the init has none, and every
		// program gets one of its own just before its execve, with the program's group as its root.
		builder.HostName = birthName
		builder.CloneFlags = forkexec.UnshareFlags &^ unix.CLONE_NEWCGROUP
		builder.UnshareCgroupBeforeExec = true
	}
	if b.host.noFilter {
		builder.HostName = openName
	}
	if os.Geteuid() == 0 {
		b.account = newAccount()
		builder.CredGenerator = b.account
	}
	line, end, err := newInitLine()
	if err != nil {
		return fmt.Errorf("container: %w", err)
	}
	b.line, builder.Stderr = line, end
	var env container.Environment
	if err = requireDescriptors(end, startFiles); err == nil {
		env, err = builder.Build()
	}
	end.Close()
	if err != nil {
		if errors.Is(err, unix.EBADF) {
			err = fmt.Errorf("%w: %w", err, unix.EMFILE) // EBADF is what dup3 returns for a number above the limit
		}
		err = b.line.lastWords(asStarved(err))
		b.line.close()
		return fmt.Errorf("container: %w", err)
	}
	b.env = env
	if b.host.groups != nil {
		b.group = b.host.groups.group()
	}
	if !b.host.noFilter {
		err := awaitSeal(env)
		var listener *os.File
		if err == nil {
			listener, err = b.line.receiveListener()
		}
		if err != nil {
			err = b.line.lastWords(err)
			b.Close()
			return fmt.Errorf("container: %w", err)
		}
		if listener != nil {
			b.deny = listenForDenials(listener)
		}
	}
	return nil
}

// asStarved turns the timeout of a request to an init into a [StarvedError]: an init that does not
// answer for seconds has no CPU. It returns other errors as they are.
func asStarved(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w (%w)", &StarvedError{}, err)
	}
	return err
}

func (b *containerBox) Path(inside string) string { return inside }

func (b *containerBox) Remains() (*Remains, error) {
	dir := b.dir(b.spec.Folder.Path)
	if dir == nil {
		return nil, errors.New("container: no run has left anything")
	}
	return NewRemains(dir, b.spec.Folder.Path), nil
}

// Tidy removes what the last run left behind. Without it, the next run does that first.
func (b *containerBox) Tidy() {
	if b.env != nil && !b.clean() {
		b.Close()
	}
}

func (b *containerBox) Close() error {
	if b.env == nil {
		return nil
	}
	closeTemp(b.temp)
	err := b.env.Destroy()
	if b.group != nil {
		b.group.close()
	}
	b.line.close()
	b.deny.close()
	b.env, b.init, b.temp, b.cpus, b.group, b.line, b.deny = nil, 0, nil, nil, nil, nil, nil
	return err
}

// learnInit is called with each program that is about to start. At the first one of a container it
// finds the container's init, the program's parent, and opens the temporary folders, which are
// still empty.
func (b *containerBox) learnInit(pid int) error {
	if b.init != 0 {
		return nil
	}
	stat, err := readStat(pid)
	if err != nil {
		return fmt.Errorf("the program: %w", err)
	}
	if b.temp, err = openTemp(fmt.Sprintf("/proc/%d/root", stat.parent), b.spec.temporaries()); err != nil {
		return fmt.Errorf("temporary folders: %w", err)
	}
	b.init = stat.parent
	return nil
}

// clean empties the temporary folders if the last run left something in them. It returns false if
// that fails and the container must be thrown away.
func (b *containerBox) clean() bool {
	state := pristine
	for i := range b.temp {
		state = max(state, b.temp[i].state())
	}
	switch state {
	case pristine:
		return true
	case spoilt:
		return false
	}
	if err := b.env.Reset(); err != nil {
		return false
	}
	for i := range b.temp {
		if !b.temp[i].renew() {
			return false
		}
	}
	return true
}

// pin pins a run to its CPUs, and the container's init with it: then programs are born on the right
// CPU and need not be moved while they wait to start.
func (b *containerBox) pin(pid int, cpus []int) error {
	if !slices.Equal(b.cpus, cpus) {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", b.init))
		for _, t := range threads {
			if tid, err := strconv.Atoi(t.Name()); err == nil {
				_ = pin(tid, cpus) // a thread may be gone; the run itself is pinned below
			}
		}
		b.cpus = slices.Clone(cpus)
	}
	return pin(pid, cpus)
}

// startFiles is more than the number of descriptors that starting a container takes.
const startFiles = 16

// requireDescriptors returns an error if this process cannot open n more descriptors, which it
// tries with copies of f. When the fork of a child in a new user namespace fails, Go's syscall
// package does not close that child's pipe; so every attempt without a free descriptor would leak
// two.
func requireDescriptors(f *os.File, n int) error {
	list := make([]int, 0, n)
	defer func() {
		for _, fd := range list {
			unix.Close(fd)
		}
	}()
	for range n {
		fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return err
		}
		list = append(list, fd)
	}
	return nil
}
