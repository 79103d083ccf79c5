package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/pkgformat"
)

// options holds the state that all commands share.
type options struct {
	std      stdio
	root     string
	packages pkgformat.Options           // how packages are opened; Scratch is that of the engine
	reports  map[*cobra.Command]*reports // the requested reports, by command
}

// rootVariable is the environment variable with the default of --root.
const rootVariable = "TRIBUNAL_ROOT"

// findRoot returns the folder of the repository: the value of --root or of rootVariable, or else the
// nearest folder that holds problems/, from the working folder upwards.
func (o *options) findRoot() (string, error) {
	for _, named := range []struct{ by, root string }{{"--root ", o.root}, {rootVariable + "=", os.Getenv(rootVariable)}} {
		if named.root == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(named.root, "problems")); err != nil || !info.IsDir() {
			return "", usage(fmt.Errorf("%s%s: holds no problems/ folder (hint: name the folder above it, or make a repository with judge init)", named.by, named.root))
		}
		return named.root, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for above := dir; ; above = filepath.Dir(above) {
		if info, err := os.Stat(filepath.Join(above, "problems")); err == nil && info.IsDir() {
			// Relative paths keep messages short.
			if rel, err := filepath.Rel(dir, above); err == nil {
				return rel, nil
			}
			return above, nil
		}
		if above == filepath.Dir(above) {
			return "", usage(errors.New("no problems/ folder here or above (hint: run judge inside a repository, name one with --root, or make one with judge init)"))
		}
	}
}

// checkSlots returns an error if the flag --slots is out of range.
func checkSlots(cmd *cobra.Command, slots int) error {
	if slots < 0 || slots > 1024 || cmd.Flags().Changed("slots") && slots == 0 {
		return usage(fmt.Errorf("--slots %d: want a number from 1 to 1024", slots))
	}
	return nil
}
