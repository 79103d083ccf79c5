package pkgformat

import (
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

// exceptions describes the limits of a package and the exceptions to them.
func exceptions(p *draft.Draft) string {
	list := []string{fmt.Sprintf("%v %v", p.Time.Limit, p.Limits.Memory)}
	for _, e := range p.Exceptions {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s", e.Language, e.Cases))+fmt.Sprintf(": %v %v", e.CPU, e.Memory))
	}
	return strings.Join(list, "; ")
}

// TestSinolLimits reads the limits of groups, tests and languages.
func TestSinolLimits(t *testing.T) {
	t.Parallel()
	files := "\n-- prog/hello.c --\n"
	for _, name := range []string{"0", "1ocen", "1a", "1b", "2a", "10a"} {
		files += "-- in/hello" + name + ".in --\n-- out/hello" + name + ".out --\n"
	}
	for _, tt := range []struct{ why, text, want string }{
		{"limits of all tests", "time_limit: 1500\nmemory_limit: 65536", "1.5s 64MiB"},
		{"none", "title: x", "0s 2GiB"},
		{"nothing", "time_limit: 0\nmemory_limit: 0", "0s 2GiB"},
		{"less memory than any program needs", "memory_limit: 5", "0s 1MiB"},
		{"a group", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {1: 5000}", "1s 1MiB; secret/1: 5s 0B"},
		{"a group whose name is longer", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {10: 5000}", "1s 1MiB; secret/10: 5s 0B"},
		{"both limits of a group", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {2: 10}\nmemory_limits: {2: 2048}", "1s 1MiB; secret/2: 10ms 2MiB"},
		{"samples", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {0: 10}", "1s 1MiB; sample: 10ms 0B"},
		{"a test after its group", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {1a: 10, 1: 20}", "1s 1MiB; secret/1: 20ms 0B; secret/1/1a: 10ms 0B"},
		{"a test as the others, but not as its group", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {1a: 1000, 1: 20}", "1s 1MiB; secret/1: 20ms 0B; secret/1/1a: 1s 0B"},
		{"a test as its group", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {1a: 20, 1: 20}", "1s 1MiB; secret/1: 20ms 0B"},
		{"a test for contestants", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {1: 20, 1ocen: 1000, 0: 30}", "1s 1MiB; sample: 30ms 0B; secret/1: 20ms 0B; sample/1ocen: 1s 0B"},
		{"only limits of groups", "memory_limit: 1024\ntime_limits: {1: 5000, 2: 6000, 10: 6000}", "6s 1MiB; secret/1: 5s 0B"},
		{"groups that do not exist", "time_limit: 1000\nmemory_limit: 1024\ntime_limits: {7: 20, 1z: 20, x: 5, '01': 5}", "1s 1MiB"},
		{"a language", "time_limit: 100\nmemory_limit: 8192\noverride_limits: {cpp: {time_limit: 10000, memory_limit: 16384}, py: {time_limit: 5}}", "100ms 8MiB; cpp: 10s 16MiB; python3: 5ms 0B"},
		{"a language that has the limit of all but not that of a group", "time_limit: 100\nmemory_limit: 8192\ntime_limits: {1: 50}\noverride_limits: {cpp: {time_limit: 100}}", "100ms 8MiB; secret/1: 50ms 0B; cpp: 100ms 0B"},
		{"groups and tests of a language", "time_limit: 100\nmemory_limit: 8192\noverride_limits: {rs: {time_limits: {1: 7, 1b: 8}, memory_limits: {1b: 4096}}}", "100ms 8MiB; rust secret/1: 7ms 0B; rust secret/1/1b: 8ms 4MiB"},
		{"nothing for a language", "time_limit: 100\nmemory_limit: 8192\noverride_limits: {c: {scores: 5}, java: }", "100ms 8MiB"},
	} {
		p := readPackage(t, unpack(t, "-- config.yml --\n"+tt.text+files))
		if got := exceptions(p); got != tt.want || len(p.Notes) > 0 {
			t.Errorf("%s: %s %q\nwant %s", tt.why, got, p.Notes, tt.want)
		}
	}
	p := readPackage(t, unpack(t, "-- config.yml --\noverride_limits: {brainfuck: {time_limit: 5}}"+files))
	if got := strings.ReplaceAll(strings.Join(p.Notes, "\n"), p.Path, "hello"); got != "hello/config.yml:1: unknown language brainfuck" {
		t.Errorf("an unknown language: %s", got)
	}
}

// TestSinolLimitErrors finds limits that are none.
func TestSinolLimitErrors(t *testing.T) {
	t.Parallel()
	var many, tests strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "  %d: %d\n", i+1, i+1)
		fmt.Fprintf(&tests, "-- in/hello%d.in --\n-- out/hello%d.out --\n", i+1, i+1)
	}
	for _, tt := range []struct{ why, text, want string }{
		{"a time that is not a number", "time_limits: {1: fast}\n", ":1: time_limits.1: fast is not a number"},
		{"a negative size", "memory_limits: {1: -5}\n", ":1: memory_limits.1: -5 is less than 0"},
		{"a list of limits", "time_limits: [1000]\n", ":1: time_limits: a text or a list instead of a mapping"},
		{"a time of a language that is not a number", "override_limits:\n  cpp:\n    time_limit: fast\n", ":3: override_limits.cpp.time_limit: fast is not a number"},
		{"a limit of a language for all", "override_limits: {cpp: 5}\n", ":1: override_limits.cpp: a text or a list instead of a mapping"},
		{"limits of very many groups", "time_limit: 5000\ntime_limits:\n" + many.String() + tests.String(), ": 1001 groups and tests with limits of their own, more than 1000 (hint: give limits of groups instead of tests)"},
	} {
		dir := unpack(t, "-- config.yml --\n"+tt.text+"-- in/hello1a.in --\n-- out/hello1a.out --\n-- prog/hello.c --\n")
		if got := openError(t, dir); got != "hello/config.yml"+tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, "hello/config.yml"+tt.want)
		}
	}
}

// TestRbxModifiers reads the limits of languages.
func TestRbxModifiers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"a time before that of the problem", "modifiers: {cpp: {time: 2000, memory: 512}}", "1s 256MiB; cpp: 2s 512MiB"},
		{"a multiple of the problem's time", "modifiers: {java: {timeMultiplier: 2.5}}", "1s 256MiB; java: 2.5s 0B"},
		{"a multiple of the language's time", "modifiers: {py: {timeMultiplier: 1.5, time: 3}}", "1s 256MiB; python3: 4ms 0B"},
		{"less than a millisecond", "modifiers: {kt: {timeMultiplier: 0.001, time: 3}}", "1s 256MiB; kotlin: 1ms 0B"},
		{"very long", "modifiers: {c: {timeMultiplier: 1e300, time: 1e300}}", "1s 256MiB; c: 1000h0m0s 0B"},
		{"nothing", "modifiers: {c: {}, cpp: , java: {time: , memory: }}", "1s 256MiB"},
	} {
		p := readPackage(t, unpack(t, "-- problem.rbx.yml --\n"+tt.text+rbxOne))
		if got := exceptions(p); got != tt.want || len(p.Notes) > 0 {
			t.Errorf("%s: %s %q\nwant %s", tt.why, got, p.Notes, tt.want)
		}
	}
}

// TestExceptionsOfProblem passes the exceptions on to the problem.
func TestExceptionsOfProblem(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, "-- problem.rbx.yml --\nmodifiers: {c: {memory: 5}}"+rbxOne))
	made, err := p.Problem()
	if want := (problem.Exception{Language: "c", Memory: 5 << 20}); err != nil || len(made.Exceptions) != 1 || made.Exceptions[0] != want {
		t.Errorf("%+v (%v), want %+v", made.Exceptions, err, want)
	}
}
