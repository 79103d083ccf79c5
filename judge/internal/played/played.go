// Package played plays programs instead of running them, for tests.
//
// A source is a template of text/template, in which dots are not used, after lines that begin with #. What it prints is
// the output.
package played

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/template"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/packages/checktestdata"
)

// Compile is the first argument after the program by which Play knows a compiler: {"sh", Compile, "{main}"}. The word
// broken in a source makes a compile error.
const Compile = "compile"

// Play plays a program, given as {"sh", "{dir}/{main}"}, its compiler, or the interpreter of Checktestdata. It is a
// [sandboxtest.Script].
func Play(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
	p := &program{run: r, result: sandbox.Result{CPU: time.Millisecond, Wall: time.Millisecond, Memory: limits.MiB}}
	err := p.play()
	return p.result, err
}

func (p *program) play() error {
	r := p.run
	for _, f := range r.FolderFiles {
		if err := put(p.place(f.Name), f); err != nil {
			return err
		}
	}
	switch {
	case r.Args[0] == build.Interpreter:
		return p.check(r.Args[1:])
	case r.Exe != nil: // an executable accepts everything
		p.result.ExitCode = problem.ExitAccepts
		return nil
	case len(r.Args) > 2 && r.Args[1] == Compile:
		p.compile(r.Args[2])
		return nil
	case r.Args[1] != "-c":
		return p.execute(r.Args[1], r.Args[2:])
	case len(r.Args) > 3: // a program of scripts: its script run is played, but not its script build
		source, err := p.behind(r.Args[3])
		if err != nil {
			return err
		}
		return p.execute(source, r.Args[4:])
	}
	if _, err := os.Stat(p.place("build")); err == nil {
		return errors.New("the script build is not played")
	}
	return nil
}

// put creates a file that a run is given in its folder.
func put(name string, f sandbox.File) error {
	if f.Mode.IsDir() {
		return os.MkdirAll(name, f.Mode.Perm())
	}
	data, err := io.ReadAll(f.From())
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, f.Mode.Perm()))
}

// program is one run of a source.
type program struct {
	run    sandboxtest.Run
	args   []string // those after the source
	out    io.Writer
	in     *bufio.Reader
	all    []byte // the whole input, once it is asked for
	result sandbox.Result
}

// errEnded stops a template: the program has exited.
var errEnded = errors.New("exited")

// place returns the host's path of a path in the box.
func (p *program) place(inside string) string {
	if !path.IsAbs(inside) && p.run.Dir != "" {
		inside = path.Join(p.run.Spec.Folder.Path, inside)
	}
	if rest, ok := strings.CutPrefix(inside, p.run.Spec.Folder.Path+"/"); ok && p.run.Dir != "" {
		return filepath.Join(p.run.Dir, rest)
	}
	for _, m := range p.run.Spec.Mounts {
		if rest, ok := strings.CutPrefix(inside, m.Target+"/"); ok && m.Target != "" {
			return filepath.Join(m.Source, rest)
		}
	}
	return inside
}

// check plays the interpreter of Checktestdata.
func (p *program) check(args []string) error {
	parseOnly := args[0] == build.ParseOnly
	source := args[0]
	if parseOnly {
		source = args[len(args)-1]
	}
	text, err := os.ReadFile(p.place(source))
	if err != nil {
		return err
	}
	c, err := checktestdata.Parse(path.Base(source), text)
	if err != nil || parseOnly {
		return err
	}
	if err := c.Check(p.run.Input); err != nil {
		p.result.ExitCode = problem.ExitRefuses
		fmt.Fprintln(p.run.Stderr, err)
		return nil
	}
	p.result.ExitCode = problem.ExitAccepts
	return nil
}

// behind returns a script itself or, if it is no template, the first file beside it that is: what a real script runs.
func (p *program) behind(script string) (string, error) {
	script = p.place(script)
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(script), "*"))
	for _, file := range append([]string{script}, beside...) {
		if text, _ := os.ReadFile(file); bytes.Contains(text, []byte("{{")) {
			return file, err
		}
	}
	return script, err
}

func (p *program) compile(source string) {
	text, err := os.ReadFile(p.place(source))
	if err == nil {
		_, err = p.parse(string(text))
	}
	if err != nil {
		fmt.Fprintf(p.run.Stdout, "%s:1: error: %v\n", source, err)
		p.result.ExitCode = 1
	}
}

func (p *program) parse(text string) (*template.Template, error) {
	if strings.Contains(text, "broken") {
		return nil, errors.New("broken")
	}
	for strings.HasPrefix(text, "#") { // such as #define EVAL, which CMS adds
		_, text, _ = strings.Cut(text, "\n")
	}
	return template.New("").Funcs(p.functions()).Parse(text)
}

