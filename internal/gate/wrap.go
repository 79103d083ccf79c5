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
	pkg, err := packageHere()
	if err == nil {
		os.Setenv(tallyVariable, filepath.Join(os.Getenv(talliesVariable), strings.ReplaceAll(pkg, "/", "+")))
		os.Unsetenv(talliesVariable)
		os.Unsetenv("GOTMPDIR") // the go command's; folders of tests belong where TMPDIR says
		err = syscall.Exec(args[0], args, os.Environ())
	}
	fmt.Fprintf(os.Stderr, "gate: %v\n", err)
	return 2
}

// packageHere returns the path of the working folder below the nearest folder that has a go.mod.
func packageHere() (string, error) {
	here, err := os.Getwd()
	for dir := here; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Rel(dir, here)
		}
	}
	return here, err
}
