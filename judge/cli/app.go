package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"tribunal/judge/packages/pkgformat"
)

// App holds the state that all commands share.
type App struct {
	Std      Stdio
	Root     string
	Packages pkgformat.Options           // how packages are opened; Scratch is that of the engine
	Reports  map[*cobra.Command]*Reports // the requested reports, by command
}

// rootVariable is the environment variable with the default of --root.
const rootVariable = "TRIBUNAL_ROOT"

// FindRoot returns the folder of the repository: the value of --root or of rootVariable, or else the
// nearest folder that holds problems/, from the working folder upwards. Above the working folder, one that
// everybody may write to, as /tmp, does not count: what another account leaves there names commands.
func (o *App) FindRoot() (string, error) {
	for _, named := range []struct{ by, root string }{{"--root ", o.Root}, {rootVariable + "=", os.Getenv(rootVariable)}} {
		if named.root == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(named.root, "problems")); err != nil || !info.IsDir() {
			return "", Usage(fmt.Errorf("%s%s: holds no problems/ folder (hint: name the folder above it, or make a repository with judge init)", named.by, named.root))
		}
		return named.root, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for above := dir; ; above = filepath.Dir(above) {
		if info, err := os.Stat(filepath.Join(above, "problems")); err == nil && info.IsDir() && (above == dir || !everybodys(above)) {
			// Relative paths keep messages short.
			if rel, err := filepath.Rel(dir, above); err == nil {
				return rel, nil
			}
			return above, nil
		}
		if above == filepath.Dir(above) {
			return "", Usage(errors.New("no problems/ folder here or above (hint: run judge inside a repository, name one with --root, or make one with judge init)"))
		}
	}
}

// everybodys reports whether every account may write to a folder. On Windows the mode does not tell.
func everybodys(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0
}

// CheckSlots returns an error if the flag --slots is out of range.
func CheckSlots(cmd *cobra.Command, slots int) error {
	if slots < 0 || slots > 1024 || cmd.Flags().Changed("slots") && slots == 0 {
		return Usage(fmt.Errorf("--slots %d: want a number from 1 to 1024", slots))
	}
	return nil
}
