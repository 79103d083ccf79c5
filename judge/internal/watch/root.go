package watch

import (
	"os"
	"path/filepath"
	"strings"
)

// root is a file or folder that the caller asked for. It may be a link, to a link, or not exist at
// all.
type root struct {
	path string // as given, cleaned
	abs  string
	real string // abs with its links resolved, whether or not anything is there

	// places are the paths at which a change may make root another file: root itself, what it links
	// to, and missing folders on the way. Their parent folders exist.
	places []string

	now   *node // nil if there is nothing
	above stamp // of the folder that contains it
	fresh bool  // something might still change there without changing the times
}

// resolve follows the links of the root. It resolves folders on the way too, so that each has one
// name however it is reached.
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
	// A folder on the way is missing. It begins to exist in one that does.
	for dir := path; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
			r.places = append(r.places, filepath.Join(real, filepath.Base(dir)))
			return
		}
	}
}

// affected reports whether a change at path may make root another file.
func (r *root) affected(path string) bool {
	for _, p := range r.places {
		if _, below := within(path, p); below {
			return true
		}
	}
	return false
}

// within returns the path from dir to path, both absolute, if path is dir, for which it is "", or
// below it.
func within(dir, path string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(path, dir)
	if !ok || rel == "" || strings.HasSuffix(dir, "/") {
		return rel, ok
	}
	return strings.CutPrefix(rel, "/")
}
