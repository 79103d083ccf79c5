//go:build linux

package doctor

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/sandbox"
)

var number = regexp.MustCompile(`[0-9]{4,}`)

// checkTexts checks that each finding has a name of its own, fits the table, and holds nothing that
// differs in the next examination.
func checkTexts(t *testing.T, r *Report) {
	t.Helper()
	names := map[string]bool{}
	for _, f := range r.Findings {
		if names[f.Name] {
			t.Errorf("two attacks are named %s", f.Name)
		}
		names[f.Name] = true
		for _, text := range []string{f.Attack, f.Expected, f.Seen} {
			if text == "" || strings.Contains(text, os.TempDir()+"/tribunal") || number.MatchString(text) {
				t.Errorf("%s: text %q", f.Name, text)
			}
		}
		if utf8.RuneCountInString(f.Attack) > 34 || utf8.RuneCountInString(f.Expected) > 20 {
			t.Errorf("%s: %q or %q is cut in the table", f.Name, f.Attack, f.Expected)
		}
	}
}

func checkWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very ", 30) + "long"
	r := &Report{
		Mechanisms: sandbox.Mechanisms{Mode: sandbox.Container, Isolation: long}, Asked: sandbox.Auto, Notes: []string{long},
		Findings: []Finding{
			{Group: "limits", Attack: "first", Expected: "none", Seen: "none", Status: Held},
			{Group: "limits", Attack: "second", Expected: "none", Seen: "got through " + long, Status: Broken},
			{Group: "others", Attack: "third", Expected: "none", Seen: "some", Status: Open, Why: "it is not stopped here"},
		},
		Count: Count{Attacks: 3, Held: 1, Broken: 1, Open: 1},
	}
	text := r.Text()
	checkWidth(t, text)
	if !strings.HasSuffix(text, "\n3 attacks: 1 BROKEN, 1 held, 1 open\n") {
		t.Errorf("last line of:\n%s", text)
	}
	failure, table := strings.Index(text, "BROKEN    limits: second: got through"), strings.Index(text, "LIMITS")
	if failure < 0 || table < failure {
		t.Errorf("the failure does not come before the table:\n%s", text)
	}
	if !strings.Contains(text, "  1 open: it is not stopped here\n") || !strings.Contains(text, "processes   NOT enforced\n") {
		t.Errorf("the list of open and untried attacks is missing:\n%s", text)
	}
}

// TestMode checks what the report says about the mode that auto picks and why, whichever mode was
// asked for.
func TestMode(t *testing.T) {
	t.Parallel()
	full := sandbox.Mechanisms{Mode: sandbox.Container, CPU: "cgroup v2 cpu.stat", Memory: "cgroup v2 memory", Processes: "cgroup v2 pids"}
	part, polled, rlimit := full, full, full
	part.Processes = "RLIMIT_NPROC"
	polled.CPU, polled.Memory, polled.Processes = "polled from /proc", "polled from /proc", "RLIMIT_NPROC"
	rlimit.Mode = sandbox.Rlimit
	for _, tt := range []struct {
		why   string
		asked sandbox.Mode
		m     sandbox.Mechanisms
		notes []string
		auto  Choice
		want  []string
	}{
		{"nothing is missing", sandbox.Auto, full, nil, Choice{Mode: sandbox.Container},
			[]string{"mode container, which auto picks: the strongest mode"}},
		{"one controller is missing", sandbox.Auto, part, []string{"no pids"}, Choice{Mode: sandbox.Container},
			[]string{"mode container, which auto picks: a container with cgroups for processes would be stronger", "no pids"}},
		{"there are no cgroups", sandbox.Auto, polled, []string{"no cgroups here"}, Choice{Mode: sandbox.Container},
			[]string{": a container with cgroups for CPU time, memory, processes would be stronger", "no cgroups here"}},
		{"there are no containers", sandbox.Auto, rlimit, []string{"no containers here"}, Choice{Mode: sandbox.Rlimit},
			[]string{"mode rlimit, which auto picks: containers, which are stronger, do not work here no containers here"}},
		{"a stronger mode works", sandbox.Rlimit, rlimit, []string{"weak"}, Choice{sandbox.Container, []string{"else"}},
			[]string{"mode rlimit, as requested auto would pick container, which works here and is stronger weak isolation"}},
		{"no stronger mode works, and the notes of the requested mode do not say why", sandbox.Rlimit, rlimit, []string{"weak"}, Choice{sandbox.Rlimit, []string{"no containers here", "weak"}},
			[]string{"mode rlimit, as requested auto would pick it, too: containers, which are stronger, do not work here no containers here weak isolation"}},
		{"auto picks the requested mode, but a stronger one exists", sandbox.Container, polled, []string{"no cgroups here"}, Choice{sandbox.Container, []string{"no cgroups here"}},
			[]string{"mode container, as requested auto would pick it, too: a container with cgroups for CPU time, memory, processes would be stronger", "no cgroups here"}},
	} {
		text := (&Report{Asked: tt.asked, Mechanisms: tt.m, Notes: tt.notes, Auto: tt.auto}).Text()
		checkWidth(t, text)
		words := strings.Join(strings.Fields(text), " ")
		for _, want := range tt.want {
			if !strings.Contains(words, want) {
				t.Errorf("%s: %q is not in\n%s", tt.why, want, text)
			}
		}
	}
}

