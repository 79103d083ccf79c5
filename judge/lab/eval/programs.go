package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Programs are programs for tasks: a file with some on each line, in tribunal's own shape with the key task
// or in those of samples that benchmarks publish, a list of the same, or a folder. Only their places are in
// memory, and a program is read when it is judged.
type Programs struct {
	name    string
	file    *os.File
	folders bool               // a folder for each task instead of lines
	places  map[string][]place // of the programs of each task
	wrong   []place            // lines that name no task
	count   int
}

// place is where programs are, or what is wrong with them.
type place struct {
	file         string // in a folder; "" for the file of all
	offset, size int64
	line, count  int
	err          error
}

// submittedLine is a program for a task.
type submittedLine struct {
	Task text `json:"task"`
	programLine
}

var submittedKeys = []string{"task", "id", "language", "source", "metadata"}

// A sampleLine has samples of a task as benchmarks publish them. Its id and its texts have different keys in each.
type sampleLine struct {
	TaskID     *text `json:"task_id"`
	QuestionID *text `json:"question_id"`
	ProblemID  *text `json:"problem_id"`
	Name       *text `json:"name"`
	Language   string
	Solution   sampleTexts `json:"solution"`    // EvalPlus, BigCodeBench: a whole program
	Codes      sampleTexts `json:"code_list"`   // LiveCodeBench
	Completion sampleTexts `json:"completion"`  // HumanEval: the rest of a program that the prompt begins
	Outputs    sampleTexts `json:"output_list"` // LiveCodeBench: whole answers
	Output     sampleTexts `json:"output"`      // TACO
	Source     sampleTexts `json:"source"`
}

// sampleTexts is a text or a list of texts.
type sampleTexts []string

// UnmarshalJSON reads a text or a list of texts.
func (s *sampleTexts) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		*s = sampleTexts{""}
		return json.Unmarshal(data, &(*s)[0])
	}
	if json.Unmarshal(data, (*[]string)(s)) != nil {
		return wrongf("", "samples are a text or a list of texts, not %.20s", data)
	}
	return nil
}

// programsIn returns the programs in a line, and their task.
func programsIn(line []byte) (string, []programLine, error) {
	var s sampleLine
	err := json.Unmarshal(line, &s)
	id := cmp.Or(s.TaskID, s.QuestionID, s.ProblemID, s.Name)
	switch {
	case id == nil:
		var l submittedLine
		err := decode(line, &l, submittedKeys...)
		return string(l.Task), []programLine{l.programLine}, notProgram(line, err)
	case err != nil:
		return string(*id), nil, explain(line, err)
	}
	task := string(*id)
	var programs []programLine
	for kind, texts := range []sampleTexts{s.Solution, s.Codes, s.Completion, s.Outputs, s.Output, s.Source} {
		for i := range texts {
			programs = append(programs, programLine{Language: s.Language, Source: &texts[i], continues: kind == 2})
		}
		if texts != nil {
			return task, programs, nil
		}
	}
	return task, nil, notProgram(line, wrongf("samples have solution, completion, code_list, output_list or output", "no program"))
}

