package system

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func times(s *syscall.Stat_t) (modified, changed int64) { return s.Mtim.Nano(), s.Ctim.Nano() }

// ThreadTime returns the CPU time that the calling thread has used.
func ThreadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	_ = syscall.Getrusage(thread, &u) // cannot fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Exchange exchanges two files or folders in one step.
func Exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// Touch sets the times of an open folder to the present.
func Touch(folder *os.File) {
	now := unix.NsecToTimeval(time.Now().UnixNano())
	_ = unix.Futimes(int(folder.Fd()), []unix.Timeval{now, now})
}

// sharedFileSystems names, by the magic number of statfs(2), the file systems whose files others may
// change without the kernel of this machine: over a network, outside of a virtual machine, or below a
// program.
var sharedFileSystems = map[uint32]string{
	0x65735546: "FUSE", 0x01021997: "9p", 0x6969: "NFS", 0x517b: "SMB", 0xfe534d42: "SMB", 0xff534d42: "CIFS",
	0x5346414f: "AFS", 0x00c36400: "Ceph", 0x786f4256: "vboxsf", 0xbacbacbc: "vmhgfs", 0x47504653: "GPFS", 0x0bd00bd0: "Lustre",
}

// SharedFileSystem returns the kind of the file system of a file if others may change its files without the
// kernel of this machine; else, or if it is not known, "".
func SharedFileSystem(path string) string {
	var fs unix.Statfs_t
	if unix.Statfs(path, &fs) != nil {
		return ""
	}
	return sharedFileSystems[uint32(fs.Type)]
}

// CopyMapped writes a part of one file to another by way of a map, in which only the kernel reads: that
// takes half the time of reading and writing. If n is 0 without an error, the part must be read and
// written instead.
func CopyMapped(to, from *os.File, at int64, size int) (n int, err error) {
	window, err := unix.Mmap(int(from.Fd()), at, size, unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return 0, nil
	}
	n, err = to.Write(window)
	if unmapped := unix.Munmap(window); err == nil {
		err = unmapped
	}
	return n, err
}

func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// Alone makes a command run without a network, as the user id of a user namespace.
func Alone(cmd *exec.Cmd, id int) error {
	cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id, HostID: os.Geteuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: id, HostID: os.Getegid(), Size: 1}}
	return nil
}

// ErrLibrary is the error of starting a program whose file names a loader that is none.
const ErrLibrary = syscall.ELIBBAD

// Reopen opens an open file once more, with a position of its own, whatever has become of its name.
func Reopen(f *os.File) (*os.File, error) {
	return os.Open("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
}

// Root returns an os.Root for an open folder, even if the folder's name means another file by now.
// The caller must still close the folder.
func Root(folder *os.File) (*os.Root, error) {
	return os.OpenRoot("/proc/self/fd/" + strconv.Itoa(int(folder.Fd())))
}

// Executable opens the executable of this process, even after its file was replaced.
func Executable() (*os.File, error) { return os.Open("/proc/self/exe") }

// Machine returns a text that changes with the kernel and the first CPU of this machine.
func Machine() (string, error) {
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "", err
	}
	info, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "", err
	}
	defer info.Close()
	return string(kernel) + cpuModel(info), nil
}

// cpuModel returns the lines of /proc/cpuinfo that identify the first CPU, on x86 and on ARM. Other
// lines change, such as the current frequency. It stops reading after the first CPU, because the
// kernel produces only the lines that are read.
func cpuModel(info io.Reader) string {
	var model strings.Builder
	lines := bufio.NewScanner(info)
	for lines.Scan() && lines.Text() != "" {
		name, value, _ := strings.Cut(lines.Text(), ":")
		switch name = strings.TrimSpace(name); name {
		case "vendor_id", "cpu family", "model", "model name", "stepping",
			"CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision":
			model.WriteString(name + ":" + value + "\n")
		}
	}
	return model.String()
}
