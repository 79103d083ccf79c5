package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// TestWindows runs the judge for Windows in Wine: commands that run nothing, and the grading of programs
// for Windows.
func TestWindows(t *testing.T) {
	t.Parallel()
	tier.T3(t, "the judge for Windows")
	for _, tool := range []string{"wine", "x86_64-w64-mingw32-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("not checked: the judge for Windows (no %s)", tool)
		}
	}
	dir := t.TempDir()
	run := func(env []string, words ...string) (string, error) {
		t.Helper()
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		return strings.ReplaceAll(string(out)+stderr.String(), "\r\n", "\n"), err
	}
	source, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	judge := filepath.Join(dir, "judge.exe")
	build := exec.Command("go", "build", "-o", judge, ".")
	build.Dir, build.Env = source, append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := map[string]string{
		"right.c": "#include <stdio.h>\nint main() { unsigned long long a, b; scanf(\"%llu %llu\", &a, &b); printf(\"%llu\\n\", a + b); }\n",
		"wrong.c": "#include <stdio.h>\nint main() { unsigned a, b; scanf(\"%u %u\", &a, &b); printf(\"%u\\n\", a + b); }\n",
		"flood.c": "#include <stdio.h>\nint main() { for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }\n",
		"loops.c": "int main() { volatile unsigned n = 0; for (;;) n++; }\n",
		"exits.c": "int main() { return 3; }\n",
		"injob.c": "#include <windows.h>\n#include <stdio.h>\nint main() { BOOL in = FALSE; IsProcessInJob(GetCurrentProcess(), NULL, &in); puts(in ? \"3\" : \"no job\"); }\n",
		// Wine 8 lacks a library that Go programs need.
		"random.c": "#include <windows.h>\n#include <ntsecapi.h>\n__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return RtlGenRandom(p, (ULONG)n); }\n",
		"sum/1.in": "1 2\n", "sum/1.ans": "3\n", "sum/2.in": "1000000000000 1\n", "sum/2.ans": "1000000000001\n",
		// Too large for a file in memory; programs leave most of it unread.
		"large/1.in": "1 2\n" + strings.Repeat(" ", 65<<20) + "\n", "large/1.ans": "3\n",
	}
	for name, text := range files {
		if err := writeTestFile(filepath.Join(dir, name), text); err != nil {
			t.Fatal(err)
		}
	}
	wine := []string{"WINEDEBUG=-all", "WINEPREFIX=" + filepath.Join(dir, "wine"), "TRIBUNAL_CACHE=Z:" + filepath.Join(dir, "cache")}
	if out, err := run(wine, "wineboot", "--init"); err != nil {
		t.Skipf("not checked: the judge for Windows (Wine does not start: %v: %s)", err, out)
	}
	defer run(wine, "wineserver", "-k")
	for _, name := range []string{"right", "wrong", "flood", "loops", "exits", "injob"} {
		if out, err := run(nil, "x86_64-w64-mingw32-gcc", "-O1", "-o", name+".exe", name+".c"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if out, err := run(nil, "x86_64-w64-mingw32-gcc", "-shared", "-o", "wine/drive_c/windows/system32/bcryptprimitives.dll", "random.c", "-ladvapi32"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := run(wine, "wine", judge, "version"); err != nil || !strings.Contains(out, "windows/amd64") {
		t.Fatalf("judge version: %v: %s", err, out)
	}
	root := `Z:` + filepath.Dir(source)
	for _, tt := range []struct {
		why, want string
		ok        bool
		args      []string
	}{
		{"the problems of the repository", "\ngame    Game ", true, []string{"problems", "--root", root}},
		{"a case", "BBWB\nWBBW\n", true, []string{"case", "game", "edge/fourteen", "--input", "--root", root}},
		{"a statement", "<h1>Maze</h1>", true, []string{"statement", "maze", "--html", "--root", root}},
		{"a new repository", `next, in lab: judge regen`, true, []string{"init", "lab", "--lang", "cpp"}},
		{"no doctor", "on windows there is no jail to examine", false, []string{"doctor"}},
		{"no mode of Linux", "works on Linux only", false, []string{"doctor", "--mode", "container"}},
		{
			"programs", `(?s)note: no isolation on windows: .*verdict  AC  WA  OLE  (TLE|ILE)  RTE`, false, // Wine measures no CPU time
			[]string{"grade", "sum", "right.exe", "wrong.exe", "flood.exe", "loops.exe", "exits.exe", "--limits", "cpu=2s,output=1MiB"},
		},
		{"a large input", `verdict  AC  RTE`, false, []string{"grade", "large", "right.exe", "exits.exe"}},
		{"a job object around programs", `WA +1/2  injob\.exe`, false, []string{"grade", "sum", "injob.exe", "right.exe"}},
	} {
		out, err := run(wine, append([]string{"wine", judge}, tt.args...)...)
		if (err == nil) != tt.ok || !regexp.MustCompile(tt.want).MatchString(out) {
			t.Errorf("%s: %v, want %q in\n%s", tt.why, err, tt.want, out)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "wine/drive_c/users/*/Temp/tribunal-memory-*")); err != nil || len(left) > 0 {
		t.Errorf("copies of inputs and programs are left: %q, %v", left, err)
	}
}
