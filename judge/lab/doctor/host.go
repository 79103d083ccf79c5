//go:build linux

package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/sandbox"
)

func examineHost(ctx context.Context, watch time.Duration) Facts {
	f := Facts{Arch: runtime.GOARCH, Root: os.Geteuid() == 0, CPUs: sandbox.AllowedCPUs()}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		f.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	f.Memory, f.Swap = memory()
	var fs unix.Statfs_t
	if unix.Statfs(os.TempDir(), &fs) == nil {
		f.TempFree = int64(fs.Bavail) * fs.Bsize
	}
	f.Cgroups = hierarchies()
	f.Namespaces = namespaces(ctx)
	f.Settings = settings()
	f.Seccomp = strings.Fields(lineOf("/proc/sys/kernel/seccomp/actions_avail"))
	_, err := os.Stat("/proc/pressure/cpu")
	f.Pressure = err == nil
	f.Clock = clock()
	before := waited()
	f.Noise = probe(f.CPUs, watch)
	f.Waited = waited() - before
	return f
}

// lineOf returns the first line of a small file, or "" if it cannot be read.
func lineOf(path string) string {
	text, _ := os.ReadFile(path)
	return quote.First(string(text))
}

// waited returns how long at least one process has had to wait for a CPU since boot.
func waited() time.Duration {
	_, total, _ := strings.Cut(lineOf("/proc/pressure/cpu"), "total=")
	n, _ := strconv.ParseInt(total, 10, 64)
	return time.Duration(n) * time.Microsecond
}

func memory() (total, swap int64) {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		n, _ := strconv.ParseInt(fields[1], 10, 64)
		switch fields[0] {
		case "MemTotal:":
			total = n * int64(limits.KiB)
		case "SwapTotal:":
			swap = n * int64(limits.KiB)
		}
	}
	return total, swap
}

// hierarchies lists the hierarchies that have controllers, and that of v2 in any case, sorted.
func hierarchies() []Hierarchy {
	folders, err := sandbox.CgroupFolders()
	if err != nil {
		return []Hierarchy{}
	}
	byFolder := map[string]*Hierarchy{}
	for controller, dir := range folders {
		h := byFolder[dir]
		if h == nil {
			h = &Hierarchy{Version: 1, Controllers: []string{}, Writable: unix.Access(dir, unix.W_OK) == nil}
			byFolder[dir] = h
		}
		if controller == "" {
			h.Version = 2
			h.Controllers = append(h.Controllers, strings.Fields(lineOf(filepath.Join(dir, "cgroup.controllers")))...)
		} else if !strings.HasPrefix(controller, "name=") {
			h.Controllers = append(h.Controllers, controller)
		}
	}
	list := []Hierarchy{}
	for _, h := range byFolder {
		slices.Sort(h.Controllers)
		if h.Version == 2 || len(h.Controllers) > 0 {
			list = append(list, *h)
		}
	}
	slices.SortFunc(list, func(a, b Hierarchy) int {
		return slices.Compare(append([]string{strconv.Itoa(a.Version)}, a.Controllers...), append([]string{strconv.Itoa(b.Version)}, b.Controllers...))
	})
	return list
}

// namespaces tries to start a process in a new namespace of each kind, together with a new user
// namespace, as the jail does.
func namespaces(ctx context.Context) []Namespace {
	var list []Namespace
	for _, kind := range []struct {
		name string
		flag uintptr
	}{
		{"user", 0}, {"mount", unix.CLONE_NEWNS}, {"pid", unix.CLONE_NEWPID}, {"ipc", unix.CLONE_NEWIPC},
		{"uts", unix.CLONE_NEWUTS}, {"network", unix.CLONE_NEWNET}, {"cgroup", unix.CLONE_NEWCGROUP},
	} {
		n := Namespace{Name: kind.name}
		cmd := exec.CommandContext(ctx, "/proc/self/exe")
		cmd.Args = []string{attacker, "nothing", "{}"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | kind.flag}
		if err := cmd.Run(); err != nil {
			n.Error = errorName(err)
		}
		list = append(list, n)
	}
	return list
}

func settings() []Setting {
	list := []Setting{}
	for _, name := range []string{
		"user/max_user_namespaces", "kernel/unprivileged_userns_clone", "kernel/apparmor_restrict_unprivileged_userns",
	} {
		if value := lineOf("/proc/sys/" + name); value != "" {
			list = append(list, Setting{strings.ReplaceAll(name, "/", "."), value})
		}
	}
	return list
}

func clock() Clock {
	c := Clock{Source: lineOf("/sys/devices/system/clocksource/clocksource0/current_clocksource")}
	var r unix.Timespec
	if unix.ClockGetres(unix.CLOCK_MONOTONIC, &r) == nil {
		c.Resolution = time.Duration(r.Nano())
	}
	var late []time.Duration
	for range 20 {
		start := time.Now()
		<-time.After(time.Millisecond)
		late = append(late, time.Since(start)-time.Millisecond)
	}
	slices.Sort(late)
	c.Late = late[len(late)/2]
	return c
}
