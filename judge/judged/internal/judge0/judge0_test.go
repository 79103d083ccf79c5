package judge0

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/task"
)

var most = limits.Limits{CPU: 15 * time.Second, Wall: 150 * time.Second, Memory: limits.GiB, Output: 64 * limits.MiB, Processes: 128, CPUs: 4}

// all reports that this judge has a language.
func all(string) bool { return true }

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
		{"arguments", `{"source_code":"x","language_id":60,"command_line_arguments":" a  b "}`, false,
			Program{Source: []byte("x"), Language: "go", Stdin: []byte{}, Args: []string{"a", "b"}, Limits: usual}},
		{"the wall limit follows the CPU limit", `{"source_code":"x","language_id":60,"cpu_time_limit":12}`, false,
			Program{Source: []byte("x"), Language: "go", Stdin: []byte{}, Limits: "cpu=12s,wall=24s,memory=262144KiB,processes=64,output=4096KiB"}},
	} {
		got, errs := parse(t, tt.text).Program(all, most, tt.encoded)
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
		{"several files", `{"source_code":"x","language_id":89}`, `{"language_id":["language with id 89 doesn't exist"]}`},
		{"no source", `{"source_code":"","language_id":72}`, `{"source_code":["can't be blank"]}`},
		{"nothing", `{}`, `{"language_id":["can't be blank"],"source_code":["can't be blank"]}`},
		{"a large limit", `{"source_code":"x","language_id":4,"wall_time_limit":100000}`, `{"wall_time_limit":["must be less than or equal to 150"]}`},
		{"a small limit", `{"source_code":"x","language_id":4,"memory_limit":1}`, `{"memory_limit":["must be greater than or equal to 2048"]}`},
		{"no base64", `{"source_code":"?","language_id":4}`, `{"source_code":["is not valid Base64"]}`},
		{"quotes", `{"source_code":"eA==","language_id":4,"command_line_arguments":"'a b'"}`, `{"command_line_arguments":["quotes and other special characters are not supported"]}`},
		{"much that is not supported", `{"source_code":"eA==","language_id":4,"compiler_options":"-O3","callback_url":"http://x","additional_files":"UEs=","enable_network":true,
			"redirect_stderr_to_stdout":true,"number_of_runs":2,"enable_per_process_and_thread_time_limit":true}`,
			`{"additional_files":["setting additional files is not allowed"],"callback_url":["setting callback is not allowed"],"compiler_options":["setting compiler options is not allowed"],` +
				`"enable_network":["enabling network is not allowed"],"enable_per_process_and_thread_time_limit":["this option cannot be enabled"],` +
				`"number_of_runs":["must be less than or equal to 1"],"redirect_stderr_to_stdout":["this option cannot be enabled"]}`},
	} {
		encoded := strings.Contains(tt.text, "eA==") || strings.Contains(tt.text, "?")
		_, errs := parse(t, tt.text).Program(func(id string) bool { return id != "php" }, most, encoded)
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
	done := State{Token: "tok", Language: "c", Source: []byte("main"), Stdin: []byte("Judge0"), Expected: []byte("hello, Judge0"), Args: []string{"a", "b"},
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
		{"everything", &done, "*", false, `{"command_line_arguments":"a b","compile_output":null,"created_at":"1970-01-01T00:00:01.000Z","exit_code":0,"exit_signal":null,` +
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

// TestLanguages checks that numbers are unique, and that the list has the languages that there are.
func TestLanguages(t *testing.T) {
	t.Parallel()
	seen := map[int]string{}
	for _, l := range languages {
		for _, n := range append(slices.Clone(l.older), l.number) {
			if seen[n] != "" {
				t.Errorf("%d is %s and %s", n, seen[n], l.id)
			}
			if seen[n] = l.id; languageOf(number(n)) != l.id {
				t.Errorf("%d is not %s", n, l.id)
			}
		}
	}
	if got := fmt.Sprint(Languages(func(id string) bool { return id == "c" || id == "bash" })); got != "[{46 Bash} {50 C (GCC)}]" {
		t.Error(got)
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
		p, errs := s.Program(all, most, encoded)
		if len(errs) > 0 {
			return
		}
		l, err := limits.Limits{}.Override(p.Limits)
		if err != nil || len(p.Source) == 0 || p.Language == "" || l.CPU > most.CPU || l.Memory > most.Memory || l.Wall > most.Wall || l.Output > most.Output || l.Processes > most.Processes {
			t.Fatalf("%+v: %v", p, err)
		}
	})
}
