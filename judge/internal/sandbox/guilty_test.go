package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

var (
	repeat = flag.Int("repeat", 0, "how often TestGuiltyStable runs the corpus")
	update = flag.Bool("update", false, "rewrite what is generated from the corpus")
)

// corpus is the folder of the guilty programs. A program's name is its topic, a
// dash and its variant. It begins with a comment of lines "key: value", in which
// an indented line continues the one before:
//
//	verdict  what a jail with everything on must give; WA stands for an attack that got through
//	why      what the program tries
//	limits   as in --limits, over usual
//	stdin    none (/dev/null), closed (a pipe without a writer), a size, or a quoted text; empty by default
//	runs     together (in two boxes at a time) or twice (one after the other in one box); the verdict holds for each
//	prints   the quoted output that is right; "held\n" by default
//	says     what the cause or the standard error must contain
//	cannot   modes that cannot stop it, by comma, each with the verdict seen there if that is certain:
//	         rlimit=WA. A mode may be narrowed to judges that run as one account: rlimit:root
//
// In a mode that stops it, an attack that leaves the program alive prints held;
// where it gets through the program prints broke and what. There nothing may come
// to harm: each program bounds what it takes from a machine that does not.
const corpus = "testdata/guilty"

// usual are the limits unless a header changes them. Wall time is generous, since
// it counts the time of a busy machine.
var usual = limits.Limits{
	CPU: time.Second, Wall: 20 * time.Second, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 64, CPUs: 1,
}

// attack is one guilty program.
type attack struct {
	file   string
	topic  string
	want   verdict.Verdict
	why    string
	says   string
	stdin  string
	runs   string
	prints []byte
	limits limits.Limits
	cannot map[string]verdict.Verdict // by mode, perhaps with an account; None is any verdict but want
}

// attacks reads the headers of the corpus, sorted by name.
func attacks(t *testing.T) []*attack {
	t.Helper()
	files, err := filepath.Glob(corpus + "/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", corpus, err)
	}
	var list []*attack
	for _, file := range files {
		a, err := readAttack(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		list = append(list, a)
	}
	return list
}

func readAttack(file string) (*attack, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fields, err := header(string(text))
	if err != nil {
		return nil, err
	}
	topic, _, found := strings.Cut(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), "-")
	if !found {
		return nil, errors.New("the name is not a topic, a dash and a variant")
	}
	a := &attack{file: file, topic: topic, prints: []byte("held\n"), cannot: map[string]verdict.Verdict{}}
	for key, value := range fields {
		if err := a.set(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	if a.limits, err = usual.Override(fields["limits"]); err != nil {
		return nil, err
	}
	if a.want == verdict.None || a.why == "" {
		return nil, errors.New("verdict and why are needed")
	}
	return a, nil
}

// header returns the fields of the comment that a program begins with.
func header(text string) (map[string]string, error) {
	fields := map[string]string{}
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		rest, comment := strings.CutPrefix(line, "//")
		if !comment {
			rest, comment = strings.CutPrefix(line, "#")
		}
		rest, blank := strings.CutPrefix(rest, " ")
		if !comment || !blank {
			break
		}
		if strings.HasPrefix(rest, " ") && last != "" {
			fields[last] += " " + strings.TrimSpace(rest)
			continue
		}
		key, value, found := strings.Cut(rest, ": ")
		if _, twice := fields[key]; !found || twice {
			return nil, fmt.Errorf("header line %q is not a new key, a colon and a value", line)
		}
		fields[key], last = strings.TrimSpace(value), key
	}
	return fields, nil
}

