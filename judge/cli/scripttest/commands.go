//go:build linux

package scripttest

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/judge/cli/report"
	"tribunal/judge/internal/config"
)

// exits runs a command and requires its exit status: exits 1 judge grade …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command [argument...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitStatus(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exited with status %d, want %d", got, want)
	}
}

func exitStatus(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if err == nil {
		return 0
	}
	return exit.ExitCode()
}

// patience is when commands stop waiting for an event, shortly before the end of the tests.
type patience time.Time

func (p patience) ended() bool { return time.Now().After(time.Time(p)) }

// awaits waits until a file contains at least the given number of matches of a pattern, by default
// one. A minute after all commands in the background have ended, it gives up.
//
//	awaits events '"event":"settled"' 2
func (p patience) awaits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: awaits file pattern [times]")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	times := 1
	if len(args) == 3 {
		times, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	seen := time.Now() // when something that may write the file was seen last
	for {
		if slices.ContainsFunc(ts.BackgroundCmds(), func(c *exec.Cmd) bool { return runs(c.Process.Pid) }) {
			seen = time.Now()
		}
		last := p.ended() || time.Since(seen) > time.Minute
		text, _ := os.ReadFile(ts.MkAbs(args[0]))
		if len(pattern.FindAll(text, -1)) >= times {
			return
		}
		if last {
			ts.Fatalf("%s does not match %q %d times:\n%s", args[0], args[1], times, text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// saves replaces a file with another atomically, as careful editors do, so that no reader sees half
// of it.
//
//	saves right.c sum.c
func saves(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: saves from to")
	}
	to := ts.MkAbs(args[1])
	temporary := filepath.Join(filepath.Dir(to), ".saving")
	ts.Check(os.WriteFile(temporary, []byte(ts.ReadFile(args[0])), 0o644))
	ts.Check(os.Rename(temporary, to))
}

// oneError matches standard error if the judge or its service refuses to work.
var oneError = regexp.MustCompile(`\Ajudged?: [^\n]+(: want | \(hint: )[^\n]+\n\z`)

// refuses runs a command that must be refused because of wrong usage or configuration. It requires
// status 2, nothing on standard output, one line on standard error that matches the pattern and has
// a location and a hint, and no changed file.
//
//	refuses 'unknown problem' judge grade sums sum.c
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refuses pattern command [argument...]")
	}
	pattern, err := regexp.Compile(args[0])
	ts.Check(err)
	before := snapshot(ts, ts.Getenv("WORK"))
	got := exitStatus(ts, ts.Exec(args[1], args[2:]...))
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	switch {
	case got != 2:
		ts.Fatalf("exited with status %d, want 2", got)
	case stdout != "":
		ts.Fatalf("wrote to standard output")
	case !oneError.MatchString(stderr):
		ts.Fatalf("standard error is not one located line with a hint")
	case !pattern.MatchString(stderr):
		ts.Fatalf("standard error does not match %q", args[0])
	}
	after := snapshot(ts, ts.Getenv("WORK"))
	for _, file := range slices.Sorted(maps.Keys(after)) {
		if before[file] != after[file] {
			ts.Fatalf("changed %s", file)
		}
		delete(before, file)
	}
	if len(before) > 0 {
		ts.Fatalf("removed %v", slices.Sorted(maps.Keys(before)))
	}
}

// finds runs a judge verify that must report exactly one finding. It requires status 1, and one
// line on standard output that matches the pattern and has a location.
//
//	finds 'bounds: a: no case reaches 99' judge verify
func finds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: finds pattern command [argument...]")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	got := exitStatus(ts, ts.Exec(args[1], args[2:]...))
	switch stdout := ts.ReadFile("stdout"); {
	case got != 1:
		ts.Fatalf("exited with status %d, want 1", got)
	case !oneFinding.MatchString(stdout):
		ts.Fatalf("standard output is not one located line")
	case !pattern.MatchString(stdout):
		ts.Fatalf("standard output does not match %q", args[0])
	}
}

// oneFinding matches the output of judge verify with one finding.
var oneFinding = regexp.MustCompile(`\A(problems|cases|reference)/[^ :]+(:[0-9]+)?: [a-z]+: [^\n]+\n\z`)

// snapshot returns the files below dir with a hash of their type and content.
func snapshot(ts *testscript.TestScript, dir string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		sum := ""
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, fs.ErrPermission) {
				return err
			}
			sum = fmt.Sprintf("%x", sha256.Sum256(text))
		}
		files[path] = d.Type().String() + sum
		return nil
	})
	ts.Check(err)
	return files
}

// field requires that a JSON document has a value, which is written as JSON. The path consists of
// names and indices separated by dots; len at the end is the length of a list.
//
//	field stdout submissions.0.verdict '"AC"'
func field(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: [!] field file path value")
	}
	got, err := json.Marshal(valueAt(ts, args[0], args[1]))
	ts.Check(err)
	if (string(got) == args[2]) == neg {
		ts.Fatalf("%s is %s", args[1], got)
	}
}

