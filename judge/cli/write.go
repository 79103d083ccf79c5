package cli

import (
	"fmt"
	"os"
	"syscall"

	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tty"
)

// WriteData writes an input or a picture to the file of the flag -o, or to standard output if file
// is "".
func (o *App) WriteData(file string, data []byte) error {
	if file == "" {
		return tty.Data(o.Std.Out, data)
	}
	return WriteFile("-o", file, data)
}

// WriteFile writes the file that a flag names. It replaces a regular file atomically, but writes
// into an existing symbolic link, pipe or device.
func WriteFile(flag, file string, text []byte) error {
	write := os.WriteFile
	if info, err := os.Lstat(file); err != nil || info.Mode().IsRegular() {
		write = system.WriteFile
	}
	return unwritable(flag, write(file, text, 0o644))
}

// CheckFile returns an error if the file that a flag names cannot be written. Commands call it
// before they start any work. It does not change the file, and accepts an empty name.
func CheckFile(flag, file string) error {
	if file == "" {
		return nil
	}
	switch info, err := os.Stat(file); {
	case err == nil && info.IsDir():
		return unwritable(flag, &os.PathError{Op: "open", Path: file, Err: syscall.EISDIR})
	case err == nil && !info.Mode().IsRegular():
		return nil // do not open it: the reader of a pipe would notice
	}
	pending, err := system.NewPendingFile(file)
	if err == nil {
		err = pending.Cleanup()
	}
	return unwritable(flag, err)
}

// unwritable adds the flag and a hint to an error of writing a file.
func unwritable(flag string, err error) error {
	if err == nil {
		return nil
	}
	return Usage(fmt.Errorf("%s: %w (hint: name a file that can be written)", flag, err))
}