func (a *attack) set(key, value string) (err error) {
	switch key {
	case "verdict":
		return a.want.UnmarshalText([]byte(value))
	case "why":
		a.why = value
	case "says":
		a.says = value
	case "limits":
	case "stdin":
		a.stdin = value
		f, err := a.input()
		if err == nil && f != nil {
			err = f.Close()
		}
		return err
	case "runs":
		if value != "together" && value != "twice" {
			return fmt.Errorf("%q is not together or twice", value)
		}
		a.runs = value
	case "prints":
		text, err := strconv.Unquote(value)
		a.prints = []byte(text)
		return err
	case "cannot":
		for item := range strings.SplitSeq(value, ",") {
			mode, seen, exact := strings.Cut(strings.TrimSpace(item), "=")
			name, who, _ := strings.Cut(mode, ":")
			var v verdict.Verdict
			if exact {
				err = v.UnmarshalText([]byte(seen))
			}
			if err != nil || !slices.Contains(sandbox.ModeNames, name) || who != "" && who != "root" && who != "user" {
				return fmt.Errorf("%q is not a mode with a verdict", item)
			}
			a.cannot[mode] = v
		}
	default:
		return errors.New("no such key")
	}
	return nil
}

// escapes reports whether the attack gets through in a mode under this account,
// and the verdict that shows it, None for any but the one wanted.
func (a *attack) escapes(mode string) (seen verdict.Verdict, escapes bool) {
	if seen, escapes = a.cannot[mode+":"+sandbox.Account()]; !escapes {
		seen, escapes = a.cannot[mode]
	}
	return seen, escapes
}

// input returns the standard input, nil for none; the caller closes it.
func (a *attack) input() (*os.File, error) {
	switch {
	case a.stdin == "none":
		return nil, nil
	case a.stdin == "closed":
		r, w, err := os.Pipe()
		if err == nil {
			err = w.Close()
		}
		return r, err
	case a.stdin == "":
		return sandbox.MemFile(nil)
	case a.stdin[0] == '"':
		text, err := strconv.Unquote(a.stdin)
		if err != nil {
			return nil, err
		}
		return sandbox.MemFile([]byte(text))
	}
	size, err := limits.ParseBytes(a.stdin)
	if err != nil {
		return nil, err
	}
	return largeInput(size)
}

// largeInput returns what sandbox.MemFile would, but never holds all of it in this
// process: rlimit mode cannot tell the peak of a short program from that of the
// process that started it.
func largeInput(size limits.Bytes) (*os.File, error) {
	fd, err := unix.MemfdCreate("input", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "input")
	defer f.Close()
	block := bytes.Repeat([]byte("0123456789abcde\n"), 1<<10)
	for at := limits.Bytes(0); at < size; at += limits.Bytes(len(block)) {
		if _, err := f.Write(block); err != nil {
			return nil, err
		}
	}
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", fd))
}

// TestGuiltyHeaders writes headers that would otherwise weaken the table in silence.
func TestGuiltyHeaders(t *testing.T) {
	t.Parallel()
	const good = "// verdict: MLE\n// why: because\n//   of this\n"
	for _, tt := range []struct{ why, name, text, says string }{
		{"all is well", "heap-x.c", good + "// cannot: rlimit:root=WA, polling\n// stdin: 1MiB\n// limits: cpu=2s\nint main;", ""},
		{"another comment sign", "heap-x.py", strings.ReplaceAll(good, "//", "#"), ""},
		{"no topic to list it under", "heap.c", good, "a topic, a dash and a variant"},
		{"nothing is wanted", "heap-x.c", "// why: because\n", "verdict and why are needed"},
		{"nobody knows what it tries", "heap-x.c", "// verdict: MLE\n", "verdict and why are needed"},
		{"a key that nobody reads", "heap-x.c", good + "// limit: cpu=1s\n", "no such key"},
		{"a key twice", "heap-x.c", good + "// why: again\n", "not a new key"},
		{"prose", "heap-x.c", good + "// and so on\n", "not a new key"},
		{"a mode that does not exist", "heap-x.c", good + "// cannot: container=WA\n", "not a mode"},
		{"an account that does not exist", "heap-x.c", good + "// cannot: rlimit:nobody\n", "not a mode"},
		{"a verdict that does not exist", "heap-x.c", good + "// cannot: rlimit=RE\n", "not a mode"},
		{"a limit without a unit", "heap-x.c", good + "// limits: cpu=1\n", "no unit"},
		{"an input without a unit", "heap-x.c", good + "// stdin: 50\n", "no unit"},
		{"a way to run that does not exist", "heap-x.c", good + "// runs: thrice\n", "not together or twice"},
	} {
		file := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := readAttack(file)
		switch {
		case tt.says == "" && (err != nil || a.want != verdict.MLE || a.why != "because of this" || a.topic != "heap"):
			t.Errorf("%s: got %+v, %v", tt.why, a, err)
		case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%s: got error %v, want %q", tt.why, err, tt.says)
		}
	}
}

