package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	// measured is the command with which go test -exec starts a test binary in a control group of its own.
	measured = "measure"
	// costsVariable names the file to which it adds the cost of each test.
	costsVariable = "GATE_COSTS"
)

// A cost is the CPU time of a test with all its processes.
type cost struct {
	pkg, test string
	seconds   float64
}

// costCommand is gate cost.
func costCommand(args []string) int {
	code, err := costs(os.Stdout, args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "gate: %v\n", err)
		return 2
	}
	return code
}

// costs runs tests one after another, and prints what each cost, the dearest first, and the sum.
func costs(out io.Writer, args []string) (int, error) {
	f, err := os.CreateTemp("", "costs-")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command("go", append([]string{"test", "-v", "-count=1", "-parallel=1", "-exec=" + self + " " + measured}, args...)...)
	cmd.Env = append(cmd.Environ(), costsVariable+"="+f.Name())
	cmd.Stderr = os.Stderr
	text, failed := cmd.Output()
	for _, line := range failure.FindAllString(string(text), -1) {
		fmt.Fprintln(out, line)
	}
	text, err = io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	list, total, err := parseCosts(string(text))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.Name(), err)
	}
	for _, c := range list {
		if c.seconds >= 0.05 {
			fmt.Fprintf(out, "%8.2f  %s %s\n", c.seconds, c.pkg, c.test)
		}
	}
	fmt.Fprintf(out, "%8.2f  CPU seconds in all, without building the tests\n", total)
	if failed != nil {
		return 1, nil
	}
	return 0, nil
}

// parseCosts returns what each test and each package cost, the dearest first, and the sum.
func parseCosts(text string) (list []cost, total float64, err error) {
	of := map[string]float64{}
	for line := range strings.Lines(text) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		seconds, err := strconv.ParseFloat(part[len(part)-1], 64)
		if err != nil || len(part) != 3 {
			return nil, 0, fmt.Errorf("%q is not a cost", line)
		}
		list = append(list, cost{part[0], part[1], seconds})
		total += seconds
		of[part[0]] += seconds
	}
	for pkg, seconds := range of {
		list = append(list, cost{pkg, "", seconds})
	}
	slices.SortFunc(list, func(a, b cost) int { return cmp.Compare(b.seconds, a.seconds) })
	return list, total, nil
}

var (
	// failure matches the lines of go test -v that name what failed.
	failure = regexp.MustCompile(`(?m)^(?: *--- FAIL:|FAIL\t).*`)
	// turn matches those with which another test begins or goes on, or the current one ends.
	turn = regexp.MustCompile(`^\s*(=== RUN|=== CONT|=== NAME|--- PASS:|--- FAIL:|--- SKIP:)\s+(\S+)`)
)

// measure runs a test binary in a control group, and adds to the file how much CPU time passed between the lines that
// say which test runs. It returns the exit status.
func measure(args []string) int {
	group, usage, err := newGroup()
	if err != nil {
		fmt.Fprintf(os.Stderr, "gate: %v (hint: this needs root, or a control group that this user may write)\n", err)
		return 2
	}
	defer os.Remove(group)
	cmd := exec.Command("sh", append([]string{"-c", `echo $$ >"$0/cgroup.procs" && exec "$@"`, group}, args...)...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "gate: %v\n", err)
		return 2
	}
	of := follow(out, usage)
	failed := cmd.Wait()
	if err := keep(of); err != nil {
		fmt.Fprintf(os.Stderr, "gate: %v\n", err)
		return 2
	}
	if failed != nil {
		return 1
	}
	return 0
}

// follow copies the output of a test binary, and returns how many CPU seconds usage counts during each test.
func follow(out io.Reader, usage func() float64) map[string]float64 {
	of, current, before := map[string]float64{}, "(start)", 0.0
	next := func(test string) {
		now := usage()
		of[current] += now - before
		current, before = cmp.Or(test, "(between tests)"), now
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		os.Stdout.WriteString(line)
		if m := turn.FindStringSubmatch(line); m != nil {
			if !strings.HasPrefix(m[1], "---") {
				next(m[2])
			} else if current == m[2] {
				next(m[2][:max(strings.LastIndexByte(m[2], '/'), 0)])
			}
		}
		if err != nil {
			next("")
			return of
		}
	}
}

// keep adds the costs of the tests of the package in this folder to the file.
func keep(of map[string]float64) error {
	pkg, err := packageHere()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(os.Getenv(costsVariable), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for test, seconds := range of {
		if _, err := fmt.Fprintf(f, "%s\t%s\t%.3f\n", pkg, test, seconds); err != nil {
			return err
		}
	}
	return f.Close()
}

// newGroup makes a control group below this process's, of cgroup v1 or v2, and returns a function that reads the CPU
// seconds that all processes in it and below have used.
func newGroup() (dir string, usage func() float64, err error) {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", nil, err
	}
	name := fmt.Sprintf("gate-%d", os.Getpid())
	for _, version := range []struct {
		line        *regexp.Regexp
		mount, file string
		value       *regexp.Regexp
		unit        float64
	}{
		{regexp.MustCompile(`(?m)^\d+:(?:\w+,)*cpuacct(?:,\w+)*:(.*)$`), "/sys/fs/cgroup/cpuacct", "cpuacct.usage", regexp.MustCompile(`(\d+)`), 1e9},
		{regexp.MustCompile(`(?m)^0::(.*)$`), "/sys/fs/cgroup", "cpu.stat", regexp.MustCompile(`usage_usec (\d+)`), 1e6},
	} {
		m := version.line.FindSubmatch(own)
		if m == nil {
			continue
		}
		dir = filepath.Join(version.mount, string(m[1]), name)
		if err = os.Mkdir(dir, 0o755); err != nil {
			continue
		}
		file := filepath.Join(dir, version.file)
		return dir, func() float64 {
			text, _ := os.ReadFile(file)
			if m := version.value.FindSubmatch(text); m != nil {
				n, _ := strconv.ParseFloat(string(m[1]), 64)
				return n / version.unit
			}
			return 0
		}, nil
	}
	if err == nil {
		err = fmt.Errorf("no control groups")
	}
	return "", nil, err
}
