package sheet

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"tribunal/judge/internal/build"
)

// named returns the problem with this name, or "".
func (r *reader) named(name string) string {
	for _, p := range r.problems {
		if strings.EqualFold(p, name) {
			return p
		}
	}
	return ""
}

// like returns the problem for which a file or folder is called, or "". The same name as one problem's
// comes before one that is similar to another's.
func (r *reader) like(name string) string {
	for _, want := range []build.Likeness{build.Same, build.Similar} {
		for _, p := range r.problems {
			if build.Like(p, name) == want {
				return p
			}
		}
	}
	return ""
}

// visible returns the files and folders in a folder, without hidden ones, sorted. Symbolic links come
// apart, as paths.
func visible(dir string) (entries []fs.DirEntry, links []string, err error) {
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, unreadable(dir, err, "make it readable, or move it away")
	}
	for _, e := range all {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.Type() == fs.ModeSymlink:
			links = append(links, filepath.Join(dir, e.Name()))
		default:
			entries = append(entries, e)
		}
	}
	return entries, links, nil
}

const aLink = "a symbolic link, which is not followed"

// stem returns the name of a file without its extension, or the name of a folder.
func stem(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name()
	}
	return strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
}

func (r *reader) folder(dir string) error {
	entries, links, err := visible(dir)
	if err != nil {
		return err
	}
	byProblem := true
	for _, e := range entries {
		byProblem = byProblem && (!e.IsDir() || r.named(e.Name()) != "")
	}
	var rest []fs.DirEntry
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case !e.IsDir():
			if !r.file(path, stem(e)) {
				rest = append(rest, e)
			}
		case byProblem:
			err = r.problemFolder(path, r.named(e.Name()))
		default:
			err = r.studentFolder(path, e.Name())
		}
		if err != nil {
			return err
		}
	}
	for _, path := range links {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			r.note(path, aLink)
			continue
		}
		for _, p := range r.problems {
			r.addWrong(filepath.Base(path), p, path, aLink)
		}
	}
	known := make([]string, 0, len(r.students))
	for name := range r.students {
		known = append(known, name)
	}
	slices.Sort(known)
	slices.SortStableFunc(rest, func(a, b fs.DirEntry) int { return r.rank(a.Name()) - r.rank(b.Name()) })
	for _, e := range rest {
		r.unnamed(filepath.Join(dir, e.Name()), stem(e), known)
	}
	return nil
}

// rank returns 0 for a source, a header or an archive, which come before receipts and other documents.
func (r *reader) rank(name string) int {
	if r.source(name) || build.IsHeader(name) || archive(name) {
		return 0
	}
	return 1
}

// problemFolder reads a folder with what all students handed in for a problem.
func (r *reader) problemFolder(dir, problem string) error {
	entries, links, err := visible(dir)
	for _, e := range entries {
		r.add(stem(e), problem, filepath.Join(dir, e.Name()))
	}
	for _, path := range links {
		r.addWrong(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), problem, path, aLink)
	}
	return err
}

// file adds a file that is in no folder of a student or problem, if its name has that of a problem.
func (r *reader) file(path, name string) bool {
	const between = "_-."
	for _, want := range []build.Likeness{build.Same, build.Similar} {
		for _, p := range r.problems {
			for at := 1; at < len(name)-1; at++ {
				switch {
				case !strings.Contains(between, name[at:at+1]):
				case build.Like(p, name[at+1:]) == want:
					r.add(name[:at], p, path)
					return true
				case want == build.Same && strings.EqualFold(name[:at], p):
					r.add(name[at+1:], p, path)
					return true
				}
			}
		}
	}
	return false
}

// unnamed takes a file that is in no folder of a student or problem, and whose name has that of no
// problem. It may belong to the program of a known student.
func (r *reader) unnamed(path, name string, known []string) {
	for _, student := range known {
		rest, is := strings.CutPrefix(name, student)
		if !is || rest == "" || !strings.Contains("_-.", rest[:1]) || !r.source(path) && !build.IsHeader(path) {
			continue
		}
		ours := false
		for _, p := range r.problems {
			if e := r.found[[2]string{student, p}]; e != nil && filepath.Dir(e.Path) == filepath.Dir(path) {
				r.add(student, p, path)
				ours = true
			}
		}
		if !ours {
			r.note(path, "may belong to a program of "+student)
		}
		return
	}
	if len(r.problems) == 1 && (r.rank(path) == 0 || !r.students[norm.NFC.String(name)]) {
		r.add(name, r.problems[0], path)
		return
	}
	r.note(path, "belongs to none of the problems "+list(r.problems))
}
