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

// house holds the rules for all packages: those of the judge itself are in judge/internal, those of the houses beside it
// in folders whose names their own begin with, those of judged/ in judge/judged/internal, and what docs/plot may
// import too is in internal. An unused permission is an error.
var house = map[string]room{
	"gate":                   {0, ""},
	"tier":                   {0, ""},
	"tally":                  {0, ""},
	"system":                 {0, "github.com/google/renameio golang.org/x/sys"},
	"verdict":                {1, ""},
	"quote":                  {1, ""},
	"verdict/verdicttest":    {2, ""},
	"version":                {1, ""},
	"regular":                {1, ""},
	"packages/checktestdata": {1, ""},
	"limits":                 {1, ""},
	"tty":                    {1, "github.com/mattn/go-runewidth golang.org/x/term"},
	"content":                {1, ""},
	"chart":                  {1, ""},
	"chart/charttest":        {2, ""},
	"publish/browser":        {1, ""},
	"publish/texmath":        {1, ""},
	"publish/statement":      {6, "github.com/yuin/goldmark"},
	"watch":                  {1, "github.com/fsnotify/fsnotify"},
	"diff":                   {1, ""},
	"yamlstrict":             {2, "gopkg.in/yaml.v3"},
	"yamltext":               {1, "gopkg.in/yaml.v3"},
	"cache":                  {2, ""},
	"cache/cachetest":        {3, ""},
	"packages/archive":       {3, ""},
	"document":               {2, ""},
	"event":                  {1, ""},
	"outputs":                {2, ""},
	"points":                 {3, ""},
	"problem":                {5, ""},
	"repo":                   {6, ""},
	"sandbox":                {2, "github.com/criyle/go-sandbox golang.org/x/sys golang.org/x/net/bpf"},
	"cases":                  {3, ""},
	"build":                  {4, ""},
	"sandbox/sandboxtest":    {3, ""},
	"runner":                 {3, ""},
	"run":                    {5, "golang.org/x/sync"},
	"runner/runnertest":      {4, "golang.org/x/sys"},
	"casedata":               {6, ""},
	"packages/pkgdata":       {7, ""},
	"grade":                  {7, "golang.org/x/sync"},
	"played":                 {6, ""},
	"grade/gradetest":        {8, "github.com/rogpeppe/go-internal/txtar"},
	"account":                {8, ""},
	"cli/layout":             {10, ""},
	"cli/layout/layouttest":  {12, "github.com/chromedp/cdproto github.com/chromedp/chromedp github.com/google/go-cmp"},
	"cli/format":             {11, ""},
	"cli":                    {14, "github.com/spf13/cobra github.com/spf13/pflag"},
	"cli/commands":           {15, "github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys golang.org/x/term"},
	"lab":                    {16, "github.com/spf13/cobra"},
	"class":                  {16, "github.com/spf13/cobra"},
	"cli/report":             {13, ""},
	"cli/scripttest":         {14, "github.com/google/go-cmp github.com/rogpeppe/go-internal"},
	"lab/doctor":             {8, "golang.org/x/sys"},
	"class/compare":          {13, ""},
	"lab/invisible":          {1, ""},
	"lab/likeness":           {1, ""},
	"lab/langcheck":          {8, ""},
	"class/table":            {3, "golang.org/x/text/encoding"},
	"class/roster":           {14, "golang.org/x/text/unicode/norm"},
	"class/sheet":            {5, "golang.org/x/text/unicode/norm gopkg.in/yaml.v3"},
	"journal":                {8, ""},
	"regen":                  {8, ""},
	"cli/pipeline":           {1, ""},
	"packages/scaffold":      {3, ""},
	"packages/listen":        {3, ""},
	"cli/client":             {3, ""},
	"cli/submit":             {9, ""},
	"packages/tree":          {3, ""},
	"packages/yamlloose":     {4, "gopkg.in/yaml.v3"},
	"packages/draft":         {6, ""},
	"packages/kattis":        {7, "gopkg.in/yaml.v3"},
	"packages/cms":           {8, ""},
	"packages/classroom":     {8, ""},
	"packages/cph":           {8, ""},
	"packages/dmoj":          {8, "gopkg.in/yaml.v3"},
	"packages/hydro":         {8, "gopkg.in/yaml.v3"},
	"packages/library":       {8, ""},
	"packages/pairs":         {8, ""},
	"packages/pisek":         {8, "golang.org/x/crypto/blake2b"},
	"packages/polygon":       {8, ""},
	"packages/rbx":           {8, "gopkg.in/yaml.v3"},
	"packages/rime":          {8, ""},
	"packages/sinol":         {8, ""},
	"packages/tps":           {8, ""},
	"packages/pkgformat":     {9, ""},
	"lab/mutate":             {8, ""},
	"lab/calibrate":          {8, ""},
	"lab/grow":               {8, ""},
	"lab/findings":           {13, ""},
	"lab/stress":             {8, ""},
	"config":                 {9, ""},
	"lab/eval":               {9, "golang.org/x/sync"},
	"packages/pkgexport":     {9, ""},
	"packages/pkgimport":     {9, ""},
	"watchmode":              {9, ""},
	"lab/verify":             {9, ""},
	"engine":                 {10, "github.com/spf13/pflag"},
	"packages/parcel":        {7, ""},

	"judged/access":            {2, "golang.org/x/crypto/argon2"},
	"judged/access/accesstest": {3, "github.com/google/go-cmp"},
	"judged/broker":            {4, "github.com/nats-io/nats-server github.com/nats-io/nats.go golang.org/x/sync"},
	"judged/broker/brokertest": {5, "github.com/nats-io/nats.go"},
	"judged/fair":              {1, ""},
	"judged/course":            {3, "golang.org/x/text/collate golang.org/x/text/language gopkg.in/yaml.v3"},
	"judged/enrol":             {11, "golang.org/x/sync golang.org/x/text/unicode/norm gopkg.in/yaml.v3"},
	"judged/feedback":          {10, ""},
	"judged/gauge":             {12, "github.com/nats-io/nats.go golang.org/x/sync"},
	"judged/inline":            {2, ""},
	"judged/judge0":            {10, ""},
	"judged/ledger":            {2, ""},
	"judged/pages":             {14, "golang.org/x/net/html"},
	"judged/perform":           {11, ""},
	"judged/rate":              {1, "golang.org/x/time"},
	"judged/retry":             {1, ""},
	"judged/scale":             {3, ""},
	"judged/service":           {10, "golang.org/x/sync"},
	"judged/store":             {1, ""},
	"judged/store/simstore":    {3, ""},
	"judged/store/storetest":   {2, ""},
	"judged/task":              {9, ""},
	"judged/trace":             {1, "go.opentelemetry.io/otel"},
	"judged/web":               {12, "github.com/coder/websocket github.com/danielgtaylor/huma github.com/prometheus/client_golang golang.org/x/sync"},
	"judged/worker":            {11, "golang.org/x/sync"},
}

