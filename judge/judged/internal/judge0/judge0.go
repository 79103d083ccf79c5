// Package judge0 translates the requests and answers of Judge0's API to runs of the service.
//
// It follows Judge0's documentation as of version 1.13. docs/api.md lists what is supported.
package judge0

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/task"
)

// Submission is the body of a request. Other attributes are ignored, as Judge0 does.
type Submission struct {
	Source     *string `json:"source_code"`
	Language   *number `json:"language_id"`
	Stdin      *string `json:"stdin"`
	Expected   *string `json:"expected_output"`
	Arguments  *string `json:"command_line_arguments"`
	CPUTime    *number `json:"cpu_time_limit"`
	ExtraTime  *number `json:"cpu_extra_time"`
	WallTime   *number `json:"wall_time_limit"`
	Memory     *number `json:"memory_limit"`
	Stack      *number `json:"stack_limit"`
	Processes  *number `json:"max_processes_and_or_threads"`
	FileSize   *number `json:"max_file_size"`
	Runs       *number `json:"number_of_runs"`
	Options    *string `json:"compiler_options"`
	Callback   *string `json:"callback_url"`
	Additional *string `json:"additional_files"`
	Network    *bool   `json:"enable_network"`
	Redirect   *bool   `json:"redirect_stderr_to_stdout"`
	EachTime   *bool   `json:"enable_per_process_and_thread_time_limit"`
	EachMemory *bool   `json:"enable_per_process_and_thread_memory_limit"`
}

// number is a number, which clients may also send as text.
type number float64

func (n number) String() string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }

func (n *number) UnmarshalJSON(text []byte) error {
	var inner string
	if json.Unmarshal(text, &inner) == nil {
		text = []byte(inner)
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%.40q is not a number", text)
	}
	*n = number(v)
	return nil
}

type Program struct {
	Source   []byte
	Language string // id in this judge
	Stdin    []byte
	Expected []byte // nil if nothing is compared
	Args     []string
	Limits   string // in the form of [limits.Limits.Override]
}

// Errors says what is wrong with each attribute, in Judge0's form.
type Errors map[string][]string

func (e Errors) add(attribute, format string, args ...any) {
	e[attribute] = append(e[attribute], fmt.Sprintf(format, args...))
}

// Program returns what to run. known reports whether this judge has a language, most are the largest
// limits, and encoded says that texts come in base64. If there are errors, the program is not valid.
func (s *Submission) Program(known func(language string) bool, most limits.Limits, encoded bool) (p Program, errs Errors) {
	errs = Errors{}
	p.Source = errs.text("source_code", s.Source, encoded)
	p.Stdin = errs.text("stdin", s.Stdin, encoded)
	p.Expected = errs.text("expected_output", s.Expected, encoded)
	if p.Stdin == nil {
		p.Stdin = []byte{}
	}
	if len(p.Source) == 0 && errs["source_code"] == nil {
		errs.add("source_code", "can't be blank")
	}
	if s.Language == nil {
		errs.add("language_id", "can't be blank")
	} else if p.Language = languageOf(*s.Language); p.Language == "" || !known(p.Language) {
		maps.Copy(errs, s.NoLanguage())
	}
	if s.Arguments != nil {
		if p.Args = strings.Fields(*s.Arguments); strings.ContainsAny(*s.Arguments, "'\"\\$`&;<>|") {
			errs.add("command_line_arguments", "quotes and other special characters are not supported")
		}
	}
	s.unsupported(errs)
	p.Limits = s.limits(errs, most)
	return p, errs
}

// NoLanguage returns the errors of a submission that sets a language which this judge does not have.
func (s *Submission) NoLanguage() Errors {
	errs := Errors{}
	errs.add("language_id", "language with id %v doesn't exist", *s.Language)
	return errs
}

// text decodes a text; nil if there is none.
func (e Errors) text(attribute string, text *string, encoded bool) []byte {
	switch {
	case text == nil:
		return nil
	case !encoded:
		return []byte(*text)
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(*text), ""))
	if err != nil {
		e.add(attribute, "is not valid Base64")
	}
	return data
}

