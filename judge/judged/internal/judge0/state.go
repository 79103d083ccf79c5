package judge0

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/task"
)

// Status is the status of a submission, with the ids of Judge0.
type Status struct {
	ID          int    `json:"id"`
	Description string `json:"description"`
}

// The statuses. The service does not know when a worker begins, so that no submission is Processing.
var (
	InQueue    = Status{1, "In Queue"}
	Processing = Status{2, "Processing"}
	Accepted   = Status{3, "Accepted"}
	Wrong      = Status{4, "Wrong Answer"}
	TooSlow    = Status{5, "Time Limit Exceeded"}
	NotBuilt   = Status{6, "Compilation Error"}
	SIGSEGV    = Status{7, "Runtime Error (SIGSEGV)"}
	SIGXFSZ    = Status{8, "Runtime Error (SIGXFSZ)"}
	SIGFPE     = Status{9, "Runtime Error (SIGFPE)"}
	SIGABRT    = Status{10, "Runtime Error (SIGABRT)"}
	NZEC       = Status{11, "Runtime Error (NZEC)"}
	Other      = Status{12, "Runtime Error (Other)"}
	Internal   = Status{13, "Internal Error"}
	ExecFormat = Status{14, "Exec Format Error"}
)

func Statuses() []Status {
	return []Status{InQueue, Processing, Accepted, Wrong, TooSlow, NotBuilt, SIGSEGV, SIGXFSZ, SIGFPE, SIGABRT, NZEC, Other, Internal, ExecFormat}
}

// State holds the facts about a submission from which its attributes are made.
type State struct {
	Token             string
	Failed            string    // why there will be no result; "" if there will be, or is
	Run               *task.Run // nil until there is a result
	Flavor            Flavor    // of the client
	Language          string    // id in this judge
	Source, Stdin     []byte
	Expected          []byte // nil if nothing is compared
	Args, Options     []string
	Created, Finished time.Time
}

// signals maps signals that killed a program to statuses.
var signals = map[int]Status{11: SIGSEGV, 25: SIGXFSZ, 8: SIGFPE, 6: SIGABRT}

func (s *State) Status() Status {
	switch {
	case s.Failed != "":
		return Internal
	case s.Run == nil:
		return InQueue
	}
	switch s.Run.Outcome {
	case "CE":
		return NotBuilt
	case "TLE", "ILE":
		return TooSlow
	case "OLE":
		return SIGXFSZ
	case "OK":
		if s.Run.Truncated { // so it can be neither compared nor shown
			return SIGXFSZ
		}
		if s.Expected != nil && !same(s.Run.Text, s.Expected) {
			return Wrong
		}
		return Accepted
	case "RTE":
		if s.Run.Signal == 0 {
			return NZEC
		}
		if status, ok := signals[int(s.Run.Signal)]; ok {
			return status
		}
	}
	return Other
}

// same compares outputs as Judge0 does: blanks at the ends of lines and empty lines at the end do not count.
func same(a, b []byte) bool { return bytes.Equal(stripped(a), stripped(b)) }

func stripped(text []byte) []byte {
	const blank = " \t\r\n\v\f\x00"
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.TrimRight(lines[i], blank)
	}
	return bytes.TrimRight(bytes.Join(lines, []byte("\n")), blank)
}

// ErrText means that a text is not UTF-8, so that it can only be had in base64.
var ErrText = errors.New("some attributes for this submission cannot be converted to UTF-8, use base64_encoded=true query parameter")

// usual are the attributes that a client gets if it names none.
const usual = "stdout,time,memory,stderr,token,compile_output,message,status"

