//go:build !windows

package disk

import "os"

// createUnnamed makes a file and removes its name at once, so that nothing is left of it however
// the process ends.
func createUnnamed(dir string) (*os.File, error) {
	file, err := os.CreateTemp(dir, "marble-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}