// court builds the programs of the corpus, each once, and runs them.
type court struct {
	builder *build.Builder
	cpus    chan int // those that no run is using

	mu       sync.Mutex
	programs map[string]func() (*build.Program, error)
}

func newCourt(t *testing.T) *court {
	t.Helper()
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	kept, err := cache.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	cpus := sandbox.AllowedCPUs()
	c := &court{
		builder: build.New(build.Options{
			Languages: build.Defaults(), Cache: kept, Host: host,
			Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
		}),
		cpus:     make(chan int, len(cpus)),
		programs: map[string]func() (*build.Program, error){},
	}
	for _, cpu := range cpus {
		c.cpus <- cpu
	}
	t.Cleanup(func() {
		for _, build := range c.programs {
			if p, _ := build(); p != nil {
				p.Close()
			}
		}
	})
	return c
}

// program returns the built program of an attack. It skips the test when its
// language is not installed.
func (c *court) program(t *testing.T, a *attack) *build.Program {
	t.Helper()
	c.mu.Lock()
	made := c.programs[a.file]
	if made == nil {
		made = sync.OnceValues(func() (*build.Program, error) {
			source, err := build.Open(a.file, "", c.builder.Languages())
			if err != nil {
				return nil, err
			}
			return c.builder.Build(context.Background(), source)
		})
		c.programs[a.file] = made
	}
	c.mu.Unlock()
	p, err := made()
	if missing := (*build.MissingError)(nil); errors.As(err, &missing) {
		t.Skipf("not checked: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// trial is what became of one run.
type trial struct {
	verdict verdict.Verdict
	cause   string
	result  sandbox.Result
	stdout  []byte
	stderr  []byte
}

func (r trial) String() string {
	return fmt.Sprintf("%v (%s)\n%+v\nstandard output %.200q\nstandard error %.400q", r.verdict, r.cause, r.result, r.stdout, r.stderr)
}

// grace is how far over its limits an attack may go.
const grace = 100 * time.Millisecond

// run runs an attack in a box, and again when others on this machine may be the
// reason for what was seen, as a case is run.
func (a *attack) run(t *testing.T, b sandbox.Box, p *build.Program, cpu int) trial {
	t.Helper()
	r := a.once(t, b, p, cpu)
	for again := 0; again < 3 && a.runs == "" && grade.Doubtful(a.limits, grace, r.result); again++ {
		r = a.once(t, b, p, cpu)
	}
	return r
}

// once runs an attack once and judges it as a case is judged.
func (a *attack) once(t *testing.T, b sandbox.Box, p *build.Program, cpu int) trial {
	t.Helper()
	stdin, err := a.input()
	if err != nil {
		t.Fatal(err)
	}
	if stdin != nil {
		defer stdin.Close()
	}
	var stdout bytes.Buffer
	stderr := &sandbox.Tail{Size: 4 << 10}
	cmd := p.Command(b, a.limits)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, stderr
	cmd.CPUs, cmd.Grace = []int{cpu}, grace
	r := trial{}
	if r.result, err = b.Run(t.Context(), cmd); err != nil {
		t.Errorf("%s: the judge failed: %v", a.file, err)
		return trial{verdict: verdict.JE, cause: err.Error()}
	}
	r.stdout, r.stderr = stdout.Bytes(), stderr.Bytes()
	mismatch := diff.Compare(a.prints, r.stdout, diff.Options{})
	r.verdict, r.cause = grade.Classify(a.limits, r.result, grade.Comparison{Mismatch: mismatch})
	return r
}

// trials runs an attack as its header says, in boxes of its own.
func (c *court) trials(t *testing.T, h *sandbox.Host, a *attack) []trial {
	t.Helper()
	p := c.program(t, a)
	cpu := <-c.cpus
	defer func() { c.cpus <- cpu }()
	boxes := make([]sandbox.Box, 1)
	if a.runs == "together" {
		boxes = make([]sandbox.Box, 2)
	}
	for i := range boxes {
		b, err := h.NewBox(p.Spec())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		boxes[i] = b
	}
	list := make([]trial, 2)
	switch a.runs {
	case "together":
		var both sync.WaitGroup
		for i, b := range boxes {
			both.Go(func() { list[i] = a.run(t, b, p, cpu) })
		}
		both.Wait()
	case "twice":
		for i := range list {
			list[i] = a.run(t, boxes[0], p, cpu)
		}
	default:
		list = []trial{a.run(t, boxes[0], p, cpu)}
	}
	return list
}

// seen returns the trial that tells: the first with another verdict than wanted.
func (a *attack) seen(list []trial) trial {
	for _, r := range list {
		if r.verdict != a.want {
			return r
		}
	}
	return list[0]
}

// check compares the trials of an attack with its header.
func (a *attack) check(t *testing.T, mode string, list []trial) {
	t.Helper()
	r := a.seen(list)
	escaped, escapes := a.escapes(mode)
	switch {
	case escapes && r.verdict == a.want:
		t.Errorf("%s: mode %s stops it after all: take it from the header's cannot", a.why, mode)
	case escapes && escaped != verdict.None && r.verdict != escaped:
		t.Errorf("%s: want %v where it gets through, got %v", a.why, escaped, r)
	case !escapes && r.verdict != a.want:
		t.Errorf("%s: want %v, got %v", a.why, a.want, r)
	case !escapes && !strings.Contains(r.cause, a.says) && !bytes.Contains(r.stderr, []byte(a.says)):
		t.Errorf("%s: want words %q, got %v", a.why, a.says, r)
	}
}

// eachMode runs test in every mode that this machine has.
func eachMode(t *testing.T, test func(t *testing.T, mode string, h *sandbox.Host)) {
	for _, mode := range sandbox.ModeNames {
		t.Run(mode, func(t *testing.T) {
			h, why := sandbox.OpenMode(mode)
			if why != "" {
				t.Skipf("not checked: %s", why)
			}
			t.Cleanup(func() { h.Close() })
			test(t, mode, h)
		})
	}
}

// apart reports whether attacks in a mode cannot run at the same time without
// disturbing each other: RLIMIT_NPROC counts all processes of an ordinary user.
func apart(mode string) bool { return mode == "rlimit" && sandbox.Account() == "user" }

// TestGuilty runs every guilty program in every mode and wants the verdict of its
// header, or exactly what the header says of a mode that cannot stop it.
func TestGuilty(t *testing.T) {
	c := newCourt(t)
	list := attacks(t)
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		for _, a := range list {
			t.Run(filepath.Base(a.file), func(t *testing.T) {
				if testing.Short() && filepath.Ext(a.file) != ".c" {
					t.Skip("not checked: attacks in languages that are slow to build or start (-short)")
				}
				if !apart(mode) {
					t.Parallel() // as many at a time as there are CPUs
				}
				a.check(t, mode, c.trials(t, h, a))
			})
		}
	})
}

// TestGuiltyStable runs the corpus again and again: a verdict that changes once
// cannot be trusted ever.
func TestGuiltyStable(t *testing.T) {
	if *repeat == 0 {
		t.Skip("not checked: that verdicts are stable (hint: -args -repeat 100)")
	}
	c := newCourt(t)
	list := attacks(t)
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		for _, a := range list {
			t.Run(filepath.Base(a.file), func(t *testing.T) {
				if !apart(mode) {
					t.Parallel()
				}
				counts := map[verdict.Verdict]int{}
				for range *repeat {
					r := a.seen(c.trials(t, h, a))
					if counts[r.verdict]++; counts[r.verdict] == 1 && len(counts) > 1 {
						t.Errorf("%s: the verdict changed to %v", a.why, r)
					}
				}
				if len(counts) > 1 {
					t.Errorf("%s: %d runs gave %v", a.why, *repeat, counts)
				}
			})
		}
	})
}

