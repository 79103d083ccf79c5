// Package sheet finds out which student handed in which file for which problem, in a folder, an archive or a
// table.
package sheet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/archive"
)

// Entry is what a student handed in for a problem.
type Entry struct {
	Student string
	Problem string // as in the list that [Read] was given
	Path    string // the file or folder; the student's folder if there is none. It may be a copy, until Close
	Shown   string // the path as the user knows it, which may lead into an archive
	Wrong   string // why it cannot be judged, such as two files for one problem; "" if it can

	Late    bool      // whether the platform says so
	Shared  string    // the student of the same group who handed it in, if another did
	Attempt string    // its number or name, by the platform; "" if unknown
	Time    time.Time // of the attempt, by the platform; zero if unknown
	Others  []Entry   // the other attempts, the oldest first, if [Best] or [All] are asked for
}

// Sheet has the programs of all students. It must be closed.
type Sheet struct {
	Students []string          // sorted
	IDs      map[string]string // by student: the number or name that the platform has beside the student's
	Entries  []Entry           // by student, then in the order of the problems; at most one of each
	Notes    []string          // what belongs to no student or problem, one sentence each
	Lateness bool              // whether the platform could say what was late

	read *all
}

// Close removes what was extracted or copied. A nil sheet has nothing to close.
func (s *Sheet) Close() error {
	if s == nil {
		return nil
	}
	return os.RemoveAll(s.read.scratch)
}

// Show returns a text, such as a message about a Path, in which paths are as the user knows them.
func (s *Sheet) Show(text string) string {
	if s == nil {
		return text
	}
	return s.read.show(text)
}

// Options say how to read a sheet. The zero value finds that out.
type Options struct {
	Layout   Layout   // one of [Layouts]; "" finds it by content
	Pattern  string   // a regular expression with the named groups student, problem, attempt, time and late
	Attempts Attempts // "" is [Last]
}

// Read reads a sheet: a file in CSV, a folder or an archive of one. The problems are those that the caller
// can judge.
//
// A table has a first row that names its columns, among them student, problem (which a sheet with one
// problem may lack) and path, which is relative to the folder of the table, and perhaps late, with yes or no.
//
// A folder has one of [Layouts], also below a folder for each problem. The layout of folders is one of
// these, where student/maze stands for a file of any type or a folder, and names of problems may be in
// capitals or not, or have an addition as in [build.Like]:
//
//	student/maze, for each problem; or, if all folders are named like problems, maze/student
//	student_maze or maze_student, with any of _-. between
//	student, or student/anything, if there is only one problem
//
// A pattern is matched with the path of each file instead, relative to the folder. Archives are folders.
//
// The other files of a student's folder may belong to the programs: an entry is the folder that has
// them, unless there are none. Hidden files are ignored, and symbolic links are not followed. If it is
// unclear what a student has handed in for a problem, the entry is Wrong. Each file is in an entry or in
// a note, but for those in which a platform describes others. Students whose names differ only in capitals,
// blanks and Unicode's forms are one, unless the platform has ids for them. source reports whether the name
// of a file is that of a source. An error of the user is a [*yamlstrict.Error].
func Read(ctx context.Context, place string, problems []string, source func(name string) bool, o Options) (*Sheet, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, unreadable(place, err, "name a folder, an archive of one, or a table in CSV")
	}
	r := (&reader{all: &all{ctx: ctx, source: source, layout: o.Layout, attempts: o.Attempts, broken: map[string]string{}}}).part(problems)
	if o.Pattern != "" {
		if o.Layout != "" {
			return nil, &yamlstrict.Error{File: "--student-pattern", Msg: "it and --layout exclude each other", Hint: "a pattern says where everything is"}
		}
		if r.pattern, err = compilePattern(o.Pattern); err != nil {
			return nil, err
		}
		r.lateness = r.pattern.SubexpIndex("late") >= 0
	}
	s, err := r.read(place, info.IsDir())
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(r.scratch))
	}
	return s, nil
}

