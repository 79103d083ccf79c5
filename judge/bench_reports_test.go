package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tribunal/judge/cli"
)

// BenchmarkReports measures judge grade on 200 submissions for game, with --all, of which a fifth is
// wrong: with reports in all formats and the drawings that these have, and with the report for people
// alone. Programs come from the cache, and the runs are short, so that reports count as much as they
// can. The metrics are the medians of both times, of the ratio of each pair, and the size of the page.
func BenchmarkReports(b *testing.B) {
	dir := b.TempDir()
	judge := filepath.Join(dir, "judge")
	if out, err := judgeBuild(judge).CombinedOutput(); err != nil {
		b.Skipf("not measured: %v\n%s", err, out)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		b.Skip("not measured: ", err)
	}
	args := []string{"grade", "game", "--all", "--fresh", "--report", "terminal=" + os.DevNull}
	for i := range 200 {
		from := "accepted/gray.c"
		if i%5 == 4 {
			from = "wrong_answer/digit_after_nine.c"
		}
		text, err := os.ReadFile(filepath.Join("..", "reference", "game", "submissions", from))
		if err != nil {
			b.Fatal(err)
		}
		file := filepath.Join(dir, fmt.Sprintf("student-%03d.c", i))
		if err := os.WriteFile(file, fmt.Appendf(text, "\n// %d\n", i), 0o600); err != nil {
			b.Fatal(err)
		}
		args = append(args, file)
	}
	page := filepath.Join(dir, "out.html")
	all := append(args[:len(args):len(args)], "--report", "html="+page)
	for _, format := range []string{"json", "ndjson", "markdown", "csv", "junit"} {
		all = append(all, "--report", format+"="+filepath.Join(dir, "out."+format))
	}
	run := func(args []string) float64 {
		cmd := exec.Command(judge, args...)
		cmd.Dir = ".."
		var words bytes.Buffer
		cmd.Stderr = &words
		start := time.Now()
		var failed *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &failed) || failed.ExitCode() != cli.ExitNot {
			b.Fatalf("%v\n%s", err, &words)
		}
		return time.Since(start).Seconds() * 1000
	}
	run(all) // fills the cache
	var with, without, ratios []float64
	for b.Loop() {
		x, y := run(all), run(args)
		with, without, ratios = append(with, x), append(without, y), append(ratios, x/y)
	}
	info, err := os.Stat(page)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(with), "all-ms")
	b.ReportMetric(median(without), "none-ms")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(float64(info.Size())/1e6, "html-MB")
}
