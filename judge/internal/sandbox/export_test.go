package sandbox

import "os"

// ModeNames are the ways to run programs that tests tell apart.
var ModeNames = []string{"cgroup", "polling", "rlimit"}

// OpenMode opens a host in the mode of that name: containers with cgroups,
// containers that poll as for an ordinary user, or rlimit. why is not "" when this
// machine does not have it.
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

// Account is what part of a mode's weaknesses depends on: root or user.
func Account() string { return account(os.Geteuid()) }

// Unstoppable and Kinds are the tables behind Notes.
var (
	Unstoppable = unstoppable
	Kinds       = kinds
)
