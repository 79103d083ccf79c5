package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A corpusRow is a row of .ci/corpus.tsv: a package of a public repository, with its findings.
type corpusRow struct {
	repository, commit, path string
	options                  string // more flags of judge verify
	family                   string // a format, or a dialect for the formats of Kattis
	findings                 string // see [normalFindings]
	fault, reason            string // whose fault the findings are, and why they are right
}

// name names the package in messages, and sorts the rows.
func (r corpusRow) name() string { return filepath.Join(r.repository, r.path) }

const (
	corpusFile = "../.ci/corpus.tsv"
	corpusHead = "repository\tcommit\tpackage\toptions\tfamily\tfindings\tfault\treason\n"
	noFindings = "-"
)

func readCorpus(t *testing.T) (rows []corpusRow) {
	t.Helper()
	text, err := os.ReadFile(corpusFile)
	if err != nil {
		t.Fatal(err)
	}
	body, ok := strings.CutPrefix(string(text), corpusHead)
	if !ok {
		t.Fatalf("%s: the first line is not %q", corpusFile, corpusHead)
	}
	for line := range strings.Lines(body) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 8 {
			t.Fatalf("%s: %d columns, want 8: %s", corpusFile, len(f), line)
		}
		for i := range f {
			if f[i] == "-" && i != 5 {
				f[i] = ""
			}
		}
		rows = append(rows, corpusRow{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]})
	}
	return rows
}

func writeCorpus(t *testing.T, rows []corpusRow) {
	t.Helper()
	var b strings.Builder
	b.WriteString(corpusHead)
	for _, r := range rows {
		f := []string{r.repository, r.commit, r.path, r.options, r.family, r.findings, r.fault, r.reason}
		for i := range f {
			if f[i] == "" {
				f[i] = "-"
			}
		}
		b.WriteString(strings.Join(f, "\t") + "\n")
	}
	if err := os.WriteFile(corpusFile, []byte(b.String()), 0o644); err != nil {
		t.Error(err)
	}
}

var (
	gets    = regexp.MustCompile(`^gets [A-Z]+\b`)
	clause  = regexp.MustCompile(`[:;,] |: ?$`)
	numbers = regexp.MustCompile(`\d+(\.\d+)?`)
)

// normalFindings returns findings in a short form that is the same in each run: for each check and
// each kind of finding, the file or the number of findings. It names no amounts, because times vary.
func normalFindings(d verifyReport, place, root string) string {
	kinds := map[string][]string{}
	add := func(kind, file string) {
		kind = strings.ReplaceAll(kind, place+"/", "")
		kinds[kind] = append(kinds[kind], strings.TrimPrefix(file, place+"/"))
	}
	for _, f := range d.Findings {
		if verdict := gets.FindString(f.Text); verdict != "" {
			add(f.Check+": "+verdict, f.File)
			continue
		}
		add(f.Check+": "+numbers.ReplaceAllString(beginning(strings.ReplaceAll(f.Text, place+"/", "")), "#"), f.File)
	}
	for _, text := range d.Errors {
		add("error: "+beginning(strings.ReplaceAll(text, place+"/", "")), place)
	}
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		switch files := kinds[kind]; {
		case len(files) > 1:
			list = append(list, fmt.Sprintf("%s (%d)", kind, len(files)))
		case files[0] == place:
			list = append(list, kind)
		default:
			list = append(list, fmt.Sprintf("%s (%s)", kind, files[0]))
		}
	}
	if list == nil {
		return noFindings
	}
	return strings.NewReplacer("\t", " ", "\n", " ", root+"/", "").Replace(strings.Join(list, "; "))
}

// beginning returns the first clauses of a text that have at least three words together.
func beginning(text string) string {
	for _, at := range clause.FindAllStringIndex(text, -1) {
		if len(strings.Fields(text[:at[0]])) >= 3 {
			return text[:at[0]]
		}
	}
	return text
}

// corpusFaults are the possible values of corpusRow.fault.
var corpusFaults = []string{"package", "checkout", "host", "judge"}

// TestCorpusTable checks that the table of packages is whole: sorted, each finding with a reason.
func TestCorpusTable(t *testing.T) {
	t.Parallel()
	rows := readCorpus(t)
	for i, r := range rows {
		if i > 0 && rows[i-1].name() >= r.name() {
			t.Errorf("%s comes after %s", r.name(), rows[i-1].name())
		}
		if len(r.commit) != 40 || r.family == "" {
			t.Errorf("%s has no commit or no family", r.name())
		}
		if found := r.findings != noFindings; found != (r.reason != "") || found != slices.Contains(corpusFaults, r.fault) {
			t.Errorf("%s: found %s, because of %q (%s)", r.name(), r.findings, r.fault, r.reason)
		}
	}
}

// TestCorpusIsDocumented checks that docs/packages.md shows how many packages the table has, and whose
// fault their findings are. The flag -update writes it there.
func TestCorpusIsDocumented(t *testing.T) {
	t.Parallel()
	packages, faults, repositories := 0, map[string]int{}, map[string]bool{}
	for _, r := range readCorpus(t) {
		packages++
		faults[r.fault]++
		repositories[r.repository] = true
	}
	line := fmt.Sprintf("| %d | %d | %d | %d | %d | %d |", packages, faults[""], faults["package"], faults["checkout"], faults["host"], faults["judge"])
	const head = "| packages | without findings | fault of the package | … the checkout | … the host | … `judge` |\n|---|---|---|---|---|---|\n"
	generated(t, "docs/packages.md", head, "\n\n", line)
	generated(t, "docs/packages.md", "The table holds packages of ", " repositories.", fmt.Sprint(len(repositories)))
}
