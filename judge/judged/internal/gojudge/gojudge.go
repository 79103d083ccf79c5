// Package gojudge translates requests and answers of go-judge's API to runs of the service.
//
// go-judge runs any command; the service compiles a source and runs it. So it understands the two
// commands that its documentation begins with: a compiler with a source, whose program is kept, and a
// program that was kept, or an interpreter with a source. docs/api.md lists what is supported.
package gojudge

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/task"
)

// Request is the body of a request. What the service cannot do is refused; what does not change the
// result, such as the environment, is ignored.
type Request struct {
	ID    string    `json:"requestId"`
	Cmd   []Command `json:"cmd"`
	Pipes []any     `json:"pipeMapping"`
}

// Command is a command to run.
type Command struct {
	Args       []string        `json:"args"`
	Files      []*File         `json:"files"`
	CopyIn     map[string]File `json:"copyIn"`
	CopyOut    []string        `json:"copyOut"`
	Cached     []string        `json:"copyOutCached"`
	CPU        int64           `json:"cpuLimit"`     // in ns, as the following
	RealCPU    int64           `json:"realCpuLimit"` // an older name of clockLimit
	Clock      int64           `json:"clockLimit"`
	Memory     int64           `json:"memoryLimit"` // in bytes
	Processes  int64           `json:"procLimit"`
	Terminal   bool            `json:"tty"`
	CopyOutDir string          `json:"copyOutDir"`
}

// File is where a program reads from or writes to.
type File struct {
	Content   *string `json:"content"`
	ID        *string `json:"fileId"`
	Name      *string `json:"name"`
	Max       *int64  `json:"max"`
	Src       *string `json:"src"`
	Symlink   *string `json:"symlink"`
	StreamIn  bool    `json:"streamIn"`
	StreamOut bool    `json:"streamOut"`
}

// Result is the result of a command.
type Result struct {
	Status     string            `json:"status"`
	ExitStatus int               `json:"exitStatus"`
	Error      string            `json:"error,omitempty"`
	Time       int64             `json:"time"`    // CPU time in ns
	Memory     int64             `json:"memory"`  // in bytes
	RunTime    int64             `json:"runTime"` // in ns
	Files      map[string]string `json:"files,omitempty"`
	FileIDs    map[string]string `json:"fileIds,omitempty"`
}

// Program is a program to run, or only to compile.
type Program struct {
	Compile  bool     // only compile; Source is set
	Source   *string  // nil: the source is that of the run Kept
	Kept     string   // the id of an earlier run
	Name     string   // of the source
	Language string   // "" if it is that of Kept
	Args     []string // of the program
	Stdin    string
	Limits   string
	Cached   []string // names under which the client wants to find the source or the program again
	stdout   *File
	stderr   *File
}

// Unsupported is why the service cannot do what a request asks for.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

func unsupported(format string, args ...any) error { return Unsupported(fmt.Sprintf(format, args...)) }

// compilers are the languages of compilers, by the names of their commands.
var compilers = map[string]string{
	"gcc": "c", "g++": "cpp", "go": "go", "rustc": "rust", "fpc": "pascal", "ghc": "haskell", "javac": "java", "mcs": "csharp", "ocamlopt": "ocaml",
}

// interpreters are the languages of interpreters, by the names of their commands.
var interpreters = map[string]string{
	"python3": "python3", "python": "python3", "pypy3": "pypy3", "node": "javascript", "ruby": "ruby", "perl": "perl", "lua": "lua", "bash": "bash",
}

// harmless are the beginnings of compilers' flags that may be ignored: a language of the judge has its
// own.
var harmless = []string{"-O", "-std=", "-W", "-w", "-lm", "-s", "-g", "-pipe", "-static", "-DONLINE_JUDGE", "-encoding", "UTF-8"}

