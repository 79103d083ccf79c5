package main

import (
	"syscall"
	"unsafe"
)

// hugePages asks for the memory of a slice in pages of 2 MiB, where the kernel
// has to be asked: with pages of 4 KiB, to find out where a page lies takes
// longer than to fetch what lies there. It may be refused, which only costs time.
func hugePages[E any](s []E) {
	const page = 2 << 20
	size := uintptr(cap(s)) * unsafe.Sizeof(*new(E))
	if size < page/16 {
		return // reached by few, or soon
	}
	// The pages at both ends are shared with neighbours, who do not mind.
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	from, to := first&^(page-1), (first+size+page-1)&^(page-1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