// inTests lists what the tests of a package may import in addition: modules, and packages that are
// not in lower layers. All tests may import the modules listed under "".
var inTests = map[string]string{
	"casedata":                 "repo",
	"":                         "github.com/google/go-cmp github.com/rogpeppe/go-internal/txtar",
	"build":                    "golang.org/x/sys",
	"cache":                    "golang.org/x/sys",
	"lab/calibrate":            "grade/gradetest",
	"lab/grow":                 "grade/gradetest",
	"grade":                    "golang.org/x/sys packages/pkgformat",
	"lab/verify":               "packages/pkgformat",
	"packages/pkgdata":         "packages/pkgformat",
	"packages/pkgexport":       "packages/pkgformat", // to read what it writes
	"packages/parcel":          "packages/pkgformat",
	"watchmode":                "packages/pkgformat",
	"judged/access":            "judged/store/simstore", // to keep tokens in memory
	"judged/access/accesstest": "judged/store/simstore",
	"judged/course":            "github.com/santhosh-tekuri/jsonschema",
	"judged/inline":            "packages/pkgformat", // to read the packages that it makes
	"judged/pages":             "github.com/chromedp/cdproto github.com/chromedp/chromedp",
	"judged/service":           "judged/worker github.com/nats-io/nats.go go.opentelemetry.io/proto/otlp google.golang.org/protobuf", // to work for it, to damage its streams, and to receive its traces
	"judged/web":               "github.com/pb33f/libopenapi github.com/pb33f/libopenapi-validator gopkg.in/yaml.v3",
	"run":                      "golang.org/x/sys",
	"cli/layout":               "cli/layout/layouttest",
	"cli/format":               "cli/layout/layouttest",
	"cli/report":               "github.com/joshdk/go-junit",
	"lab/findings":             "github.com/owenrumney/go-sarif github.com/santhosh-tekuri/jsonschema",
	"runner":                   "runner/runnertest sandbox/sandboxtest",
	"sandbox":                  "build cache/cachetest grade run runner", // to build and judge the guilty programs
	"cli/pipeline":             "gopkg.in/yaml.v3",
	"packages/scaffold":        "cases repo", // to read the files that scaffold writes
	"tty":                      "golang.org/x/sys",
	"verdict":                  "verdict/verdicttest",
}