// OpenPrograms opens a file or a folder of programs and finds those of each task. The error is a
// [*yamlstrict.Error] if the user is to blame. The caller closes the programs.
func OpenPrograms(name string, languages map[string]build.Language) (*Programs, error) {
	f, err := regular.OpenAny(name)
	if err != nil {
		e := yamlstrict.FileError(name, err)
		e.Hint = "name a file with a program on each line"
		return nil, e
	}
	p := &Programs{name: name, file: f, places: map[string][]place{}}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		if err = p.folder(name, languages); err == nil {
			return p, nil
		}
	} else if err == nil && !info.Mode().IsRegular() {
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

// index reads the whole file once: lines, or one list.
func (p *Programs) index() error {
	s := newScanner(p.name, p.file)
	if begin, _ := s.in.Peek(2); string(begin) == "\x1f\x8b" {
		return &yamlstrict.Error{File: p.name, Msg: "compressed by gzip", Hint: "gunzip it: programs are read in the order of their tasks"}
	}
	if err := s.known(); err != nil {
		return err
	}
	for next := s.shape(); ; {
		line, err := next()
		if errors.Is(err, io.EOF) && len(p.places)+len(p.wrong) == 0 {
			return &yamlstrict.Error{File: p.name, Msg: "no programs", Hint: shape}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		at, task := place{offset: s.offset, size: s.size, line: s.line, count: 1}, ""
		if err == nil {
			var programs []programLine
			if task, programs, err = programsIn(line); err == nil {
				at.count = len(programs)
				err = checkID(task)
			}
			if w, ok := errors.AsType[*wrong](err); ok {
				err = located(p.name, s.line, task, w.hint, "%s", w.msg)
			}
		}
		at.err = err
		if e, ok := errors.AsType[*yamlstrict.Error](err); err != nil && (!ok || e.Line == 0) {
			return err
		} else if err != nil && task == "" {
			p.wrong = append(p.wrong, at)
			continue
		}
		p.add(task, at)
	}
}

func (p *Programs) add(task string, at place) {
	p.places[task] = append(p.places[task], at)
	p.count += at.count
}

// folder finds programs in a folder: those for a task are in a folder with its name, in which _ stands for
// what file names do not have, as EvalPlus and BigCodeBench write them.
func (p *Programs) folder(name string, languages map[string]build.Language) error {
	files, err := filepath.Glob(filepath.Join(escapeGlob.Replace(name), "*", "*.*"))
	if err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	p.folders = true
	for _, file := range files {
		if _, err := Language(strings.TrimPrefix(filepath.Ext(file), "."), languages); err == nil {
			p.add(filepath.Base(filepath.Dir(file)), place{file: file, line: 1, count: 1})
		}
	}
	if p.count == 0 {
		return &yamlstrict.Error{File: name, Msg: "no programs in folders with the names of tasks" + looksLike(name), Hint: "name a file with a program on each line, or a folder with programs such as HumanEval_0/0.py"}
	}
	return nil
}

// of reads the programs of a task, which may have two names, with their places. A place with an error has
// no program.
func (p *Programs) of(task, alias string) iter.Seq2[programLine, place] {
	places := p.places[p.key(task)]
	if alias != "" {
		places = slices.Concat(places, p.places[p.key(alias)])
	}
	return func(yield func(programLine, place) bool) {
		for _, at := range places {
			programs := []programLine{{}}
			if at.err == nil {
				programs, at.err = p.at(task, at)
			}
			for _, program := range programs {
				if !yield(program, at) {
					return
				}
			}
		}
	}
}

// key returns the name of a task in p.places.
func (p *Programs) key(task string) string {
	if p.folders {
		return strings.ReplaceAll(task, "/", "_")
	}
	return task
}

// at reads the programs in a place.
func (p *Programs) at(task string, at place) ([]programLine, error) {
	none := []programLine{{}}
	if at.file != "" {
		text, err := os.ReadFile(at.file)
		if err != nil {
			return none, yamlstrict.FileError(at.file, err)
		}
		source := string(text)
		return []programLine{{Language: strings.TrimPrefix(filepath.Ext(at.file), "."), Source: &source}}, nil
	}
	data := make([]byte, at.size)
	if _, err := p.file.ReadAt(data, at.offset); err != nil {
		return none, yamlstrict.FileError(p.name, err)
	}
	_, programs, err := programsIn(data)
	if err != nil {
		return none, located(p.name, at.line, task, "", "changed while it was read")
	}
	return programs, nil
}

// unused returns an error for each line that names none of the tasks, and for each other task that is
// named. tasks are those in the file that messages call by name.
func (p *Programs) unused(tasks map[string]int, name string) iter.Seq[error] {
	known := map[string]bool{}
	for task := range tasks {
		known[p.key(task)] = true
	}
	return func(yield func(error) bool) {
		for _, at := range p.wrong {
			if !yield(at.err) {
				return
			}
		}
		for _, task := range slices.Sorted(maps.Keys(p.places)) {
			list := p.places[task]
			if known[task] {
				continue
			}
			count := 0
			for _, at := range list {
				count += at.count
			}
			if err := list[0].err; err != nil {
				if !yield(err) {
					return
				}
			} else if !yield(located(cmp.Or(list[0].file, p.name), list[0].line, task, "", "there is no such task in %s; programs for it: %d", name, count)) {
				return
			}
		}
	}
}

// Count returns the number of programs.
func (p *Programs) Count() int { return p.count }

func (p *Programs) Close() error { return p.file.Close() }
