// Package judge0 translates the requests and answers of Judge0's API to runs of the service.
//
// It follows Judge0's documentation as of version 1.13, with the languages of 1.14. docs/api.md lists what is
// supported.
package judge0

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
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
	Network    *flag   `json:"enable_network"`
	Redirect   *flag   `json:"redirect_stderr_to_stdout"`
	EachTime   *flag   `json:"enable_per_process_and_thread_time_limit"`
	EachMemory *flag   `json:"enable_per_process_and_thread_memory_limit"`
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

// flag is true or false, which clients may also send as text, as forms do.
type flag bool

func (f *flag) UnmarshalJSON(text []byte) error {
	var inner string
	if json.Unmarshal(text, &inner) == nil {
		text = []byte(inner)
	}
	switch strings.ToLower(string(text)) {
	case "true", "1", "on", "t":
		*f = true
	case "false", "0", "off", "f", "":
		*f = false
	default:
		return fmt.Errorf("%.40q is neither true nor false", text)
	}
	return nil
}

// Host says what this judge can do for a submission.
type Host struct {
	Flavor  Flavor
	Knows   func(language string) bool
	Options func(language string) []string // patterns of the compiler options that a submission may bring
	Most    limits.Limits                  // the largest that a submission may ask for
	Calls   func(url string) error         // why the end of a submission cannot be reported to a URL, nil if it can
	Calling bool                           // an end can be reported somewhere
}

// Program is what to run.
type Program struct {
	Source   []byte // not of a [Project]
	Files    []byte // a zip archive of files beside the source; nil if there are none
	Language string // id in this judge
	Stdin    []byte
	Expected []byte // nil if nothing is compared
	Args     []string
	Options  []string // of the compiler
	Limits   string   // in the form of [limits.Limits.Override]
	Callback string   // a URL; "" for none
}

// Errors says what is wrong with each attribute, in Judge0's form.
type Errors map[string][]string

func (e Errors) add(attribute, format string, args ...any) {
	e[attribute] = append(e[attribute], fmt.Sprintf(format, args...))
}

// Program returns what to run. encoded says that texts come in base64; additional files always do. If there are
// errors, the program is not valid.
func (s *Submission) Program(h Host, encoded bool) (p Program, errs Errors) {
	errs = Errors{}
	p.Source = errs.text("source_code", s.Source, encoded)
	p.Stdin = errs.text("stdin", s.Stdin, encoded)
	p.Expected = errs.text("expected_output", s.Expected, encoded)
	if !blank(s.Additional) {
		p.Files = errs.text("additional_files", s.Additional, true)
	}
	if !blank(s.Callback) {
		p.Callback = strings.TrimSpace(*s.Callback)
		if err := h.Calls(p.Callback); err != nil {
			errs.add("callback_url", "%v", err)
		}
	}
	if p.Stdin == nil {
		p.Stdin = []byte{}
	}
	if s.Language == nil {
		errs.add("language_id", "can't be blank")
	} else if p.Language = h.Flavor.languageOf(*s.Language); p.Language == "" || !h.Knows(tools(p.Language)) {
		maps.Copy(errs, s.NoLanguage())
	}
	switch {
	case p.Language == Project && len(p.Files) == 0 && errs["additional_files"] == nil:
		errs.add("additional_files", "can't be blank")
	case p.Language != Project && len(p.Source) == 0 && errs["source_code"] == nil:
		errs.add("source_code", "can't be blank")
	}
	p.Args = errs.words("command_line_arguments", s.Arguments, maxArguments)
	p.Options = errs.words("compiler_options", s.Options, maxOptions)
	allows := build.Allows(h.Options(p.Language))
	for _, o := range p.Options {
		if !allows(o) {
			errs.add("compiler_options", "%.80q is not allowed for this language (hint: GET /v1/languages has what is)", o)
		}
	}
	s.unsupported(errs)
	p.Limits = s.limits(errs, h)
	return p, errs
}

// Bounds of what is split into words, in bytes: the options of a compiler, as Judge0 has it, and arguments, of which
// quotes do not count later.
const (
	maxOptions   = 512
	maxArguments = 256 << 10
)

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

func blank(text *string) bool { return text == nil || strings.TrimSpace(*text) == "" }

// unsupported adds errors for what this judge cannot do. It says so instead of doing something else.
func (s *Submission) unsupported(errs Errors) {
	is := func(f *flag) bool { return f != nil && bool(*f) }
	for _, a := range []struct {
		name string
		used bool
		why  string
	}{
		{"enable_network", is(s.Network), "enabling network is not allowed"},
		{"redirect_stderr_to_stdout", is(s.Redirect), "this option cannot be enabled"},
		{"enable_per_process_and_thread_time_limit", is(s.EachTime), "this option cannot be enabled"},
		{"enable_per_process_and_thread_memory_limit", is(s.EachMemory), "this option cannot be enabled"},
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
	cpuTime     = 5      // seconds
	wallTime    = 10     // seconds
	memoryLimit = 262144 // KiB
	processes   = 64
	fileSize    = 4096 // KiB; nothing behind it would be kept
)

func (s *Submission) limits(errs Errors, h Host) string {
	most := h.Most
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
	value("cpu_extra_time", s.ExtraTime, 0, 0, most.CPU.Seconds()) // these two have no effect, see docs/api.md
	value("stack_limit", s.Stack, 0, 0, float64(most.Memory/limits.KiB))
	cpu := value("cpu_time_limit", s.CPUTime, cpuTime, 0.001, most.CPU.Seconds())
	wall := value("wall_time_limit", s.WallTime, max(wallTime, 2*cpu), 0.001, most.Wall.Seconds())
	kib := value("memory_limit", s.Memory, memoryLimit, 2048, float64(most.Memory/limits.KiB))
	procs := value("max_processes_and_or_threads", s.Processes, processes, 1, float64(most.Processes))
	size := value("max_file_size", s.FileSize, fileSize, 1, float64(h.maxFile()))
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