// unsupported adds errors for what this judge cannot do. It says so instead of doing something else.
func (s *Submission) unsupported(errs Errors) {
	blank := func(text *string) bool { return text == nil || strings.TrimSpace(*text) == "" }
	for _, a := range []struct {
		name string
		used bool
		why  string
	}{
		{"compiler_options", !blank(s.Options), "setting compiler options is not allowed"},
		{"callback_url", !blank(s.Callback), "setting callback is not allowed"},
		{"additional_files", !blank(s.Additional), "setting additional files is not allowed"},
		{"enable_network", s.Network != nil && *s.Network, "enabling network is not allowed"},
		{"redirect_stderr_to_stdout", s.Redirect != nil && *s.Redirect, "this option cannot be enabled"},
		{"enable_per_process_and_thread_time_limit", s.EachTime != nil && *s.EachTime, "this option cannot be enabled"},
		{"enable_per_process_and_thread_memory_limit", s.EachMemory != nil && *s.EachMemory, "this option cannot be enabled"},
		{"number_of_runs", s.Runs != nil && *s.Runs > 1, "must be less than or equal to 1"},
		{"number_of_runs", s.Runs != nil && *s.Runs < 1, "must be greater than or equal to 1"},
	} {
		if a.used {
			errs.add(a.name, "%s", a.why)
		}
	}
}

// The limits of a submission that does not set them.
const (
	cpuTime   = 5      // seconds
	wallTime  = 10     // seconds
	memory    = 262144 // KiB
	processes = 64
	fileSize  = 4096 // KiB; nothing behind it would be kept
)

func (s *Submission) limits(errs Errors, most limits.Limits) string {
	value := func(attribute string, set *number, usual, least, most float64) float64 {
		if set == nil {
			return min(usual, most)
		}
		switch v := float64(*set); {
		case v < least:
			errs.add(attribute, "must be greater than or equal to %v", least)
		case v > most:
			errs.add(attribute, "must be less than or equal to %v", most)
		default:
			return v
		}
		return usual
	}
	cpu := value("cpu_time_limit", s.CPUTime, cpuTime, 0.001, most.CPU.Seconds())
	wall := value("wall_time_limit", s.WallTime, max(wallTime, 2*cpu), 0.001, most.Wall.Seconds())
	kib := value("memory_limit", s.Memory, memory, 2048, float64(most.Memory/limits.KiB))
	procs := value("max_processes_and_or_threads", s.Processes, processes, 1, float64(most.Processes))
	size := value("max_file_size", s.FileSize, fileSize, 1, float64(min(most.Output, task.MaxOutput)/limits.KiB))
	return fmt.Sprintf("cpu=%v,wall=%v,memory=%dKiB,processes=%d,output=%dKiB",
		seconds(cpu), seconds(wall), int(kib), int(procs), int(size))
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9).Round(time.Millisecond) }

// Batch is the body of a request with several submissions.
type Batch struct {
	Submissions []Submission `json:"submissions"`
}

// MaxBatch is the largest number of submissions in a batch.
const MaxBatch = 20

type Language struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// language is a language of this judge with its numbers in Judge0: first the newest version, then older ones.
type language struct {
	id, name string
	number   int
	older    []int
}

// languages are those that both judges have. The judge compiles with the versions that its workers have.
var languages = []language{
	{"bash", "Bash", 46, []int{1, 2}},
	{"c", "C (GCC)", 50, []int{4, 5, 6, 7, 8, 9, 48, 49}},
	{"cpp", "C++ (GCC)", 54, []int{10, 11, 12, 13, 14, 15, 52, 53}},
	{"csharp", "C# (Mono)", 51, []int{16, 17}},
	{"go", "Go", 60, []int{22}},
	{"haskell", "Haskell (GHC)", 61, []int{23, 24}},
	{"java", "Java (OpenJDK)", 62, []int{26, 27, 28}},
	{"javascript", "JavaScript (Node.js)", 63, []int{29, 30}},
	{"kotlin", "Kotlin", 78, nil},
	{"lua", "Lua", 64, nil},
	{"ocaml", "OCaml", 65, []int{31}},
	{"pascal", "Pascal (FPC)", 67, []int{33}},
	{"perl", "Perl", 85, nil},
	{"python3", "Python (3)", 71, []int{34, 35}},
	{"ruby", "Ruby", 72, []int{38, 39, 40, 41}},
	{"rust", "Rust", 73, []int{42}},
	{"typescript", "TypeScript", 74, nil},
}

// languageOf returns the language with a number, "" if there is none.
func languageOf(n number) string {
	for _, l := range languages {
		if n == number(l.number) || slices.ContainsFunc(l.older, func(older int) bool { return n == number(older) }) {
			return l.id
		}
	}
	return ""
}

// Languages returns the languages that this judge has, by number.
func Languages(known func(language string) bool) []Language {
	list := []Language{}
	for _, l := range languages {
		if known(l.id) {
			list = append(list, Language{l.number, l.name})
		}
	}
	slices.SortFunc(list, func(a, b Language) int { return a.ID - b.ID })
	return list
}
