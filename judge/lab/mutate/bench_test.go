package mutate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// benchmarkInputs are arguments of the references' generators.
var benchmarkInputs = map[string]string{
	"dicey":  "random -mazes=1000 -side=10 -seed=6",
	"game":   "deepest -goal=white -seed=14",
	"marble": "random -boards=200 -n=8 -m=4 -w=20 -seed=1",
	"maze":   "random -mazes=20 -rows=39 -columns=39 -flips=900 -seed=8",
	"slink":  "random -n=100 -rows=20 -cols=20 -seed=3",
}

// BenchmarkSchema measures the CPU time of a reference's schema as a multiple of the reference's
// own: without a mutant (x-reference), and while it records the sites that it reaches (x-sites).
func BenchmarkSchema(b *testing.B) {
	for _, id := range references {
		b.Run(id, func(b *testing.B) {
			schema := derive(b, repository, "reference/"+id)
			mutated, err := compile(b, schema.Source.Texts(), schema.own(schema.Mutants[0]))
			if err != nil {
				b.Fatal(err)
			}
			dir := b.TempDir()
			for _, program := range []string{".", "gen"} {
				cmd := exec.Command("go", "build", "-o", filepath.Join(dir, filepath.Base(program)+".exe"), "./"+filepath.Join("reference", id, program))
				cmd.Dir = repository
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%s", out)
				}
			}
			input, err := exec.Command(filepath.Join(dir, "gen.exe"), strings.Fields(benchmarkInputs[id])...).Output()
			if err != nil {
				b.Fatal(err)
			}
			// The fastest of several runs was disturbed least by other processes.
			least := map[string]time.Duration{}
			run := func(what, exe, mutant string) {
				cmd := exec.Command(exe)
				cmd.Stdin = strings.NewReader(string(input))
				cmd.Env = append(os.Environ(), Variable+"="+mutant)
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				if old, known := least[what]; !known || cpu < old {
					least[what] = cpu
				}
			}
			for b.Loop() {
				run("reference", filepath.Join(dir, "..exe"), "")
				run("schema", mutated, "")
				run("sites", mutated, Sites)
			}
			b.ReportMetric(float64(least["schema"])/float64(least["reference"]), "x-reference")
			b.ReportMetric(float64(least["sites"])/float64(least["reference"]), "x-sites")
			b.ReportMetric(float64(len(schema.Mutants)), "mutants")
		})
	}
}