// Program returns what a request asks for. most are the largest limits. The error is Unsupported, or
// says what is wrong with the request.
func (r *Request) Program(most limits.Limits) (*Program, error) {
	if len(r.Cmd) != 1 || len(r.Pipes) > 0 {
		return nil, unsupported("several commands at a time are not supported (hint: an interactive problem is judged by POST /v1/judgings)")
	}
	c := &r.Cmd[0]
	p := &Program{Cached: c.Cached}
	if err := c.files(p); err != nil {
		return nil, err
	}
	if err := c.outputs(); err != nil {
		return nil, err
	}
	if len(c.Args) == 0 {
		return nil, fmt.Errorf("cmd[0].args: want a command")
	}
	if len(c.CopyIn) != 1 {
		return nil, unsupported("copyIn: want the source or the program, and nothing else")
	}
	for name, f := range c.CopyIn {
		p.Name, p.Source = name, f.Content
		if f.ID != nil {
			p.Kept = *f.ID
		}
		if f.Content == nil && f.ID == nil || f.Content != nil && f.ID != nil {
			return nil, unsupported("copyIn: %.100q: want content or fileId", name)
		}
	}
	if err := c.command(p); err != nil {
		return nil, err
	}
	p.Limits = c.limits(p, most)
	return p, nil
}

// files reads standard input, output and error.
func (c *Command) files(p *Program) error {
	if c.Terminal {
		return unsupported("tty is not supported")
	}
	if len(c.Files) > 3 {
		return unsupported("files: only standard input, output and error are supported")
	}
	for i, f := range c.Files {
		switch {
		case f == nil || f.StreamIn || f.StreamOut || f.Src != nil || f.ID != nil:
			return unsupported("files[%d]: only content and collectors are supported", i)
		case i == 0 && f.Content != nil:
			p.Stdin = *f.Content
		case i == 1 && f.Name != nil:
			p.stdout = f
		case i == 2 && f.Name != nil:
			p.stderr = f
		default:
			return unsupported("files[%d]: want content for standard input, and collectors for standard output and error", i)
		}
	}
	return nil
}

// outputs checks that a client wants nothing that the service does not have.
func (c *Command) outputs() error {
	if c.CopyOutDir != "" {
		return unsupported("copyOutDir is not supported")
	}
	for _, name := range c.CopyOut {
		if name = strings.TrimSuffix(name, "?"); name != "stdout" && name != "stderr" {
			return unsupported("copyOut: %.100q: only stdout and stderr are supported", name)
		}
	}
	return nil
}

// command finds out what the command of a program is.
func (c *Command) command(p *Program) error {
	tool, rest := path.Base(c.Args[0]), c.Args[1:]
	if language, ok := interpreters[tool]; ok && len(rest) > 0 && rest[0] == p.Name {
		p.Language, p.Args = language, rest[1:]
		return c.uncached()
	}
	if language, ok := compilers[tool]; ok && p.Source != nil {
		p.Compile, p.Language = true, language
		return flags(rest, p.Name)
	}
	if p.Source != nil {
		return unsupported("args: %.100q is neither a compiler nor an interpreter that is known here", tool)
	}
	switch {
	case tool == path.Base(p.Name):
		p.Args = rest
	case tool == "java" && path.Ext(p.Name) == ".class" && slices.Contains(rest, strings.TrimSuffix(p.Name, ".class")):
		p.Args = rest[slices.Index(rest, strings.TrimSuffix(p.Name, ".class"))+1:]
	default:
		return unsupported("args: %.100q does not run %.100q", tool, p.Name)
	}
	return c.uncached()
}

// uncached checks that a client wants no file that a program has written.
func (c *Command) uncached() error {
	if len(c.Cached) > 0 {
		return unsupported("copyOutCached is only supported for compilers")
	}
	return nil
}

