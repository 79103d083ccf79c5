package sheet

import (
	"fmt"
	"path/filepath"

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
	student, problem, path := t.Column("student"), t.Column("problem"), t.Column("path")
	switch {
	case student < 0:
		return t.Error(-1, "no column student", hint)
	case path < 0:
		return t.Error(-1, "no column path", hint)
	case problem < 0 && len(r.problems) > 1:
		return t.Error(-1, "no column problem, but there are several problems", hint)
	}
	for i, fields := range t.Rows {
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
			if !archive.Is(file) || !exists(file) {
				r.add(fields[student], id, file)
			} else if err := r.packed(fields[student], id, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// packed adds the archive that a student handed in for a problem.
func (r *reader) packed(student, problem, file string) error {
	into, err := r.folder(filepath.Dir(file))
	if err != nil {
		return err
	}
	dir := filepath.Join(into, filepath.Base(file))
	if err := r.extract(file, dir); err != nil {
		return err
	}
	return r.one(&handIn{student: student, problem: problem, items: []item{{path: dir, dir: true}}})
}
