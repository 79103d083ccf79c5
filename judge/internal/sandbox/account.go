//go:build linux

package sandbox

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// jailAccount is the host account (uid and gid) that the programs of one container run as when the
// judge is root. It owns nothing. Each container has its own, because the kernel counts pages of
// pipes, descriptors in flight through sockets and queued signals by account, across all
// namespaces.
type jailAccount uint32

// The range is unassigned, see systemd.io/UIDS-GIDS. A judge whose own user namespace does not
// map it uses nobody.
const (
	firstAccount = 0x70000000
	accounts     = 1 << 22
	nobody       = 65534
)

func newAccount() jailAccount {
	id := firstAccount + rand.Uint32N(accounts)
	for _, name := range []string{"uid_map", "gid_map"} {
		text, err := os.ReadFile("/proc/self/" + name)
		if err != nil || !mapped(string(text), id) {
			return nobody
		}
	}
	return jailAccount(id)
}

// mapped reports whether id exists in the user namespace with this map, see user_namespaces(7).
func mapped(text string, id uint32) bool {
	for line := range strings.Lines(text) {
		var inside, outside, count uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err == nil && uint64(id) >= inside && uint64(id) < inside+count {
			return true
		}
	}
	return false
}
