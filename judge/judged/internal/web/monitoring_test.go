package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

const monitoring = "../../../../docs/monitoring"

// rules is the part of a file with rules of Prometheus that ours use.
type rules struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Alert, Expr, For    string
			Labels, Annotations map[string]string
		}
	}
}

// dashboard is the part of a dashboard of Grafana that is checked.
type dashboard struct {
	Panels []struct {
		ID      int
		Title   string
		Targets []struct{ Expr string }
	}
}

// TestMonitoring checks that the rules and the dashboard in docs/monitoring can be read, and that all metrics and
// labels that they name are those of a service with a worker.
func TestMonitoring(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	w.judged("ann", program("AC"))
	w.post(service.Worker{Host: task.Host{Worker: "w", Slots: 1}})
	have := metricsOf(w.do("reader", "GET", "/metrics", nil).text)

	text, err := os.ReadFile(filepath.Join(monitoring, "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var alerts rules
	strict := yaml.NewDecoder(bytes.NewReader(text))
	strict.KnownFields(true)
	if err := strict.Decode(&alerts); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			if r.Alert == "" || names[r.Alert] || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
				t.Errorf("alert %q: want a name of its own, a severity, a summary and a description", r.Alert)
			}
			names[r.Alert] = true
			for _, fault := range unknownIn(r.Expr, have) {
				t.Errorf("alert %s: %s", r.Alert, fault)
			}
		}
	}
	if text, err = os.ReadFile(filepath.Join(monitoring, "dashboard.json")); err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	ids := map[int]bool{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("panel %d %q: want an id of its own, a title and queries", p.ID, p.Title)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			for _, fault := range unknownIn(target.Expr, have) {
				t.Errorf("panel %s: %s", p.Title, fault)
			}
		}
	}
	if len(names) == 0 || len(ids) == 0 {
		t.Errorf("%d alerts and %d panels", len(names), len(ids))
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Log("not checked: the rules by Prometheus itself (no promtool)")
		return
	}
	if out, err := exec.Command(promtool, "check", "rules", filepath.Join(monitoring, "alerts.yaml")).CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

var (
	sample   = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? `)
	selector = regexp.MustCompile(`\b(up|(?:judged|process|go)_[a-z0-9_]+)\b(?:\{([^}]*)\})?`)
	label    = regexp.MustCompile(`([a-z_]+)\s*(?:=~|!~|!=|=)\s*"`)
	by       = regexp.MustCompile(`\bby \(([a-z_, ]*)\)`)
)

// metricsOf returns the labels of each metric in the text format of Prometheus, with those that Prometheus adds.
func metricsOf(text string) map[string][]string {
	have := map[string][]string{"up": {"job", "instance"}}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if m := sample.FindStringSubmatch(lines.Text()); m != nil {
			have[m[1]] = []string{"job", "instance"}
			for _, l := range label.FindAllStringSubmatch(m[2], -1) {
				have[m[1]] = append(have[m[1]], l[1])
			}
		}
	}
	return have
}

// unknownIn returns what an expression of Prometheus names and a service does not have.
func unknownIn(expr string, have map[string][]string) (faults []string) {
	all := selector.FindAllStringSubmatch(expr, -1)
	if len(all) == 0 || strings.Count(expr, "(") != strings.Count(expr, ")") {
		faults = append(faults, fmt.Sprintf("%q is no expression about a metric", expr))
	}
	some := map[string]bool{} // labels of any metric in the expression
	for _, m := range all {
		labels, ok := have[m[1]]
		if !ok {
			faults = append(faults, "no metric "+m[1])
			continue
		}
		for _, l := range labels {
			some[l] = true
		}
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(labels, l[1]) {
				faults = append(faults, fmt.Sprintf("%s has no label %s, but %v", m[1], l[1], labels))
			}
		}
	}
	for _, m := range by.FindAllStringSubmatch(expr, -1) {
		for l := range strings.SplitSeq(m[1], ",") {
			if l = strings.TrimSpace(l); len(faults) == 0 && !some[l] {
				faults = append(faults, fmt.Sprintf("no label %s, but %v", l, slices.Sorted(maps.Keys(some))))
			}
		}
	}
	return faults
}

// TestUnknownIn checks that the check of expressions finds each kind of fault.
func TestUnknownIn(t *testing.T) {
	t.Parallel()
	have := metricsOf("# HELP judged_x Some.\njudged_x 1\njudged_y_bucket{route=\"/\",le=\"+Inf\"} 2\n")
	for _, tt := range []struct{ why, expr, want string }{
		{"known", `max(judged_x{job="judged"}) > 0`, ""},
		{"a histogram", `histogram_quantile(0.95, sum by (le, route) (rate(judged_y_bucket{le="1"}[5m])))`, ""},
		{"an unknown metric", `judged_x_total > 0`, "no metric judged_x_total"},
		{"an unknown label", `judged_x{worker="w"} > 0`, "judged_x has no label worker, but [job instance]"},
		{"a sum by an unknown label", `sum by (worker) (judged_x)`, "no label worker, but [instance job]"},
		{"no metric", `vector(1)`, `"vector(1)" is no expression about a metric`},
		{"a bracket too few", `max(judged_x`, `"max(judged_x" is no expression about a metric`},
	} {
		if got := strings.Join(unknownIn(tt.expr, have), "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
