package sandbox

import (
	"os"
	"slices"
	"strings"
)

// unstoppable lists, by mode, the kinds of attack that get through there, not all
// of a kind perhaps. A key with an account behind a colon adds what holds for a
// judge that runs as root or as an ordinary user alone. The programs of
// testdata/guilty prove it to be exact: a kind is the first word of their names.
var unstoppable = map[string][]string{
	"polling":     {"cpu", "memory"},
	"rlimit":      {"cpu", "memory", "signal"},
	"rlimit:root": {"fork"},
}

// account returns what an effective user id is called in unstoppable.
func account(uid int) string {
	if uid == 0 {
		return "root"
	}
	return "user"
}

// weakness says in one sentence what kinds of attack the host's mode does not
// stop; it is "" when there are none.
func (h *Host) weakness() string {
	mode := "cgroup"
	switch {
	case h.mode == Rlimit:
		mode = "rlimit"
	case h.groups == nil:
		mode = "polling"
	}
	kinds := slices.Concat(unstoppable[mode], unstoppable[mode+":"+account(os.Geteuid())])
	if len(kinds) == 0 {
		return ""
	}
	slices.Sort(kinds)
	return "not every attack of these kinds is stopped here (docs/sandbox.md): " + strings.Join(slices.Compact(kinds), ", ")
}
