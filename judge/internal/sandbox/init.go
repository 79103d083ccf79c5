//go:build linux

package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/mount"
	"golang.org/x/sys/unix"
)

// isInit reports whether this is the first process of a container.
var isInit = os.Getpid() == 1 && len(os.Args) > 1 && os.Args[1] == initName

// init serves the container in the first process of one, and never returns there. So any program
// that imports this package can open containers. It is not called by main because a short grading
// would wait twice for whatever the packages of the judge prepare before main.
func init() {
	if !isInit {
		return
	}
	runtime.LockOSThread() // keeps this on the first thread; only init is sure to run there
	go serveContainer()
	select {} // the first thread must do nothing but wait, see defaultSignals
}

// setup says how an init builds its container.
type setup struct {
	Root        string // an empty folder on which to mount the container's root
	Mounts      []mount.Mount
	Links       []link
	Dir         string   // where programs start
	Temporaries []string // the folders to empty between two runs
	Locked      []string // those of them in which programs can only read
	Account     int      // of the programs; 0 is the init's own
	Filter      []byte   // the system call filter that the init installs and its programs inherit, see encode
	Second      []byte   // the one that each program installs as well
	// Unshare is whether each program gets a cgroup namespace of its own, just before its execve, with
	// its group as the root. Otherwise all programs share that of the init. If an init had one whose
	// programs are born in groups, these would lie outside of it, and the kernel would not let the init
	// put children there.
	Unshare bool
}

// link is a symbolic link to make in a container.
type link struct{ Place, Target string }

// containerInit is the state of an init.
type containerInit struct {
	setup
	line    int    // its end of the socket to the judge
	payload []byte // of the current request
	files   []int  // that came with the current request
	second  *syscall.SockFprog
	program
}

// initSocket is the descriptor by which an init gets its socket.
const initSocket = 3

// jailName is the host name and the domain name of every container.
const jailName = "tribunal-jail"

// lockedFiles is the first of the descriptors by which an init keeps the folders open in which its
// programs can only read. Only through them can these folders be changed.
const lockedFiles = 64

// programAccount is the account of the programs, as the container knows it, if the judge is root.
const programAccount = 1000

// serveContainer serves the judge. The process ends when the judge closes its end of the socket.
//
// The loop makes its system calls without telling the runtime: letting go of the only processor and
// getting it back around each call would wake the runtime's monitor, which costs a tenth of a short
// run. Only a long wait for the next request is made known, so that an idle container sleeps.
func serveContainer() {
	runtime.LockOSThread()
	c := &containerInit{line: initSocket, payload: make([]byte, 0, 16<<10)}
	unix.Umask(umask)
	defaultSignals()
	wait := unix.NsecToTimeval(holdProcessor.Nanoseconds())
	err := errors.Join(closeOnExec(), unix.SetsockoptTimeval(c.line, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait))
	for err == nil {
		var kind uint32
		if kind, err = c.receive(); err != nil {
			break
		}
		switch kind {
		case setupRequest:
			listener, failed := c.build()
			err = c.answer(failed, listener)
		case emptyRequest:
			err = c.answer(c.empty(), -1)
		case runRequest:
			err = c.run()
		case goRequest, stopRequest: // for a child that was killed before it could read it
		default:
			err = fmt.Errorf("request %d is unknown", kind)
		}
	}
	if err != io.EOF {
		fmt.Fprintln(os.Stderr, "init:", err)
	}
	os.Exit(1)
}

// closeOnExec keeps the descriptors of this process from its programs, also those that the judge was
// started with.
func closeOnExec() error {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, entry := range list {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			return err
		}
		unix.CloseOnExec(fd)
	}
	return nil
}

// holdProcessor is how long the init waits for a request before it releases the processor.
const holdProcessor = 5 * time.Millisecond

// receive reads the next request. The error is io.EOF if the judge has closed the socket.
func (c *containerInit) receive() (kind uint32, err error) {
	var header [headerSize]byte
	c.files = nil
	var control [256]byte
	n, size, flags, err := c.read(header[:], control[:])
	if err != nil {
		return 0, err
	}
	if n < headerSize {
		return 0, io.ErrUnexpectedEOF
	}
	kind = binary.NativeEndian.Uint32(header[:])
	length := int(binary.NativeEndian.Uint32(header[4:]))
	c.payload = slices.Grow(c.payload[:0], length)[:length]
	for rest := c.payload; len(rest) > 0; {
		n, _, _, err := c.read(rest, nil)
		if err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	c.stage, c.errno = stageNone, 0
	if flags&unix.MSG_CTRUNC != 0 {
		c.stage, c.errno = stageReceive, unix.EMFILE
	}
	messages, err := unix.ParseSocketControlMessage(control[:size])
	if err != nil {
		return 0, err
	}
	for _, m := range messages {
		if c.files, err = unix.ParseUnixRights(&m); err != nil {
			return 0, err
		}
	}
	return kind, nil
}

// read receives what has arrived, and waits if nothing has.
func (c *containerInit) read(into, control []byte) (n, size, flags int, err error) {
	piece := unix.Iovec{Base: &into[0]}
	piece.SetLen(len(into))
	message := unix.Msghdr{Iov: &piece}
	message.SetIovlen(1)
	for {
		if control != nil {
			message.Control = &control[0]
			message.SetControllen(len(control))
		}
		r, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(c.line), uintptr(unsafe.Pointer(&message)), unix.MSG_CMSG_CLOEXEC)
		switch errno {
		case 0:
			if r == 0 {
				return 0, 0, 0, io.EOF
			}
			return int(r), int(message.Controllen), int(message.Flags), nil
		case unix.EAGAIN:
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(c.line), Events: unix.POLLIN}}, -1)
		case unix.EINTR:
		default:
			return 0, 0, 0, errno
		}
	}
}