// flags checks the arguments of a compiler.
func flags(args []string, source string) error {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == source || a == "build" && i == 0:
		case a == "-o" || a == "-d":
			i++ // the name of the program
		case strings.HasPrefix(a, "-o"), strings.HasPrefix(a, "-out:"):
		case slices.ContainsFunc(harmless, func(h string) bool { return strings.HasPrefix(a, h) }):
		default:
			return unsupported("args: the argument %.100q of a compiler is not supported (hint: a language of the judge has its own)", a)
		}
	}
	return nil
}

// limits returns the limits of a command. Those of a compiler are the judge's own.
func (c *Command) limits(p *Program, most limits.Limits) string {
	if p.Compile {
		return "cpu=1s,wall=3s"
	}
	var list []string
	add := func(name string, asked, most int64, unit string) {
		if asked > 0 {
			list = append(list, fmt.Sprintf("%s=%d%s", name, min(asked, most), unit))
		}
	}
	add("cpu", c.CPU/int64(time.Microsecond), most.CPU.Microseconds(), "us")
	add("wall", max(c.Clock, c.RealCPU)/int64(time.Microsecond), most.Wall.Microseconds(), "us")
	if c.Memory > 0 {
		add("memory", max(c.Memory, int64(limits.MiB)), int64(most.Memory), "B")
	}
	add("processes", c.Processes, int64(most.Processes), "")
	if p.stdout != nil && p.stdout.Max != nil {
		add("output", *p.stdout.Max, int64(most.Output), "B")
	}
	return strings.Join(list, ",")
}

// statuses are the names of outcomes.
var statuses = map[string]string{
	"OK": "Accepted", "TLE": "Time Limit Exceeded", "ILE": "Time Limit Exceeded", "MLE": "Memory Limit Exceeded",
	"OLE": "Output Limit Exceeded", "RTE": "Nonzero Exit Status", "SV": "Dangerous Syscall",
}

// killed is the exit status of a program that was stopped at a limit: SIGKILL.
const killed = 9

// Result returns the result of a run with an id.
func (p *Program) Result(id string, r *task.Run) Result {
	if r.Outcome == "CE" {
		return p.written(Result{Status: "Nonzero Exit Status", ExitStatus: 1, Time: int64(r.Built.Time), RunTime: int64(r.Built.Time)}, nil, []byte(r.Built.Error))
	}
	if p.Compile {
		out := p.written(Result{Status: "Accepted", Time: int64(r.Built.Time), RunTime: int64(r.Built.Time)}, nil, nil)
		if len(p.Cached) > 0 {
			out.FileIDs = map[string]string{}
		}
		for _, name := range p.Cached {
			out.FileIDs[name] = id
		}
		return out
	}
	out := Result{Status: statuses[r.Outcome], ExitStatus: r.ExitCode, Time: int64(r.CPU), Memory: int64(r.Memory), RunTime: int64(r.Wall)}
	switch {
	case r.Outcome == "RTE" && r.Signal != 0:
		out.Status, out.ExitStatus = "Signalled", int(r.Signal)
	case r.Outcome != "OK" && r.Outcome != "RTE":
		out.ExitStatus = killed
	}
	out = p.written(out, r.Text, r.Errors)
	if r.Truncated && p.stdout != nil || r.Stderr > int64(len(r.Errors)) && p.stderr != nil {
		out.Status = statuses["OLE"] // even if the client wants more than is kept
	}
	return out
}

// written adds what a program wrote, where its client wants it.
func (p *Program) written(r Result, stdout, stderr []byte) Result {
	for _, w := range []struct {
		to   *File
		text []byte
	}{{p.stdout, stdout}, {p.stderr, stderr}} {
		if w.to == nil {
			continue
		}
		if r.Files == nil {
			r.Files = map[string]string{}
		}
		if w.to.Max != nil && int64(len(w.text)) > max(*w.to.Max, 0) {
			w.text = w.text[:max(*w.to.Max, 0)]
			r.Status = statuses["OLE"]
		}
		r.Files[*w.to.Name] = strings.ToValidUTF8(string(w.text), "\ufffd")
	}
	return r
}
