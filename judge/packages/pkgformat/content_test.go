package pkgformat

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
)

func TestGiven(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, `
-- problem.yaml --
validation: custom
-- output_validators/v.py --
-- data/secret/1.in --
1 2
-- data/secret/1.ans --
3
-- data/secret/2.in --
`))
	var list []cases.Case
	for _, c := range p.Cases {
		given, err := p.Given(c)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, given)
	}
	if len(list) != 2 || list[0].Name != "secret/1" || list[0].Group != "secret" || list[0].Short() != "1" || list[0].File != p.Show("data/secret/1.in") {
		t.Fatalf("the list is %+v", list)
	}
	for i, want := range [][2]string{{"1 2\n", "3\n"}, {"", ""}} { // a missing answer counts as empty
		in, err := list[i].Given.Input()
		out, err2 := list[i].Given.Output()
		if err != nil || err2 != nil || text(t, in) != want[0] || text(t, out) != want[1] {
			t.Errorf("%s is %q and %q, %v, %v", list[i].Name, text(t, in), text(t, out), err, err2)
		}
	}
	if err := os.Remove(p.File("data/secret/1.in")); err != nil {
		t.Fatal(err)
	}
	if _, err := list[0].Given.Input(); err == nil {
		t.Error("a deleted file was read")
	}
	p.Close()
	if err := p.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	if _, err := list[1].Given.Input(); err == nil {
		t.Error("read after Close")
	}
}

// TestLargeFile opens a case with a sparse input of 1 GiB and reads the end of it, without loading
// all of it into memory.
func TestLargeFile(t *testing.T) {
	const size = 1 << 30
	dir := unpack(t, "-- problem.yaml --\n"+oneCase[1:])
	in := filepath.Join(dir, "data/secret/1.in")
	if err := os.Truncate(in, size-4); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(in, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("end\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := readPackage(t, dir)
	if got := caseOf(p, "secret/1").InputSize; got != size {
		t.Errorf("the size is %d", got)
	}
	first, err := p.Given(p.Cases[0])
	if err != nil {
		t.Fatal(err)
	}
	given := first.Given
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			input, err := given.Input()
			if err != nil {
				t.Error(err)
				return
			}
			end := make([]byte, 4)
			n, err := input.ReadAt(end, size-4)
			if input.Size() != size || n != 4 || string(end) != "end\n" {
				t.Errorf("made %d bytes, at the end %q, %v", input.Size(), end, err)
			}
		})
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d MiB were allocated", used>>20)
	}
}

// TestManyCases opens a package with very many cases.
func TestManyCases(t *testing.T) {
	tier.T2(t, "very many cases")
	n := 20_000
	if tier.All() {
		n = 100_000
	}
	dir := unpack(t, "-- problem.yaml --\n-- submissions/submissions.yaml --\naccepted/a.py:\n  'secret/*7': {permitted: [AC]}\n  secret/none: {permitted: [AC]}\n-- submissions/accepted/a.py --\n-- data/secret/ --\n")
	for i := range n {
		base := filepath.Join(dir, "data/secret", fmt.Sprintf("%05d", i))
		createEmpty(t, base+".in")
		createEmpty(t, base+".ans")
		if i%10 == 0 {
			createEmpty(t, base+".odd")
		}
	}
	p := readPackage(t, dir)
	if len(p.Cases) != n || p.Cases[n-1].Name != fmt.Sprintf("secret/%05d", n-1) {
		t.Errorf("%d cases", len(p.Cases))
	}
	wantNotes(t, p, fmt.Sprintf(`
hello/submissions/submissions.yaml:3: secret/none is not a known key and matches no case or group
hello/data/secret: files that belong to no case: data/secret/00000.odd and %d more
`, n/10-1))
}

func text(t *testing.T, c content.Content) string {
	t.Helper()
	data, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// original is the empty file that createEmpty links to, with the number of links to it.
var original struct {
	name  string
	count int
}

// createEmpty creates an empty file, as a hard link to an earlier one if possible, because that is
// cheapest.
func createEmpty(t *testing.T, name string) {
	t.Helper()
	const most = 30_000 // links that every file system allows
	if o := &original; o.name != "" && o.count < most {
		o.count++
		if os.Link(o.name, name) == nil {
			return
		}
	}
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	original.name, original.count = name, 0
}

// TestBeside checks which files a case puts into the submission's working folder.
func TestBeside(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- problem.yaml --\nname: X\n-- shared --\nfor all\n-- data/secret/1.files/a --\nA\n-- data/secret/1.files/in/b --\nB\n"+
		"-- data/secret/2.files/ --\n-- data/secret/2.in --\n-- data/secret/2.ans --\n"+oneCase[1:])
	if err := os.Symlink("../../../shared", filepath.Join(dir, "data/secret/1.files/link")); err != nil {
		t.Fatal(err)
	}
	p := readPackage(t, dir)
	for name, want := range map[string]string{"secret/1": `map["a":"A\n" "in/b":"B\n" "link":"for all\n"]`, "secret/2": "map[]"} {
		if files, err := p.Beside(caseOf(p, name)); err != nil || fmt.Sprintf("%q", files) != want {
			t.Errorf("%s: %q, %v, want %s", name, files, err, want)
		}
	}
	if err := os.Truncate(filepath.Join(dir, "data/secret/1.files/a"), cases.MaxBeside-8); err != nil {
		t.Fatal(err)
	}
	want := dir + "/data/secret/1.files: more than 64 MiB of files"
	if _, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())}); err == nil || err.Error() != want {
		t.Errorf("too large together: %v, want %s", err, want)
	}
}

// TestTooManyFiles multiplies the files of a case's folder by symbolic links, up to the limit and
// beyond.
func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	archive.WriteString("-- problem.yaml --\nname: X\n-- data/secret/1.files/ --\n" + oneCase[1:])
	for i := range 100 {
		fmt.Fprintf(&archive, "-- data/secret/1.files/0/%d --\n", i)
	}
	dir := unpack(t, archive.String())
	for i := range 98 {
		if err := os.Symlink("0", fmt.Sprintf("%s/data/secret/1.files/%d", dir, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	readPackage(t, dir) // 99 folders of 100 files
	if err := os.Symlink("0", dir+"/data/secret/1.files/one more"); err != nil {
		t.Fatal(err)
	}
	want := dir + "/data/secret/1.files: more than 10000 files and folders"
	if _, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())}); err == nil || err.Error() != want {
		t.Errorf("too many: %v, want %s", err, want)
	}
}
