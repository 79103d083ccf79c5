package sheet

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

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
			if problem = r.named(fields[i]); problem == "" {
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
