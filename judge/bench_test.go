package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/config"
)

// BenchmarkProcess measures a whole run of judge grade with a C program that is in the cache. The
// floor, measured right after it, runs the program and cmp on each case with xargs -P2.
func BenchmarkProcess(b *testing.B) {
	judge, _, program := buildForFloor(b)
	source, err := filepath.Abs(filepath.Join("..", "reference", "game", "submissions", "accepted", "gray.c"))
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{40, 110} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := b.TempDir()
			names := writeGames(b, root, program, n)
			grade := func() cost {
				return spend(b, exec.Command(judge, "grade", "--root", root, "--fresh", "--slots", "2", "-q", "game", source), fmt.Sprintf("AC %d/%d", n, n))
			}
			floor := func() cost {
				cmd := exec.Command("xargs", "-P2", "-n1", "sh", "-c", program+` < $0.in | cmp -s - $0.ans || echo differs`)
				cmd.Dir, cmd.Stdin = root, strings.NewReader(strings.Join(names, "\n"))
				return spend(b, cmd, "")
			}
			grade() // fills the cache
			var p paired
			for b.Loop() {
				p.add(grade(), floor())
			}
			p.report(b)
		})
	}
}

// BenchmarkNothingToRegenerate measures a whole run of judge regen --check in this repository, when
// nothing is out of date. The floor, measured right after it, reads the same files with cat.
func BenchmarkNothingToRegenerate(b *testing.B) {
	judge, _, _ := buildForFloor(b)
	var files []string
	for _, pattern := range []string{"runner.yaml", "go.mod", "problems/*.yaml", "cases/*/*.yaml", "reference/*/*.go", "reference/*/gen/*.go"} {
		found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			b.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	var p paired
	for b.Loop() {
		cmd := exec.Command(judge, "regen", "--root", "..", "--check")
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+b.TempDir())
		p.add(spend(b, cmd, ", 0 changed, up to date\n"), spend(b, exec.Command("cat", files...), ""))
	}
	p.report(b)
}

// BenchmarkOneCase measures a whole run of judge grade with one case, of a program that is in the
// cache. The floor, measured right after it, is the start of a process: fork, exec and wait of a
// static Go program that does nothing.
func BenchmarkOneCase(b *testing.B) {
	judge, nothing, gray := buildForFloor(b)
	root := b.TempDir()
	writeGames(b, root, gray, 1)
	source, err := filepath.Abs(filepath.Join("..", "reference", "game", "submissions", "accepted", "gray.c"))
	if err != nil {
		b.Fatal(err)
	}
	measure(b, []string{nothing}, []string{judge, "grade", "--fresh", "--root", root, "-q", "game", source}, "AC 1/1")
}

// BenchmarkUnchanged measures a whole run of judge verify in this repository when all results are
// remembered. The first run may take minutes; it uses the user's own cache. The floor is that of
// BenchmarkOneCase.
func BenchmarkUnchanged(b *testing.B) {
	judge, nothing, _ := buildForFloor(b)
	measure(b, []string{nothing}, []string{judge, "verify", "--root", ".."}, "")
}

// BenchmarkAgain measures judge grade --expect of all examples of each problem when nothing has changed
// since it was called before, in the user's own cache. The floor, measured right after it, is the same
// with --fresh: everything runs, and nothing is compiled but what does not compile.
func BenchmarkAgain(b *testing.B) {
	for _, id := range []string{"dicey", "game", "marble", "maze", "slink"} {
		b.Run(id, func(b *testing.B) { benchmarkAgain(b, id) })
	}
}

func benchmarkAgain(b *testing.B, id string) {
	judge, _, _ := buildForFloor(b)
	examples, err := filepath.Glob(filepath.Join("..", "reference", id, "submissions", "*", "*"))
	if err != nil || len(examples) == 0 {
		b.Fatal("no examples: ", err)
	}
	again := append([]string{judge, "grade", "--root", "..", "--expect", "-q", id}, examples...)
	measure(b, append(slices.Clone(again), "--fresh"), again, " cached\n")
}

// buildForFloor builds the judge, a static Go program that does nothing, and a solution of the
// problem game.
func buildForFloor(b *testing.B) (judge, nothing, gray string) {
	b.Helper()
	dir := b.TempDir()
	judge, nothing, gray = filepath.Join(dir, "judge"), filepath.Join(dir, "nothing"), filepath.Join(dir, "gray")
	write(b, nothing+".go", "package main\n\nfunc main() {}\n")
	for _, cmd := range []*exec.Cmd{
		judgeBuild(judge),
		exec.Command("go", "build", "-o", nothing, nothing+".go"),
		exec.Command("gcc", "-O2", "-o", gray, filepath.Join("..", "reference", "game", "submissions", "accepted", "gray.c")),
	} {
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Skipf("not measured: %v\n%s", err, out)
		}
	}
	return judge, nothing, gray
}

// judgeBuild returns the command that builds the judge in the form that README.md installs.
func judgeBuild(path string) *exec.Cmd {
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}

// measure runs args, whose output must contain want if it is not the first run, and after each run floor. The
// first run of args is not measured, because it fills the cache.
func measure(b *testing.B, floor, args []string, want string) {
	b.Helper()
	run := func(args []string, want string) cost { return spend(b, exec.Command(args[0], args[1:]...), want) }
	run(args, "")
	var p paired
	for b.Loop() {
		p.add(run(args, want), run(floor, ""))
	}
	p.report(b)
}

func median(list []float64) float64 {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}

// writeGames creates a repository with n cases of the problem game. It writes them to the case file
// and, for the floor, to separate files, and returns the names of these without extension.
func writeGames(b *testing.B, root, program string, n int) []string {
	b.Helper()
	random := rand.New(rand.NewPCG(1122, 2001))
	text := "cases:\n"
	var names []string
	for i := range n {
		input := randomGame(random)
		cmd := exec.Command(program)
		cmd.Stdin = strings.NewReader(input)
		answer, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		name := fmt.Sprintf("game-%d", i)
		names = append(names, name)
		write(b, filepath.Join(root, name+".in"), input)
		write(b, filepath.Join(root, name+".ans"), string(answer))
		text += fmt.Sprintf("  - name: %s\n    input: |\n      %s\n    output: |\n      %s\n", name,
			strings.ReplaceAll(strings.TrimSpace(input), "\n", "\n      "), strings.TrimSpace(string(answer)))
	}
	statement, err := os.ReadFile(filepath.Join("..", "problems", "game.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	write(b, filepath.Join(root, "problems", "game.yaml"), string(statement))
	write(b, filepath.Join(root, "cases", "game", "sample.yaml"), text+"...\n")
	return names
}

// randomGame returns an input of the problem game.
func randomGame(random *rand.Rand) string {
	var input strings.Builder
	for line := range 7 {
		size, signs := 4, "BW"
		if line >= 4 {
			size, signs = 3, "01"
		}
		for range size {
			input.WriteByte(signs[random.IntN(2)])
		}
		input.WriteByte('\n')
	}
	return input.String()
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}
