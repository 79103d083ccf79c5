//go:build linux

package sandbox

import (
	"context"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
)

// roomInterval is how often the size of a run's files on the host's disk is polled.
const roomInterval = 100 * time.Millisecond

// watchRoom calls over once if the files in the box's Folder exceed its size; in this mode nothing
// else limits them. It polls until ctx ends or stop is called. stop waits for the end of the
// polling.
func (b *rlimitBox) watchRoom(ctx context.Context, over func()) (stop func()) {
	if b.spec.Folder.Path == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(roomInterval):
				if b.overfull() {
					over()
					return
				}
			}
		}
	}()
	return func() { cancel(); <-ended }
}

func (b *rlimitBox) overfull() bool {
	return b.folder != nil && treeSize(fdPath(int(b.folder.Fd()))+"/.") > b.spec.Folder.Size
}

// treeSize returns the disk space of the regular files below a folder, without files that vanish
// meanwhile.
func treeSize(dir string) (total limits.Bytes) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			total += limits.Bytes(info.Sys().(*syscall.Stat_t).Blocks) * 512
		}
		return nil
	})
	return total
}
