//go:build unix

package system

import "testing"

// TestProcessTime works until the time of the process has grown.
func TestProcessTime(t *testing.T) {
	t.Parallel()
	for before := ProcessTime(); ProcessTime() <= before; {
	}
}
