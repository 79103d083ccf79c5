//go:build linux

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

// waitCallsHere are calls of this architecture alone that wait for files.
var waitCallsHere []waitCall
