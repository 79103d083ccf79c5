//go:build linux

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// writeControl writes a control file with as few system calls as possible.
func writeControl(dir, name, text string) error {
	fd, err := unix.Open(dir+"/"+name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: dir + "/" + name, Err: err}
	}
	defer unix.Close(fd)
	for {
		_, err = unix.Write(fd, []byte(text))
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return &os.PathError{Op: "write", Path: dir + "/" + name, Err: err}
	}
	return nil
}

// readSmall returns the first 4 KiB of a control file or a file of /proc. All files read with it
// are smaller.
func readSmall(dir, name string) ([]byte, error) {
	fd, err := unix.Open(dir+"/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: dir + "/" + name, Err: err}
	}
	defer unix.Close(fd)
	buf := make([]byte, 4096)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: dir + "/" + name, Err: err}
	}
	return buf[:n], nil
}

func number(dir, name string) (int64, error) {
	text, err := readSmall(dir, name)
	if err != nil {
		return 0, err
	}
	return parseNumber(text)
}

func parseNumber(text []byte) (int64, error) {
	return strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
}

// field reads one value of a control file made of "name value" lines.
func field(dir, name, key string) (int64, error) {
	text, err := readSmall(dir, name)
	if err != nil {
		return 0, err
	}
	return parseField(text, dir+"/"+name, key)
}

func parseField(text []byte, name, key string) (int64, error) {
	for line := range strings.Lines(string(text)) {
		if k, v, _ := strings.Cut(strings.TrimSpace(line), " "); k == key {
			return strconv.ParseInt(v, 10, 64)
		}
	}
	return 0, fmt.Errorf("%s has no %s", name, key)
}

// controlFile names a control file to keep open.
type controlFile struct {
	to   **os.File
	dir  string
	name string
	flag int
}

// openControls opens the files. If one fails, those opened before it stay open.
func openControls(files []controlFile) error {
	for _, f := range files {
		var err error
		if *f.to, err = os.OpenFile(filepath.Join(f.dir, f.name), f.flag, 0); err != nil {
			return err
		}
	}
	return nil
}

// reread reads the beginning of the current content of an open control file, in one call: the kernel
// would compute the content again for a second one, with which os.File.ReadAt looks for the end.
func reread(f *os.File, into []byte) ([]byte, error) {
	for {
		n, err := unix.Pread(int(f.Fd()), into, 0)
		if err == nil {
			return into[:n], nil
		}
		if !errors.Is(err, unix.EINTR) {
			return nil, &os.PathError{Op: "read", Path: f.Name(), Err: err}
		}
	}
}

func readNumber(f *os.File) (int64, error) {
	var buf [32]byte
	text, err := reread(f, buf[:])
	if err != nil {
		return 0, err
	}
	return parseNumber(text)
}

func readField(f *os.File, key string) (int64, error) {
	var buf [256]byte
	text, err := reread(f, buf[:])
	if err != nil {
		return 0, err
	}
	return parseField(text, f.Name(), key)
}
