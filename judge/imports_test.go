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

// room is the place of a package below judge/internal, or below internal, where docs/plot
// can have it as well. A package imports only from lower
// layers, so that it can be understood, and tested, knowing only what is below it.
type room struct {
	layer int
	third string // the third-party modules it may import, prefixes of paths with blanks between
}

// house is every package with its place. A right that nobody uses is taken away.
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
	"watch":               {0, "github.com/fsnotify/fsnotify"},
	"diff":                {0, ""},
	"yamlstrict":          {1, "gopkg.in/yaml.v3"},
	"yamltext":            {0, "gopkg.in/yaml.v3"},
	"cache":               {1, "golang.org/x/sys"},
	"cache/cachetest":     {2, ""},
	"document":            {1, ""},
	"event":               {0, ""},
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
	"grade":               {6, "golang.org/x/sync"},
	"account":             {7, ""},
	"report":              {9, ""},
	"scripttest":          {10, "github.com/rogpeppe/go-internal"},
	"doctor":              {7, "golang.org/x/sys"},
	"langcheck":           {7, ""},
	"regen":               {7, ""},
	"scaffold":            {2, ""},
	"pkgformat":           {5, "gopkg.in/yaml.v3"},
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

// inTests is what the tests of a package may import besides: modules, and packages that are
// not below it. Those of "" are for all.
var inTests = map[string]string{
	"casedata":      "repo",
	"":              "github.com/google/go-cmp github.com/rogpeppe/go-internal/txtar",
	"build":         "golang.org/x/sys",
	"grade":         "golang.org/x/sys",
	"run":           "golang.org/x/sys",
	"runner":        "runner/runnertest sandbox/sandboxtest",
	"runner/remote": "runner/runnertest",
	"sandbox":       "build cache/cachetest grade run runner", // the guilty programs are built and judged
	"scaffold":      "cases repo",                             // what it writes is read
	"tty":           "golang.org/x/sys",
	"verdict":       "verdict/verdicttest",
}

// The paths that names in the house leave out.
const (
	module = "tribunal/judge/internal/"
	shared = "tribunal/internal/"
)

// listed is a package as go list knows it, by its name in the house.
type listed struct {
	name           string
	imports, tests []string // paths
}

// TestImportOrder holds the packages that there are to their places in the house, and the
// house to what there is.
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

// goList lists the packages of the house.
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

// faults compares packages with the places that they have: each import needs a right, and
// each right an import.
func faults(list []listed, house map[string]room, inTests map[string]string) (found []string) {
	fault := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	there, used := map[string]bool{}, map[string]bool{} // by the package and the right
	covered := func(who, rights, path string) bool {
		for right := range strings.FieldsSeq(rights) {
			if path == right || strings.HasPrefix(path, right+"/") {
				used[who+" "+right] = true
				return true
			}
		}
		return false
	}
	for _, p := range list {
		place, known := house[p.name]
		if there[p.name] = true; !known {
			fault("package %s has no place in the house: give it a layer here and a line in docs/architecture.md", p.name)
			continue
		}
		for _, path := range p.imports {
			if why := wrong(house, p.name, path); why != "" && !covered(p.name, place.third, short(path)) {
				fault("%s imports %s%s", p.name, short(path), why)
			}
		}
		for _, path := range p.tests {
			why := wrong(house, p.name, path)
			if why == "" || short(path) == p.name || slices.Contains(p.imports, path) {
				continue
			}
			if !covered("tests "+p.name, inTests[p.name], short(path)) && !covered("tests ", inTests[""], short(path)) {
				fault("a test of %s imports %s%s", p.name, short(path), why)
			}
		}
	}
	unused := func(who, what, rights string) {
		for right := range strings.FieldsSeq(rights) {
			if !used[who+" "+right] {
				fault("%s no longer: take away the right to import %s", what, right)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(house)) {
		if !there[name] {
			fault("package %s does not exist any more", name)
			continue
		}
		unused(name, name+" does", house[name].third)
	}
	for _, name := range slices.Sorted(maps.Keys(inTests)) {
		unused("tests "+name, strings.TrimSuffix("tests of "+name, " of ")+" do", inTests[name])
	}
	return found
}

// short returns the name of a package of the house, or the path of any other.
func short(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), shared) }

// wrong says why a package may not import a path unless it has a right to; "" if it may.
func wrong(house map[string]room, name, path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch q, ours := house[short(path)]; {
	case short(path) != path:
		if !ours || q.layer < house[name].layer {
			return "" // or it has no place, which is a fault of its own
		}
		return fmt.Sprintf(": it is in layer %d and the other in %d, and imports go to lower layers only", house[name].layer, q.layer)
	case first == "tribunal":
		return ", which is outside the judge"
	case strings.Contains(first, "."):
		return ": third-party modules stay behind the packages named for them"
	}
	return "" // of the standard library
}

// TestFaults wants each kind of fault seen, and nothing else.
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
		{"upwards", []listed{with(low, module+"mid", ""), mid, high}, "low imports mid: it is in layer 0 and the other in 1, and imports go to lower layers only"},
		{"a test's right is none of the package's", []listed{with(low, "example.org/cmp", ""), mid, high}, "low imports example.org/cmp: third-party modules stay behind the packages named for them"},
		{"upwards in a test", []listed{low, with(mid, "", module+"high"), high}, "a test of mid imports high: it is in layer 1 and the other in 2, and imports go to lower layers only"},
		{"a module", []listed{low, mid, with(high, "example.org/yaml/v3", "")}, "high imports example.org/yaml/v3: third-party modules stay behind the packages named for them"},
		{"a module with a longer name", []listed{low, with(mid, "example.org/yamlite", ""), high}, "mid imports example.org/yamlite: third-party modules stay behind the packages named for them"},
		{"a module in a test", []listed{low, mid, with(high, "", "example.org/yaml/v3")}, "a test of high imports example.org/yaml/v3: third-party modules stay behind the packages named for them"},
		{"another part of the repository", []listed{low, with(mid, "tribunal/reference/x", ""), high}, "mid imports tribunal/reference/x, which is outside the judge"},
		{"a new package", []listed{low, mid, high, {"new", nil, nil}}, "package new has no place in the house: give it a layer here and a line in docs/architecture.md"},
		{"one that is gone", []listed{low, mid}, "package high does not exist any more"},
		{"a right that a test alone uses", []listed{low, {"mid", nil, []string{"example.org/yaml/v3"}}, high}, "a test of mid imports example.org/yaml/v3: third-party modules stay behind the packages named for them\nmid does no longer: take away the right to import example.org/yaml"},
		{"rights that no test uses", []listed{{"low", nil, nil}, mid, high}, "tests do no longer: take away the right to import example.org/cmp\ntests of low do no longer: take away the right to import high"},
	} {
		if got := strings.Join(faults(tt.list, house, rights), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestHouseIsDocumented wants the table of docs/architecture.md to be that of the house.
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