func (c *containerInit) send(r *reply, text string, file int) error {
	var buf [replySize]byte
	r.text = uint32(len(text))
	r.encode(&buf)
	var rights []byte
	if file >= 0 {
		rights = unix.UnixRights(file)
	}
	return unix.Sendmsg(c.line, append(buf[:], text...), rights, nil, unix.MSG_NOSIGNAL)
}

// answer replies to a request other than a run, and closes file unless it is -1.
func (c *containerInit) answer(failed error, file int) error {
	r := reply{kind: doneReply}
	text := ""
	if failed != nil {
		r.kind, text = failedReply, failed.Error()
		if errno, ok := errors.AsType[unix.Errno](failed); ok {
			r.errno = uint32(errno)
			text = strings.TrimSuffix(text, ": "+errno.Error())
		}
	}
	err := c.send(&r, text, file)
	if file >= 0 {
		unix.Close(file)
	}
	return err
}

// build builds the container and installs its filter. It returns the descriptor that reports denied
// calls, -1 for none.
func (c *containerInit) build() (listener int, err error) {
	if err := json.Unmarshal(c.payload, &c.setup); err != nil {
		return -1, err
	}
	if !c.Unshare {
		if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil { // of this thread, which starts all programs
			return -1, fmt.Errorf("cgroup namespace: %w", err)
		}
	}
	if err := c.mountRoot(); err != nil {
		return -1, err
	}
	if err := errors.Join(unix.Sethostname([]byte(jailName)), unix.Setdomainname([]byte(jailName))); err != nil {
		return -1, fmt.Errorf("host name: %w", err)
	}
	if err := c.lock(); err != nil {
		return -1, err
	}
	if err := os.Chdir(c.Dir); err != nil {
		return -1, err
	}
	// What follows is inherited by every program.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return -1, fmt.Errorf("privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noPrivileges, 0, 0, 0); err != nil {
		return -1, fmt.Errorf("privileges: %w", err)
	}
	if len(c.Second) > 0 {
		c.second = decode(c.Second).SockFprog()
	}
	if len(c.Filter) == 0 {
		return -1, nil
	}
	listener, err = seal(decode(c.Filter))
	if err != nil {
		return -1, fmt.Errorf("system call filter: %w", err)
	}
	return listener, nil
}

// noPrivileges are the secure bits, see capabilities(7), by which no execve gives capabilities to
// user 0 and no change of the user takes them away: they are dropped explicitly.
const noPrivileges = 1<<0 | 1<<1 | // SECBIT_NOROOT, locked
	1<<2 | 1<<3 | // SECBIT_NO_SETUID_FIXUP, locked
	1<<5 // SECBIT_KEEP_CAPS, locked as it is

// mountRoot mounts the container's file systems and makes them the root, read-only but for the
// temporary folders.
func (c *containerInit) mountRoot() error {
	if err := unix.Mount("tmpfs", c.Root, "tmpfs", 0, ""); err != nil {
		return fmt.Errorf("mount /: %w", err)
	}
	if err := os.Chdir(c.Root); err != nil {
		return err
	}
	for _, m := range c.Mounts {
		if err := m.Mount(); err != nil {
			return fmt.Errorf("mount %s: %w", m.Target, err)
		}
	}
	const old = "old_root"
	if err := os.Mkdir(old, 0o755); err != nil {
		return err
	}
	if err := unix.PivotRoot(c.Root, old); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(old, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the old root: %w", err)
	}
	if err := os.Remove(old); err != nil {
		return err
	}
	for _, l := range c.Links {
		if err := os.MkdirAll(filepath.Dir(l.Place), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(l.Target, l.Place); err != nil {
			return err
		}
	}
	if err := unix.Mount("tmpfs", "/", "tmpfs", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOATIME|unix.MS_NOSUID, ""); err != nil {
		return fmt.Errorf("mount / read-only: %w", err)
	}
	return nil
}

// lock covers each folder of Locked with a read-only view of itself.
func (c *containerInit) lock() error {
	for i, name := range c.Locked {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", name, err)
		}
		err = unix.Dup3(fd, lockedFiles+i, unix.O_CLOEXEC)
		unix.Close(fd)
		if err != nil {
			return fmt.Errorf("keep %s open: %w", name, err)
		}
		c.Temporaries[slices.Index(c.Temporaries, name)] = fdPath(lockedFiles + i)
		const flags = unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOATIME
		if err := errors.Join(unix.Mount(name, name, "", unix.MS_BIND, ""), unix.Mount("", name, "", flags, "")); err != nil {
			return fmt.Errorf("mount %s read-only: %w", name, err)
		}
	}
	return nil
}

// empty empties the temporary folders.
func (c *containerInit) empty() error {
	for _, name := range c.Temporaries {
		dir, err := os.Open(name)
		if err != nil {
			return err
		}
		err = emptyFolder(dir)
		dir.Close()
		if err != nil {
			return fmt.Errorf("empty %s: %w", name, err)
		}
	}
	return nil
}