func (p *program) execute(source string, args []string) error {
	text, err := os.ReadFile(p.place(source))
	if err != nil {
		return err
	}
	p.args = args
	p.out, p.in = io.Discard, bufio.NewReader(bytes.NewReader(p.run.Input))
	if p.run.Stdout != nil {
		p.out = p.run.Stdout
	}
	if p.run.Out != nil {
		p.out = p.run.Out
	}
	if p.run.In != nil {
		p.in = bufio.NewReader(p.run.In)
	}
	t, err := p.parse(string(text))
	if err != nil {
		return err
	}
	counted := &counter{to: p.out}
	err = t.Execute(counted, nil)
	p.result.Stdout = counted.n
	if errors.Is(err, errEnded) || errors.Is(err, syscall.EPIPE) {
		err = nil
	}
	return err
}

// counter counts what is written through it.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(text []byte) (int, error) {
	n, err := c.to.Write(text)
	c.n += int64(n)
	return n, err
}

// functions are what sources can do.
func (p *program) functions() template.FuncMap {
	return template.FuncMap{
		// Numbers.
		"add": func(a, b int) int { return a + b },
		"mul": func(a, b int) int { return a * b },
		"mod": func(a, b int) int { return a % b },
		"div": func(a, b int) int { return a / b },
		// list is the numbers below one.
		"list": func(n int) []int {
			return slices.Collect(func(yield func(int) bool) {
				for i := range n {
					if !yield(i) {
						return
					}
				}
			})
		},
		"repeat":   func(n int, text string) string { return strings.Repeat(text, n) },
		"isNumber": func(text string) bool { _, err := strconv.Atoi(text); return err == nil },
		"int":      func(text string) (int, error) { return strconv.Atoi(strings.TrimSpace(text)) },
		// text is the whole input, word and number its parts, counted from 0; 0 and "" beyond the end. sum adds all numbers.
		"text":  func() string { return string(p.input()) },
		"words": func() int { return len(bytes.Fields(p.input())) },
		"count": func(word string) int {
			return len(slices.DeleteFunc(strings.Fields(string(p.input())), func(w string) bool { return w != word }))
		},
		"word":   p.word,
		"sum":    p.sum,
		"number": func(i int) int { n, _ := strconv.Atoi(p.word(i)); return n },
		// line is the next line of a conversation, "" after the last.
		"line": func() string { text, _ := p.in.ReadString('\n'); return strings.TrimSpace(text) },
		// arg is an argument, counted from 1; file and its number are in the file that it names.
		"has":  func(word string) bool { return slices.Contains(p.args, word) },
		"argc": func() int { return len(p.args) },
		"args": func() string { return strings.Join(p.args, " ") },
		"arg":  p.arg,
		"file": p.file,
		"numberIn": func(i int) int {
			n, _ := strconv.Atoi(strings.TrimSpace(p.file(i)))
			return n
		},
		"env": func(name string) bool {
			return slices.ContainsFunc(p.run.Env, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		},
		// beside is a file where the program starts.
		"beside": func(name string) string { return strings.TrimSpace(string(p.run.Files[name])) },
		// include is a file beside the source.
		"include": func(name string) (string, error) {
			text, err := os.ReadFile(p.place(path.Join(path.Dir(p.run.Args[1]), name)))
			return strings.TrimSpace(string(text)), err
		},
		// exit ends the program, say before that writes the message of a validator, tell to standard error.
		"exit": func(status int) (string, error) { p.result.ExitCode = status; return "", errEnded },
		"say": func(text string) (string, error) {
			return "", os.WriteFile(p.place(p.arg(3)+"judgemessage.txt"), []byte(text), 0o644)
		},
		// keep writes a file into the feedback folder, kept reads it.
		"keep": func(name, text string) (string, error) {
			return "", os.WriteFile(p.place(p.arg(3)+name), []byte(text), 0o644)
		},
		"kept": func(name string) string {
			text, _ := os.ReadFile(p.place(p.arg(3) + name))
			return string(text)
		},
		// write writes a file where the program starts, into the one that an argument names.
		"write": p.write,
		"into":  func(i int, text string) (string, error) { return p.write(p.arg(i), text) },
		"tell":  func(text string) (string, error) { _, err := io.WriteString(p.run.Stderr, text); return "", err },
		"abort": func() (string, error) {
			p.result.Stop, p.result.Signal = sandbox.Signalled, sandbox.Signal(syscall.SIGABRT)
			return "", errEnded
		},
		"spin": func() (string, error) {
			p.result.Stop, p.result.CPU = sandbox.OverCPU, p.run.Limits.CPU+time.Second
			return "", errEnded
		},
	}
}

func (p *program) input() []byte {
	if p.all == nil {
		p.all, _ = io.ReadAll(p.in)
	}
	return p.all
}

func (p *program) word(i int) string {
	if words := strings.Fields(string(p.input())); i < len(words) {
		return words[i]
	}
	return ""
}

func (p *program) sum() (all int) {
	for _, word := range strings.Fields(string(p.input())) {
		n, _ := strconv.Atoi(word)
		all += n
	}
	return all
}

func (p *program) write(name, text string) (string, error) {
	at := p.place(name)
	return "", errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644))
}

func (p *program) arg(i int) string {
	if i <= len(p.args) {
		return p.args[i-1]
	}
	return ""
}

func (p *program) file(i int) string {
	text, _ := os.ReadFile(p.place(p.arg(i)))
	return string(text)
}
