// Package sheet finds out which student handed in which file for which problem, in a folder or a
// table.
package sheet

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Entry is what a student handed in for a problem.
type Entry struct {
	Student string
	Problem string // as in the list that [Read] was given
	Path    string // the file or folder
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
// and names of problems may be in capitals or not:
//
//	student/maze, for each problem; or, if all folders are named like problems, maze/student
//	student_maze or maze_student, with any of _-. between
//	student, or student/anything, if there is only one problem
//
// Hidden files are ignored, and symbolic links are not followed. If a student has several files for a
// problem, none is judged. An error of the user is a [*yamlstrict.Error].
func Read(place string, problems []string) (*Sheet, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, unreadable(place, err, "name a folder, or a table in CSV")
	}
	r := &reader{problems: problems, students: map[string]bool{}, found: map[[2]string]*Entry{}}
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

// reader collects the entries of a sheet.
type reader struct {
	problems []string
	students map[string]bool
	found    map[[2]string]*Entry // by student and problem
	notes    []string
}

func (r *reader) note(path, text string) { r.notes = append(r.notes, path+": "+text) }

// add adds what a student handed in for a problem.
func (r *reader) add(student, problem, path string) {
	r.students[student] = true
	key := [2]string{student, problem}
	if e := r.found[key]; e != nil {
		if e.Wrong == "" {
			e.Wrong = e.Path
		}
		e.Wrong += " and " + path
		return
	}
	r.found[key] = &Entry{Student: student, Problem: problem, Path: path}
}

func (r *reader) sheet() *Sheet {
	s := &Sheet{Notes: r.notes}
	for name := range r.students {
		s.Students = append(s.Students, name)
	}
	slices.Sort(s.Students)
	for _, e := range r.found {
		if e.Wrong != "" {
			e.Wrong = "several files: " + e.Wrong
		} else if _, err := os.Lstat(e.Path); err != nil {
			e.Wrong = yamlstrict.FileError(e.Path, err).Msg
		}
		s.Entries = append(s.Entries, *e)
	}
	slices.SortFunc(s.Entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Student, b.Student), slices.Index(r.problems, a.Problem)-slices.Index(r.problems, b.Problem))
	})
	return s
}

// problem returns the problem with this name, or "".
func (r *reader) problem(name string) string {
	for _, p := range r.problems {
		if strings.EqualFold(p, name) {
			return p
		}
	}
	return ""
}

// visible returns the files and folders in a folder, without hidden ones and links, sorted.
func (r *reader) visible(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unreadable(dir, err, "make it readable, or move it away")
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		if e.Type() == fs.ModeSymlink {
			r.note(filepath.Join(dir, e.Name()), "a symbolic link, which is not followed")
			return true
		}
		return strings.HasPrefix(e.Name(), ".")
	}), nil
}

// stem returns the name of a file without its extension, or the name of a folder.
func stem(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name()
	}
	return strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
}

func (r *reader) folder(dir string) error {
	entries, err := r.visible(dir)
	if err != nil {
		return err
	}
	byProblem, folders := true, 0
	for _, e := range entries {
		if e.IsDir() {
			folders++
			byProblem = byProblem && r.problem(e.Name()) != ""
		}
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case !e.IsDir():
			r.file(path, e)
		case byProblem:
			err = r.problemFolder(path, r.problem(e.Name()))
		default:
			err = r.studentFolder(path, e.Name())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// problemFolder reads a folder with what all students handed in for a problem.
func (r *reader) problemFolder(dir, problem string) error {
	entries, err := r.visible(dir)
	for _, e := range entries {
		r.add(stem(e), problem, filepath.Join(dir, e.Name()))
	}
	return err
}

// studentFolder reads a folder with what a student handed in.
func (r *reader) studentFolder(dir, student string) error {
	entries, err := r.visible(dir)
	if err != nil {
		return err
	}
	r.students[student] = true
	var others []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if problem := r.problem(stem(e)); problem != "" {
			r.add(student, problem, path)
		} else {
			others = append(others, path)
		}
	}
	if len(r.problems) == 1 && len(others) == len(entries) && len(others) > 0 {
		if len(others) == 1 {
			dir = others[0]
		}
		r.add(student, r.problems[0], dir) // several files are the sources of one program
		return nil
	}
	for _, path := range others {
		r.note(path, "belongs to none of the problems "+list(r.problems))
	}
	return nil
}

// file reads a file that is in no folder of a student or problem.
func (r *reader) file(path string, e fs.DirEntry) {
	const between = "_-."
	name := stem(e)
	for _, p := range r.problems {
		n := len(name) - len(p)
		switch {
		case n < 2:
		case strings.EqualFold(name[n:], p) && strings.Contains(between, name[n-1:n]):
			r.add(name[:n-1], p, path)
			return
		case strings.EqualFold(name[:len(p)], p) && strings.Contains(between, name[len(p):len(p)+1]):
			r.add(name[len(p)+1:], p, path)
			return
		}
	}
	if len(r.problems) == 1 {
		r.add(name, r.problems[0], path)
		return
	}
	r.note(path, "belongs to none of the problems "+list(r.problems))
}

// maxTable is the size of the largest table in bytes.
const maxTable = 64 << 20

// table reads a table in CSV.
func (r *reader) table(name string) error {
	f, err := regular.OpenAny(name)
	if err != nil {
		return unreadable(name, err, "name a table that can be read")
	}
	defer f.Close()
	c := csv.NewReader(io.LimitReader(f, maxTable))
	c.TrimLeadingSpace = true
	const hint = "the first row names the columns: student, problem, path"
	columns := map[string]int{}
	for row := 0; ; row++ {
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			if row == 0 {
				return &yamlstrict.Error{File: name, Msg: "the table is empty", Hint: hint}
			}
			return nil
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return &yamlstrict.Error{File: name, Line: bad.Line, Msg: bad.Err.Error(), Hint: "CSV as of RFC 4180: fields with commas or quotes stand in quotes"}
		}
		if err != nil {
			return unreadable(name, err, "name a table in CSV")
		}
		line, _ := c.FieldPos(0)
		wrong := func(msg, hint string) error { return &yamlstrict.Error{File: name, Line: line, Msg: msg, Hint: hint} }
		if row == 0 {
			for i, field := range fields {
				columns[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(field, "\ufeff")))] = i
			}
			for _, want := range []string{"student", "path"} {
				if _, ok := columns[want]; !ok {
					return wrong("no column "+want, hint)
				}
			}
			if _, ok := columns["problem"]; !ok && len(r.problems) > 1 {
				return wrong("no column problem, but there are several problems", hint)
			}
			continue
		}
		student, path := fields[columns["student"]], fields[columns["path"]]
		problem := r.problems[0]
		if i, ok := columns["problem"]; ok {
			if problem = r.problem(fields[i]); problem == "" {
				return wrong(fmt.Sprintf("unknown problem %q", fields[i]), "the problems are "+list(r.problems))
			}
		}
		switch {
		case student == "":
			return wrong("no student", "every row names one")
		case path == "":
			r.students[student] = true // nothing was handed in
		default:
			if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(name), filepath.FromSlash(path))
			}
			r.add(student, problem, path)
		}
	}
}
