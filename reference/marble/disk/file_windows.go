package disk

import (
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

// created is the number of files made so far.
var created atomic.Int64

// createUnnamed makes a file that Windows deletes when it is closed, however the process ends.
func createUnnamed(dir string) (*os.File, error) {
	const deleteOnClose = 0x04000000 // FILE_FLAG_DELETE_ON_CLOSE
	name := "marble-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(created.Add(1), 10)
	return os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL|deleteOnClose, 0o600)
}
