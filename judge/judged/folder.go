package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"syscall"

	"tribunal/judge/internal/system"
)

// usable returns an error unless this user can write everything in a data folder. The NATS server would skip what
// it cannot write, as if that had never been there.
func usable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir():
			if err = system.Writable(path); err != nil {
				err = &fs.PathError{Op: "write", Path: path, Err: bare(err)}
			}
		case d.Type().IsRegular():
			var f *os.File
			if f, err = os.OpenFile(path, os.O_RDWR, 0); err == nil {
				err = f.Close()
			}
		}
		if err == nil {
			return nil
		}
		hint := "give a folder that this user may write"
		if me, e := user.Current(); e == nil && errors.Is(err, fs.ErrPermission) {
			hint = fmt.Sprintf("everything in it belongs to whom judged runs as: chown -R %s %s", me.Username, dir)
		}
		return usage(fmt.Errorf("--data: %w (hint: %s)", err, hint))
	})
}

// bare returns the system's error without the operation and the path.
func bare(err error) error {
	if n, ok := errors.AsType[syscall.Errno](err); ok {
		return n
	}
	return err
}
