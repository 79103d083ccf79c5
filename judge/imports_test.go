package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room holds the rules for the imports of a package. A package imports only packages of lower
// layers, so that a reader can understand and test it without those above.
type room struct {
	layer   int
	modules string // the third-party modules that it may import: path prefixes, separated by blanks
}

// house holds the rules for all packages in judge/internal, and in internal, which docs/plot may
// import too. An unused permission is an error.
var house = map[string]room{
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
	"browser":             {0, ""},
	"texmath":             {0, ""},
	"statement":           {5, "github.com/yuin/goldmark"},
	"watch":               {0, "github.com/fsnotify/fsnotify"},
	"diff":                {0, ""},
	"yamlstrict":          {1, "gopkg.in/yaml.v3"},
	"yamltext":            {0, "gopkg.in/yaml.v3"},
	"cache":               {1, "golang.org/x/sys"},
	"cache/cachetest":     {2, ""},
	"document":            {1, ""},
	"event":               {0, ""},
	"outputs":             {1, ""},
	"points":              {2, ""},
	"problem":             {4, ""},
	"repo":                {5, ""},
	"sandbox":             {1, "github.com/criyle/go-sandbox golang.org/x/sys golang.org/x/net/bpf"},
	"cases":               {2, ""},
	"build":               {3, ""},
	"sandbox/sandboxtest": {2, ""},
	"runner":              {2, ""},
	"run":                 {4, "golang.org/x/sync"},
	"runner/runnertest":   {3, "golang.org/x/sys"},
	"runner/remote":       {3, "golang.org/x/sys golang.org/x/sync"},
	"casedata":            {5, ""},
	"pkgdata":             {6, ""},
	"grade":               {6, "golang.org/x/sync"},
	"account":             {7, ""},
	"report":              {9, ""},
	"scripttest":          {10, "github.com/rogpeppe/go-internal"},
	"doctor":              {7, "golang.org/x/sys"},
	"compare":             {8, ""},
	"likeness":            {0, ""},
	"langcheck":           {7, ""},
	"sheet":               {2, ""},
	"journal":             {7, ""},
	"regen":               {7, ""},
	"pipeline":            {0, ""},
	"scaffold":            {2, ""},
	"listen":              {2, ""},
	"pkgformat":           {5, "golang.org/x/crypto/blake2b gopkg.in/yaml.v3"},
	"mutate":              {7, ""},
	"calibrate":           {7, ""},
	"grow":                {7, ""},
	"stress":              {7, ""},
	"config":              {8, ""},
	"pkgexport":           {8, ""},
	"pkgimport":           {8, ""},
	"watchmode":           {8, ""},
	"verify":              {8, ""},
}

// inTests lists what the tests of a package may import in addition: modules, and packages that are
// not in lower layers. All tests may import the modules listed under "".
var inTests = map[string]string{
	"casedata":      "repo",
	"":              "github.com/google/go-cmp github.com/rogpeppe/go-internal/txtar",
	"build":         "golang.org/x/sys",
	"grade":         "golang.org/x/sys",
	"run":           "golang.org/x/sys",
	"runner":        "runner/runnertest sandbox/sandboxtest",
	"runner/remote": "runner/runnertest",
	"sandbox":       "build cache/cachetest grade run runner", // to build and judge the guilty programs
	"pipeline":      "gopkg.in/yaml.v3",
	"scaffold":      "cases repo", // to read the files that scaffold writes
	"tty":           "golang.org/x/sys",
	"verdict":       "verdict/verdicttest",
}

// The prefixes of import paths that the names of packages leave out.
const (
	module = "tribunal/judge/internal/"
	shared = "tribunal/internal/"
)

// listed is a package in the output of go list.
type listed struct {
	name           string   // the package's key in the map house
	imports, tests []string // the paths that the package and its tests import
}

// TestImportOrder checks the imports of all packages against house, and that house lists only
// existing packages and used permissions.
func TestImportOrder(t *testing.T) {
	t.Parallel()
	list, err := goList()
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults(list, house, inTests) {
		t.Error(fault)
	}
}

// goList lists the packages in judge/internal and internal.
func goList() ([]listed, error) {
	const format = `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`
	out, err := exec.Command("go", "list", "-f", format, module+"...", shared+"...").Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []listed
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		list = append(list, listed{short(part[0]), strings.Fields(part[1]), strings.Fields(part[2])})
	}
	return list, nil
}