// The prefixes of import paths that the names of packages leave out, or have as judged/.
const (
	module = "tribunal/judge/internal/"
	shared = "tribunal/internal/"
	daemon = "tribunal/judge/judged/internal/"
	beside = "tribunal/judge/"
)

// houses are those beside the judge itself, with the houses that each may import from besides it.
var houses = map[string][]string{
	"cli":      {"packages", "publish"}, // it opens packages, writes them, and publishes statements
	"packages": {"publish"},             // an export has a page with the statement
	"lab":      {"cli", "publish"},      // its findings are reports; verify reads statements as pages
	"class":    {"cli"},                 // its results are reports
	"publish":  nil,
	"judged":   {"class", "cli", "packages", "lab", "publish"}, // a package is published once it has been verified, with its statement; classes come as tables, and pages show what reports do
}

// doors are packages that may import from a house although others of theirs may not, and what for.
var doors = map[string]map[string]string{
	"engine":      {"packages": "opens packages and parcels", "lab": "derives a package's time limit from its examples"},
	"class/sheet": {"packages": "extracts what students hand in by the one reader of archives"},
	"cli/commands": {
		"class": "judge grade --sheet judges what a class handed in",
		"lab":   "judge schema has the documents of mutants, judge watch searches, and judge grade notes what cannot be seen",
	},
	"lab": {
		"class":    "judge likeness --sheet compares what a class handed in",
		"packages": "judge verify checks packages",
	},
	"played": {"packages": "interprets Checktestdata, as the judge's program does in the jail"},
}

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
	for _, fault := range append(faults(list, house, inTests), walls(list, houses, doors)...) {
		t.Error(fault)
	}
}

// walls compares the imports between houses with the rules. Each import needs a permission, and each permission an
// import. Tests may import from any house whose layer is lower.
func walls(list []listed, houses map[string][]string, doors map[string]map[string]string) (found []string) {
	used := map[string]bool{} // has a key for each pair of a house or a package and the house that it imports from
	for _, p := range list {
		from := houseOf(p.name)
		for _, path := range p.imports {
			to := houseOf(short(path))
			switch _, door := doors[p.name][to]; {
			case to == "" || to == from:
			case slices.Contains(houses[from], to):
				used[from+" "+to] = true
			case door:
				used[p.name+" "+to] = true
			default:
				found = append(found, fmt.Sprintf("%s imports %s, which is in a house of its own", p.name, short(path)))
			}
		}
	}
	unused := func(who, to string) {
		if !used[who+" "+to] {
			found = append(found, fmt.Sprintf("%s no longer imports from %s: remove the permission", who, to))
		}
	}
	for _, from := range slices.Sorted(maps.Keys(houses)) {
		for _, to := range houses[from] {
			unused(from, to)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doors)) {
		for _, to := range slices.Sorted(maps.Keys(doors[name])) {
			unused(name, to)
		}
	}
	return found
}

