package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	// wrapped is the command with which go test -exec starts a test binary.
	wrapped = "exec"
	// talliesVariable names the folder for the tallies of all packages, and tallyVariable the file of one: see package
	// tally, which this package must not depend on.
	talliesVariable = "GATE_TALLIES"
	tallyVariable   = "TRIBUNAL_TALLY"
)

// wrap replaces this process by a test binary that counts what it costs. go test starts it in the folder of the package.
func wrap(args []string) int {
	here, err := os.Getwd()
	if err == nil {
		name := strings.ReplaceAll(strings.TrimPrefix(here, above(here)+"/"), "/", "+")
		os.Setenv(tallyVariable, filepath.Join(os.Getenv(talliesVariable), name))
		os.Unsetenv(talliesVariable)
		os.Unsetenv("GOTMPDIR") // the go command's; folders of tests belong where TMPDIR says
		err = syscall.Exec(args[0], args, os.Environ())
	}
	fmt.Fprintf(os.Stderr, "gate: %v\n", err)
	return 2
}

// above returns the nearest folder from dir upwards that has a go.mod, or "" if there is none.
func above(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
