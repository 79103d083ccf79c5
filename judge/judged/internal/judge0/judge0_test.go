package judge0

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/task"
)

var most = limits.Limits{CPU: 15 * time.Second, Wall: 150 * time.Second, Memory: limits.GiB, Output: 64 * limits.MiB, Processes: 128, CPUs: 4}

// host is a judge that may call nothing, for clients of a flavor.
func host(f Flavor) Host {
	return Host{Flavor: f, Knows: func(id string) bool { return id != "php" }, Most: most, Options: func(id string) []string { return build.Defaults()[id].Options }, Calls: func(string) error { return errors.New("setting callback is not allowed") }}
}

func parse(t *testing.T, text string) *Submission {
	t.Helper()
	var s Submission
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestProgram translates submissions, among them those of Judge0's documentation.
func TestProgram(t *testing.T) {
	t.Parallel()
	const usual = "cpu=5s,wall=10s,memory=262144KiB,processes=64,output=4096KiB"
	for _, tt := range []struct {
		why, text string
		encoded   bool
		want      Program
	}{
		{"an archived language", `{"source_code":"int main(void){}","language_id":4,"stdin":"world"}`, false,
			Program{Source: []byte("int main(void){}"), Language: "c", Stdin: []byte("world"), Limits: usual}},
		{"a number as text, and an output", `{"source_code":"x","language_id":"54","stdin":"Judge0","expected_output":"hello, Judge0"}`, false,
			Program{Source: []byte("x"), Language: "cpp", Stdin: []byte("Judge0"), Expected: []byte("hello, Judge0"), Limits: usual}},
		{"base64 with a line break", `{"source_code":"cHJp\nbnQ=\n","language_id":71,"stdin":"","expected_output":"","input":"ignored"}`, true,
			Program{Source: []byte("print"), Language: "python3", Stdin: []byte{}, Expected: []byte{}, Limits: usual}},
		{"all limits", `{"source_code":"x","language_id":50,"number_of_runs":1,"cpu_time_limit":1,"cpu_extra_time":0.5,"wall_time_limit":"2.5",
			"memory_limit":128000,"stack_limit":128000,"max_processes_and_or_threads":3,"enable_per_process_and_thread_time_limit":false,
			"enable_per_process_and_thread_memory_limit":false,"max_file_size":1024,"redirect_stderr_to_stdout":false,"enable_network":false,
			"compiler_options":"","callback_url":null,"additional_files":null}`, false,
			Program{Source: []byte("x"), Language: "c", Stdin: []byte{}, Limits: "cpu=1s,wall=2.5s,memory=128000KiB,processes=3,output=1024KiB"}},
		{"files, in base64 in any case", `{"source_code":"x","language_id":113,"additional_files":"UEsF\nBg==","enable_network":"false"}`, false,
			Program{Source: []byte("x"), Files: []byte("PK\x05\x06"), Language: "python3", Stdin: []byte{}, Limits: usual}},
		{"arguments", `{"source_code":"x","language_id":60,"command_line_arguments":" a  b "}`, false,
			Program{Source: []byte("x"), Language: "go", Stdin: []byte{}, Args: []string{"a", "b"}, Limits: usual}},
		{"arguments in quotes, and what Judge0 drops", `{"source_code":"x","language_id":60,"command_line_arguments":"'a b' \"c$d\"; e"}`, false,
			Program{Source: []byte("x"), Language: "go", Stdin: []byte{}, Args: []string{"a b", "cd", "e"}, Limits: usual}},
		{"options of the compiler", `{"source_code":"x","language_id":54,"compiler_options":"-O3 -std=c++17 -Wall '-DY=a b'"}`, false,
			Program{Source: []byte("x"), Language: "cpp", Stdin: []byte{}, Options: []string{"-O3", "-std=c++17", "-Wall", "-DY=a b"}, Limits: usual}},
		{"a program of several files", `{"language_id":89,"additional_files":"UEsFBg=="}`, false,
			Program{Files: []byte("PK\x05\x06"), Language: "project", Stdin: []byte{}, Limits: usual}},
		{"the wall limit follows the CPU limit", `{"source_code":"x","language_id":60,"cpu_time_limit":12}`, false,
			Program{Source: []byte("x"), Language: "go", Stdin: []byte{}, Limits: "cpu=12s,wall=24s,memory=262144KiB,processes=64,output=4096KiB"}},
	} {
		got, errs := parse(t, tt.text).Program(host(CE), tt.encoded)
		if len(errs) > 0 || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) || (got.Expected == nil) != (tt.want.Expected == nil) {
			t.Errorf("%s: got %q, want %q: %v", tt.why, got, tt.want, errs)
		}
		if _, err := (limits.Limits{}).Override(got.Limits); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

// TestErrors checks that a client learns what is wrong, and what this judge cannot do.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"no language", `{"source_code":"x"}`, `{"language_id":["can't be blank"]}`},
		{"an unknown one", `{"source_code":"x","language_id":150000}`, `{"language_id":["language with id 150000 doesn't exist"]}`},
		{"one that this judge does not have", `{"source_code":"x","language_id":68}`, `{"language_id":["language with id 68 doesn't exist"]}`},
		{"a program of several files without files", `{"source_code":"x","language_id":89}`, `{"additional_files":["can't be blank"]}`},
		{"no source", `{"source_code":"","language_id":72}`, `{"source_code":["can't be blank"]}`},
		{"nothing", `{}`, `{"language_id":["can't be blank"],"source_code":["can't be blank"]}`},
		{"a large limit", `{"source_code":"x","language_id":4,"wall_time_limit":100000}`, `{"wall_time_limit":["must be less than or equal to 150"]}`},
		{"a small limit", `{"source_code":"x","language_id":4,"memory_limit":1}`, `{"memory_limit":["must be greater than or equal to 2048"]}`},
		{"no base64", `{"source_code":"?","language_id":4}`, `{"source_code":["is not valid Base64"]}`},
		{"too small for a stack", `{"source_code":"eA==","language_id":4,"stack_limit":-1,"cpu_extra_time":"-0.5"}`, `{"cpu_extra_time":["must be greater than or equal to 0"],"stack_limit":["must be greater than or equal to 0"]}`},
		{"files that are no base64", `{"source_code":"eA==","language_id":4,"additional_files":"?"}`, `{"additional_files":["is not valid Base64"]}`},
		{"runs", `{"source_code":"eA==","language_id":4,"number_of_runs":0}`, `{"number_of_runs":["must be greater than or equal to 1"]}`},
		{"options as text", `{"source_code":"eA==","language_id":4,"enable_network":"true","redirect_stderr_to_stdout":"1"}`, `{"enable_network":["enabling network is not allowed"],"redirect_stderr_to_stdout":["this option cannot be enabled"]}`},
		{"an open quote", `{"source_code":"eA==","language_id":4,"command_line_arguments":"'a b"}`, `{"command_line_arguments":["it ends within quotes or after a backslash"]}`},
		{"another command", `{"source_code":"eA==","language_id":4,"command_line_arguments":"a\nb"}`, `{"command_line_arguments":["a new line, a parenthesis or # means something else to a shell (hint: put it in quotes)"]}`},
		{"options for an interpreter", `{"source_code":"eA==","language_id":71,"compiler_options":"-O3"}`, `{"compiler_options":["\"-O3\" is not allowed for this language (hint: GET /v1/languages has what is)"]}`},
		{"many options", `{"source_code":"eA==","language_id":4,"compiler_options":"-DX=` + strings.Repeat("x", 510) + `"}`, `{"compiler_options":["is too long (maximum is 512 characters)"]}`},
		{"options and arguments that would take hours", `{"source_code":"eA==","language_id":4,"compiler_options":"` + strings.Repeat("a ", 1<<20) + `","command_line_arguments":"` + strings.Repeat("a ", 1<<20) + `"}`, `{"command_line_arguments":["is too long (maximum is 262144 characters)"],"compiler_options":["is too long (maximum is 512 characters)"]}`},
		{"much that is not supported", `{"source_code":"eA==","language_id":4,"compiler_options":"-O3 -fplugin=x","callback_url":"http://x","enable_network":true,
			"redirect_stderr_to_stdout":true,"number_of_runs":2,"enable_per_process_and_thread_time_limit":true}`,
			`{"callback_url":["setting callback is not allowed"],"compiler_options":["\"-fplugin=x\" is not allowed for this language (hint: GET /v1/languages has what is)"],` +
				`"enable_network":["enabling network is not allowed"],"enable_per_process_and_thread_time_limit":["this option cannot be enabled"],` +
				`"number_of_runs":["must be less than or equal to 1"],"redirect_stderr_to_stdout":["this option cannot be enabled"]}`},
	} {
		encoded := strings.Contains(tt.text, "eA==") || strings.Contains(tt.text, "?")
		_, errs := parse(t, tt.text).Program(host(CE), encoded)
		got, err := json.Marshal(errs)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

func result(outcome string, edit func(*task.Run)) *task.Run {
	r := &task.Run{Outcome: outcome, Result: sandbox.Result{CPU: 1234567, Wall: 20 * time.Millisecond, Memory: 380 * limits.KiB}}
	if edit != nil {
		edit(r)
	}
	return r
}

// TestStatus checks the status of every outcome.
func TestStatus(t *testing.T) {
	t.Parallel()
	signal := func(n int) func(*task.Run) { return func(r *task.Run) { r.Signal = sandbox.Signal(n) } }
	outcomes := map[string]bool{"AC": true, "PE": true, "WA": true, "NO": true, "JE": true} // a run has none of these
	for _, tt := range []struct {
		why   string
		state State
		want  Status
	}{
		{"waiting", State{}, InQueue},
		{"held or cancelled", State{Failed: "no"}, Internal},
		{"without a comparison", State{Run: result("OK", nil)}, Accepted},
		{"equal but for blanks", State{Run: result("OK", func(r *task.Run) { r.Text = []byte("a  \nb\n\n") }), Expected: []byte("a\nb")}, Accepted},
		{"different", State{Run: result("OK", func(r *task.Run) { r.Text = []byte("a b") }), Expected: []byte("a  b")}, Wrong},
		{"something instead of nothing", State{Run: result("OK", func(r *task.Run) { r.Text = []byte("a") }), Expected: []byte{}}, Wrong},
		{"a compile error", State{Run: result("CE", nil)}, NotBuilt},
		{"too slow", State{Run: result("TLE", nil)}, TooSlow},
		{"idle", State{Run: result("ILE", nil)}, TooSlow},
		{"too much output", State{Run: result("OLE", nil)}, SIGXFSZ},
		{"more output than is kept, which begins as expected", State{Run: result("OK", func(r *task.Run) { r.Text, r.Truncated = []byte("a"), true }), Expected: []byte("a")}, SIGXFSZ},
		{"too much memory", State{Run: result("MLE", nil)}, Other},
		{"a denied call", State{Run: result("SV", nil)}, Other},
		{"a status", State{Run: result("RTE", func(r *task.Run) { r.ExitCode = 3 })}, NZEC},
		{"a bad pointer", State{Run: result("RTE", signal(11))}, SIGSEGV},
		{"a division by zero", State{Run: result("RTE", signal(8))}, SIGFPE},
		{"an assertion", State{Run: result("RTE", signal(6))}, SIGABRT},
		{"another signal", State{Run: result("RTE", signal(15))}, Other},
	} {
		if got := tt.state.Status(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
		if tt.state.Run != nil {
			outcomes[tt.state.Run.Outcome] = true
		}
	}
	for _, v := range verdict.All() {
		if !outcomes[v.String()] {
			t.Errorf("no row for %v", v)
		}
	}
	for i, s := range Statuses() {
		if s.ID != i+1 {
			t.Errorf("%v is at %d", s, i)
		}
	}
}

// TestAttributes checks the documents that clients get, of which the usual one is that of Judge0's
// documentation.
func TestAttributes(t *testing.T) {
	t.Parallel()
	done := State{Token: "tok", Language: "c", Source: []byte("main"), Stdin: []byte("Judge0"), Expected: []byte("hello, Judge0"), Args: []string{"a", "b"}, Options: []string{"-O3", "-DX=a b"},
		Created: time.Unix(1, 0), Finished: time.Unix(2, 0), Run: result("OK", func(r *task.Run) { r.Text = []byte("hello, Judge0\n") })}
	waiting := State{Token: "tok", Language: "c"}
	failed := State{Token: "tok", Language: "c", Run: result("CE", func(r *task.Run) { r.Built = grade.Built{Build: grade.Build{Error: "a.c:1: \xff"}} })}
	crashed := State{Token: "tok", Run: result("RTE", func(r *task.Run) { r.ExitCode = 3; r.Errors = []byte("oh") })}
	for _, tt := range []struct {
		why     string
		state   *State
		fields  string
		encoded bool
		want    string
	}{
		{"as documented", &done, "", false, `{"compile_output":null,"memory":380,"message":null,"status":{"id":3,"description":"Accepted"},"stderr":null,"stdout":"hello, Judge0\n","time":"0.001","token":"tok"}`},
		{"in base64", &done, "stdout,stderr", true, `{"stderr":null,"stdout":"aGVsbG8sIEp1ZGdlMAo=\n"}`},
		{"as asked for", &done, "stdout, status_id ,language_id,stderr", false, `{"language_id":50,"status_id":3,"stderr":null,"stdout":"hello, Judge0\n"}`},
		{"everything", &done, "*", false, `{"command_line_arguments":"a b","compile_output":null,"compiler_options":"-O3 '-DX=a b'","created_at":"1970-01-01T00:00:01.000Z","exit_code":0,"exit_signal":null,` +
			`"expected_output":"hello, Judge0","finished_at":"1970-01-01T00:00:02.000Z","language":{"id":50,"name":"C (GCC)"},"language_id":50,"memory":380,"message":null,` +
			`"source_code":"main","status":{"id":3,"description":"Accepted"},"status_id":3,"stderr":null,"stdin":"Judge0","stdout":"hello, Judge0\n","time":"0.001","token":"tok","wall_time":"0.020"}`},
		{"waiting", &waiting, "", false, `{"compile_output":null,"memory":null,"message":null,"status":{"id":1,"description":"In Queue"},"stderr":null,"stdout":null,"time":null,"token":"tok"}`},
		{"a compile error", &failed, "", true, `{"compile_output":"YS5jOjE6IP8=\n","memory":null,"message":null,"status":{"id":6,"description":"Compilation Error"},"stderr":null,"stdout":null,"time":null,"token":"tok"}`},
		{"one that is no text", &failed, "", false, "some attributes for this submission cannot be converted to UTF-8, use base64_encoded=true query parameter"},
		{"a crash", &crashed, "message,exit_code,stderr", false, `{"exit_code":3,"message":"Exited with error status 3","stderr":"oh"}`},
		{"unknown attributes", &done, "stdout,a,b", false, "invalid fields: [a, b]"},
	} {
		fields, err := Fields(tt.fields)
		var doc map[string]any
		if err == nil {
			doc, err = tt.state.Attributes(fields, tt.encoded)
		}
		got, marshal := json.Marshal(doc)
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != tt.want || marshal != nil {
			t.Errorf("%s:\n%s, want\n%s", tt.why, got, tt.want)
		}
	}
	if got, want := encode([]byte(strings.Repeat("x", 50))), strings.Repeat("eHh4", 15)+"\n"+"eHh4eHg=\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLanguages checks that the numbers of a flavor are unique, and the lists of a judge with three languages.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for _, f := range []Flavor{CE, Extra} {
		seen := map[int]string{}
		for _, l := range languages {
			for _, n := range l.numbers[f] {
				if seen[n] != "" {
					t.Errorf("%d is %s and %s", n, seen[n], l.id)
				}
				if seen[n] = l.id; f.languageOf(number(n)) != l.id {
					t.Errorf("%d is not %s", n, l.id)
				}
			}
		}
	}
	known := func(id string) bool { return slices.Contains([]string{"bash", "kotlin", "python3"}, id) }
	file := func(id string) string { return "solution." + id }
	one := func(f Flavor, n string) any {
		if l, ok := f.Language(n, known, file); ok {
			return l
		}
		return nil
	}
	for _, tt := range []struct {
		why  string
		got  any
		want string
	}{
		{"the list has newer numbers too", CE.Languages(known, false), `[{"id":46,"name":"Bash"},{"id":71,"name":"Python (3)"},{"id":78,"name":"Kotlin"},{"id":89,"name":"Multi-file program"},{"id":92,"name":"Python (3)"},` +
			`{"id":100,"name":"Python (3)"},{"id":109,"name":"Python (3)"},{"id":111,"name":"Kotlin"},{"id":113,"name":"Python (3)"}]`},
		{"all, with old ones", CE.Languages(func(id string) bool { return id == "bash" }, true), `[{"id":1,"name":"Bash","is_archived":true},{"id":2,"name":"Bash","is_archived":true},{"id":46,"name":"Bash","is_archived":false},{"id":89,"name":"Multi-file program","is_archived":false}]`},
		{"of the other flavor", Extra.Languages(known, false), `[{"id":10,"name":"Python (3)"},{"id":25,"name":"Python (3)"},{"id":33,"name":"Python (3)"},{"id":89,"name":"Multi-file program"}]`},
		{"one", one(CE, "113"), `{"id":113,"name":"Python (3)","is_archived":false,"source_file":"solution.python3"}`},
		{"an old one", one(CE, "34"), `{"id":34,"name":"Python (3)","is_archived":true,"source_file":"solution.python3"}`},
		{"a number means another language in the other flavor", one(Extra, "4"), `null`},
		{"one that the judge does not have", one(CE, "50"), `null`},
		{"a number in another form", one(CE, "071"), `null`},
		{"one that Judge0 does not have", one(CE, "0"), `null`},
		{"none", CE.Languages(func(string) bool { return false }, true), `[]`},
	} {
		if got, err := json.Marshal(tt.got); err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestSDKNumbers checks that the official SDK for Python, at de67582, chooses numbers of the languages that it means.
func TestSDKNumbers(t *testing.T) {
	t.Parallel()
	for f, numbers := range map[Flavor]map[string][]int{
		CE: {"bash": {46}, "c": {103}, "cpp": {105}, "csharp": {51}, "go": {107}, "haskell": {61}, "java": {62, 91}, "javascript": {102}, "kotlin": {111}, "lua": {64},
			"ocaml": {65}, "pascal": {67}, "perl": {85}, "python3": {113}, "ruby": {72}, "rust": {108}, "typescript": {101}},
		Extra: {"csharp": {22}, "java": {4}, "pypy3": {28}, "python3": {33}},
	} {
		for id, list := range numbers {
			for _, n := range list {
				if got := f.languageOf(number(n)); got != id {
					t.Errorf("%s: %d is %q, want %s", f.Version(), n, got, id)
				}
			}
		}
	}
}

// FuzzSubmission checks that every submission is either a valid program or has errors.
func FuzzSubmission(f *testing.F) {
	f.Add([]byte(`{"source_code":"x","language_id":"4","stdin":"a","cpu_time_limit":1e300}`), true)
	f.Add([]byte(`{"source_code":"x","language_id":4.5,"memory_limit":"NaN"}`), false)
	f.Add([]byte(`{"source_code":"x","language_id":4,"max_processes_and_or_threads":0.5,"cpu_time_limit":0.0000001}`), false)
	f.Fuzz(func(t *testing.T, text []byte, encoded bool) {
		var s Submission
		if json.Unmarshal(text, &s) != nil {
			return
		}
		p, errs := s.Program(host(CE), encoded)
		if len(errs) > 0 {
			return
		}
		l, err := limits.Limits{}.Override(p.Limits)
		if err != nil || len(p.Source) == 0 || p.Language == "" || l.CPU > most.CPU || l.Memory > most.Memory || l.Wall > most.Wall || l.Output > most.Output || l.Processes > most.Processes {
			t.Fatalf("%+v: %v", p, err)
		}
	})
}
