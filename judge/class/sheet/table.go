package sheet

import (
	"fmt"
	"path/filepath"
	"strings"

	"tribunal/judge/class/table"
	"tribunal/judge/packages/archive"
)

// table reads a table in CSV.
func (r *reader) table(name string) error {
	const hint = "the first row names the columns: student, problem, path"
	t, err := table.Read(name, hint)
	if err != nil {
		return err
	}
	student, problem, path, late := t.Column("student"), t.Column("problem"), t.Column("path"), t.Column("late")
	r.lateness = late >= 0
	switch {
	case student < 0:
		return t.Error(-1, "no column student", hint)
	case path < 0:
		return t.Error(-1, "no column path", hint)
	case problem < 0 && len(r.problems) > 1:
		return t.Error(-1, "no column problem, but there are several problems", hint)
	}
	for i, fields := range t.Rows {
		for k := range fields {
			fields[k] = strings.TrimSpace(fields[k])
		}
		id := r.problems[0]
		if problem >= 0 {
			if id = r.named(fields[problem]); id == "" {
				return t.Error(i, fmt.Sprintf("unknown problem %q", fields[problem]), "the problems are "+list(r.problems))
			}
		}
		switch file := fields[path]; {
		case fields[student] == "":
			return t.Error(i, "no student", "every row names one")
		case file == "":
			r.student(fields[student]) // nothing was handed in
		default:
			if !filepath.IsAbs(file) {
				file = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			}
			isLate := late >= 0 && table.Yes(fields[late])
			if !archive.Is(file) || !exists(file) {
				r.enter(Entry{Student: fields[student], Problem: id, Path: file, Late: isLate})
			} else if err := r.packed(fields[student], id, file, isLate); err != nil {
				return err
			}
		}
	}
	return nil
}

// packed adds the archive that a student handed in for a problem.
func (r *reader) packed(student, problem, file string, late bool) error {
	into, err := r.folder(filepath.Dir(file))
	if err != nil {
		return err
	}
	dir := filepath.Join(into, filepath.Base(file))
	if err := r.extract(file, dir, handedIn); err != nil {
		return err
	}
	it := item{path: dir, name: filepath.Base(dir), dir: true}
	return r.one(&handIn{student: student, problem: problem, lateAre: map[string]bool{it.name: late}, items: []item{it}})
}
