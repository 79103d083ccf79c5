package sheet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/archive"
)

// item is a file or folder of what a class handed in.
type item struct {
	path string // where it can be read
	from string // where the user has it
	name string // without .zip for an archive, which is a folder here
	dir  bool
}

// handedIn bounds an archive that a student handed in.
var handedIn = archive.Bounds{Entries: 10_000, Total: 256 << 20, Free: 16 << 20, Ratio: 100, Link: 4 << 10}

// items returns the files and folders in a folder as visible does, with archives as folders and sources
// that are called .py.txt by their own names: a folder with any is copied.
func (r *reader) items(dir string) (items []item, links []string, err error) {
	entries, links, err := visible(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		it := item{path, path, e.Name(), e.IsDir()}
		if r.unusual(path, e) {
			root, err := r.folder(dir)
			if to := filepath.Join(root, e.Name()); err == nil && archive.Is(e.Name()) && r.named(trimArchive(e.Name())) != "" {
				it.path, err = to, r.extract(path, to, archive.Usual()) // perhaps with what the class handed in for the problem
			} else if err == nil {
				it.path, err = r.copy(path, filepath.Join(root, e.Name()), func(string) bool { return false })
			}
			if err != nil {
				return nil, nil, err
			}
			it.name, it.dir = trimArchive(filepath.Base(it.path)), isFolder(it.path)
		}
		items = append(items, it)
	}
	return items, links, err
}

// folder makes a folder for copies of what the user has in from.
func (r *reader) folder(from string) (string, error) {
	if r.scratch == "" {
		dir, err := os.MkdirTemp("", "judge-sheet-")
		if err != nil {
			return "", err
		}
		r.scratch = dir
	}
	r.folders++
	dir := filepath.Join(r.scratch, strconv.Itoa(r.folders))
	r.called(dir, from)
	return dir, os.Mkdir(dir, 0o755)
}

// unusual reports whether a file, or one in a folder, is an archive or a source that is called .txt.
func (r *reader) unusual(path string, e fs.DirEntry) bool {
	if !e.IsDir() {
		return archive.Is(e.Name()) || r.disguised(e.Name())
	}
	found := false
	filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error { // what cannot be read is reported later
		switch {
		case err != nil || d.IsDir() && d.Name() == modules || hidden(d.Name()):
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.Type().IsRegular() && (archive.Is(d.Name()) || r.disguised(d.Name())):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// disguised reports whether a name is that of a source with .txt behind it, as some mail programs and
// editors add.
func (r *reader) disguised(name string) bool {
	ext := filepath.Ext(name)
	return strings.EqualFold(ext, ".txt") && r.source(strings.TrimSuffix(name, ext))
}

// trimArchive returns the name of a file without the extension of an archive.
func trimArchive(name string) string {
	if archive.Is(name) {
		name = strings.TrimSuffix(name, filepath.Ext(name))
		if strings.EqualFold(filepath.Ext(name), ".tar") {
			name = strings.TrimSuffix(name, filepath.Ext(name))
		}
	}
	return name
}

// copy copies a file or folder, without hidden files and what tools made, and returns the path of the copy.
// An archive becomes a folder of its name; one that cannot be extracted is alone in it. taken reports
// whether a file of a name is beside the original.
func (r *reader) copy(from, to string, taken func(name string) bool) (string, error) {
	if err := r.ctx.Err(); err != nil {
		return "", err
	}
	info, err := os.Lstat(from)
	if err != nil {
		return "", unreadable(from, err, "make it readable, or move it away")
	}
	switch base := filepath.Base(from); {
	case info.Mode().Type() == fs.ModeSymlink:
		target, err := os.Readlink(from)
		if err != nil {
			return "", unreadable(from, err, "move it away")
		}
		return to, os.Symlink(target, to)
	case info.IsDir():
		return to, r.copyFolder(from, to)
	case archive.Is(base):
		return to, r.extract(from, to, handedIn)
	case r.disguised(base) && !taken(strings.TrimSuffix(base, filepath.Ext(base))):
		to = strings.TrimSuffix(to, filepath.Ext(to))
		r.called(to, from)
		r.note(from, "read as "+strings.TrimSuffix(base, filepath.Ext(base)))
	}
	return to, copyFile(from, to)
}

func (r *reader) copyFolder(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return unreadable(from, err, "make it readable, or move it away")
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	taken := func(name string) bool { return exists(filepath.Join(from, name)) }
	for _, e := range entries {
		switch name := e.Name(); {
		case hidden(name):
		case e.IsDir() && build.IsProduct(name, taken):
			err = os.Mkdir(filepath.Join(to, name), 0o755) // which a note names
		default:
			_, err = r.copy(filepath.Join(from, name), filepath.Join(to, name), taken)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, info, err := regular.OpenPlain(from)
	if err != nil {
		return unreadable(from, err, "make it readable, or move it away")
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// extract extracts an archive into the folder to, or puts it there if that is not possible.
func (r *reader) extract(from, to string, bounds archive.Bounds) error {
	dir, err := r.open(from, bounds)
	if err == nil {
		if entries, _, err := visible(dir); err == nil && len(entries) == 0 {
			r.note(from, "has no files but hidden ones")
		}
		return os.Rename(dir, to)
	}
	bad, ok := errors.AsType[*yamlstrict.Error](err)
	if !ok {
		return err
	}
	inside := filepath.Join(to, filepath.Base(from))
	r.broken[inside] = bad.Msg
	r.called(inside, from)
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	return os.WriteFile(inside, nil, 0o644) // to be named
}

// open extracts an archive into a folder of its own, and returns that.
func (r *reader) open(name string, bounds archive.Bounds) (string, error) {
	f, _, err := regular.Open(name)
	if err != nil {
		return "", unreadable(name, err, "make it readable, or move it away")
	}
	defer f.Close()
	dir, err := archive.Extract(r.ctx, name, f, func() (string, error) { return r.folder(name) }, bounds)
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		if errors.Is(err, full) {
			return "", fmt.Errorf("%s: %w (hint: free some space, or set TMPDIR to a folder with more)", name, full)
		}
	}
	if err == nil {
		r.called(dir, name)
	}
	return dir, err
}

// called records that the user knows a copy by another path.
func (r *reader) called(copied, original string) {
	r.shown = append(r.shown, [2]string{copied, r.show(original)})
}

// show returns a text in which the paths of copies are those of the originals.
func (r *all) show(text string) string {
	var b strings.Builder
	for r.scratch != "" {
		before, after, found := strings.Cut(text, r.scratch+string(filepath.Separator))
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = r.scratch + string(filepath.Separator) + after
		best := [2]string{}
		for _, pair := range r.shown {
			if rest, is := strings.CutPrefix(text, pair[0]); is && (rest == "" || strings.Contains("/:,; \n", rest[:1])) {
				best = pair // the later one is within the earlier
			}
		}
		if best[0] == "" {
			b.WriteString(text[:len(r.scratch)])
			text = text[len(r.scratch):]
			continue
		}
		b.WriteString(best[1])
		text = text[len(best[0]):]
	}
	return text
}
