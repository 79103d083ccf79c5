package course

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// finals returns a contest of 20 teams: t01 to t03 solve both problems, t01 and t02 at the same time, and t04 to t16
// solve one, the others none. The names of the last begin with letters that sort by language.
func finals(scoring ledger.Scoring) (*ledger.CourseState, *Standings) {
	c := contest(scoring)
	c.Due, c.Thaw = at(300), at(301)
	var list []ledger.Submission
	var logins []string
	hand := func(team int, problem string, minute int, v verdict.Verdict, passed int) {
		list = append(list, handed(len(list), fmt.Sprintf("t%02d", team), problem, minute, v, passed, 4))
	}
	for team := 1; team <= 20; team++ {
		logins = append(logins, fmt.Sprintf("t%02d", team))
		if team <= 16 {
			hand(team, "a", 5+team+min(team, 2)%2, verdict.AC, 4)
		}
	}
	hand(1, "b", 30, verdict.AC, 4)
	hand(2, "b", 20, verdict.WA, 1)
	hand(2, "b", 10, verdict.AC, 4)
	hand(3, "b", 70, verdict.WA, 2)
	hand(3, "b", 71, verdict.AC, 4)
	hand(17, "b", 40, verdict.WA, 3)
	hand(18, "b", 41, verdict.CE, 0)
	hand(20, "a", 299, verdict.None, 0)
	members := participants(logins...)
	for i, name := range []string{"Zoë", "Émile", "eve", "Öz"} {
		members[16+i].Name = name
	}
	members[0].Group, members[1].Group, members[4].Group, members[5].Group, members[6].Group = "North", "North", "北", "北", "南"
	return c, StandingsOf(c, members, list, true, at(302))
}

// TestExport compares results with golden files, and, with a copy of the CCS specification in the folder
// TRIBUNAL_CCS_SPECS, with its JSON schemas.
func TestExport(t *testing.T) {
	t.Parallel()
	specs := os.Getenv("TRIBUNAL_CCS_SPECS")
	if specs == "" {
		t.Log("not checked: the JSON schemas of the CCS specification (TRIBUNAL_CCS_SPECS names no folder with them)")
	}
	for _, scoring := range []ledger.Scoring{ledger.ICPC, ledger.Points} {
		c, s := finals(scoring)
		for _, file := range Exports {
			got := Export(file, c, s, at(302))
			golden := filepath.Join("testdata", string(scoring)+"-"+file)
			if *update {
				if err := os.WriteFile(golden, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s differs (%v; hint: go test -update):\n%s", golden, err, got)
			}
			if specs == "" || filepath.Ext(file) != ".json" {
				continue
			}
			schema := schemaOf(t, filepath.Join(specs, "json-schema"), file)
			for why, text := range map[string][]byte{"the finals": got, "no team, before the start": Export(file, c, StandingsOf(c, nil, nil, true, at(-1)), at(-1))} {
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
				if err == nil {
					err = schema.Validate(value)
				}
				if err != nil {
					t.Errorf("%s, %s of %s: %v", why, file, scoring, err)
				}
			}
		}
	}
	if c, s := finals(ledger.ICPC); Export("grades.csv", c, s, at(0)) != nil {
		t.Error("there is a file that is not among those of the specification")
	}
}

// schemaOf returns a schema of a folder.
func schemaOf(t *testing.T, dir, file string) *jsonschema.Schema {
	t.Helper()
	const address = "https://github.com/icpc/ccs-specs/raw/master/json-schema/" // by which they refer to each other
	c := jsonschema.NewCompiler()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		value, err := jsonschema.UnmarshalJSON(text)
		if err == nil {
			err = c.AddResource(address+filepath.Base(name), value)
		}
		if err != nil {
			t.Fatal(name, err)
		}
	}
	schema, err := c.Compile(address + file)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestResultsColumns checks the lines of a results.tsv against what the specification says of its columns.
func TestResultsColumns(t *testing.T) {
	t.Parallel()
	c, s := finals(ledger.ICPC)
	lines := strings.Split(strings.TrimSuffix(string(Export("results.tsv", c, s, at(302))), "\n"), "\n")
	for _, tt := range []struct{ why, line string }{
		{"the first of a group", "t02\t1\tGold Medal\t2\t17\t10\tNorth"},
		{"the second of a group", "t01\t2\tGold Medal\t2\t37\t30\t"},
		{"a problem tried twice and solved after the freeze", "t03\t3\tGold Medal\t2\t99\t71\t"},
		{"the first without a medal, of four who solved as many", "t13\t13\tRanked\t1\t18\t18\t"},
		{"the last of them", "t16\t13\tRanked\t1\t21\t21\t"},
		{"nothing solved", "t17\t\tHonorable\t0\t0\t0\t"},
	} {
		found := false
		for _, line := range lines {
			found = found || line == tt.line
		}
		if !found {
			t.Errorf("%s: no line %q in\n%s", tt.why, tt.line, strings.Join(lines, "\n"))
		}
	}
	if lines[0] != "results\t1" || len(lines) != 21 {
		t.Errorf("%d lines after %q", len(lines), lines[0])
	}
}
