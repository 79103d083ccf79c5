package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch  = unix.AUDIT_ARCH_AARCH64
	otherCalls = 0
)

// refusedHere are calls to refuse that only this architecture has.
var refusedHere []uint32

// waitingsHere are calls that wait for files, that only this architecture has.
var waitingsHere []waiting
