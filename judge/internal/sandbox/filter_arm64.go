package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch  = unix.AUDIT_ARCH_AARCH64
	otherCalls = 0
)

// allowedHere are allowed calls that only this architecture has.
var allowedHere []uint32

// rootOnlyHere are calls for root that only this architecture has.
var rootOnlyHere []uint32

// waitingsHere are calls that wait for files, that only this architecture has.
var waitingsHere []waiting