// TestWalls checks that walls finds each kind of fault, and nothing else.
func TestWalls(t *testing.T) {
	t.Parallel()
	houses := map[string][]string{"lab": {"publish"}, "publish": nil}
	doors := map[string]map[string]string{"report": {"lab": "a reason"}}
	verify := listed{"lab/verify", []string{beside + "publish/statement", beside + "lab/stress", module + "grade"}, nil}
	report := listed{"report", []string{beside + "lab/verify"}, nil}
	for _, tt := range []struct {
		why  string
		list []listed
		want string
	}{
		{"all is well", []listed{verify, report}, ""},
		{"the judge itself", []listed{verify, report, {"grade", []string{beside + "lab/verify"}, nil}}, "grade imports lab/verify, which is in a house of its own"},
		{"the other way", []listed{verify, report, {"publish/statement", []string{beside + "lab/verify"}, nil}}, "publish/statement imports lab/verify, which is in a house of its own"},
		{"permissions that nobody uses", nil, "lab no longer imports from publish: remove the permission\nreport no longer imports from lab: remove the permission"},
	} {
		if got := strings.Join(walls(tt.list, houses, doors), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// goList lists the packages that the house has.
func goList() ([]listed, error) {
	const format = `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`
	lines, err := goListLines("-f", format, module+"...", shared+"...", daemon+"...", beside+"cli/...", beside+"packages/...", beside+"lab/...", beside+"class/...", beside+"publish/...")
	var list []listed
	for _, line := range lines {
		part := strings.Split(line, "|")
		list = append(list, listed{short(part[0]), strings.Fields(part[1]), strings.Fields(part[2])})
	}
	return list, err
}

// goListLines returns the lines that go list prints.
func goListLines(args ...string) ([]string, error) {
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
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
			fault("package %s is not listed: give it a layer in judge/imports_test.go and a row in the page of its house", p.name)
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
func short(path string) string {
	if name, ok := strings.CutPrefix(path, daemon); ok {
		return "judged/" + name
	}
	if name, ok := strings.CutPrefix(path, module); ok {
		return name
	}
	if name, ok := strings.CutPrefix(path, beside); ok && houseOf(name) != "" && name != "judged" { // which is a program
		return name
	}
	return strings.TrimPrefix(path, shared)
}

// houseOf returns the house beside the judge that a package is in, or "".
func houseOf(name string) string {
	first, _, _ := strings.Cut(name, "/")
	if _, ok := houses[first]; ok {
		return first
	}
	return ""
}

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
		{"a new package", []listed{low, mid, high, {"new", nil, nil}}, "package new is not listed: give it a layer in judge/imports_test.go and a row in the page of its house"},
		{"a package that was removed", []listed{low, mid}, "package high no longer exists: remove it"},
		{"a permission that only a test uses", []listed{low, {"mid", nil, []string{"example.org/yaml/v3"}}, high}, "a test of mid imports example.org/yaml/v3: only packages with a permission may import a third-party module\nfiles of mid no longer import example.org/yaml: remove the permission"},
		{"permissions that no test uses", []listed{{"low", nil, nil}, mid, high}, "tests no longer import example.org/cmp: remove the permission\ntests of low no longer import high: remove the permission"},
	} {
		if got := strings.Join(faults(tt.list, house, rights), "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestForbiddenInService checks that the same rules hold for the packages of judged.
func TestForbiddenInService(t *testing.T) {
	t.Parallel()
	house := map[string]room{"low": {0, ""}, "judged/queue": {1, ""}, "judged/web": {2, ""}}
	for _, tt := range []struct{ why, importer, path, want string }{
		{"a lower package of the judge", "judged/queue", module + "low", ""},
		{"a lower package of the service", "judged/web", daemon + "queue", ""},
		{"a higher package of the service", "judged/queue", daemon + "web", ": layer 1 may only import from lower layers, not from layer 2"},
		{"the service's command", "judged/web", "tribunal/judge/judged", ", which is outside the judge"},
	} {
		if got := forbidden(house, tt.importer, tt.path); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestJudgeHasNoService checks that the judge is built without the service judged, and without the
// modules that only a service needs, so that it stays small and has no more to audit.
func TestJudgeHasNoService(t *testing.T) {
	t.Parallel()
	packages, err := goListLines("-deps", "tribunal/judge")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"tribunal/judge":                           false,
		"tribunal/judge/judged":                    true,
		"tribunal/judge/judged/internal/ledger":    true,
		"github.com/nats-io/nats-server/v2/server": true,
		"github.com/danielgtaylor/huma/v2":         true,
		"github.com/prometheus/client_golang":      true,
		"go.opentelemetry.io/otel/sdk/trace":       true,
		"google.golang.org/grpc":                   true,
	} {
		if service.MatchString(path) != want {
			t.Errorf("%s: a part of the service: %v, want %v", path, !want, want)
		}
	}
	if !slices.Contains(packages, "tribunal/judge/internal/grade") {
		t.Error("go list -deps does not list the packages of the judge")
	}
	for _, path := range packages {
		if service.MatchString(path) {
			t.Errorf("the judge imports %s, which only the service may", path)
		}
	}
}

// service matches the import paths that the judge must not depend on.
var service = regexp.MustCompile(`^tribunal/judge/judged(/|$)|\b(nats|huma|prometheus|opentelemetry|grpc)\b`)

// TestHouseIsDocumented checks that the tables in the pages of the houses list the packages of house.
func TestHouseIsDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	pages := map[string]string{"": "internal"}
	for name := range houses {
		pages[name] = name
	}
	for of, dir := range pages {
		page := filepath.Join(dir, "README.md")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range regexp.MustCompile("(?m)^\\| (\\d+) \\| (`[^|]+`) \\| (.+) \\|$").FindAllSubmatch(text, -1) {
			for name := range strings.SplitSeq(strings.Trim(string(row[2]), "`"), "`, `") {
				layer := string(row[1])
				if place, known := house[name]; !known || strconv.Itoa(place.layer) != layer || documented[name] || houseOf(name) != of {
					t.Errorf("%s has a row for %s in layer %s; the house has %+v", page, name, layer, house[name])
				}
				documented[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(house)) {
		if !documented[name] {
			t.Errorf("no page of a house has a row for %s", name)
		}
	}
}
