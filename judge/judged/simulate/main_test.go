package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// simulate runs the program, and returns its exit code and what it printed.
func simulate(t *testing.T, args string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = execute(t.Context(), strings.Fields(args), &o, &e)
	return code, o.String(), e.String()
}

// simulated runs the program, which must succeed.
func simulated(t *testing.T, args string) string {
	t.Helper()
	code, out, errs := simulate(t, args)
	if code != 0 {
		t.Fatalf("%s: exit status %d: %s", args, code, errs)
	}
	return out
}

// TestPage checks that docs/scale.md shows what the program prints.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)\n\\$ go run ./judge/judged/simulate ([^\n]*)\n(.*?)```\n").FindAllSubmatch(page, -1)
	if len(shown) == 0 {
		t.Fatal("docs/scale.md shows no simulation")
	}
	for _, m := range shown {
		if got := simulated(t, string(m[1])); got != string(m[2]) {
			t.Errorf("%s: docs/scale.md shows\n%s\nnot\n%s", m[1], m[2], got)
		}
	}
}

// TestFound checks the figures in the text of docs/scale.md.
func TestFound(t *testing.T) {
	tier.T3(t, "the figures of docs/scale.md")
	t.Parallel()
	const large = "--servers 3 --cores 16 "
	const short = large + "--cases 10 --case-time 5ms --compile-time 0 --workers 500 "
	for _, tt := range []struct{ found, args, want string }{
		{"2,700 verdicts a second on two cores", "--workers 1000", `first: cpu carries 27\d\d `},
		{"6,300 with enough cores", "--workers 1000 --cores 16", `first: tasks carries 62\d\d `},
		{"4,600 with three servers", "--workers 1000 " + large, `first: results carries 45\d\d `},
		{"4,000 at a distance of 1 ms", "--workers 100 --rtt 1ms " + large, `first: leader carries 39\d\d `},
		{"1,000 at 5 ms", "--workers 100 --rtt 5ms " + large, `first: leader carries 100\d `},
		{"260 at 20 ms", "--workers 100 --rtt 20ms " + large, `first: leader carries 26\d `},
		{"27 s for a large package", "--workers 100 --hot 1 --package-size 200MiB", ` 27\.\d s `},
		{"four minutes over a link of 1 Gbit", "--workers 100 --hot 1 --package-size 200MiB --link 1", ` 2[23]\d s `},
		{"one domain", short + "--domains 1", `\n +500 +3\d\d\d `},
		{"two carry twice as much", short + "--domains 2", `\n +500 +7\d\d\d `},
		{"four carry 16,000", short + "--domains 4", `\n +500 +15\d\d\d `},
		{"9,500 with a hot problem", short + "--domains 4 --hot 0.5 --package-size 0B --open-time 0", `\n +500 +9\d\d\d `},
	} {
		if out := simulated(t, tt.args); !regexp.MustCompile(tt.want).MatchString(out) {
			t.Errorf("%s: %s prints\n%s", tt.found, tt.args, out)
		}
	}
}

// TestOutputs checks that a simulation is repeatable, its picture, its document, and costs from a file.
func TestOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	few := "--workers 5,9 --judgings 500 "
	first := simulated(t, few+"--svg "+dir)
	if pictures, err := filepath.Glob(filepath.Join(dir, "*.svg")); err != nil || len(pictures) != 3 {
		t.Errorf("pictures %q, %v", pictures, err)
	}
	if again, other := simulated(t, few), simulated(t, few+"--seed 2"); again != first || other == first {
		t.Errorf("first\n%s\nagain\n%s\nwith another seed\n%s", first, again, other)
	}
	if out := simulated(t, few+"--hot 0.5 --servers 3 --domains 2 --json"); !strings.Contains(out, `"tribunal/scale/1"`) {
		t.Errorf("JSON:\n%s", out)
	}
	if out := simulated(t, few+"--constants testdata/slow.json"); !strings.Contains(out, "bends first: ledger carries 4.") {
		t.Errorf("with a slow ledger:\n%s", out)
	}
}

// TestRefused checks the errors for wrong arguments.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{"--workers many", `--workers: "many": want a number from 1 to`},
		{"--workers 9..1", `--workers: 9..1: the first number is the larger one`},
		{"--workers 0..5", `--workers: "0": want a number from 1 to`},
		{"--workers -3", `--workers: "-3": want a number from 1 to`},
		{"--workers 1..99999999999999999999", `--workers: "99999999999999999999": want a number from 1 to`},
		{"--slots 0", "--slots 0: want 1 to 1024"},
		{"--servers 2", "--servers 2: want 1 or 3"},
		{"--hot 3", "--hot 3: want 0 to 1"},
		{"--load NaN", "--load NaN: want 0.01 to 100"},
		{"--link 0", "--link 0: want 0.000001 to 1000000"},
		{"--arrivals 1e9", "--arrivals 1000000000: want 0.001 to 1000000"},
		{"--workers 100000 --slots 1024", "steps would be simulated, want at most"},
		{"--source-size 5", `"--source-size" flag: `},
		{"--package-size 5", "5 has no unit"},
		{"--case-time 5", `"--case-time" flag: `},
		{"--bogus", "unknown flag: --bogus (hint: simulate --help)"},
		{"1..9", `unexpected argument "1..9" (hint: simulate --help)`},
		{"--workers 5 --svg pictures", "--svg needs several numbers of workers"},
		{"--constants none.json", "--constants: open none.json: no such file"},
		{"--constants main.go", "main.go: not constants: "},
		{"--measure --json", "--measure only prints costs"},
		{"--workers 1,2 --svg main.go", "--svg: mkdir main.go: not a directory (hint: "},
	} {
		if code, out, errs := simulate(t, tt.args); code != 2 || out != "" || !strings.Contains(errs, tt.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %q", tt.args, code, errs, tt.want)
		}
	}
}
