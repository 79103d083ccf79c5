package gojudge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/task"
)

var most = limits.Limits{CPU: 15 * time.Second, Wall: 30 * time.Second, Memory: limits.GiB, Output: 64 * limits.MiB, Processes: 128, CPUs: 4}

// command returns a request with a command of these fields.
func command(fields string) string { return `{"cmd":[{` + fields + `}]}` }

const (
	files    = `"env":["PATH=/usr/bin:/bin"],"files":[{"content":"1 1"},{"name":"stdout","max":10240},{"name":"stderr","max":10240}]`
	bounds   = `"cpuLimit":10000000000,"memoryLimit":104857600,"procLimit":50`
	compiler = `"args":["/usr/bin/g++","a.cc","-o","a"],"copyIn":{"a.cc":{"content":"main"}}`
)

// TestProgram translates the commands of go-judge's documentation, and their relatives.
func TestProgram(t *testing.T) {
	t.Parallel()
	const limited = "cpu=10000000us,memory=104857600B,processes=50,output=10240B"
	for _, tt := range []struct{ why, text, want string }{
		{"compile", command(compiler + "," + files + "," + bounds + `,"copyOut":["stdout","stderr"],"copyOutCached":["a.cc","a"]`), `compile main of a.cc in cpp [] "1 1" cpu=1s,wall=3s [a.cc a]`},
		{"compile with flags", command(`"args":["gcc","-O2","-std=c17","-oa","a.c","-lm"],"copyIn":{"a.c":{"content":"main"}},"copyOutCached":["a"]`), `compile main of a.c in c [] "" cpu=1s,wall=3s [a]`},
		{"compile Go", command(`"args":["go","build","-o","a","a.go"],"copyIn":{"a.go":{"content":"main"}}`), `compile main of a.go in go [] "" cpu=1s,wall=3s []`},
		{"run", command(`"args":["a"],` + files + "," + bounds + `,"copyIn":{"a":{"fileId":"ID"}}`), `run ID of a in  [] "1 1" ` + limited + ` []`},
		{"run with arguments", command(`"args":["./a","x","y"],"copyIn":{"a":{"fileId":"ID"}}`), `run ID of a in  [x y] ""  []`},
		{"run Java", command(`"args":["/usr/bin/java","-Xmx64m","Main","x"],"copyIn":{"Main.class":{"fileId":"ID"}}`), `run ID of Main.class in  [x] ""  []`},
		{"interpret", command(`"args":["/usr/bin/python3","1.py"],"cpuLimit":3000000000,"clockLimit":4000000000,"memoryLimit":104857600,"procLimit":50,"cpuRate":0.1,"copyIn":{"1.py":{"content":"while True:\n    pass"}}`),
			`run while True:\n    pass of 1.py in python3 [] "" cpu=3000000us,wall=4000000us,memory=104857600B,processes=50 []`},
		{"large limits become the largest", command(`"args":["a"],"copyIn":{"a":{"fileId":"ID"}},"cpuLimit":1000000000000000,"memoryLimit":1,"procLimit":1000000`), `run ID of a in  [] "" cpu=15000000us,memory=1048576B,processes=128 []`},
	} {
		p, err := parse(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		what, source := "run", p.Kept
		if p.Compile {
			what = "compile"
		}
		if p.Source != nil {
			source = *p.Source
		}
		got := strings.ReplaceAll(fmt.Sprintf("%s %s of %s in %s %v %q %s %v", what, source, p.Name, p.Language, p.Args, p.Stdin, p.Limits, p.Cached), "\n", `\n`)
		if got != tt.want {
			t.Errorf("%s: got\n%s, want\n%s", tt.why, got, tt.want)
		}
		if _, err := (limits.Limits{}).Override(p.Limits); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

func parse(text string) (*Program, error) {
	var r Request
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, err
	}
	return r.Program(most)
}

// TestUnsupported checks that what the service cannot do is refused, and what is no request too.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	kept := `"args":["a"],"copyIn":{"a":{"fileId":"ID"}}`
	for _, tt := range []struct{ why, text, want string }{
		{"an interactive problem", `{"cmd":[{` + kept + `},{` + kept + `}],"pipeMapping":[{"in":{"index":0,"fd":1},"out":{"index":1,"fd":0}}]}`, "several commands at a time"},
		{"no command", `{"cmd":[]}`, "several commands"},
		{"pipes", `{"cmd":[{` + kept + `}],"pipeMapping":[{}]}`, "several commands"},
		{"any program of the host", command(`"args":["/bin/cat","test.txt"],"copyIn":{"test.txt":{"content":"TEST"}}`), `"cat" is neither a compiler nor an interpreter`},
		{"another program", command(`"args":["b"],"copyIn":{"a":{"fileId":"ID"}}`), `"b" does not run "a"`},
		{"without files", command(`"args":["/bin/ls"]`), "copyIn: want the source"},
		{"several files", command(`"args":["gcc","a.c","b.c"],"copyIn":{"a.c":{"content":""},"b.c":{"content":""}}`), "copyIn: want the source"},
		{"a file of the host", command(`"args":["a"],"copyIn":{"a":{"src":"/etc/passwd"}}`), `copyIn: "a": want content or fileId`},
		{"a symbolic link", command(`"args":["a"],"copyIn":{"a":{"symlink":"/etc/passwd"}}`), `copyIn: "a": want content or fileId`},
		{"input from the host", command(kept + `,"files":[{"src":"/etc/passwd"}]`), "files[0]: only content and collectors"},
		{"input that is kept", command(kept + `,"files":[{"fileId":"x"}]`), "files[0]: only content and collectors"},
		{"a pipe", command(kept + `,"files":[{"content":""},null]`), "files[1]: only content and collectors"},
		{"a stream", command(kept + `,"files":[{"streamIn":true}]`), "files[0]: only content and collectors"},
		{"another descriptor", command(kept + `,"files":[{"content":""},{"name":"o"},{"name":"e"},{"name":"x"}]`), "only standard input, output and error"},
		{"an output that is content", command(kept + `,"files":[{"content":""},{"content":""}]`), "files[1]: want content for standard input"},
		{"a terminal", command(kept + `,"tty":true`), "tty is not supported"},
		{"a file that the program writes", command(kept + `,"copyOut":["out.txt"]`), `copyOut: "out.txt": only stdout and stderr`},
		{"a file that is kept", command(kept + `,"copyOutCached":["out.txt"]`), "copyOutCached is only supported for compilers"},
		{"a folder", command(kept + `,"copyOutDir":"/tmp"`), "copyOutDir is not supported"},
		{"a flag with a meaning", command(`"args":["gcc","-include","x.h","a.c"],"copyIn":{"a.c":{"content":""}}`), `the argument "-include" of a compiler is not supported`},
		{"a compiler of what is kept", command(`"args":["gcc","a.c"],"copyIn":{"a.c":{"fileId":"x"}}`), `"gcc" does not run "a.c"`},
	} {
		_, err := parse(tt.text)
		if _, ok := errors.AsType[Unsupported](err); !ok || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
	if _, err := parse(command(`"args":[],"copyIn":{}`)); err == nil {
		t.Error("no arguments")
	} else if _, ok := errors.AsType[Unsupported](err); ok {
		t.Error(err)
	}
}

// TestResult checks the result of every outcome.
func TestResult(t *testing.T) {
	t.Parallel()
	compile, err := parse(command(compiler + "," + files + `,"copyOutCached":["a.cc","a"]`))
	if err != nil {
		t.Fatal(err)
	}
	run, err := parse(command(`"args":["a"],"files":[{"content":""},{"name":"out","max":4},{"name":"err","max":10}],"copyIn":{"a":{"fileId":"ID"}}`))
	if err != nil {
		t.Fatal(err)
	}
	ran := func(outcome string, edit func(*task.Run)) *task.Run {
		r := &task.Run{Outcome: outcome, Text: []byte("2\n"), Result: sandbox.Result{CPU: 11, Wall: 12, Memory: 13}, Built: grade.Built{Build: grade.Build{Time: 7}}}
		if edit != nil {
			edit(r)
		}
		return r
	}
	const used = `"time":11,"memory":13,"runTime":12,"files":{"err":"","out":"2\n"}}`
	outcomes := map[string]bool{"AC": true, "PE": true, "WA": true, "NO": true, "JE": true} // a run has none of these
	for _, tt := range []struct {
		why  string
		p    *Program
		run  *task.Run
		want string
	}{
		{"compiled", compile, ran("OK", nil), `{"status":"Accepted","exitStatus":0,"time":7,"memory":0,"runTime":7,"files":{"stderr":"","stdout":""},"fileIds":{"a":"ID","a.cc":"ID"}}`},
		{"compiled, and what it did does not matter", compile, ran("RTE", nil), `{"status":"Accepted","exitStatus":0,"time":7,"memory":0,"runTime":7,"files":{"stderr":"","stdout":""},"fileIds":{"a":"ID","a.cc":"ID"}}`},
		{"not compiled", compile, ran("CE", func(r *task.Run) { r.Built.Error = "a.cc:1: no" }), `{"status":"Nonzero Exit Status","exitStatus":1,"time":7,"memory":0,"runTime":7,"files":{"stderr":"a.cc:1: no","stdout":""}}`},
		{"ran", run, ran("OK", nil), `{"status":"Accepted","exitStatus":0,` + used},
		{"a status", run, ran("RTE", func(r *task.Run) { r.ExitCode = 3 }), `{"status":"Nonzero Exit Status","exitStatus":3,` + used},
		{"a signal", run, ran("RTE", func(r *task.Run) { r.Signal = 11 }), `{"status":"Signalled","exitStatus":11,` + used},
		{"too slow", run, ran("TLE", nil), `{"status":"Time Limit Exceeded","exitStatus":9,` + used},
		{"idle", run, ran("ILE", nil), `{"status":"Time Limit Exceeded","exitStatus":9,` + used},
		{"too much memory", run, ran("MLE", nil), `{"status":"Memory Limit Exceeded","exitStatus":9,` + used},
		{"more output than is kept", run, ran("OK", func(r *task.Run) { r.Truncated = true }), `{"status":"Output Limit Exceeded","exitStatus":0,` + used},
		{"more errors than are kept", run, ran("OK", func(r *task.Run) { r.Stderr = 100 }), `{"status":"Output Limit Exceeded","exitStatus":0,` + used},
		{"too much output", run, ran("OLE", nil), `{"status":"Output Limit Exceeded","exitStatus":9,` + used},
		{"a denied call", run, ran("SV", nil), `{"status":"Dangerous Syscall","exitStatus":9,` + used},
		{"more than the collector takes", run, ran("OK", func(r *task.Run) { r.Text = []byte("12345") }), `{"status":"Output Limit Exceeded","exitStatus":0,"time":11,"memory":13,"runTime":12,"files":{"err":"","out":"1234"}}`},
		{"no UTF-8", run, ran("OK", func(r *task.Run) { r.Text = []byte("a\xff") }), `{"status":"Accepted","exitStatus":0,"time":11,"memory":13,"runTime":12,"files":{"err":"","out":"a�"}}`},
	} {
		outcomes[tt.run.Outcome] = true
		got, err := json.Marshal(tt.p.Result("ID", tt.run))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got\n%s, want\n%s", tt.why, got, tt.want)
		}
	}
	for _, v := range verdict.All() {
		if !outcomes[v.String()] {
			t.Errorf("no row for %v", v)
		}
	}
}

// FuzzRequest checks that every request is a valid program or an error.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(command(compiler + "," + files + "," + bounds)))
	f.Add([]byte(command(`"args":["java","A"],"copyIn":{"A.class":{"fileId":"x"}},"cpuLimit":-1,"memoryLimit":-1`)))
	f.Add([]byte(command(`"args":["a"],"files":[{"content":""},{"name":"o","max":-1}],"copyIn":{"a":{"fileId":"x"}}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parse(string(text))
		if err != nil {
			return
		}
		if _, err := (limits.Limits{}).Override(p.Limits); err != nil || p.Compile && p.Source == nil {
			t.Fatalf("%+v: %v", p, err)
		}
		p.Result("ID", &task.Run{Outcome: "OK", Text: []byte("text"), Errors: []byte("text")})
	})
}
