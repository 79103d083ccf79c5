package sheet

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/packages/archive"
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

// like returns the problems for which a file or folder is called, as [build.LikeAny].
func (r *reader) like(name string) []string { return build.LikeAny(r.problems, filepath.Base(name)) }

// visible returns the files and folders in a folder, without hidden ones, sorted. Symbolic links come
// apart, as paths.
func visible(dir string) (entries []fs.DirEntry, links []string, err error) {
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, unreadable(dir, err, "make it readable, or move it away")
	}
	for _, e := range all {
		switch {
		case hidden(e.Name()):
		case e.Type() == fs.ModeSymlink:
			links = append(links, filepath.Join(dir, e.Name()))
		default:
			entries = append(entries, e)
		}
	}
	return entries, links, nil
}

// hidden reports whether systems hide files of this name, among them those that Windows makes in folders.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.EqualFold(name, "Thumbs.db") || strings.EqualFold(name, "desktop.ini")
}

const aLink = "a symbolic link, which is not followed"

// stem returns the name of a file without its extension, or the name of a folder.
func (it item) stem() string {
	if it.dir {
		return it.name
	}
	return strings.TrimSuffix(it.name, filepath.Ext(it.name))
}

// people reads the items of a folder, and the links in it.
func (r *reader) people(items []item, links []string) (err error) {
	items = r.setAside(items)
	r.codeFirst(items)
	byProblem := true
	for _, it := range items {
		byProblem = byProblem && (!it.dir || r.named(it.name) != "")
	}
	var rest []item
	for _, it := range items {
		switch {
		case !it.dir || archive.Is(it.path) && !byProblem:
			var is bool
			if is, err = r.file(it); !is && it.dir {
				err = r.studentFolder(it.path, it.name)
			} else if !is {
				rest = append(rest, it)
			}
		case byProblem:
			err = r.problemFolder(it.path, r.named(it.name))
		default:
			err = r.studentFolder(it.path, it.name)
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
	known := slices.Sorted(maps.Values(r.students))
	for _, it := range rest {
		r.unnamed(it.path, it.stem(), known)
	}
	return nil
}

// setAside returns items without the folders of tests and tools, which are no students. Each gets a note,
// because a student may be called so.
func (r *reader) setAside(items []item) []item {
	return slices.DeleteFunc(items, func(it item) bool {
		aside := it.dir && build.IsAsideFolder(it.name) && r.named(it.name) == ""
		if aside {
			r.note(it.path, "taken for a folder of tests or tools, not for a student (hint: a table may name a student who is called so)")
		}
		return aside
	})
}

// rank returns 0 for a source, a header or an archive, which come before receipts and other documents.
func (r *reader) rank(name string) int {
	if r.source(name) || build.IsHeader(name) || build.IsArchive(name) {
		return 0
	}
	return 1
}

// codeFirst sorts what may be a program before documents.
func (r *reader) codeFirst(items []item) {
	slices.SortStableFunc(items, func(a, b item) int { return r.rank(a.path) - r.rank(b.path) })
}

// addFile adds a file, or notes a document beside what a student has handed in for a problem.
func (r *reader) addFile(student, problem, path string) {
	if r.rank(path) > 0 && r.of(student, problem) != nil {
		r.note(path, r.none())
		return
	}
	r.add(student, problem, path)
}

// problemFolder reads a folder with what all students handed in for a problem.
func (r *reader) problemFolder(dir, problem string) error {
	part := r.part([]string{problem})
	hands, items, links, err := part.download(dir, problem)
	if err != nil {
		return err
	}
	err = part.hand(hands)
	items = part.setAside(items)
	r.codeFirst(items)
	for _, it := range items {
		if it.dir {
			part.add(it.stem(), problem, it.path)
		} else {
			part.addFile(it.stem(), problem, it.path)
		}
	}
	for _, path := range links {
		part.addWrong(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), problem, path, aLink)
	}
	r.takeDownload(part)
	return err
}

// A claim is a way to read the name of a file.
type claim struct {
	student, problem string
	exact            bool // the name of the problem stands there without an addition
}

// file adds a file or an archive that is in no folder of a student or problem, if its name has that of a problem.
func (r *reader) file(it item) (is bool, err error) {
	name := it.stem()
	var claims []claim
	claimed := func(student, called string) {
		for _, p := range r.like(called) {
			claims = append(claims, claim{student, p, build.Like(p, called) == build.Same})
		}
	}
	for at := 1; at < len(name)-1; at++ {
		if !strings.Contains("_-.", name[at:at+1]) {
			continue
		}
		claimed(name[:at], name[at+1:])
		if p := r.named(name[:at]); p != "" {
			claims = append(claims, claim{name[at+1:], p, true})
		}
	}
	if slices.ContainsFunc(claims, func(c claim) bool { return c.exact }) {
		claims = slices.DeleteFunc(claims, func(c claim) bool { return !c.exact })
	}
	for i := range claims { // ann_game_maze may be for each of them
		student := claims[i].student
		if at := strings.LastIndexAny(student, "_-."); at > 0 && r.named(student[at+1:]) != "" {
			claims[i].student = student[:at]
			claims = append(claims, claim{student[:at], r.named(student[at+1:]), true})
		}
	}
	if len(claims) == 0 {
		return false, nil
	}
	var problems []string
	for _, c := range claims {
		if !slices.Contains(problems, c.problem) {
			problems = append(problems, c.problem)
		}
	}
	switch {
	case len(problems) == 1 && it.dir:
		return true, r.one(&handIn{student: claims[0].student, problem: problems[0], items: []item{it}})
	case len(problems) == 1:
		r.addFile(claims[0].student, problems[0], it.path)
		return true, nil
	}
	for _, c := range claims {
		r.addWrong(c.student, c.problem, it.path, forOneOf(it.path, problems))
	}
	return true, nil
}

func forOneOf(path string, problems []string) string {
	return path + " may be for one of " + strings.Join(problems, ", ")
}

func (r *reader) none() string { return "belongs to none of the problems " + list(r.problems) }

// unnamed takes a file that is in no folder of a student or problem, and whose name has that of no
// problem. It may belong to the program of a known student.
func (r *reader) unnamed(path, name string, known []string) {
	owner := ""
	for _, student := range known {
		rest, is := strings.CutPrefix(name, student)
		if is && rest != "" && strings.Contains("_-.", rest[:1]) {
			owner = student
		}
	}
	switch {
	case owner != "" && (r.source(path) || build.IsHeader(path)):
		ours := false
		for _, p := range r.problems {
			if list := r.of(owner, p); list != nil && filepath.Dir(list[0].Path) == filepath.Dir(path) {
				r.add(owner, p, path)
				ours = true
			}
		}
		if !ours {
			r.note(path, "may belong to a program of "+owner)
		}
	case len(r.problems) == 1 && (r.rank(path) == 0 || r.students[folded(name)] == ""):
		r.add(name, r.problems[0], path)
	default:
		r.note(path, r.none())
	}
}

func notCalled(problem string, paths []string) string {
	return fmt.Sprintf("no file is called %s, but there is %s", problem, list(paths))
}
