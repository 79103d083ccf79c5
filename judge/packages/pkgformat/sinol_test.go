package pkgformat

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSinolErrors finds what is wrong with tasks of SIO2.
func TestSinolErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"several processes", "title: a\nnum_processes: 2\n-- prog/hellosoc.c --\n", "config.yml:2: num_processes: interactors that talk to several processes of a submission are not supported (hint: judge runs one)"},
		{"a list of processes", "num_processes: [1]\n-- prog/hellosoc.c --\n", "config.yml:1: num_processes: interactors that talk to several processes of a submission are not supported (hint: judge runs one)"},
		{"an interactor in Java", "title: a\n-- prog/hellosoc.java --\n", "prog/hellosoc.java: in a language in which such a program is not supported (hint: write it in C, C++ or Python)"},
		{"no program of the task", "title: a\n-- prog/other.c --\n", "prog: no program is named like the package, hello (hint: write sinol_task_id into config.yml)"},
		{"inputs without a solution that makes answers", "title: a\n-- prog/hellochk.c --\n-- in/hello1.in --\n", "out/hello1.out: no such file, and no solution that makes it (hint: add prog/hello.cpp, or another language's)"},
	} {
		dir := unpack(t, "-- config.yml --\n"+tt.text)
		if got := openError(t, dir); got != "hello/"+tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, "hello/"+tt.want)
		}
	}
	dir := unpack(t, "-- config.yml --\ntitle: a\n-- prog/helloingen.sh --\n-- prog/data --\n")
	if err := os.Truncate(filepath.Join(dir, "prog", "data"), 64<<20+1); err != nil {
		t.Fatal(err)
	}
	const want = "hello/prog: more than 64MiB of files for the generator (hint: remove programs that were compiled)"
	if got := openError(t, dir); got != want {
		t.Errorf("a script beside a large file: %s\nwant %s", got, want)
	}
}
