package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"tribunal/judge/cli/report"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tty"
)

// writeData writes an input or a picture to the file of the flag -o, or to standard output if file
// is "".
func (o *options) writeData(file string, data []byte) error {
	if file == "" {
		return tty.Data(o.std.out, data)
	}
	return writeFile("-o", file, data)
}

// writeFile writes the file that a flag names. It replaces a regular file atomically, but writes
// into an existing symbolic link, pipe or device.
func writeFile(flag, file string, text []byte) error {
	write := os.WriteFile
	if info, err := os.Lstat(file); err != nil || info.Mode().IsRegular() {
		write = system.WriteFile
	}
	return unwritable(flag, write(file, text, 0o644))
}

// checkFile returns an error if the file that a flag names cannot be written. Commands call it
// before they start any work. It does not change the file, and accepts an empty name.
func checkFile(flag, file string) error {
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
	return usage(fmt.Errorf("%s: %w (hint: name a file that can be written)", flag, err))
}

// checkSave returns an error if a case with this name cannot be added to the problem. Commands call
// it before they start any work.
func checkSave(p *problem.Problem, name string) error {
	set, err := p.Read()
	if err == nil {
		_, err = set.Append(p.Root, cases.Case{Name: name, Input: new(string)})
	}
	return err
}

// save adds a case to the problem and regenerates its output, like judge regen --case. If that
// fails, save restores the case file.
func save(ctx context.Context, eng *engine.Engine, o *options, p *problem.Problem, c cases.Case) error {
	set, err := p.Read()
	if err != nil {
		return err
	}
	edit, err := set.Append(eng.Root, c)
	if err != nil {
		return err
	}
	if err := cases.Replace(eng.Root, p.ID, []cases.Edit{edit}); err != nil {
		return err
	}
	r := &regenOptions{options: o, globs: []string{c.Name}}
	done := report.Regeneration{Mode: report.Write, Problem: p.ID}
	if done.Plan, done.Err = r.regenerate(ctx, eng, p); done.Err == nil {
		return report.Regenerated(o.std.err, report.Usual, done)
	}
	err = errors.Join(done.Err, unsave(eng.Root, p, edit))
	if code := r.exitCode(done); code != exitFailed && ctx.Err() == nil {
		o.std.printError(err)
		return status(code)
	}
	return err
}

// unsave reverts an edit of a case file.
func unsave(root string, p *problem.Problem, written cases.Edit) error {
	if written.Old == nil {
		return os.Remove(written.Path)
	}
	written.Old, written.Text = written.Text, written.Old
	return cases.Replace(root, p.ID, []cases.Edit{written})
}
