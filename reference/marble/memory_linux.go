package main

import (
	"syscall"
	"unsafe"
)

// hugePages asks the kernel for pages of 2 MiB for the memory of a slice. With pages of 4 KiB,
// finding a page takes longer than fetching its data. If the kernel refuses, the search is only
// slower.
func hugePages[E any](s []E) {
	const page = 2 << 20
	size := uintptr(cap(s)) * unsafe.Sizeof(*new(E))
	if size < page/16 {
		return // too small to gain from it
	}
	// The pages at both ends are shared with other objects, which does no harm.
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	from, to := first&^(page-1), (first+size+page-1)&^(page-1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
