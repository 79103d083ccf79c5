//go:build linux && !amd64

package doctor

// foreignCalls returns no attacks: either the kernel has only one kind of calls here, or the filter
// sees the others as calls of another architecture.
func foreignCalls(string) []attack { return nil }