func (r *reader) read(place string, isFolder bool) (s *Sheet, err error) {
	base := filepath.Base(place)
	switch {
	case isFolder:
		err = r.class(place, base)
	case archive.Is(base):
		var dir string
		if dir, err = r.open(place, archive.Usual()); err == nil {
			err = r.class(dir, trimArchive(base))
		} else if bad, ok := errors.AsType[*yamlstrict.Error](err); ok {
			bad.Hint = "download it again, or extract it and name the folder"
		}
	case r.layout != "" || r.pattern != nil:
		err = &yamlstrict.Error{File: place, Msg: "a layout or a pattern is for folders and archives", Hint: "a table in CSV says itself which file is whose"}
	default:
		err = r.table(place)
	}
	switch {
	case err != nil:
		return nil, err
	case r.layout != "" && r.layout != "folders" && !r.recognized:
		i := slices.IndexFunc(layouts, func(l layout) bool { return l.name == r.layout })
		return nil, &yamlstrict.Error{File: place, Msg: "not " + layouts[i].of, Hint: "without --layout it is found by content; --student-pattern reads others"}
	case len(r.found) == 0 && r.pattern != nil && len(r.notes) > 0:
		return nil, &yamlstrict.Error{File: place, Msg: "nobody has handed in anything for " + list(r.problems), Hint: r.show(r.notes[0])}
	case len(r.found) == 0:
		return nil, &yamlstrict.Error{File: place, Msg: "nobody has handed in anything for " + list(r.problems), Hint: "files are found as student/" + r.problems[0] + ".cpp, or in a table with the columns student, problem and path"}
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

// all is the state that the readers of a sheet share.
type all struct {
	ctx        context.Context
	source     func(name string) bool
	layout     Layout
	pattern    *regexp.Regexp
	attempts   Attempts
	recognized bool              // whether there was a download of a platform
	lateness   bool              // whether it, or a table or pattern, could say what was late
	scratch    string            // the folder for copies; "" until there are some
	folders    int               // in scratch
	shown      [][2]string       // paths of copies, with those of the originals
	broken     map[string]string // by path: why an archive cannot be extracted
}

// reader collects the entries of a sheet, or of a part.
type reader struct {
	*all
	problems []string
	certain  bool              // whether it finds only the layouts that are sure
	students map[string]string // by folded name
	ids      map[string]string // by student
	found    map[[2]string][]Entry
	notes    []string
}

// part returns a reader of a part of the sheet, which has only some of the problems.
func (r *reader) part(problems []string) *reader {
	return &reader{all: r.all, problems: problems, students: map[string]string{}, ids: map[string]string{}, found: map[[2]string][]Entry{}}
}

// take adds what the reader of a part has found.
func (r *reader) take(part *reader) {
	for _, name := range part.students {
		if id, known := part.ids[name]; known {
			r.identify(r.student(name), id)
		}
		r.student(name)
	}
	for _, entries := range part.found {
		for _, e := range entries {
			r.enter(e)
		}
	}
	r.notes = append(r.notes, part.notes...)
}

// takeDownload is like take for a download beside others, in which a student may have another number.
func (r *reader) takeDownload(part *reader) {
	alike := map[string]string{}
	for _, name := range r.students {
		alike[nearly(name)] = min(name, first(alike[nearly(name)], name))
	}
	for _, name := range part.students {
		if other := alike[nearly(name)]; other != "" && r.students[folded(name)] == "" && part.ids[name] != "" && r.ids[other] != "" {
			r.notes = append(r.notes, fmt.Sprintf("%q and %q: perhaps one student, whose number differs between downloads", other, name))
		}
	}
	r.take(part)
}

func (r *reader) note(path, text string) {
	if why := r.broken[path]; why != "" {
		text = why
	}
	r.notes = append(r.notes, path+": "+text)
}

// folded returns what names of one student have in common: a file system may have decomposed letters.
func folded(name string) string {
	if !utf8.ValidString(name) {
		return name // no letters are known
	}
	return strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(name)), " "))
}

// student returns the name of a student as it stands in the sheet.
func (r *reader) student(name string) string {
	name = norm.NFC.String(name)
	known, is := r.students[folded(name)]
	if !is {
		r.students[folded(name)] = name
		return name
	}
	if known != name {
		r.notes = append(r.notes, fmt.Sprintf("%q and %q: one student, because only capitals or blanks differ", known, name))
	}
	return known
}

// of returns what a student has handed in for a problem.
func (r *reader) of(student, problem string) []Entry {
	return r.found[[2]string{r.students[folded(student)], problem}]
}

// add adds what a student handed in for a problem.
func (r *reader) add(student, problem, path string) { r.addWrong(student, problem, path, "") }

// addWrong is like add for what cannot be judged, if wrong is not "".
func (r *reader) addWrong(student, problem, path, wrong string) {
	r.enter(Entry{Student: student, Problem: problem, Path: path, Wrong: wrong})
}

func (r *reader) enter(e Entry) {
	if why := r.broken[e.Path]; why != "" && e.Wrong == "" {
		e.Wrong = e.Path + ": " + why
	}
	e.Student = r.student(e.Student)
	key := [2]string{e.Student, e.Problem}
	r.found[key] = append(r.found[key], e)
}

func (r *reader) sheet() *Sheet {
	maps.DeleteFunc(r.ids, func(_, id string) bool { return id == "" })
	s := &Sheet{IDs: r.ids, read: r.all, Lateness: r.lateness}
	for _, name := range r.students {
		s.Students = append(s.Students, name)
	}
	slices.Sort(s.Students)
	alike := map[string]string{}
	for _, name := range s.Students {
		other, is := alike[nearly(name)]
		if is && (r.ids[name] == "" || r.ids[other] == "") {
			r.notes = append(r.notes, fmt.Sprintf("%q and %q: perhaps one student", other, name))
		}
		alike[nearly(name)] = name
	}
	for _, list := range r.found {
		e := r.choose(list)
		for _, e := range append([]*Entry{&e}, pointers(e.Others)...) {
			e.Shown, e.Wrong = r.show(e.Path), r.show(e.Wrong)
		}
		s.Entries = append(s.Entries, e)
	}
	for _, note := range r.notes {
		s.Notes = append(s.Notes, r.show(note))
	}
	slices.Sort(s.Notes)
	s.Notes = slices.Compact(s.Notes)
	slices.SortFunc(s.Entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Student, b.Student), slices.Index(r.problems, a.Problem)-slices.Index(r.problems, b.Problem))
	})
	return s
}

func pointers(list []Entry) (pointers []*Entry) {
	for i := range list {
		pointers = append(pointers, &list[i])
	}
	return pointers
}

// nearly returns the words of a name in any order, without accents and numbers.
func nearly(name string) string {
	plain := strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return c
	}, norm.NFD.String(folded(name)))
	words := strings.FieldsFunc(plain, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) && !unicode.IsDigit(c) })
	words = slices.DeleteFunc(words, func(word string) bool { return strings.Trim(word, "0123456789") == "" })
	if len(words) == 0 || !utf8.ValidString(name) {
		return name
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
