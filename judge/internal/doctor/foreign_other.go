//go:build !amd64

package doctor

// foreignCalls are none: the kernel speaks one kind of calls here, or its filter
// sees the others as another architecture.
func foreignCalls(string) []attack { return nil }