// gaps returns, by the keys of the corpus's cannot, the programs that get through.
func gaps(list []*attack) map[string][]*attack {
	found := map[string][]*attack{}
	for _, a := range list {
		for mode := range a.cannot {
			found[mode] = append(found[mode], a)
		}
	}
	return found
}

// TestUnstoppable wants the table that report headers are made from to be what the
// corpus proves.
func TestUnstoppable(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	for mode, list := range gaps(attacks(t)) {
		for _, a := range list {
			if !slices.Contains(want[mode], a.topic) {
				want[mode] = append(want[mode], a.topic)
			}
		}
	}
	if !maps.EqualFunc(want, sandbox.Unstoppable, slices.Equal) {
		var text strings.Builder
		for _, mode := range slices.Sorted(maps.Keys(want)) {
			fmt.Fprintf(&text, "\t%q: {%s},\n", mode, `"`+strings.Join(want[mode], `", "`)+`"`)
		}
		t.Errorf("unstoppable.go and the headers differ; by the headers it is\n%s", text.String())
	}
}

// TestNotes wants a report's header to name the kinds of attack that get through
// where the judge runs now, and nothing where none do.
func TestNotes(t *testing.T) {
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		told := ""
		for _, note := range h.Notes() {
			if _, after, found := strings.Cut(note, "known gaps here (docs/sandbox.md): "); found {
				told += after + "; "
			}
		}
		open := slices.Concat(sandbox.Unstoppable[mode], sandbox.Unstoppable[mode+":"+sandbox.Account()])
		for kind, words := range sandbox.Kinds {
			if strings.Contains(told, words+"; ") != slices.Contains(open, kind) {
				t.Errorf("the notes tell %q, and %s is %v", told, kind, open)
			}
		}
		for _, kind := range open {
			if sandbox.Kinds[kind] == "" {
				t.Errorf("%s has no words", kind)
			}
		}
	})
}