var attributes = map[string]func(*State) any{
	"token":                  func(s *State) any { return s.Token },
	"status":                 func(s *State) any { return s.Status() },
	"status_id":              func(s *State) any { return s.Status().ID },
	"language_id":            func(s *State) any { return s.Flavor.language(s.Language).ID },
	"language":               func(s *State) any { return s.Flavor.language(s.Language) },
	"source_code":            func(s *State) any { return s.Source },
	"stdin":                  func(s *State) any { return s.Stdin },
	"expected_output":        func(s *State) any { return s.Expected },
	"command_line_arguments": func(s *State) any { return orNull(joined(s.Args)) },
	"compiler_options":       func(s *State) any { return orNull(joined(s.Options)) },
	"created_at":             func(s *State) any { return s.Created.UTC().Format(timeFormat) },
	"finished_at":            func(s *State) any { return when(s.Finished) },
	"stdout":                 ran(func(r *task.Run) any { return nonempty(r.Text) }),
	"stderr":                 ran(func(r *task.Run) any { return nonempty(r.Errors) }),
	"compile_output":         ran(func(r *task.Run) any { return nonempty([]byte(r.Built.Error)) }),
	"message":                (*State).message,
	"exit_code":              started(func(r *task.Run) any { return r.ExitCode }),
	"exit_signal":            started(func(r *task.Run) any { return signal(r) }),
	"time":                   started(func(r *task.Run) any { return inSeconds(r.CPU) }),
	"wall_time":              started(func(r *task.Run) any { return inSeconds(r.Wall) }),
	"memory":                 started(func(r *task.Run) any { return int64(r.Memory / limits.KiB) }),
}

const timeFormat = "2006-01-02T15:04:05.000Z"

// ran makes an attribute that is null until there is a result. An attribute made by started is also null if the
// program was not started.
func ran(of func(*task.Run) any) func(*State) any {
	return func(s *State) any {
		if s.Run == nil {
			return nil
		}
		return of(s.Run)
	}
}

func started(of func(*task.Run) any) func(*State) any {
	return func(s *State) any {
		if s.Run == nil || s.Run.Outcome == "CE" {
			return nil
		}
		return of(s.Run)
	}
}

func (s *State) message() any {
	switch {
	case s.Failed != "":
		return []byte(s.Failed)
	case s.Run == nil || s.Run.Outcome == "OK" || s.Run.Outcome == "CE":
		return []byte(nil)
	case s.Run.Outcome == "RTE" && s.Run.Signal == 0:
		return fmt.Appendf(nil, "Exited with error status %d", s.Run.ExitCode)
	}
	return []byte(s.Run.Cause)
}

func signal(r *task.Run) any {
	if r.Signal == 0 {
		return nil
	}
	return int(r.Signal)
}

func when(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeFormat)
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func nonempty(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	return text
}

func inSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// Fields parses the attributes that a client names, separated by commas: "" for the usual ones, "*" for
// all.
func Fields(text string) ([]string, error) {
	if text == "" {
		text = usual
	}
	var list, bad []string
	for _, name := range strings.Split(text, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "*":
			for all := range attributes {
				list = append(list, all)
			}
		case attributes[name] == nil:
			bad = append(bad, name)
		default:
			list = append(list, name)
		}
	}
	if bad != nil {
		return nil, fmt.Errorf("invalid fields: [%.200s]", strings.Join(bad, ", "))
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Attributes returns the named attributes. Texts are in base64 if encoded is set; otherwise the error is
// ErrText if one is not UTF-8.
func (s *State) Attributes(names []string, encoded bool) (map[string]any, error) {
	all := map[string]any{}
	for _, name := range names {
		v := attributes[name](s)
		text, is := v.([]byte)
		switch {
		case is && text == nil:
			v = nil
		case is && encoded:
			v = encode(text)
		case is && !utf8.Valid(text):
			return nil, ErrText
		case is:
			v = string(text)
		}
		all[name] = v
	}
	return all, nil
}

// lineLength is how long the lines are in which Judge0 writes base64.
const lineLength = 60

// encode returns base64 in lines, each with its end, as Judge0 writes it.
func encode(text []byte) string {
	var b strings.Builder
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(text)), lineLength) {
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}
