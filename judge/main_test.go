package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/packages/checktestdata"
)

// TestMain makes the test binary act as the processes that the judge starts from its own binary,
// the init process of a sandbox among them, and as the command judge, which tests run.
func TestMain(m *testing.M) {
	doctor.Attack()
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	commands := map[string]func(){"judge": main, "peak": peak}
	if command := commands[filepath.Base(os.Args[0])]; command != nil {
		command()
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "judge-commands-")
	if err == nil {
		err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	own, ownErr := os.Executable()
	err = errors.Join(err, ownErr)
	for name := range commands { // links, because a copy has 40 MB, and the temporary folder may be small
		err = errors.Join(err, os.Symlink(own, filepath.Join(dir, name)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}
