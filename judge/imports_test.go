package main

import (
	"os/exec"
	"strings"
	"testing"
)

// house is every package below judge/internal with its layer and the third-party
// modules it may import. A package imports only from lower layers, so that it can
// be understood, and tested, knowing only what is below it.
var house = map[string]struct {
	layer int
	third string // space-separated module path prefixes
}{
	"verdict":             {0, ""},
	"flock":               {0, ""},
	"quote":               {0, ""},
	"verdict/verdicttest": {1, ""},
	"version":             {0, ""},
	"regular":             {0, ""},
	"checktestdata":       {0, ""},
	"limits":              {0, ""},
	"tty":                 {0, "github.com/mattn/go-runewidth golang.org/x/term"},
	"content":             {0, "golang.org/x/sys"},
	"chart":               {0, ""},
	"chart/charttest":     {1, ""},
	"watch":               {0, "github.com/fsnotify/fsnotify"},
	"diff":                {0, "github.com/google/go-cmp"},
	"yamlstrict":          {1, "gopkg.in/yaml.v3"},
	"yamltext":            {0, "gopkg.in/yaml.v3"},
	"cache":               {1, "golang.org/x/sys"},
	"cache/cachetest":     {2, ""},
	"points":              {1, ""},
	"problem":             {2, ""},
	"sandbox":             {1, "github.com/criyle/go-sandbox golang.org/x/sys golang.org/x/net/bpf"},
	"cases":               {3, ""},
	"build":               {2, ""},
	"sandbox/sandboxtest": {2, ""},
	"run":                 {3, "golang.org/x/sync"},
	"fixture":             {4, ""},
	"grade":               {5, "golang.org/x/sync"},
	"report":              {8, ""},
	"scripttest":          {9, "github.com/rogpeppe/go-internal"},
	"bundle":              {6, ""},
	"doctor":              {6, "golang.org/x/sys"},
	"langcheck":           {6, ""},
	"regen":               {6, ""},
	"scaffold":            {2, ""},
	"pkgformat":           {5, "gopkg.in/yaml.v3"},
	"mutate":              {6, ""},
	"calibrate":           {6, ""},
	"grow":                {6, ""},
	"stress":              {6, ""},
	"config":              {7, ""},
	"pkgexport":           {7, ""},
	"pkgimport":           {7, ""},
	"watchmode":           {7, ""},
	"verify":              {7, ""},
}

const module = "tribunal/judge/internal/"

func TestImportOrder(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "tribunal/judge/...").Output()
	if err != nil {
		t.Skipf("not checked: the order of imports (go list: %v)", err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name, ours := strings.CutPrefix(fields[0], module)
		if !ours {
			continue // package main may import everything
		}
		seen[name] = true
		p, known := house[name]
		if !known {
			t.Errorf("package %s has no place in the house: give it a layer here and a line in docs/architecture.md", name)
			continue
		}
		for _, path := range fields[1:] {
			checkImport(t, name, p.layer, p.third, path)
		}
	}
	for name := range house {
		if !seen[name] {
			t.Errorf("package %s does not exist any more", name)
		}
	}
}

func checkImport(t *testing.T, name string, layer int, third, path string) {
	first, _, _ := strings.Cut(path, "/")
	if below, ours := strings.CutPrefix(path, module); ours {
		if q, known := house[below]; known && q.layer >= layer {
			t.Errorf("%s (layer %d) imports %s (layer %d): imports go to lower layers only", name, layer, below, q.layer)
		}
		return
	}
	if strings.HasPrefix(path, "tribunal/") {
		t.Errorf("%s imports %s, which is outside the judge", name, path)
		return
	}
	if !strings.Contains(first, ".") {
		return // the standard library
	}
	for allowed := range strings.FieldsSeq(third) {
		if path == allowed || strings.HasPrefix(path, allowed+"/") {
			return
		}
	}
	t.Errorf("%s imports %s: third-party modules stay behind the packages named for them", name, path)
}
