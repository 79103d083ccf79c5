package eval

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Format is a shape of tasks.
type Format string

// The formats. Each line of a file is one task.
const (
	Tribunal      Format = "tribunal"
	CodeContests  Format = "codecontests"
	APPS          Format = "apps"
	LiveCodeBench Format = "livecodebench"
	HumanEval     Format = "humaneval"
	MBPP          Format = "mbpp"
	TACO          Format = "taco"
	BigCodeBench  Format = "bigcodebench"
	MultiPLE      Format = "multipl-e"
)

func Formats() []Format {
	return []Format{Tribunal, CodeContests, APPS, LiveCodeBench, HumanEval, MBPP, TACO, BigCodeBench, MultiPLE}
}

// The limits of tests whose task sets none. The time is that of plain folders of tests.
const (
	DefaultTime   = 10 * time.Second
	DefaultMemory = limits.GiB
)

// Options say how tasks and programs are read.
type Options struct {
	Format    Format                    // "" is that of the first line
	Language  string                    // of programs that do not name theirs; "" is that of the format
	Languages map[string]build.Language // of the judge
	Programs  *Programs                 // programs in a file of their own; nil for none
	Extract   Extract                   // "" is ExtractAuto
}

// Tasks reads tasks, one on each line of in, which messages call name. An error that is a
// [*yamlstrict.Error] with a line is about one task, and others may follow.
func Tasks(name string, in io.Reader, o Options) iter.Seq2[*Task, error] {
	return func(yield func(*Task, error) bool) {
		s, next, err := open(name, in)
		if err != nil {
			yield(nil, err)
			return
		}
		r := &reader{scanner: s, options: o, lines: map[string]int{}}
		for empty := true; ; empty = false {
			line, err := next()
			if errors.Is(err, io.EOF) {
				if empty {
					yield(nil, &yamlstrict.Error{File: name, Msg: "no tasks", Hint: "each line is a task; docs/eval.md has their formats"})
					return
				}
				break
			}
			var t *Task
			if err == nil {
				t, err = r.task(line)
			}
			if !yield(t, err) {
				return
			}
			if e, ok := errors.AsType[*yamlstrict.Error](err); err != nil && (!ok || e.Line == 0) {
				return
			}
		}
		if o.Programs != nil {
			for err := range o.Programs.unused(r.lines, name) {
				if !yield(nil, err) {
					return
				}
			}
		}
	}
}

// open returns a scanner of tasks, and what reads the next of them. A file may be compressed, as data sets
// are published.
func open(name string, in io.Reader) (*scanner, func() ([]byte, error), error) {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.IsDir() {
			s := newScanner(name, nil)
			next, err := s.folder()
			return s, next, err
		}
	}
	s := newScanner(name, in)
	if head, _ := s.in.Peek(2); string(head) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(s.in)
		if err != nil {
			return nil, nil, yamlstrict.FileError(name, err)
		}
		s = newScanner(name, unzipped)
	}
	if err := s.known(); err != nil {
		return nil, nil, err
	}
	return s, s.shape(), nil
}

// folder returns a function like next for a folder, such as those of MultiPL-E, in which each file is a
// task.
func (s *scanner) folder() (func() ([]byte, error), error) {
	folder := s.file
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, yamlstrict.FileError(folder, err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		name := strings.TrimSuffix(e.Name(), ".gz")
		return !strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".results.json")
	})
	if len(entries) == 0 {
		return nil, &yamlstrict.Error{File: folder, Msg: "no tasks in files .json or .json.gz" + looksLike(folder), Hint: "name a file with a task on each line"}
	}
	return func() ([]byte, error) {
		if len(entries) == 0 {
			return nil, io.EOF
		}
		s.file, s.line, entries = filepath.Join(folder, entries[0].Name()), 1, entries[1:]
		f, err := regular.OpenAny(s.file)
		if err != nil {
			return nil, s.errorf("", "%v", err)
		}
		defer f.Close()
		one, next, err := open(s.file, f)
		if err != nil {
			return nil, s.errorf("", "%v", err)
		}
		line, err := next()
		if s.size = one.size; errors.Is(err, io.EOF) {
			err = s.errorf("", "an empty file")
		}
		return line, err
	}, nil
}

