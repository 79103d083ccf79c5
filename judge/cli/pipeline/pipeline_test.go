package pipeline

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"tribunal/internal/tier"
)

var options = Options{
	Go: "1.26", Install: "CGO_ENABLED=0 go install ./judge",
	Packages: []string{"gcc", "g++", "nodejs", "https://go.dev/dl/", "nodejs npm, and npm install -g typescript @types/node", "evil; rm -rf $HOME: x", "", "ok, and evil $(x)"},
}

// document returns the file for a service as YAML.
func document(t *testing.T, s Service, into any) {
	t.Helper()
	text, err := File(s, options)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v\n%s", s, err, text)
	}
}

// pinned matches an action at a commit, which nobody can move.
var pinned = regexp.MustCompile(`^[a-z-]+/[a-z-]+@[0-9a-f]{40}$`)

// TestWorkflows checks the structure of the workflows of GitHub and Forgejo against that which their
// documentation describes.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	for _, s := range []Service{GitHub, Forgejo} {
		var w struct {
			Name        string
			On          map[string]any
			Permissions map[string]string
			Jobs        map[string]struct {
				RunsOn  string `yaml:"runs-on"`
				Timeout int    `yaml:"timeout-minutes"`
				Env     map[string]string
				Steps   []struct {
					Name, Uses, Run string
					With            map[string]any
				}
			}
		}
		document(t, s, &w)
		if w.Permissions["contents"] != "read" || len(w.Permissions) != 1 {
			t.Errorf("%s: permissions %v", s, w.Permissions)
		}
		if _, ok := w.On["pull_request"]; !ok || len(w.Jobs) != 1 {
			t.Errorf("%s: on %v, %d jobs", s, w.On, len(w.Jobs))
		}
		for _, job := range w.Jobs {
			cached, commands := "", ""
			for _, step := range job.Steps {
				if (step.Uses == "") == (step.Run == "") {
					t.Errorf("%s: a step needs either uses or run: %+v", s, step)
				}
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s is not pinned", s, step.Uses)
				}
				if strings.HasPrefix(step.Uses, "actions/cache@") {
					cached, _ = step.With["path"].(string)
				}
				commands += step.Run + "\n"
			}
			if job.RunsOn == "" || job.Timeout == 0 || !strings.HasSuffix(job.Env["TRIBUNAL_CACHE"], "/"+cached) || cached == "" {
				t.Errorf("%s: job %+v", s, job)
			}
			for _, want := range []string{options.Install, "g++ gcc nodejs npm ok rm\nsudo npm install -g typescript @types/node\n", "judge verify --report "} {
				if !strings.Contains(commands, want) {
					t.Errorf("%s: no %q in\n%s", s, want, commands)
				}
			}
			if annotated := strings.Contains(commands, "--report github"); annotated != (s == GitHub) {
				t.Errorf("%s: annotations: %v", s, annotated)
			}
		}
	}
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	var w map[string]struct {
		Image, Timeout string
		Variables      map[string]string
		Cache          struct {
			Key   string
			Paths []string
		}
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct {
			When    string
			Reports map[string]string
		}
	}
	document(t, GitLab, &w)
	job := w["verify"]
	if job.Image != "golang:1.26-bookworm" || job.Artifacts.When != "always" || !slices.Contains(job.BeforeScript, options.Install) {
		t.Errorf("%+v", job)
	}
	if job.Variables["TRIBUNAL_CACHE"] != "$CI_PROJECT_DIR/"+strings.Join(job.Cache.Paths, "") {
		t.Errorf("the cache %q is not kept: %v", job.Variables["TRIBUNAL_CACHE"], job.Cache.Paths)
	}
	for kind, file := range job.Artifacts.Reports {
		if !strings.Contains(strings.Join(job.Script, "\n"), "="+file) {
			t.Errorf("nothing writes %s for %s", file, kind)
		}
	}
}

