package sandbox

import (
	"context"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
)

// roomInterval is how often the files of a run are looked at that lie on the host's disk.
const roomInterval = 100 * time.Millisecond

// watchRoom calls over as soon as a run that has begun has more in the box's Folder than
// its size, which nothing else bounds in this mode, until ctx ends or stop is called,
// which waits for the end of the watching.
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

// overfull reports whether there is more in the box's Folder than its size.
func (b *rlimitBox) overfull() bool {
	return b.own != nil && treeSize(same(int(b.own.Fd()))+"/.") > b.spec.Folder.Size
}

// treeSize returns how much room the files below a folder take. Those which vanish
// meanwhile do not count.
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