// faults compares the imports of packages with the rules. Each import needs a permission, and each
// permission an import.
func faults(list []listed, house map[string]room, inTests map[string]string) (found []string) {
	fault := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	exists, used := map[string]bool{}, map[string]bool{} // used has a key for each pair of importer and used permission
	permitted := func(importer, permissions, path string) bool {
		for p := range strings.FieldsSeq(permissions) {
			if path == p || strings.HasPrefix(path, p+"/") {
				used[importer+" "+p] = true
				return true
			}
		}
		return false
	}
	for _, p := range list {
		rules, known := house[p.name]
		if exists[p.name] = true; !known {
			fault("package %s is not listed: give it a layer in judge/imports_test.go and a row in docs/architecture.md", p.name)
			continue
		}
		for _, path := range p.imports {
			if why := forbidden(house, p.name, path); why != "" && !permitted(p.name, rules.modules, short(path)) {
				fault("%s imports %s%s", p.name, short(path), why)
			}
		}
		for _, path := range p.tests {
			why := forbidden(house, p.name, path)
			if why == "" || short(path) == p.name || slices.Contains(p.imports, path) {
				continue
			}
			if !permitted("tests "+p.name, inTests[p.name], short(path)) && !permitted("tests ", inTests[""], short(path)) {
				fault("a test of %s imports %s%s", p.name, short(path), why)
			}
		}
	}
	reportUnused := func(importer, subject, permissions string) {
		for p := range strings.FieldsSeq(permissions) {
			if !used[importer+" "+p] {
				fault("%s no longer import %s: remove the permission", subject, p)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(house)) {
		if !exists[name] {
			fault("package %s no longer exists: remove it", name)
			continue
		}
		reportUnused(name, "files of "+name, house[name].modules)
	}
	for _, name := range slices.Sorted(maps.Keys(inTests)) {
		reportUnused("tests "+name, strings.TrimSuffix("tests of "+name, " of "), inTests[name])
	}
	return found
}

// short returns a package's key in the map house, or the whole path of any other package.
func short(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), shared) }

// forbidden returns the reason why a package may not import a path without a permission, or "" if
// it may.
func forbidden(house map[string]room, name, path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch q, ours := house[short(path)]; {
	case short(path) != path:
		if !ours || q.layer < house[name].layer {
			return "" // faults reports unlisted packages elsewhere
		}
		return fmt.Sprintf(": layer %d may only import from lower layers, not from layer %d", house[name].layer, q.layer)
	case first == "tribunal":
		return ", which is outside the judge"
	case strings.Contains(first, "."):
		return ": only packages with a permission may import a third-party module"
	}
	return "" // a package of the standard library
}

// TestFaults checks that faults finds each kind of fault, and nothing else.
func TestFaults(t *testing.T) {
	t.Parallel()
	house := map[string]room{"low": {0, ""}, "mid": {1, "example.org/yaml"}, "high": {2, ""}}
	rights := map[string]string{"": "example.org/cmp", "low": "high"}
	low := listed{"low", []string{"fmt"}, []string{module + "low", module + "high", "example.org/cmp/opts"}}
	mid := listed{"mid", []string{module + "low", "example.org/yaml/v3"}, []string{"example.org/yaml/v3"}}
	high := listed{"high", []string{module + "low", module + "mid"}, nil}
	with := func(p listed, imports, test string) listed {
		p.imports, p.tests = append(slices.Clone(p.imports), strings.Fields(imports)...), append(slices.Clone(p.tests), strings.Fields(test)...)
		return p
	}
	for _, tt := range []struct {
		why  string
		list []listed
		want string
	}{
		{"all is well", []listed{low, mid, high}, ""},
		{"an import from a higher layer", []listed{with(low, module+"mid", ""), mid, high}, "low imports mid: layer 0 may only import from lower layers, not from layer 1"},
		{"a permission for tests does not cover the package", []listed{with(low, "example.org/cmp", ""), mid, high}, "low imports example.org/cmp: only packages with a permission may import a third-party module"},
		{"an import from a higher layer in a test", []listed{low, with(mid, "", module+"high"), high}, "a test of mid imports high: layer 1 may only import from lower layers, not from layer 2"},
		{"a module", []listed{low, mid, with(high, "example.org/yaml/v3", "")}, "high imports example.org/yaml/v3: only packages with a permission may import a third-party module"},
		{"a module with a longer name", []listed{low, with(mid, "example.org/yamlite", ""), high}, "mid imports example.org/yamlite: only packages with a permission may import a third-party module"},
		{"a module in a test", []listed{low, mid, with(high, "", "example.org/yaml/v3")}, "a test of high imports example.org/yaml/v3: only packages with a permission may import a third-party module"},
		{"another part of the repository", []listed{low, with(mid, "tribunal/reference/x", ""), high}, "mid imports tribunal/reference/x, which is outside the judge"},
		{"a new package", []listed{low, mid, high, {"new", nil, nil}}, "package new is not listed: give it a layer in judge/imports_test.go and a row in docs/architecture.md"},
		{"a package that was removed", []listed{low, mid}, "package high no longer exists: remove it"},
		{"a permission that only a test uses", []listed{low, {"mid", nil, []string{"example.org/yaml/v3"}}, high}, "a test of mid imports example.org/yaml/v3: only packages with a permission may import a third-party module\nfiles of mid no longer import example.org/yaml: remove the permission"},
		{"permissions that no test uses", []listed{{"low", nil, nil}, mid, high}, "tests no longer import example.org/cmp: remove the permission\ntests of low no longer import high: remove the permission"},
	} {
		if got := strings.Join(faults(tt.list, house, rights), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestHouseIsDocumented checks that the table in docs/architecture.md lists the packages of house.
func TestHouseIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (\\d+) \\| `([^`]+)` \\| (.+) \\|$").FindAllSubmatch(text, -1) {
		layer, name := string(row[1]), string(row[2])
		if place, known := house[name]; !known || strconv.Itoa(place.layer) != layer || documented[name] {
			t.Errorf("docs/architecture.md has a row for %s in layer %s; the house has %+v", name, layer, house[name])
		}
		documented[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(house)) {
		if !documented[name] {
			t.Errorf("docs/architecture.md has no row for %s", name)
		}
	}
}
