package findings

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/url"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/event"
	"tribunal/judge/lab/verify"
)

// in returns the report on a result in the format with this name.
func in(t *testing.T, formats []format.Format, name string, result event.Event) string {
	t.Helper()
	i := slices.IndexFunc(formats, func(f format.Format) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no format %s", name)
	}
	var b bytes.Buffer
	s := formats[i].New(format.Output{Writer: &b})
	s.Event(result)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return b.String()
}

// awkward returns a report with findings whose texts mean something in some format.
func awkward() *verify.Report {
	r := verified()
	r.Stopped, r.Checks = &verify.Progress{}, append(r.Checks, "names")
	r.Findings = append(r.Findings,
		verify.Finding{Check: "names", File: "./cases/a b%41#/é,1:2.yaml", Line: 7, Text: "100% of ::error::\nx", Hint: "a, b"},
		verify.Finding{Check: "names", File: "/abs/c:d", Line: 3, Text: "same"},
		verify.Finding{Check: "names", File: "/abs/c:d", Line: 9, Text: "same"},
		verify.Finding{Check: "names", File: "a:b", Text: "a colon in the first part"},
	)
	return r
}

// TestAnnotations compares the formats for annotations with golden files.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	verifies, mutants := VerifyFormats(format.Output{}), MutantsFormats(MutantsOptions{})
	for name, suffix := range map[string]string{format.SARIF: ".sarif", format.GitHub: ".github", format.GitLab: ".gitlab.json", format.JUnit: ".junit.xml"} {
		layouttest.Golden(t, "annotations-verify"+suffix, in(t, verifies, name, awkward()))
		layouttest.Golden(t, "annotations-mutants"+suffix, in(t, mutants, name, oneOfEach()))
		layouttest.Golden(t, "annotations-none"+suffix, in(t, verifies, name, &verify.Report{}))
	}
}

// codeScan is the part of a SARIF log that tests read.
type codeScan struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []any
		}
		Results []struct {
			RuleID              string
			PartialFingerprints map[string]string
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           *struct{ StartLine int }
				}
			}
		}
	}
}

// readSARIF returns the log of a report.
func readSARIF(t *testing.T, r *verify.Report) (log codeScan) {
	t.Helper()
	if err := json.Unmarshal([]byte(in(t, VerifyFormats(format.Output{}), format.SARIF, r)), &log); err != nil {
		t.Fatal(err)
	}
	return log
}

// TestSARIF checks what the schema of SARIF 2.1.0 and code scanning require beyond the names of the
// fields: every result names a rule of the driver and a place, and URIs lead back to the files.
func TestSARIF(t *testing.T) {
	t.Parallel()
	r := awkward()
	log := readSARIF(t, r)
	run := log.Runs[0]
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(run.Results) != len(r.Findings) || run.Invocations[0].ExecutionSuccessful || len(run.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Fatalf("%+v", log)
	}
	seen := map[string]bool{}
	for i, result := range run.Results {
		if !slices.ContainsFunc(run.Tool.Driver.Rules, func(r struct{ ID string }) bool { return r.ID == result.RuleID }) {
			t.Errorf("no rule %s", result.RuleID)
		}
		if f := result.PartialFingerprints["finding/v1"]; seen[f] || f == "" {
			t.Errorf("result %d has the fingerprint %q again", i, f)
		} else {
			seen[f] = true
		}
		place := result.Locations[0].PhysicalLocation
		u, err := url.Parse(place.ArtifactLocation.URI)
		if err != nil || strings.TrimPrefix(u.Path, "./") != strings.TrimPrefix(r.Findings[i].File, "./") || (u.Scheme == "file") != (place.ArtifactLocation.URIBaseID == "") {
			t.Errorf("%s becomes %+v, %v", r.Findings[i].File, place.ArtifactLocation, err)
		}
		if line := r.Findings[i].Line; line == 0 && place.Region != nil || line > 0 && place.Region.StartLine != line {
			t.Errorf("line %d becomes %+v", line, place.Region)
		}
	}
}

// TestSARIFSchema checks logs against the schema of SARIF 2.1.0, and that a reader of another author
// knows all their fields.
func TestSARIFSchema(t *testing.T) {
	t.Parallel()
	schema := sarifSchema(t)
	verifies, mutants := VerifyFormats(format.Output{}), MutantsFormats(MutantsOptions{})
	var failed strings.Builder
	if _, err := format.WriteError(format.SARIF, &failed, 3, []string{"it failed", "\x00"}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"verify": in(t, verifies, format.SARIF, awkward()), "mutants": in(t, mutants, format.SARIF, oneOfEach()),
		"nothing": in(t, verifies, format.SARIF, &verify.Report{}), "an error": failed.String(),
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&sarif.Report{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sarifSchema returns the schema of SARIF 2.1.0 as OASIS publishes it. It is a constant of the module
// go-sarif, which exports only a check of its own values, in which a missing field becomes null.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	module := reflect.TypeFor[sarif.Report]().PkgPath()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", module, err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && len(s.Value) > len(text) {
			text = s.Value
		}
		return true
	})
	if text, err = strconv.Unquote(text); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", value); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFingerprints checks that a finding keeps its fingerprint when its line moves.
func TestFingerprints(t *testing.T) {
	t.Parallel()
	r := awkward()
	before := readSARIF(t, r)
	for i := range r.Findings {
		if r.Findings[i].Line > 0 {
			r.Findings[i].Line += 5
		}
	}
	for i, now := range readSARIF(t, r).Runs[0].Results {
		if !maps.Equal(now.PartialFingerprints, before.Runs[0].Results[i].PartialFingerprints) {
			t.Errorf("%s: the fingerprint depends on the line", now.RuleID)
		}
	}
}

// TestGitHub reads the commands as the runner of GitHub Actions does, and compares what it finds with
// the findings.
func TestGitHub(t *testing.T) {
	t.Parallel()
	r := awkward()
	command := regexp.MustCompile(`^::([a-z]+) ([^:]*)::(.*)$`)
	unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	lines := strings.Split(strings.TrimSuffix(in(t, VerifyFormats(format.Output{}), format.GitHub, r), "\n"), "\n")
	if len(lines) != len(r.Findings)+len(r.Notes) {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	for i, f := range r.Findings {
		m := command.FindStringSubmatch(lines[i])
		if m == nil || m[1] != "error" {
			t.Errorf("%q is no error", lines[i])
			continue
		}
		properties := map[string]string{}
		for p := range strings.SplitSeq(m[2], ",") {
			name, value, _ := strings.Cut(p, "=")
			properties[name] = unescape.Replace(value)
		}
		if properties["file"] != strings.TrimPrefix(f.File, "./") || properties["title"] != "judge verify: "+f.Check || (properties["line"] == "") != (f.Line == 0) {
			t.Errorf("%q: %q", lines[i], properties)
		}
		if text := unescape.Replace(m[3]); !strings.HasPrefix(text, layout.Word(f.Text)) {
			t.Errorf("%q: text %q", lines[i], text)
		}
	}
}
