package watch

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"tribunal/judge/internal/system"
)

// kernel reports changes in the folders that were added to it, but not in folders below them.
type kernel struct {
	events <-chan fsnotify.Event
	lost   <-chan struct{} // receives a value when events were lost; closed after close
	add    func(dir string) error
	remove func(dir string) error
	close  func() error
}

// inotify returns a kernel that reports what Linux's inotify does.
func inotify() (*kernel, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	// fsnotify sends some errors while it holds the lock that add and remove need. So this
	// goroutine must receive them without ever calling add or remove.
	lost := make(chan struct{}, 1)
	go func() {
		defer close(lost)
		for err := range w.Errors {
			// A folder was moved and then removed before fsnotify could end its watch. The kernel
			// has ended it, and no event was lost.
			if errors.Is(err, syscall.EINVAL) {
				continue
			}
			select {
			case lost <- struct{}{}:
			default:
			}
		}
	}()
	return &kernel{events: w.Events, lost: lost, add: addTo(w), remove: w.Remove, close: w.Close}, nil
}

// addTo returns a function that adds a folder to w. The error is a [*silentError] if the folder's file
// system does not report all changes.
func addTo(w *fsnotify.Watcher) func(dir string) error {
	return func(dir string) error {
		if kind := system.SharedFileSystem(dir); kind != "" {
			return &silentError{dir, kind}
		}
		return w.Add(dir)
	}
}

// silentError says that the kernel does not learn of all changes in a folder.
type silentError struct{ dir, kind string }

func (e *silentError) Error() string {
	return e.dir + " is on a file system (" + e.kind + ") that does not report what others save there"
}

// limit is a kernel limit on the inotify objects of an account.
type limit struct {
	what    string   // the objects, such as "watches"
	sysctls []string // settings of the limit; the smallest value applies
	enough  int      // a value that is enough for most users
}

var (
	instances = limit{"instances", []string{"fs.inotify.max_user_instances", "user.max_inotify_instances"}, 512}
	watches   = limit{"watches", []string{"fs.inotify.max_user_watches", "user.max_inotify_watches"}, 524288}
)

// reached returns a message that the limit is reached, with a hint on how to raise it.
func (l limit) reached() string {
	name, value := "", 0
	for _, s := range l.sysctls {
		text, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(s, ".", "/"))
		if err != nil {
			continue // an older kernel does not have this setting
		}
		v, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err == nil && (name == "" || v < value) {
			name, value = s, v
		}
	}
	if name == "" {
		return fmt.Sprintf("all inotify %s of this account are in use (hint: raise the sysctl %s)", l.what, l.sysctls[0])
	}
	return fmt.Sprintf("all %d inotify %s of this account are in use (hint: sysctl %s=%d)", value, l.what, name, max(2*value, l.enough))
}

// whyPolled explains an error of the kernel after which files must be polled.
func whyPolled(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return watches.reached()
	case errors.Is(err, syscall.EMFILE):
		// EMFILE also means that this process cannot open more files.
		f, failed := os.Open("/")
		if errors.Is(failed, syscall.EMFILE) {
			return "this process has as many files open as it may (hint: ulimit -n)"
		}
		if failed == nil {
			f.Close()
		}
		return instances.reached()
	}
	return err.Error()
}
