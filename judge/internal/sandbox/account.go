package sandbox

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
)

// jailAccount is the account of the host, user and group alike, that the programs of
// one container run as when the judge is root. It owns nothing. Each container has
// one of its own, since the kernel counts the pages of pipes, descriptors on their
// way through sockets and queued signals by account, over all namespaces.
type jailAccount uint32

// Accounts of the range are used by nobody, see systemd.io/UIDS-GIDS; nobody is for a
// judge whose own user namespace has no such numbers.
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

// mapped tells whether an account exists in the user namespace with this map, see
// user_namespaces(7).
func mapped(text string, id uint32) bool {
	for line := range strings.Lines(text) {
		var inside, outside, count uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err == nil && uint64(id) >= inside && uint64(id) < inside+count {
			return true
		}
	}
	return false
}

// Get makes it what go-sandbox asks for.
func (a jailAccount) Get() syscall.Credential {
	return syscall.Credential{Uid: uint32(a), Gid: uint32(a)}
}
