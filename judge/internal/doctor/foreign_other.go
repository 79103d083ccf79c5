//go:build !amd64

package doctor

// foreignCalls returns no attacks: either the kernel has one kind of calls here, or its filter
// sees the others as another architecture.
func foreignCalls(string) []attack { return nil }