// Count returns the number of tasks in a file or folder, 0 if it cannot be read more than once.
func Count(name string) (n int) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return 0
	}
	f, err := regular.OpenAny(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	_, next, err := open(name, f)
	for ; err == nil; n++ {
		_, err = next()
		if e, ok := errors.AsType[*yamlstrict.Error](err); ok && e.Line > 0 {
			err = nil
		}
	}
	return max(n-1, 0)
}

// reader reads tasks.
type reader struct {
	*scanner
	options Options
	lines   map[string]int // the line of each task so far, by id
	number  int            // tasks so far
}

// parsed is a task as a line describes it, with the programs in that line.
type parsed struct {
	Task
	language string   // of programs that do not name theirs; "" if each must
	alias    string   // another id that samples may name; "" for none
	prompt   string   // what programs that are completions continue
	stop     []string // and where these end
	programs []programLine
	// solutions are those of the data set, which are judged if there is no file of programs.
	solutions []programLine
}

// parsers parse a line of each format.
var parsers = map[Format]func(line []byte) (parsed, error){
	Tribunal: parseTribunal, CodeContests: parseCodeContests, APPS: parseAPPS, LiveCodeBench: parseLiveCodeBench,
	HumanEval: parseHumanEval, MBPP: parseMBPP, TACO: parseAPPS, BigCodeBench: parseBigCodeBench, MultiPLE: parseMultiPL,
}

// task reads the task in a line.
func (r *reader) task(line []byte) (*Task, error) {
	if r.options.Format == "" && json.Valid(line) { // a broken line says nothing about the others
		format, looks := detect(line)
		if looks != "" {
			return nil, r.errorf(askFor, "this looks like %s", looks)
		}
		r.options.Format = format
	}
	p, err := parsers[cmp.Or(r.options.Format, Tribunal)](line)
	t := &p.Task
	if t.ID == "" && r.options.Format == TACO { // whose samples name the place of a task
		t.ID = strconv.Itoa(r.number)
	}
	r.number++
	t.File, t.Line, t.Size = r.file, r.line, r.size
	for _, test := range t.Tests { // which may have been compressed
		t.Size += int64(len(test.Input) + len(test.Output))
	}
	if err == nil {
		err = checkID(t.ID)
	}
	if w, ok := errors.AsType[*wrong](err); ok {
		return nil, t.Errorf(w.hint, "%s", w.msg)
	}
	if err != nil {
		return nil, err
	}
	if before, known := r.lines[t.ID]; known {
		return nil, t.Errorf("ids are unique", "line %d has the same id", before)
	}
	r.lines[t.ID] = r.line
	if p.alias != "" {
		r.lines[p.alias] = r.line
	}
	if t.Problem == "" && len(t.Tests) == 0 {
		return nil, t.Errorf("", "no tests")
	}
	t.Programs = r.programs(t, p)
	return t, nil
}

// programs returns the programs of a task: those in its line, and those in a file of their own.
func (r *reader) programs(t *Task, p parsed) iter.Seq2[*Program, error] {
	o := r.options
	o.Language = cmp.Or(o.Language, p.language)
	return func(yield func(*Program, error) bool) {
		ids, number := map[string]bool{}, 0
		each := func(line programLine, file string, at int) bool {
			number++
			program, err := line.program(number, ids, o, p)
			if w, ok := errors.AsType[*wrong](err); ok {
				err = located(file, at, t.ID, w.hint, "%s", w.msg)
			}
			return yield(program, err)
		}
		programs := p.programs
		if o.Programs == nil {
			programs = slices.Concat(p.solutions, programs)
		}
		for _, line := range programs {
			if !each(line, t.File, t.Line) {
				return
			}
		}
		if o.Programs == nil {
			return
		}
		for line, at := range o.Programs.of(t.ID, p.alias) {
			if at.err != nil && !yield(nil, at.err) || at.err == nil && !each(line, cmp.Or(at.file, o.Programs.name), at.line) {
				return
			}
		}
	}
}

