package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/doctor"
	"tribunal/judge/internal/sandbox"
)

// A container's first process is this same binary started anew, and so is the
// doctor's attacker: the test binary, like the judge, must be ready to be them
// before it looks at anything else.
func TestMain(m *testing.M) {
	sandbox.Init()
	doctor.Attack()
	testscript.Main(m, map[string]func(){"judge": main})
}

// TestScript plays sessions of a user with the real program: see testdata/script.
// Each begins in a copy of testdata/repo, a repository with one tiny problem, with
// the script's own files laid over it.
func TestScript(t *testing.T) {
	t.Parallel()
	cache := sharedCache(t)
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("judge") // where testscript put it
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(config.CacheVariable, cache)
			env.Setenv("JUDGE", program)
			env.Setenv("TESTDATA", testdata)
			for _, name := range toolVariables {
				if value, ok := toolVariable(name); ok {
					env.Setenv(name, value)
				}
			}
			return copyMissing(env.WorkDir, filepath.Join("testdata", "repo"))
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"as-user":     asUser,
			"awaits":      awaits,
			"between":     between,
			"elf":         writeELF,
			"exits":       exits,
			"field":       field,
			"finds":       finds,
			"interrupts":  interrupts,
			"kills":       kills,
			"refuses":     refuses,
			"repeatable":  repeatable,
			"same-report": sameReport,
			"saves":       saves,
		},
	})
}

// sharedCache returns the folder that all scripts, and all runs of these tests,
// keep their programs in: the first Go program compiles the standard library,
// which takes longer than everything else here.
func sharedCache(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv(config.CacheVariable); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir() // an account without a home compiles every time
	}
	return filepath.Join(dir, "tribunal-test")
}

// toolVariables lead shims to their toolchains. A script has a home of its own,
// where a shim would find nothing.
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

// condition adds to the conditions of testscript:
//
//	[root]       the tests run as root
//	[container]  containers work here
//	[mount]      a file system can be mounted in a namespace of one's own
//	[trace]      strace is there and may look
//	[works:tool] the tool is there and runs, which a shim may be too and not do
func condition(name string) (bool, error) {
	kind, tool, _ := strings.Cut(name, ":")
	switch kind {
	case "root":
		return os.Geteuid() == 0, nil
	case "container":
		h, err := sandbox.Open(sandbox.Container)
		if err != nil {
			return false, nil
		}
		return true, h.Close()
	case "hangup": // can end a process: not below nohup
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

// copyMissing copies the tree from to the folder to, except for files that are
// there already.
func copyMissing(to, from string) error {
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
