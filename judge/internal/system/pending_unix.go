//go:build unix

package system

import (
	"os"

	"github.com/google/renameio/v2"
)

// PendingFile is a file that replaces another one, or none, when it is whole.
type PendingFile = renameio.PendingFile

// NewPendingFile begins a file for a path, with the permissions of the file that is there.
func NewPendingFile(path string) (*PendingFile, error) {
	return renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
}

// WriteFile replaces a file in one step.
func WriteFile(path string, text []byte, mode os.FileMode) error {
	return renameio.WriteFile(path, text, mode)
}
