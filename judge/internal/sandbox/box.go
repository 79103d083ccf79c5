package sandbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/limits"
)

// Box is a place in which programs run, one at a time: a container or, in rlimit mode, a folder. It
// is not safe for concurrent use.
type Box interface {
	// Run executes cmd and waits for the end of everything that it started. If the error is not
	// nil, the Result means nothing: the program could not be started (*StartError), or the sandbox
	// failed. When ctx ends, the run is stopped and Stop is Cancelled.
	Run(ctx context.Context, cmd Command) (Result, error)
	// Remains returns what the last run left in the box's Folder. There must have been a run that
	// did not fail.
	Remains() (*Remains, error)
	// Path translates a path inside the box (a mount's target, a temporary folder, or below one) to
	// the path that a program in this box must use. They differ in rlimit mode.
	Path(inside string) string
	// Close ends the box. Closing twice is harmless.
	Close() error
}

// workDir is where programs start, unless the Spec has a Dir: an empty folder.
const workDir = "/w"

// beside is a box whose programs run beside the judge, with nothing mounted.
type beside struct {
	spec Spec
	dir  string // on the host; holds the folders that programs are given, new ones for every run
}

// Path maps mount targets back to their sources.
func (b *beside) Path(inside string) string {
	for _, m := range b.spec.Mounts {
		if rest, ok := strings.CutPrefix(inside, m.Target); ok && (rest == "" || rest[0] == '/') {
			return m.Source + filepath.FromSlash(rest)
		}
	}
	for _, dir := range b.folders() {
		if rest, ok := strings.CutPrefix(inside, dir); ok && (rest == "" || rest[0] == '/') {
			return filepath.Join(b.dir, filepath.FromSlash(dir+rest))
		}
	}
	return inside
}

// folders returns the inside paths of the folders that programs are given.
func (b *beside) folders() []string {
	if b.spec.Folder.Path == "" {
		return []string{workDir}
	}
	return []string{workDir, b.spec.Folder.Path}
}

// Folder is a temporary folder that a box has besides /w, /tmp and /dev/shm, for files that a
// program is given and files that it leaves. When a run begins, it holds only what the command puts
// there. What the program writes there counts as its memory. The zero value is no folder.
type Folder struct {
	Path string       // path inside, right below the root, such as "/build"
	Size limits.Bytes // total size of the files that it can hold, including those put there
	Mode fs.FileMode  // the Folder's permissions
}

// File is a file or a folder that is in a box's Folder when a program begins.
type File struct {
	Name string      // slash path below the Folder
	Mode fs.FileMode // permissions, whatever the umask is; with fs.ModeDir the File is a folder
	Data []byte
	// From, if not nil, returns a reader of the content, instead of Data. It is called again if the
	// run has to start over.
	From func() io.Reader
}

// ErrNotFile is wrapped by errors about remains that are not regular files.
var ErrNotFile = errors.New("not a regular file")

// Bounds limit how much Walk reads. If there is more, its error is an *ExcessError.
type Bounds struct {
	Bytes limits.Bytes // total size of all files
	Files int          // number of files and folders
}

// ExcessError reports that a program has left more than the bounds allow.
type ExcessError struct{ What string }

func (e *ExcessError) Error() string { return "left " + e.What }

// Read returns the beginning of a regular file, at most limit bytes. Errors are those of Open and
// of reading.
func (r *Remains) Read(name string, limit limits.Bytes) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(limit)))
}