// programLine is a program in a line, in tribunal's own shape.
type programLine struct {
	ID       text     `json:"id"`
	Language string   `json:"language"`
	Source   *string  `json:"source"`
	Metadata embedded `json:"metadata"`

	continues bool // the source is the rest of a program that begins with the prompt
}

// program returns the program with this number in the task t. ids are those of the programs before it.
func (l programLine) program(number int, ids map[string]bool, o Options, t parsed) (*Program, error) {
	p := &Program{ID: cmp.Or(string(l.ID), strconv.Itoa(number))}
	if err := checkID(p.ID); err != nil {
		return nil, err
	}
	wrongProgram := func(hint, format string, args ...any) error {
		return wrongf(hint, "program %s: %s", p.ID, fmt.Sprintf(format, args...))
	}
	if ids[p.ID] {
		return nil, wrongProgram("ids are unique in a task", "another program has the same id")
	}
	ids[p.ID] = true
	if l.Source == nil {
		return nil, wrongProgram("", "no source")
	}
	name := cmp.Or(l.Language, o.Language)
	if name == "" {
		return nil, wrongProgram("--lang sets that of all programs that name none", "no language")
	}
	var err error
	if p.Language, err = Language(name, o.Languages); err != nil {
		return nil, wrongProgram(err.(*wrong).hint, "%v", err)
	}
	if f := t.Function; f != nil && !f.calls(p.Language) {
		return nil, wrongProgram("write it in python3", "the tests call a function of Python, which a program in %s does not have", p.Language)
	}
	if t.Tail != "" && p.Language != t.language {
		return nil, wrongProgram("", "the tests are in %s, and the program in %s", t.language, p.Language)
	}
	if p.Source, p.Fence = extract(*l.Source, p.Language, o.Extract, o.Languages); l.continues {
		p.Source = t.prompt + until(p.Source, t.stop)
	}
	return p, nil
}

// otherNames lists names of languages that data sets use, in lower case.
var otherNames = map[string]string{
	"py": "python3", "py3": "python3", "python": "python3", "pypy": "pypy3",
	"c++": "cpp", "cxx": "cpp", "cc": "cpp", "c#": "csharp", "cs": "csharp", "golang": "go", "js": "javascript", "node": "javascript",
	"nodejs": "javascript", "ml": "ocaml", "pl": "perl", "kt": "kotlin", "rb": "ruby", "rs": "rust", "ts": "typescript", "sh": "bash", "shell": "bash",
}

// Language returns the language of the judge that a name stands for, such as cpp for C++. The error has
// no location.
func Language(name string, languages map[string]build.Language) (string, error) {
	if _, known := languages[name]; known {
		return name, nil
	}
	lower := strings.ToLower(name)
	lower = cmp.Or(otherNames[lower], lower)
	if _, known := languages[lower]; !known {
		return "", wrongf("the languages are "+strings.Join(slices.Sorted(maps.Keys(languages)), ", "), "unknown language %q", first(name, 40))
	}
	return lower, nil
}

// maxID is the size of the longest id in bytes.
const maxID = 1000

// checkID returns an error unless an id can be shown on a line.
func checkID(id string) error {
	switch {
	case id == "":
		return wrongf("", "no id")
	case len(id) > maxID:
		return wrongf("", "an id of %d bytes, more than %d", len(id), maxID)
	case strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }):
		return wrongf("", "the id %q has characters that cannot be printed", first(id, 100))
	}
	return nil
}

// The ways to compare of the formats. docs/eval.md explains them.
var (
	tokens       = diff.Options{Mode: diff.Tokens}
	sameNumbers  = diff.Options{Mode: diff.Float}
	closeNumbers = diff.Options{Mode: diff.Float, Abs: 1e-8, Rel: 1e-5}
	nearNumbers  = diff.Options{Mode: diff.Float, Abs: 1e-5, FoldCase: true}
)