// Where the generated part of the documentation begins and ends.
const (
	document = "../../../docs/sandbox.md"
	opening  = "<!-- generated from judge/internal/sandbox/testdata/guilty by: go test ./judge/internal/sandbox -run TestGuiltyDocument -args -update -->\n"
	closing  = "<!-- end of the generated part -->\n"
)

// modeTitles are the keys of the corpus's cannot in words, in the order of the document.
var modeTitles = []struct{ key, title string }{
	{"cgroup", "Containers with cgroups let through:"},
	{"cgroup:root", "Containers with cgroups, when the judge is root, let through:"},
	{"cgroup:user", "Containers with cgroups, when the judge is an ordinary user, let through:"},
	{"polling", "Containers without cgroups let through:"},
	{"polling:root", "Containers without cgroups, when the judge is root, let through besides:"},
	{"polling:user", "Containers without cgroups, when the judge is an ordinary user, let through besides:"},
	{"rlimit", "The mode `rlimit` lets through:"},
	{"rlimit:root", "The mode `rlimit`, when the judge is root, lets through besides:"},
	{"rlimit:user", "The mode `rlimit`, when the judge is an ordinary user, lets through besides:"},
}

// TestGuiltyDocument wants the documentation to list what each mode cannot stop.
func TestGuiltyDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := bytes.Cut(text, []byte(opening))
	had, after, ends := bytes.Cut(rest, []byte(closing))
	if !begins || !ends {
		t.Fatalf("%s does not contain the lines\n%s%s", document, opening, closing)
	}
	var want bytes.Buffer
	writeGaps(&want, gaps(attacks(t)))
	switch {
	case bytes.Equal(had, want.Bytes()):
	case *update:
		whole := slices.Concat(before, []byte(opening), want.Bytes(), []byte(closing), after)
		if err := os.WriteFile(document, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not list what the corpus says (hint: -args -update); want\n%s", document, want.Bytes())
	}
}

func writeGaps(w io.Writer, found map[string][]*attack) {
	for _, m := range modeTitles {
		if len(found[m.key]) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n\n", m.title)
		for _, a := range found[m.key] {
			seen := ""
			if v := a.cannot[m.key]; v != verdict.None {
				seen = fmt.Sprintf(" (%v instead of %v)", v, a.want)
			}
			fmt.Fprintf(w, "- `%s`%s: %s\n", filepath.Base(a.file), seen, a.why)
		}
	}
	fmt.Fprintln(w)
}
