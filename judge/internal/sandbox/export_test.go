//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ModeNames are the modes that tests distinguish.
var ModeNames = []string{"cgroup", "polling", "rlimit"}

// OpenMode opens a host in the mode of that name: containers with cgroups, containers that poll as
// for an ordinary user, or rlimit. If this machine does not have the mode, why gives the reason.
func OpenMode(name string) (h *Host, why string) {
	mode := Container
	if name == "rlimit" {
		mode = Rlimit
	}
	h, err := Open(mode)
	switch {
	case err != nil:
		return nil, "mode " + name + ": " + err.Error()
	case name == "cgroup" && h.groups == nil:
		why = "cgroups: " + h.noGroup
		h.Close()
		return nil, why
	case name == "polling" && h.groups != nil:
		h.spare.Close()
		h.groups.close()
		h.spare, h.groups = nil, nil
	}
	return h, ""
}

// Account returns the account, root or user, on which some of a mode's gaps depend.
func Account() string { return account(os.Geteuid()) }

// Gaps and Kinds are the tables from which Notes describes the gaps.
var (
	Gaps  = gaps
	Kinds = kinds
)

// Footprint returns what is left in a container between two runs, by kind; nil if that cannot be
// known: in rlimit mode, and after a run that ended the container. All but the files of its init
// should be 0.
func Footprint(b Box) map[string]int {
	c, ok := b.(*containerBox)
	if !ok || c.jail == nil {
		return nil
	}
	init := fmt.Sprintf("/proc/%d/", c.jail.pid())
	left := map[string]int{}
	inside, err := os.ReadDir(init + "root/proc")
	if err != nil {
		return nil
	}
	for _, entry := range inside {
		if pid, err := strconv.Atoi(entry.Name()); err == nil && pid != 1 {
			left["processes"]++
		}
	}
	sockets, _ := os.ReadFile(init + "net/unix")
	left["named sockets"] = max(strings.Count(string(sockets), "\n")-1, 0)
	files, _ := os.ReadDir(init + "fd")
	left["files of its init"] = len(files)
	if c.account != 0 {
		users, _ := os.ReadFile("/proc/key-users")
		for line := range strings.Lines(string(users)) {
			if owner, _, _ := strings.Cut(strings.TrimSpace(line), ":"); owner == strconv.Itoa(int(c.account)) {
				left["keys"]++
			}
		}
	}
	return left
}
