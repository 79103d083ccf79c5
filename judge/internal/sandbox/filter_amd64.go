package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch  = unix.AUDIT_ARCH_X86_64
	otherCalls = 0x40000000 // __X32_SYSCALL_BIT
)

// refusedHere are calls to refuse that only this architecture has.
var refusedHere = []uint32{unix.SYS_INOTIFY_INIT}
