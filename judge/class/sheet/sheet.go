// Package sheet finds out which student handed in which file for which problem, in a folder or a
// table.
package sheet

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"tribunal/judge/internal/yamlstrict"
)

// Entry is what a student handed in for a problem.
type Entry struct {
	Student string
	Problem string // as in the list that [Read] was given
	Path    string // the file or folder; the student's folder if there is none
	Wrong   string // why it cannot be judged, such as two files for one problem; "" if it can
}

// Sheet is what all students handed in.
type Sheet struct {
	Students []string // sorted
	Entries  []Entry  // by student, then in the order of the problems; at most one of each
	Notes    []string // what belongs to no student or problem, one sentence each
}

// Read reads a sheet: a file in CSV, or a folder. The problems are those that the caller can judge.
//
// A table has a first row that names its columns, among them student, problem (which a sheet with one
// problem may lack) and path, which is relative to the folder of the table.
//
// A folder has one of these layouts, where student/maze stands for a file of any type or a folder,
// and names of problems may be in capitals or not, or have an addition as in [build.Like]:
//
//	student/maze, for each problem; or, if all folders are named like problems, maze/student
//	student_maze or maze_student, with any of _-. between
//	student, or student/anything, if there is only one problem
//
// The other files of a student's folder may belong to the programs: an entry is the folder that has
// them, unless there are none. Hidden files are ignored, and symbolic links are not followed. If it is
// unclear what a student has handed in for a problem, the entry is Wrong. Each file is in an entry or in
// a note. source reports whether the name of a file is that of a source. An error of the user is a
// [*yamlstrict.Error].
func Read(place string, problems []string, source func(name string) bool) (*Sheet, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, unreadable(place, err, "name a folder, or a table in CSV")
	}
	r := &reader{problems: problems, source: source, students: map[string]bool{}, found: map[[2]string]*entry{}}
	if info.IsDir() {
		err = r.folder(place)
	} else {
		err = r.table(place)
	}
	if err != nil {
		return nil, err
	}
	if len(r.found) == 0 {
		return nil, &yamlstrict.Error{File: place, Msg: "nobody has handed in anything for " + list(problems), Hint: "files are found as student/" + problems[0] + ".cpp, or in a table with the columns student, problem and path"}
	}
	return r.sheet(), nil
}

// unreadable returns err, from opening or reading a file or folder, with a hint.
func unreadable(path string, err error, hint string) error {
	e := yamlstrict.FileError(path, err)
	e.Hint = hint
	return e
}

func list(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// entry is an Entry of a sheet that is being read.
type entry struct {
	Entry
	several []string // paths, if there are several
}

// reader collects the entries of a sheet.
type reader struct {
	problems []string
	source   func(name string) bool
	students map[string]bool
	found    map[[2]string]*entry // by student and problem
	notes    []string
}

func (r *reader) note(path, text string) { r.notes = append(r.notes, path+": "+text) }

// student returns the name of a student as it stands in the sheet: a file system may have decomposed its
// letters.
func (r *reader) student(name string) string {
	name = norm.NFC.String(name)
	r.students[name] = true
	return name
}

// add adds what a student handed in for a problem.
func (r *reader) add(student, problem, path string) { r.addWrong(student, problem, path, "") }

// addWrong is like add for what cannot be judged, if wrong is not "".
func (r *reader) addWrong(student, problem, path, wrong string) {
	student = r.student(student)
	key := [2]string{student, problem}
	if e := r.found[key]; e != nil {
		if e.several == nil {
			e.several = []string{e.Path}
		}
		e.several = append(e.several, path)
		e.Wrong = strings.TrimPrefix(e.Wrong+"; "+wrong, "; ")
		return
	}
	r.found[key] = &entry{Entry: Entry{Student: student, Problem: problem, Path: path, Wrong: wrong}}
}

func (r *reader) sheet() *Sheet {
	s := &Sheet{Notes: r.notes}
	for name := range r.students {
		s.Students = append(s.Students, name)
	}
	slices.Sort(s.Students)
	folded := map[string]string{}
	for _, name := range s.Students {
		key := strings.ToLower(strings.Join(strings.Fields(name), " "))
		if other, is := folded[key]; is {
			s.Notes = append(s.Notes, fmt.Sprintf("%q and %q: two students whose names differ only in capitals or blanks", other, name))
		}
		folded[key] = name
	}
	slices.Sort(s.Notes)
	for _, e := range r.found {
		if e.several != nil {
			e.Wrong = strings.TrimSuffix("several files: "+strings.Join(e.several, " and ")+"; "+e.Wrong, "; ")
		} else if _, err := os.Lstat(e.Path); err != nil && e.Wrong == "" {
			e.Wrong = e.Path + ": " + yamlstrict.FileError(e.Path, err).Msg
		}
		s.Entries = append(s.Entries, e.Entry)
	}
	slices.SortFunc(s.Entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Student, b.Student), slices.Index(r.problems, a.Problem)-slices.Index(r.problems, b.Problem))
	})
	return s
}
