package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/judge/internal/config"
)

var alsoFlag = flag.String("also", "", "compare also this command, which runs the program that follows it, such as 'bwrap --ro-bind / / --'")

// tools holds the programs of a comparison.
type tools struct {
	dir   string // for the programs and other files; removed at the end
	judge string // the judge's executable
	drive string // see testdata/compare/drive.c
}

// A contender judges the cases of a set.
type contender struct {
	name string

	// prepare sets up what the contender needs for a program that runs on so many cases at a time. It
	// skips tb if this machine lacks something.
	prepare func(tb testing.TB, t tools, p program, slots int) command

	// wrong returns the numbers of the wrong cases from what the command printed, which then exits
	// with another status than 0. If wrong is nil, the command prints these numbers, and exits with 0.
	wrong func(out string, s set) []string
}

// A command returns the command that judges a set.
type command func(s set) *exec.Cmd

// contenders lists the floor and then what is compared with it. docs/performance.md describes each.
var contenders = []contender{
	{"floor", driven(), nil},
	{"env", driven("env"), nil},
	{"judge", judgeGrade, judged},
	{"xargs", xargs, nil},
	{"bash", bash, nil},
	{"isolate", isolate(), nil},
	{"isolate-cg", isolate("--cg"), nil},
	{"also", also, nil},
}

// need returns the path of a program, or skips tb if it is not on PATH.
func need(tb testing.TB, program string) string {
	tb.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		tb.Skipf("not checked: a comparison with %s (it is not installed)", program)
	}
	return path
}

// driven prepares a contender that only runs one program: drive starts the program after these
// words, feeds it each input, and compares its output.
func driven(words ...string) func(testing.TB, tools, program, int) command {
	return func(_ testing.TB, t tools, p program, slots int) command {
		return func(s set) *exec.Cmd {
			args := slices.Concat([]string{strconv.Itoa(slots), strconv.Itoa(s.cases)}, words, []string{p.executable})
			cmd := exec.Command(t.drive, args...)
			cmd.Dir = s.data()
			return cmd
		}
	}
}

func judgeGrade(_ testing.TB, t tools, p program, slots int) command {
	return func(s set) *exec.Cmd {
		cmd := exec.Command(t.judge, "grade", "--all", "--fresh", "-q", "--slots", strconv.Itoa(slots), s.folder, p.submission)
		cmd.Dir = t.dir
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+filepath.Join(t.dir, "cache"))
		return cmd
	}
}

var oneWrong = regexp.MustCompile(`^\S+: WA (\d+)/\d+ secret/(\d+): `)

// judged reads the judge's line, which names only the first wrong case. It returns the whole line
// unless all cases were judged and at most one is wrong.
func judged(out string, s set) []string {
	if strings.HasSuffix(out, fmt.Sprintf(": AC %d/%d\n", s.cases, s.cases)) {
		return nil
	}
	if found := oneWrong.FindStringSubmatch(out); found != nil && found[1] == strconv.Itoa(s.cases-1) {
		return found[2:]
	}
	return []string{out}
}

func xargs(tb testing.TB, _ tools, p program, slots int) command {
	need(tb, "cmp")
	path := need(tb, "xargs")
	const one = `"$0" <"$1.in" | cmp -s - "$1.ans" || echo "$1"`
	return func(s set) *exec.Cmd {
		cmd := exec.Command(path, "-P", strconv.Itoa(slots), "-n", "1", "sh", "-c", one, p.executable)
		cmd.Dir = s.data()
		var numbers strings.Builder
		for i := range s.cases {
			fmt.Fprintf(&numbers, "%04d\n", i+1)
		}
		cmd.Stdin = strings.NewReader(numbers.String())
		return cmd
	}
}

func bash(tb testing.TB, _ tools, p program, slots int) command {
	need(tb, "cmp")
	need(tb, "timeout")
	path := need(tb, "bash")
	const loop = `
for ((slot = 0; slot < $1; slot++)); do
	i=0
	for input in *.in; do
		((i++ % $1 == slot)) || continue
		timeout 10 "$0" <"$input" | cmp -s - "${input%.in}.ans" || echo "${input%.in}"
	done &
done
wait`
	return func(s set) *exec.Cmd {
		cmd := exec.Command(path, "-c", loop, p.executable, strconv.Itoa(slots))
		cmd.Dir = s.data()
		return cmd
	}
}

// isolate prepares isolate, with a box for each slot; making the boxes is not measured. Their
// numbers are high, because others may use low ones.
func isolate(options ...string) func(testing.TB, tools, program, int) command {
	return func(tb testing.TB, t tools, p program, slots int) command {
		path := need(tb, "isolate")
		for slot := range slots {
			box := append(slices.Clone(options), fmt.Sprintf("--box-id=99%d", slot))
			cmd := exec.Command(path, append(box, "--init")...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			folder, err := cmd.Output()
			if err != nil {
				tb.Skipf("not checked: a comparison with %s (%v: %s)", cmd.Args[0], err, &stderr)
			}
			tb.Cleanup(func() {
				if out, err := exec.Command(path, append(box, "--cleanup")...).CombinedOutput(); err != nil {
					tb.Errorf("isolate --cleanup: %v\n%s", err, out)
				}
			})
			copyProgram(tb, p.executable, filepath.Join(strings.TrimSpace(string(folder)), "box", "program"))
		}
		memory := "--mem=262144"
		if slices.Contains(options, "--cg") {
			memory = "--cg-mem=262144"
		}
		words := slices.Concat([]string{path}, options, []string{"--box-id=99{slot}", "--silent", "--time=10", "--wall-time=20", memory,
			"--meta=" + filepath.Join(t.dir, "meta.{slot}"), "--run", "--"})
		return driven(words...)(tb, t, program{executable: "./program"}, slots)
	}
}

func also(tb testing.TB, t tools, p program, slots int) command {
	words := strings.Fields(*alsoFlag)
	if len(words) == 0 {
		tb.Skip("not checked: a comparison with another command (-also names none)")
	}
	need(tb, words[0])
	return driven(words...)(tb, t, p, slots)
}

// compile compiles a C or C++ program into the folder of the tools, or skips tb without a compiler.
func (t tools) compile(tb testing.TB, name, compiler string, args ...string) string {
	tb.Helper()
	program := filepath.Join(t.dir, name)
	if out, err := exec.Command(need(tb, compiler), append([]string{"-O2", "-o", program}, args...)...).CombinedOutput(); err != nil {
		tb.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return program
}

func copyProgram(tb testing.TB, from, to string) {
	tb.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o755)
	}
	if err != nil {
		tb.Fatal(err)
	}
}
