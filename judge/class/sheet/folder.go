package sheet

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
	entries = r.people(dir, entries)
	r.codeFirst(entries)
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
	for _, e := range rest {
		r.unnamed(filepath.Join(dir, e.Name()), stem(e), known)
	}
	return nil
}

// people returns the entries of a folder without those of tests and tools, which are no students. Each
// gets a note, because a student may be called so.
func (r *reader) people(dir string, entries []fs.DirEntry) []fs.DirEntry {
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		aside := e.IsDir() && build.IsAsideFolder(e.Name()) && r.named(e.Name()) == ""
		if aside {
			r.note(filepath.Join(dir, e.Name()), "taken for a folder of tests or tools, not for a student (hint: a table may name a student who is called so)")
		}
		return aside
	})
}

// canvas matches the names, without extension, of files in an archive that Canvas makes: the student,
// perhaps LATE, the number of the student, that of the file, and the name that it had.
var canvas = regexp.MustCompile(`^(.+?)(?:_LATE)?_(\d{3,})_\d{3,}_(.+)$`)

// ofCanvas returns the student and the original name of a file; "" if its name is no such one.
func ofCanvas(name string) (student, original string) {
	if parts := canvas.FindStringSubmatch(name); parts != nil {
		return parts[1] + "_" + parts[2], parts[3]
	}
	return "", ""
}

// rank returns 0 for a source, a header or an archive, which come before receipts and other documents.
func (r *reader) rank(name string) int {
	if r.source(name) || build.IsHeader(name) || build.IsArchive(name) {
		return 0
	}
	return 1
}

// codeFirst sorts what may be a program before documents.
func (r *reader) codeFirst(entries []fs.DirEntry) {
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return r.rank(a.Name()) - r.rank(b.Name()) })
}

// addFile adds a file, or notes a document beside what a student has handed in for a problem.
func (r *reader) addFile(student, problem, path string) {
	if r.rank(path) > 0 && r.found[[2]string{norm.NFC.String(student), problem}] != nil {
		r.note(path, r.none())
		return
	}
	r.add(student, problem, path)
}

// problemFolder reads a folder with what all students handed in for a problem.
func (r *reader) problemFolder(dir, problem string) error {
	entries, links, err := visible(dir)
	entries = r.people(dir, entries)
	r.codeFirst(entries)
	for _, e := range entries {
		path, student := filepath.Join(dir, e.Name()), stem(e)
		if known, _ := ofCanvas(student); known != "" && !e.IsDir() {
			student = known
		}
		if e.IsDir() {
			r.add(student, problem, path)
		} else {
			r.addFile(student, problem, path)
		}
	}
	for _, path := range links {
		r.addWrong(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), problem, path, aLink)
	}
	return err
}

// A claim is a way to read the name of a file.
type claim struct {
	student, problem string
	exact            bool // the name of the problem stands there without an addition
}

// file adds a file that is in no folder of a student or problem, if its name has that of a problem.
func (r *reader) file(path, name string) bool {
	var claims []claim
	claimed := func(student, called string) {
		for _, p := range r.like(called) {
			claims = append(claims, claim{student, p, build.Like(p, called) == build.Same})
		}
	}
	if student, original := ofCanvas(name); student != "" {
		claimed(student, original)
	} else {
		for at := 1; at < len(name)-1; at++ {
			if !strings.Contains("_-.", name[at:at+1]) {
				continue
			}
			claimed(name[:at], name[at+1:])
			if p := r.named(name[:at]); p != "" {
				claims = append(claims, claim{name[at+1:], p, true})
			}
		}
	}
	if slices.ContainsFunc(claims, func(c claim) bool { return c.exact }) {
		claims = slices.DeleteFunc(claims, func(c claim) bool { return !c.exact })
	}
	if len(claims) == 0 {
		return false
	}
	var problems []string
	for _, c := range claims {
		if !slices.Contains(problems, c.problem) {
			problems = append(problems, c.problem)
		}
	}
	if len(problems) == 1 {
		r.addFile(claims[0].student, claims[0].problem, path)
		return true
	}
	for _, c := range claims {
		r.addWrong(c.student, c.problem, path, forOneOf(path, problems))
	}
	return true
}

func forOneOf(path string, problems []string) string {
	return path + " may be for one of " + strings.Join(problems, ", ")
}

func (r *reader) none() string { return "belongs to none of the problems " + list(r.problems) }

// unnamed takes a file that is in no folder of a student or problem, and whose name has that of no
// problem. It may belong to the program of a known student.
func (r *reader) unnamed(path, name string, known []string) {
	code := r.source(path) || build.IsHeader(path)
	owner, _ := ofCanvas(name)
	sure := owner != ""
	for _, student := range known {
		rest, is := strings.CutPrefix(name, student)
		if !sure && is && rest != "" && strings.Contains("_-.", rest[:1]) {
			owner = student
		}
	}
	switch {
	case sure && len(r.problems) > 1 && r.rank(path) == 0:
		for _, p := range r.problems {
			if e := r.found[[2]string{norm.NFC.String(owner), p}]; e != nil || !build.IsHeader(path) {
				wrong := ""
				if e == nil {
					wrong = notCalled(p, []string{path})
				}
				r.addWrong(owner, p, path, wrong)
			}
		}
		if !r.students[norm.NFC.String(owner)] {
			r.note(path, "belongs to no program of "+r.student(owner))
		}
	case !sure && owner != "" && code:
		ours := false
		for _, p := range r.problems {
			if e := r.found[[2]string{owner, p}]; e != nil && filepath.Dir(e.Path) == filepath.Dir(path) {
				r.add(owner, p, path)
				ours = true
			}
		}
		if !ours {
			r.note(path, "may belong to a program of "+owner)
		}
	default:
		if !sure {
			owner = name
		}
		if len(r.problems) == 1 && (r.rank(path) == 0 || !r.students[norm.NFC.String(owner)]) {
			r.add(owner, r.problems[0], path)
			return
		}
		if sure {
			r.student(owner)
		}
		r.note(path, r.none())
	}
}

func notCalled(problem string, paths []string) string {
	return fmt.Sprintf("no file is called %s, but there is %s", problem, list(paths))
}