// TestDockerfile checks the rules of Dockerfiles that can be checked without Docker: known
// instructions, pinned bases, lists of packages that do not stay in the image, and commands that are
// run without a shell.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	text, err := File(Docker, options)
	if err != nil {
		t.Fatal(err)
	}
	var whole []string // instructions, with their continuation lines
	continued := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case !continued && (line == "" || strings.HasPrefix(line, "#")):
			continue
		case continued:
			if line == "" || strings.HasPrefix(line, "#") {
				t.Errorf("an empty line or a comment inside of an instruction: %q", line)
			}
			whole[len(whole)-1] += strings.TrimSuffix(line, "\\")
		default:
			whole = append(whole, strings.TrimSuffix(line, "\\"))
		}
		continued = strings.HasSuffix(line, "\\")
	}
	if continued {
		t.Error("the last line continues")
	}
	stages := map[string]bool{}
	for i, l := range whole {
		word, rest, _ := strings.Cut(l, " ")
		switch word {
		case "FROM":
			image, stage, _ := strings.Cut(rest, " AS ")
			_, tag, ok := strings.Cut(image, ":")
			if !ok || tag == "latest" {
				t.Errorf("%s: no version", l)
			}
			stages[stage] = true
		case "COPY":
			if from, ok := strings.CutPrefix(rest, "--from="); ok && !stages[strings.Fields(from)[0]] {
				t.Errorf("%s: no such stage", l)
			}
		case "RUN":
			if strings.Contains(rest, "apt-get install") && !(strings.Contains(rest, "apt-get update") && strings.Contains(rest, "--no-install-recommends") && strings.HasSuffix(rest, "rm -rf /var/lib/apt/lists/*")) {
				t.Errorf("%s: packages or their lists stay in the image, or are out of date", l)
			}
		case "ENTRYPOINT", "CMD", "VOLUME":
			if !strings.HasPrefix(rest, `["`) || !strings.HasSuffix(rest, `"]`) {
				t.Errorf("%s: needs a shell", l)
			}
		case "WORKDIR", "ENV":
		default:
			t.Errorf("%s: unknown instruction", l)
		}
		if i == 0 && word != "FROM" {
			t.Errorf("%s comes before FROM", l)
		}
	}
	for _, want := range []string{"\nRUN npm install -g typescript @types/node\n", "      gcc \\\n      nodejs \\\n", "\nRUN CGO_ENABLED=0 go install ./judge\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestReleases checks the configuration of goreleaser: static binaries of packages that exist, for the systems that
// docs/install.md names, and a Debian package of files that exist.
func TestReleases(t *testing.T) {
	t.Parallel()
	const top = "../../../"
	text, err := os.ReadFile(top + ".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type build struct {
		Main         string
		Env          []string
		Goos, Goarch []string
	}
	var c struct {
		Version  int
		Builds   []build
		Archives []any
		Nfpms    []struct {
			Formats  []string
			Contents []struct{ Src, Dst string }
		}
	}
	if err := yaml.Unmarshal(text, &c); err != nil || c.Version != 2 || len(c.Archives) != 1 || len(c.Nfpms) != 1 {
		t.Fatalf("%v: %+v", err, c)
	}
	static, archs := []string{"CGO_ENABLED=0"}, []string{"amd64", "arm64"}
	want := []build{{"./judge", static, []string{"linux", "darwin", "windows"}, archs}, {"./judge/judged", static, []string{"linux"}, archs}}
	if d := cmp.Diff(want, c.Builds); d != "" {
		t.Errorf("builds (-want +got):\n%s", d)
	}
	for _, b := range c.Builds {
		if _, err := os.Stat(top + b.Main + "/main.go"); err != nil {
			t.Error(err)
		}
	}
	for _, file := range c.Nfpms[0].Contents {
		if _, err := os.Stat(top + file.Src); err != nil && !strings.HasPrefix(file.Src, "dist-extra/") { // which a hook makes
			t.Error(err)
		}
	}
}

// TestUnit has systemd read the unit of the Debian package.
func TestUnit(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "the unit of systemd", "systemd-analyze")
	text, err := os.ReadFile("../../../docs/systemd/judged.service")
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "judged.service")
	text = bytes.ReplaceAll(text, []byte("/usr/bin/judged"), []byte("/bin/true")) // which is here
	if err := os.WriteFile(unit, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestUnknownService(t *testing.T) {
	t.Parallel()
	if _, err := File("jenkins", options); err == nil || len(Services()) != 4 {
		t.Error("an unknown service has a file")
	}
}