// between requires that a number in a JSON document is in a range.
//
//	between stdout programs.0.fit.exponent 0.5 1.5
func between(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: between file path least most")
	}
	got, ok := valueAt(ts, args[0], args[1]).(float64)
	least, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	most, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	if !ok || got < least || got > most {
		ts.Fatalf("%s is %v, which is not from %v to %v:\n%s", args[1], got, least, most, ts.ReadFile(args[0]))
	}
}

// valueAt returns the value at a path in a JSON document.
func valueAt(ts *testscript.TestScript, file, path string) (v any) {
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &v))
	for step := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			value, ok := at[step]
			if !ok {
				ts.Fatalf("%s: there is no %s (hint: there are %v)", path, step, slices.Sorted(maps.Keys(at)))
			}
			v = value
		case []any:
			if step == "len" {
				v = len(at)
				break
			}
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				ts.Fatalf("%s: %s is not an index of a list of %d", path, step, len(at))
			}
			v = at[i]
		default:
			ts.Fatalf("%s: nothing below %s", path, step)
		}
	}
	return v
}

// sameReport requires that two JSON reports are the same except for measurements.
func sameReport(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] same-report file file")
	}
	if bytes.Equal(stripped(ts, args[0]), stripped(ts, args[1])) == neg {
		ts.Fatalf("%s and %s: want reports that are the same: %v", args[0], args[1], !neg)
	}
}

func stripped(ts *testscript.TestScript, file string) []byte {
	doc, err := report.StripMeasurements([]byte(ts.ReadFile(file)))
	ts.Check(err)
	return doc
}

// repeatable runs a command that prints a JSON report several times. Status and report must be the
// same each time, except for measurements.
//
//	repeatable 20 judge grade sum sum.c --json
func repeatable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: repeatable count command [argument...]")
	}
	count, err := strconv.Atoi(args[0])
	ts.Check(err)
	var first []byte
	var want int
	for i := range count {
		got := exitStatus(ts, ts.Exec(args[1], args[2:]...))
		doc := stripped(ts, "stdout")
		if i == 0 {
			first, want = doc, got
		}
		if got != want || !bytes.Equal(doc, first) {
			ts.Fatalf("run %d exited with status %d, the first with %d; the reports:\n%s\n%s", i+1, got, want, doc, first)
		}
	}
}

// writeELF writes the header of an executable for another machine.
//
//	elf program EM_S390
func writeELF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: elf file machine")
	}
	header := elf.Header64{
		Type: uint16(elf.ET_EXEC), Version: uint32(elf.EV_CURRENT), Ehsize: 64, Phentsize: 56, Shentsize: 64,
	}
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	for m := range elf.Machine(1 << 9) {
		if m.String() == args[1] {
			header.Machine = uint16(m)
		}
	}
	if header.Machine == 0 {
		ts.Fatalf("unknown machine %s", args[1])
	}
	var b bytes.Buffer
	ts.Check(binary.Write(&b, binary.LittleEndian, header))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o755))
}

// asUser runs a command as an account without any rights and requires its exit status. The command
// runs in a copy of the script's folder that the account owns, with a cache of its own.
//
//	as-user 0 judge grade sum sum.c
func asUser(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: as-user status command [argument...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	const account = 54321 // belongs to no user
	dir, err := os.MkdirTemp("", "tribunal-user-")
	ts.Check(err)
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "bin")
	ownJudge(ts, bin)
	home := filepath.Join(dir, "home")
	// cp -a keeps modes, so that unreadable files stay unreadable.
	ts.Check(exec.Command("cp", "-a", ts.MkAbs("."), home).Run())
	ts.Check(os.MkdirAll(filepath.Join(home, ".tmp"), 0o700))
	ts.Check(filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, account, account))
	}))
	path := bin + ":" + ts.Getenv("PATH")
	cmd := exec.Command("env", args[1:]...) // env finds the command by the new PATH
	cmd.Dir = home
	cmd.Env = []string{
		"PATH=" + path, "HOME=" + home, "TMPDIR=" + filepath.Join(home, ".tmp"),
		config.CacheVariable + "=" + filepath.Join(dir, "cache"),
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: account, Gid: account}}
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	if got := exitStatus(ts, cmd.Run()); got != want {
		ts.Fatalf("exited with status %d, want %d", got, want)
	}
}

// ownJudge copies the judge that is on the PATH into dir, which it creates, and returns the path of
// the copy.
func ownJudge(ts *testscript.TestScript, dir string) string {
	const name = "judge"
	for from := range strings.SplitSeq(ts.Getenv("PATH"), ":") {
		path := filepath.Join(from, name)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		ts.Check(os.MkdirAll(dir, 0o755))
		ts.Check(exec.Command("cp", path, dir).Run())
		return filepath.Join(dir, name)
	}
	ts.Fatalf("no %s", name)
	return ""
}
