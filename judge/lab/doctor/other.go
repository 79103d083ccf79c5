//go:build !linux

package doctor

import (
	"context"
	"fmt"
	"runtime"
)

// Examine returns an error, because there is no jail here.
func Examine(context.Context, Options) (*Report, error) {
	return nil, fmt.Errorf("on %s there is no jail to examine (hint: docs/install.md#systems)", runtime.GOOS)
}

// Attack does nothing.
func Attack() {}
