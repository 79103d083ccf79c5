package tree

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Open opens the folder dir. If that is name, as the user gave it, symbolic links may lead to any
// file below the folder root; "" means only to files of the package. Otherwise dir was extracted
// from an archive, whose links lead only to its own files.
func Open(name, dir, root string) (*Tree, error) {
	if dir != name {
		root = ""
	}
	t := &Tree{left: MaxEntries}
	var err error
	if t.Root, err = os.OpenRoot(cmp.Or(root, dir)); err != nil {
		return nil, yamlstrict.FileError(cmp.Or(root, name), err)
	}
	if dir == name {
		err = t.locate(name, root)
	}
	if err != nil {
		t.Root.Close()
		return nil, err
	}
	return t, nil
}

// locate finds the package in the folder name below the folder root, if that is not "", and records
// where both are.
func (t *Tree) locate(name, root string) error {
	own, err := realPath(name)
	if err != nil {
		return yamlstrict.FileError(name, err)
	}
	if !filepath.IsAbs(name) {
		if t.from, err = realPath("."); err != nil {
			return yamlstrict.FileError(".", err)
		}
	}
	if t.real = own; root == "" {
		return nil
	}
	if t.real, err = realPath(root); err != nil {
		return yamlstrict.FileError(root, err)
	}
	rel, err := filepath.Rel(t.real, own)
	if err != nil || !filepath.IsLocal(rel) {
		return &yamlstrict.Error{File: name, Msg: "not below " + root + ", the root of the package", Hint: "name a folder around the package with --root-of-package"}
	}
	t.Sub = filepath.ToSlash(rel)
	// Between these steps another program may have replaced a folder on the way.
	found, err := t.Root.Stat(t.Sub)
	given, gone := os.Stat(name)
	if err != nil || gone != nil || !os.SameFile(found, given) {
		return yamlstrict.FileError(name, regular.ErrChanged)
	}
	return nil
}

// realPath returns the absolute path of a file, without symbolic links.
func realPath(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// escape returns the error for a path that leads out of the folders that may be read. Its hint names
// the smallest root of the package with which the judge would follow the path.
func (t *Tree) escape(rel string) *yamlstrict.Error {
	hint := "a package may only link to its own files, by relative paths: replace the link by the file"
	if root := t.rootFor(rel); root != "" {
		hint = fmt.Sprintf("add --root-of-package %s, or replace the link by the file", root)
	}
	return t.Errorf(rel, 0, hint, "leads out of the package")
}

// rootFor returns the smallest folder below which all symbolic links on the way to rel stay, as the
// user would name it. It returns "" if that is / or links are not the reason why rel leads out.
func (t *Tree) rootFor(rel string) string {
	above := t.outside(rel)
	if above == "" || t.real == "" {
		return ""
	}
	root := filepath.Join(t.real, above)
	if root == "/" {
		return ""
	}
	if t.from != "" {
		if near, err := filepath.Rel(t.from, root); err == nil {
			root = near
		}
	}
	if quoted := strconv.Quote(root); strings.ContainsAny(root, " '$`*?[&;|<>()~#") || len(quoted) != len(root)+2 {
		return quoted
	}
	return root
}

// outside follows the symbolic links on the way to rel while they stay below t.root, and returns the
// highest folder above t.root through which they then lead, such as "../..". It returns "" if they
// do not lead out, or do by an absolute path. It reads nothing outside of t.root.
func (t *Tree) outside(rel string) (above string) {
	const most = 40 // symbolic links followed
	done, rest := ".", strings.Split(t.At(rel), "/")
	for links := 0; len(rest) > 0; {
		done, rest = path.Join(done, rest[0]), rest[1:]
		if !filepath.IsLocal(done) {
			if path.Base(done) == ".." && links > 0 && len(done) > len(above) {
				above = done
			}
			continue
		}
		if above != "" {
			continue
		}
		info, err := t.Root.Lstat(done)
		if err != nil {
			return ""
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		to, err := t.Root.Readlink(done)
		if links++; err != nil || links > most || path.IsAbs(to) {
			return ""
		}
		done, rest = path.Dir(done), append(strings.Split(to, "/"), rest...)
	}
	return above
}

// effort bounds what it takes to read a package beyond its size: packages may hold lists that refer to
// each other, and expressions. A nil effort has no bound.
type effort struct {
	ctx  context.Context
	left int
}

// maxEffort is a bound that takes a few seconds to reach. Real packages need a thousandth of it.
const maxEffort = 1 << 26

// Bound bounds the work, and makes it fail when ctx ends, until end is called.
func (t *Tree) Bound(ctx context.Context) (end func()) {
	t.effort = &effort{ctx, maxEffort}
	return func() { t.effort = nil }
}

// Spend counts steps, each of which takes some nanoseconds, on a file of the package. It returns an
// error if there were too many, or if the user has interrupted the judge.
func (t *Tree) Spend(rel string, steps int) error {
	e := t.effort
	if e == nil {
		return nil
	}
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if steps < 0 || steps > e.left {
		return t.Errorf(rel, 0, "split or shorten its lists", "too much work to read")
	}
	e.left -= steps
	return nil
}
