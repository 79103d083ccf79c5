//go:build linux

package sandbox

import (
	"os"
	"slices"
	"strings"
)

// gaps lists, by mode, the kinds of attack of which at least one succeeds. A key with an account
// after the colon adds kinds that succeed only if the judge runs as root, or only if it runs as an
// ordinary user. The tests check the lists with the programs of testdata/guilty, whose names begin
// with their kind.
var gaps = map[string][]string{
	"cgroup":       {"whisper"},
	"cgroup:user":  {"starve"},
	"polling":      {"memory", "whisper"},
	"polling:user": {"starve"},
	"rlimit":       {"denied", "device", "host", "leave", "memory", "signal", "starve", "talk", "trace", "whisper"},
	"rlimit:root":  {"fork", "kernel"},
}

// kinds describes the kinds of attack for reports.
var kinds = map[string]string{
	"denied":  "hidden or feigned denied calls",
	"device":  "access to devices",
	"fork":    "fork bombs",
	"host":    "access to files and processes of the host",
	"kernel":  "changes to the machine's clock and settings",
	"leave":   "things left behind for the next run",
	"memory":  "memory outside of processes that is not counted",
	"signal":  "signals to other processes",
	"starve":  "using up what all runs share",
	"talk":    "communication with other programs",
	"trace":   "access to the judge's processes",
	"whisper": "covert channels between programs that conspire",
}

// account returns the name that gaps has for an effective user id.
func account(uid int) string {
	if uid == 0 {
		return "root"
	}
	return "user"
}

// weakness names in one sentence the kinds of attack that the host's mode does not stop; "" if
// there are none.
func (h *Host) weakness() string {
	mode := "cgroup"
	switch {
	case h.mode == Rlimit:
		mode = "rlimit"
	case h.groups == nil:
		mode = "polling"
	}
	var words []string
	for _, kind := range slices.Concat(gaps[mode], gaps[mode+":"+account(os.Geteuid())]) {
		words = append(words, kinds[kind])
	}
	if len(words) == 0 {
		return ""
	}
	slices.Sort(words)
	return KnownGaps + " (docs/sandbox.md): " + strings.Join(slices.Compact(words), "; ")
}
