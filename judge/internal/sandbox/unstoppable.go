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
	"cgroup":       {"whisper"},
	"cgroup:user":  {"starve"},
	"polling":      {"memory", "whisper"},
	"polling:user": {"starve"},
	"rlimit":       {"denied", "host", "leave", "memory", "signal", "starve", "talk", "trace", "whisper"},
	"rlimit:root":  {"device", "fork", "kernel"},
}

// kinds are the kinds of attack in words for a report.
var kinds = map[string]string{
	"denied":  "which process made a denied call",
	"device":  "devices",
	"fork":    "fork bombs",
	"host":    "files and processes of the host",
	"kernel":  "the clock and settings of the machine",
	"leave":   "things left behind for the next run",
	"memory":  "memory outside of processes",
	"signal":  "signals to other processes",
	"starve":  "taking what all runs share",
	"talk":    "talk with other programs",
	"trace":   "looks into the judge's processes",
	"whisper": "covert channels between programs that conspire",
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
	var words []string
	for _, kind := range slices.Concat(unstoppable[mode], unstoppable[mode+":"+account(os.Geteuid())]) {
		words = append(words, kinds[kind])
	}
	if len(words) == 0 {
		return ""
	}
	slices.Sort(words)
	return "known gaps here (docs/sandbox.md): " + strings.Join(slices.Compact(words), "; ")
}
