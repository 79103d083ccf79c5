package watch

import (
	"os"
	"path/filepath"
	"strings"
)

// root is a file or folder that the caller watches. It may be a symbolic link or a chain of links,
// or not exist.
type root struct {
	path string // as the caller gave it, cleaned
	abs  string // path, made absolute
	real string // abs with its symbolic links resolved, even if nothing is there

	// places are the paths at which a change may turn root into a different file: root itself, the
	// targets of its links, and the first missing folder on the way. Their parent folders exist.
	places []string

	now   *node // nil if nothing is there
	above stamp // stamp of the folder that contains real
	racy  bool  // that folder might still change without changing its times
}

// resolve follows the symbolic links of the root, and sets real and places. It also resolves the
// folders on the way, so that each folder has only one name.
func (r *root) resolve() {
	r.places = nil
	path := r.abs
	for range 40 { // as many links as the kernel follows
		dir, name := filepath.Split(path)
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			break
		}
		path = filepath.Join(dir, name)
		r.places = append(r.places, path)
		link, err := os.Readlink(path)
		if err != nil {
			r.real = path
			return
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(dir, link)
		}
		path = link
	}
	r.real = path
	// A folder on the way is missing: find the nearest folder above it that exists.
	for dir := path; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
			r.places = append(r.places, filepath.Join(real, filepath.Base(dir)))
			return
		}
	}
}

// affected reports whether a change at path may turn the root into a different file.
func (r *root) affected(path string) bool {
	for _, p := range r.places {
		if _, below := within(path, p); below {
			return true
		}
	}
	return false
}

// within returns the relative path from dir to path, "" if they are the same. ok is false if path
// is not below dir. Both must be absolute.
func within(dir, path string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(path, dir)
	if !ok || rel == "" || strings.HasSuffix(dir, "/") {
		return rel, ok
	}
	return strings.CutPrefix(rel, "/")
}
