package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch  = unix.AUDIT_ARCH_X86_64
	otherCalls = 0x40000000 // __X32_SYSCALL_BIT
)

// refusedHere are calls to refuse that only this architecture has.
var refusedHere = []uint32{unix.SYS_INOTIFY_INIT}

// waitingsHere are calls that wait for files, that only this architecture has.
var waitingsHere = []waiting{
	{unix.SYS_POLL, 2, false},
	{unix.SYS_SELECT, 4, true},
	{unix.SYS_EPOLL_WAIT, 3, false},
}
