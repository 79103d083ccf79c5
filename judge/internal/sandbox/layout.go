//go:build linux

package sandbox

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/criyle/go-sandbox/pkg/mount"
)

// layout is the set of host paths that a container shows under the same paths. Symbolic links on
// the way to a path are shown as links, so that a host whose /lib is a link to usr/lib looks the
// same inside and no folder is shown under two names.
type layout struct {
	host  string // prefix of the host's file system; "" is the real one
	binds []string
	links map[string]string // symbolic links: target by path
}

// show adds a file or folder. The error is fs.ErrNotExist if the host lacks it.
func (l *layout) show(path string) error {
	at, rest := "/", filepath.Clean(path)
	for hops := 0; ; {
		var name string
		name, rest, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
		if name == "" {
			break
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(l.host + next)
		if err != nil {
			return &fs.PathError{Op: "mount", Path: path, Err: err.(*fs.PathError).Err}
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if hops++; hops > 40 { // as many as the kernel follows
			return &fs.PathError{Op: "mount", Path: path, Err: syscall.ELOOP}
		}
		target, err := os.Readlink(l.host + next)
		if err != nil {
			return err
		}
		if l.links == nil {
			l.links = map[string]string{}
		}
		l.links[next] = target
		if filepath.IsAbs(target) {
			at = "/"
		}
		rest = filepath.Join("/", at, target, rest)
		at = "/"
	}
	if at == "/" {
		return fmt.Errorf("mount %s: the whole file system cannot be shown", path)
	}
	if !slices.Contains(l.binds, at) {
		l.binds = append(l.binds, at)
	}
	return nil
}

// plan returns the host paths to bind and the links to make, both sorted, without those that lie in
// a folder that is shown anyway.
func (l *layout) plan() ([]string, []link) {
	var binds []string
	slices.Sort(l.binds) // sorts a folder before the files in it
	for _, path := range l.binds {
		if !within(binds, path) {
			binds = append(binds, path)
		}
	}
	var links []link
	for place, target := range l.links {
		if !within(binds, place) {
			links = append(links, link{Place: place, Target: target})
		}
	}
	slices.SortFunc(links, func(a, b link) int { return strings.Compare(a.Place, b.Place) })
	return binds, links
}

// ownLibraries returns the layout of this host's libraries, which it looks up once.
var ownLibraries = sync.OnceValues(func() (layout, error) {
	var l layout
	for _, path := range libraries("") {
		if err := l.show(path); err != nil {
			return layout{}, err
		}
	}
	return l, nil
})

// showHost adds the host's libraries and the mounts to a container, and returns the symbolic links
// to make.
func showHost(inside *mount.Builder, mounts []Mount) ([]link, error) {
	base, err := ownLibraries()
	if err != nil {
		return nil, err
	}
	own := layout{binds: slices.Clone(base.binds), links: maps.Clone(base.links)}
	var moved []Mount
	for _, m := range mounts {
		if m.Source != m.Target {
			moved = append(moved, m)
		} else if err := own.show(m.Source); err != nil {
			return nil, err
		}
	}
	binds, links := own.plan()
	for _, path := range binds {
		moved = append(moved, Mount{Source: path, Target: path})
	}
	points := mountPoints()
	for _, m := range moved {
		if _, err := os.Stat(m.Source); err != nil {
			return nil, fmt.Errorf("mount %s: %w", m.Target, err)
		}
		inside.WithBind(m.Source, strings.TrimPrefix(m.Target, "/"), true)
		// A bind mount includes the mounts below its source, but only its top is read-only. So each
		// of those is bound again, read-only.
		for _, point := range points {
			rest, ok := strings.CutPrefix(point, m.Source+"/")
			if !ok {
				continue
			}
			if info, err := os.Stat(point); err == nil && (info.IsDir() || info.Mode().IsRegular()) {
				inside.WithBind(point, strings.TrimPrefix(m.Target, "/")+"/"+rest, true)
			}
		}
	}
	return append(links, deviceLinks...), nil
}

// mountPoints returns the paths of this host's mount points, sorted, each once.
func mountPoints() []string {
	text, _ := os.ReadFile("/proc/self/mountinfo") // if the host hides it, no mount points are known
	var list []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // see proc_pid_mountinfo(5)
		if len(fields) < 5 || fields[4] == "/" {
			continue
		}
		list = append(list, octal.Replace(fields[4]))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// octal undoes the kernel's escapes in the paths that it prints.
var octal = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// within reports whether path is one of the folders or lies below one.
func within(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, dir+"/")
	})
}

// libraries returns the paths that a dynamically linked executable needs, as far as they exist: the
// folders with the C library and its neighbours, the dynamic linkers and their cache, and the
// locale C.UTF-8. host is as in a layout.
func libraries(host string) []string {
	exists := func(path string) bool {
		_, err := os.Stat(host + path)
		return err == nil
	}
	glob := func(pattern string) []string { return globIn(host, pattern) }
	// Debian keeps the libraries of each architecture in a folder that holds little
	// else; others have lib64; the rest keep them in lib with everything else.
	var list []string
	for _, folders := range [][]string{
		append(glob("/usr/lib/*-linux-*"), glob("/lib/*-linux-*")...),
		{"/usr/lib64", "/lib64"},
		{"/usr/lib", "/lib"},
	} {
		if slices.ContainsFunc(folders, func(dir string) bool { return exists(dir+"/libc.so.6") || len(glob(dir+"/ld-musl-*")) > 0 }) {
			list = folders
			break
		}
	}
	list = append(list, loaders(host)...)
	list = append(list, "/etc/ld.so.cache", "/usr/lib/locale/C.utf8")
	return slices.DeleteFunc(list, func(path string) bool { return !exists(path) })
}

// globIn returns the paths of a host that match a pattern, which must be well-formed.
func globIn(host, pattern string) []string {
	found, _ := filepath.Glob(host + pattern)
	for i := range found {
		found[i] = strings.TrimPrefix(found[i], host)
	}
	return found
}

func loaders(host string) []string {
	return append(globIn(host, "/lib/ld-*.so*"), globIn(host, "/lib64/ld-*.so*")...)
}

// Loaders returns the paths of the dynamic linkers that every container shows.
func Loaders() []string { return loaders("") }

// LibraryFolders returns the folders of shared libraries that every container shows. Other
// libraries need a mount.
func LibraryFolders() []string {
	var list []string
	for _, path := range libraries("") {
		if info, err := os.Stat(path); err == nil && info.IsDir() && !strings.Contains(path, "/locale/") {
			list = append(list, path)
		}
	}
	return list
}
