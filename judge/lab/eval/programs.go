package eval

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"maps"
	"os"
	"slices"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Programs is a file of programs for tasks, one on each line: those of tribunal's own shape with the key
// task. Only the places of the lines are in memory, and a program is read when it is judged.
type Programs struct {
	name   string
	file   *os.File
	places map[string][]place // of the programs of each task
	wrong  []place            // lines that name no task
}

// place is where a line is, or what is wrong with it.
type place struct {
	offset, size int64
	line         int
	err          error
}

// submittedLine is a program for a task.
type submittedLine struct {
	Task text `json:"task"`
	programLine
}

var submittedKeys = []string{"task", "id", "language", "source", "metadata"}

// OpenPrograms opens a file of programs and finds those of each task. The error is a
// [*yamlstrict.Error] if the user is to blame. The caller closes the programs.
func OpenPrograms(name string) (*Programs, error) {
	f, err := regular.OpenAny(name)
	if err != nil {
		e := yamlstrict.FileError(name, err)
		e.Hint = "name a file with a program on each line"
		return nil, e
	}
	p := &Programs{name: name, file: f, places: map[string][]place{}}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &yamlstrict.Error{File: name, Msg: "not a regular file", Hint: "programs are read in the order of their tasks; tasks may come from a pipe"}
	}
	if err == nil {
		err = p.index()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// index reads the whole file once.
func (p *Programs) index() error {
	s := newScanner(p.name, p.file)
	for {
		line, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var l submittedLine
		if err == nil {
			if err = decode(line, &l, submittedKeys...); err == nil {
				err = checkID(string(l.Task))
			}
			if w, ok := errors.AsType[*wrong](err); ok {
				if w.msg == aList { // then no line of the file is a program
					if ahead, _ := s.in.Peek(s.in.Size()); bytes.Contains(append(line, ahead...), []byte(`"code_list"`)) {
						w.hint = "jq -c '.[] | {task: .question_id, source: .code_list[]}' writes samples of LiveCodeBench on lines"
					}
					return located(p.name, s.line, "", w.hint, "%s", w.msg)
				}
				err = located(p.name, s.line, string(l.Task), w.hint, "%s", w.msg)
			}
		}
		at := place{s.offset, s.size, s.line, err}
		if e, ok := errors.AsType[*yamlstrict.Error](err); err != nil && (!ok || e.Line == 0) {
			return err
		} else if err != nil && l.Task == "" {
			p.wrong = append(p.wrong, at)
			continue
		}
		p.places[string(l.Task)] = append(p.places[string(l.Task)], at)
	}
}

// of reads the programs of a task, with their places. A place with an error has no program.
func (p *Programs) of(task string) iter.Seq2[programLine, place] {
	return func(yield func(programLine, place) bool) {
		for _, at := range p.places[task] {
			var l submittedLine
			if at.err == nil {
				data := make([]byte, at.size)
				if _, err := p.file.ReadAt(data, at.offset); err != nil {
					at.err = yamlstrict.FileError(p.name, err)
				} else if err := decode(data, &l, submittedKeys...); err != nil {
					at.err = located(p.name, at.line, task, "", "changed while it was read")
				}
			}
			if !yield(l.programLine, at) {
				return
			}
		}
	}
}

// unused returns an error for each line that names none of the tasks, and for each other task that is
// named. tasks are those in the file that messages call by name.
func (p *Programs) unused(tasks map[string]int, name string) iter.Seq[error] {
	return func(yield func(error) bool) {
		for _, at := range p.wrong {
			if !yield(at.err) {
				return
			}
		}
		for _, task := range slices.Sorted(maps.Keys(p.places)) {
			list := p.places[task]
			if _, known := tasks[task]; known {
				continue
			}
			if !yield(located(p.name, list[0].line, task, "", "there is no such task in %s, but %d programs for it", name, len(list))) {
				return
			}
		}
	}
}

func (p *Programs) Close() error { return p.file.Close() }