// TestDocument checks that the documentation describes every field of the JSON document.
func TestDocument(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/doctor.md")
	if err != nil {
		t.Skipf("not checked: docs/doctor.md: %v", err)
	}
	r := &Report{Head: document.Head{Schema: Schema}, Notes: []string{}, Auto: Choice{Notes: []string{}}, Findings: []Finding{{}}}
	r.Host = Facts{Cgroups: []Hierarchy{{}}, Namespaces: []Namespace{{}}, Settings: []Setting{{}}, Noise: []Noise{{}}}
	written, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(written, &v); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "\n## The document\n")
	var described []string
	for _, m := range regexp.MustCompile("(?m)^(?:\\| `([a-z_0-9.\\[\\]]+)` \\||- `([a-z_0-9.\\[\\]]+)`:)").FindAllStringSubmatch(text, -1) {
		described = append(described, m[1]+m[2])
	}
	var found []string
	fields(v, "", &found)
	slices.Sort(described)
	slices.Sort(found)
	if !slices.Equal(found, described) {
		t.Errorf("the document has\n%v\nand docs/doctor.md\n%v", found, described)
	}
}

// TestGroupsDocument checks that the documentation describes every group of attacks, in the order of the report.
func TestGroupsDocument(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/doctor.md")
	if err != nil {
		t.Skipf("not checked: docs/doctor.md: %v", err)
	}
	_, list, _ := strings.Cut(string(doc), "\n## The attacks\n")
	list, _, _ = strings.Cut(list, "\n## ")
	var described, groups []string
	for _, m := range regexp.MustCompile(`(?m)^- \*\*(.+?)\*\*:`).FindAllStringSubmatch(list, -1) {
		described = append(described, m[1])
	}
	for _, a := range attacks() {
		groups = append(groups, a.group)
	}
	if groups = slices.Compact(groups); !slices.Equal(groups, described) {
		t.Errorf("the groups are\n%q\nand in docs/doctor.md\n%q", groups, described)
	}
}

func fields(v any, path string, to *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			p := strings.TrimPrefix(path+"."+key, ".")
			*to = append(*to, p)
			fields(value, p, to)
		}
	case []any:
		for _, value := range v {
			fields(value, path+"[]", to)
		}
	}
}

func TestNoise(t *testing.T) {
	t.Parallel()
	pieces := make([]time.Duration, 100)
	for i := range pieces {
		pieces[i] = 10
	}
	pieces[3] = 1010
	n := measure(1, pieces)
	if n.Median != 10 || n.Worst != 1010 || n.P99 != 1010 || n.Pieces != 100 || strconv.FormatFloat(n.Lost, 'f', 3, 64) != "0.500" {
		t.Errorf("got %+v", n)
	}
}
