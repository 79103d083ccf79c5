//go:build linux

// Package scripttest runs scripts that use the judge as a user does, for the tests in
// judge/scripts.
package scripttest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tally"
)

// Main puts the judge and the given commands of this module on the PATH, runs the tests of a package and returns
// their status.
func Main(m *testing.M, commands ...string) int {
	closeInherited()
	if flag.Parse(); testing.Short() { // all sessions are skipped
		return m.Run()
	}
	bin, done, err := programs(append(commands, "tribunal/judge"))
	if err != nil {
		fmt.Fprintf(os.Stderr, "building the commands: %v\n", err)
		return 1
	}
	defer done()
	os.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// closeInherited hides the descriptors that this process has inherited, for example from make or time, from the commands
// of the scripts, which count theirs.
func closeInherited() {
	inherited, _ := os.ReadDir("/proc/self/fd")
	for _, entry := range inherited {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// readSources reads all folders of the judge's sources. The go command caches a test's result as
// long as the files that the test opens stay the same, but it does not know the sources from which
// Main builds the commands.
func readSources(root string) error {
	return filepath.WalkDir(filepath.Join(root, "judge"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		return err
	})
}

// Command runs a command of a script. neg reports whether it is preceded by !.
type Command = func(ts *testscript.TestScript, neg bool, args []string)

// Run runs the scripts in the folder testdata of the package under test. Each begins in a copy of
// judge/testdata/repo, a repository with one tiny problem, to which the script adds its own files.
func Run(t *testing.T) {
	t.Parallel()
	RunIn(t, func(root, dir string) error {
		return CopyMissing(dir, filepath.Join(root, "judge", "testdata", "repo"))
	}, nil)
}

// RunIn is like Run for scripts that may use more commands and begin in a folder that prepare has
// filled from this repository, whose root it gets. A file that a script has already there stays.
func RunIn(t *testing.T, prepare func(root, dir string) error, more map[string]Command) {
	tier.T2(t, "sessions with the real program")
	if err := readSources(root(t)); err != nil {
		t.Fatal(err)
	}
	cache := cachetest.Dir(t)
	testdata := filepath.Join(root(t), "judge", "testdata")
	program, err := exec.LookPath("judge")
	if err != nil {
		t.Fatal(err)
	}
	covered := os.Getenv(covers)
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	commands := commands(patience(tier.Deadline(t)))
	maps.Copy(commands, more)
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(config.CacheVariable, cache)
			env.Setenv("JUDGE", program)
			env.Setenv("TESTDATA", testdata)
			env.Setenv("REPOSITORY", root(t))
			env.Setenv("TRIBUNAL_PROGRESS", "off") // a busy host must not print more
			env.Setenv("TRIBUNAL_FRESH", "1")      // scripts share the cache, and what another has run must not count
			env.Setenv(tally.Variable, os.Getenv(tally.Variable))
			if covered != "" {
				env.Setenv("GOCOVERDIR", covered)
			}
			for _, name := range toolVariables {
				if value, ok := toolVariable(name); ok {
					env.Setenv(name, value)
				}
			}
			return prepare(root(t), env.WorkDir)
		},
		Condition: condition,
		Cmds:      commands,
	})
}

func commands(p patience) map[string]Command {
	return map[string]Command{
		"agrees":      agrees,
		"as-user":     asUser,
		"asks":        p.asks,
		"awaits":      p.awaits,
		"between":     between,
		"elf":         writeELF,
		"ends":        ends,
		"exits":       exits,
		"field":       field,
		"finds":       finds,
		"interrupts":  interrupts,
		"keeps":       keeps,
		"kills":       p.kills,
		"locates":     locates,
		"logs":        logs,
		"refuses":     refuses,
		"repeatable":  repeatable,
		"same-report": sameReport,
		"saves":       saves,
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err == nil {
		dir, err = above(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// above returns the nearest folder from dir upwards that has a go.mod.
func above(dir string) (string, error) {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod above the tests")
		}
		dir = filepath.Dir(dir)
	}
}

// toolVariables tell shims, such as those of rustup and pyenv, where the toolchains are. Scripts
// inherit them, because the home folder of a script is empty.
var toolVariables = []string{"RUSTUP_HOME", "CARGO_HOME", "RUSTUP_TOOLCHAIN", "PYENV_ROOT", "PYENV_VERSION", "JAVA_HOME", "GOROOT"}

func toolVariable(name string) (string, bool) {
	if value, ok := os.LookupEnv(name); ok {
		return value, true
	}
	usual := map[string]string{"RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo", "PYENV_ROOT": ".pyenv"}[name]
	home, err := os.UserHomeDir()
	if err != nil || usual == "" {
		return "", false
	}
	dir := filepath.Join(home, usual)
	_, err = os.Stat(dir)
	return dir, err == nil
}

// condition implements these conditions in addition to those of testscript:
//
//	[all]        the tests of T3 run, see package tier
//	[root]       the tests run as root
//	[container]  containers work here
//	[exact]      containers with control groups work here
//	[hangup]     SIGHUP can end a process: the tests do not run below nohup
//	[mount]      a file system can be mounted in a mount namespace
//	[trace]      strace is installed and may trace
//	[works:tool] the tool is installed and runs, unlike a shim without a toolchain
func condition(name string) (bool, error) {
	kind, tool, _ := strings.Cut(name, ":")
	switch kind {
	case "all":
		return tier.All(), nil
	case "root":
		return os.Geteuid() == 0, nil
	case "container":
		h, err := sandbox.Open(sandbox.Container)
		if err != nil {
			return false, nil
		}
		return true, h.Close()
	case "exact":
		h, err := sandbox.Open(sandbox.Container)
		if err != nil {
			return false, nil
		}
		return h.Exact(), h.Close()
	case "hangup":
		return !signal.Ignored(syscall.SIGHUP), nil
	case "mount":
		return exec.Command("unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
	case "trace":
		return exec.Command("strace", "-f", "-o", os.DevNull, "true").Run() == nil, nil
	case "works":
		version := map[string]string{"go": "version", "java": "-version", "javac": "-version"}[tool]
		if version == "" {
			version = "--version"
		}
		return exec.Command(tool, version).Run() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// CopyMissing copies the files below the folder from that do not exist yet below to.
func CopyMissing(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if _, err := os.Lstat(target); err == nil {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
}
