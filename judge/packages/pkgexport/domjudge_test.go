package pkgexport

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
)

// taken holds the parts of an archive that DOMjudge imports. Its ImportProblemService reads problem.yaml, the
// validator, the cases and the submissions as the methods of taken do.
type taken struct {
	names []string // of the entries, in order; folders end with a slash
	texts map[string]string

	types       []string // the words of its problem's types; interactive and multi-pass decide how it judges
	mode        string   // default, custom, custom interactive or custom multi-pass
	validator   string   // run or compare; "" if outputs are compared by its own program
	flat        map[string]string
	cases       []string
	submissions map[string]string // expected results, by path; of a folder with a slash
	lost        []string          // files of submissions that it does not take
	messages    []string          // warnings and errors
}

// take reads an archive as DOMjudge does.
func take(t *testing.T, archive string) *taken {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	d := &taken{texts: map[string]string{}, flat: map[string]string{}, submissions: map[string]string{}}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		d.names, d.texts[f.Name] = append(d.names, f.Name), string(text)
	}
	value := func(key string) string {
		_, rest, _ := strings.Cut("\n"+d.texts["problem.yaml"], "\n"+key+": ")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	d.readTypes(value("type"), value("validation"))
	d.readValidator()
	for _, name := range d.names {
		stem, isInput := strings.CutSuffix(name, ".in")
		if _, answered := d.texts[stem+".ans"]; isInput && answered && (strings.HasPrefix(name, "data/sample/") || strings.HasPrefix(name, "data/secret/")) {
			d.cases = append(d.cases, stem)
		}
	}
	d.readSubmissions()
	return d
}

// readTypes reads type, the words of one text, and validation, of which only these values are known.
func (d *taken) readTypes(types, validation string) {
	d.mode, d.types = "default", []string{"pass-fail"}
	if types != "" {
		d.types = strings.Split(types, " ")
		if slices.Contains(d.types, "interactive") {
			d.mode = "custom interactive"
		}
	}
	switch validation {
	case "custom", "custom interactive", "custom multi-pass":
		d.mode = validation
		if word, more := strings.CutPrefix(validation, "custom "); more {
			d.types = append(d.types, word)
		}
	}
	for _, w := range d.types {
		if !slices.Contains([]string{"pass-fail", "scoring", "multi-pass", "interactive", "submit-answer"}, w) {
			d.messages = append(d.messages, "unknown type "+w)
		}
	}
	if !slices.Contains(d.types, "scoring") {
		d.types = append(d.types, "pass-fail")
	}
	slices.Sort(d.types)
	d.types = slices.Compact(d.types)
}

// readValidator reads the output validator. All its files must be in the folder of the first one or below, and lose
// their own folders.
func (d *taken) readValidator() {
	dir := ""
	for _, name := range d.names {
		if !strings.HasPrefix(name, "output_validator") || strings.HasSuffix(name, "/") {
			continue
		}
		if dir == "" {
			dir = path.Dir(name) + "/"
		}
		if !strings.HasPrefix(name, dir) {
			d.messages = append(d.messages, "several output validators")
		}
		if _, twice := d.flat[path.Base(name)]; twice {
			d.messages = append(d.messages, "two files "+path.Base(name))
		}
		d.flat[path.Base(name)] = d.texts[name]
	}
	switch {
	case len(d.flat) == 0 && d.mode != "default":
		d.messages = append(d.messages, "no output validator")
	case len(d.flat) > 0 && d.mode == "custom interactive":
		d.validator = "run"
	case len(d.flat) > 0:
		d.validator = "compare"
	}
}

// results are DOMjudge's names for words of folders and annotations.
var results = map[string]string{
	"ACCEPTED": "CORRECT", "WRONG_ANSWER": "WRONG-ANSWER", "TIME_LIMIT_EXCEEDED": "TIMELIMIT", "RUN_TIME_ERROR": "RUN-ERROR",
	"COMPILER_ERROR": "COMPILER-ERROR", "NO_OUTPUT": "NO-OUTPUT", "OUTPUT_LIMIT": "OUTPUT-LIMIT",
}

func resultOf(word string) string {
	word = strings.ToUpper(strings.TrimSpace(word))
	if name, known := results[word]; known {
		return name
	}
	return word
}

// readSubmissions reads files and folders at the third level. Only an entry of a folder makes it a submission of several
// files, which lie directly in it.
func (d *taken) readSubmissions() {
	read := map[string]bool{}
	for _, name := range d.names {
		parts := strings.Split(name, "/")
		isFile, isFolder := len(parts) == 3 && parts[2] != "", len(parts) == 4 && parts[3] == ""
		if parts[0] != "submissions" || !isFile && !isFolder {
			continue
		}
		files := []string{name}
		if isFolder {
			files = slices.DeleteFunc(slices.Clone(d.names), func(file string) bool {
				return path.Dir(file)+"/" != name || file == name || strings.HasSuffix(file, "/")
			})
		}
		expected, annotated := resultOf(parts[1]), false
		want := expected
		for _, file := range files {
			read[file] = true
			_, rest, found := strings.Cut(d.texts[file], "@EXPECTED_RESULTS@: ")
			if !found || annotated {
				continue
			}
			annotated = true
			line, _, _ := strings.Cut(rest, "\n")
			var list []string
			for word := range strings.SplitSeq(line, ",") {
				list = append(list, resultOf(word))
			}
			switch {
			case !slices.Contains(list, expected):
				d.messages, want = append(d.messages, "annotation does not match directory: "+name), strings.Join(list, ", ")
			case len(list) > 1:
				d.messages = append(d.messages, "annotation restricted: "+name)
			}
		}
		d.submissions[name] = want
	}
	for _, name := range d.names {
		if strings.HasPrefix(name, "submissions/") && !strings.HasSuffix(name, "/") && !read[name] {
			d.lost = append(d.lost, name)
		}
	}
}

// exported writes the problem sum as an archive for DOMjudge. Its problem file ends with more instead of its way to
// compare outputs, if that is not "".
func exported(t *testing.T, more string, files map[string]string) (*taken, *Summary) {
	t.Helper()
	root := repository(t, files)
	file := filepath.Join(root, "problems/sum.yaml")
	text, err := os.ReadFile(file)
	if err == nil && more != "" {
		err = os.WriteFile(file, []byte(strings.Replace(string(text), "compare: exact\n", more, 1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "sum.zip")
	s, err := job(t, root, DOMjudge).Write(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	return take(t, target), s
}

// TestDOMjudgeTypes checks that DOMjudge judges each kind of problem as what it is.
func TestDOMjudgeTypes(t *testing.T) {
	t.Parallel()
	const program = "reference/sum/output_validators/v/v.py"
	const own = "output_validators: [{name: v, protocol: icpc}]\n"
	for _, tt := range []struct{ why, more, types, mode, validator string }{
		{"outputs are compared", "", "pass-fail", "default", ""},
		{"a validator", own, "pass-fail", "custom", "compare"},
		{"interactive", "type: [interactive]\n" + own, "interactive pass-fail", "custom interactive", "run"},
		{"several passes", "type: [multi-pass]\n" + own, "multi-pass pass-fail", "custom multi-pass", "compare"},
		{"both", "type: [interactive, multi-pass]\n" + own, "interactive multi-pass pass-fail", "custom interactive", "run"},
	} {
		files := map[string]string{}
		if tt.more != "" {
			files[program] = "raise SystemExit(42)\n"
		}
		got, _ := exported(t, tt.more, files)
		if types := strings.Join(got.types, " "); types != tt.types || got.mode != tt.mode || got.validator != tt.validator {
			t.Errorf("%s: DOMjudge takes it for %s, %s, with the validator to %q; want %s, %s, %q", tt.why, types, got.mode, got.validator, tt.types, tt.mode, tt.validator)
		}
		if passes := strings.Contains(got.texts["problem.yaml"], "validation_passes: 2\n"); passes != strings.Contains(tt.types, "multi-pass") {
			t.Errorf("%s: the number of passes is there: %v", tt.why, passes)
		}
		if len(got.cases) != 4 {
			t.Errorf("%s: DOMjudge takes the cases %v", tt.why, got.cases)
		}
		if v := got.flat["v.py"]; v != files[program] {
			t.Errorf("%s: DOMjudge takes the validator %q", tt.why, v)
		}
	}
}

// TestDOMjudgeSubmissions checks which results DOMjudge expects of each submission, and which it drops.
func TestDOMjudgeSubmissions(t *testing.T) {
	t.Parallel()
	got, s := exported(t, "", map[string]string{
		"reference/sum/submissions/wrong_answer/deep/main.py":  "import sub.x\n",
		"reference/sum/submissions/wrong_answer/deep/sub/x.py": "x = 1\n",
		"reference/sum/submissions/no_output/silent.py":        "pass\n",
	})
	want := map[string]string{
		"submissions/accepted/accepted.c":                            "CORRECT",
		"submissions/accepted/folder/":                               "CORRECT",
		"submissions/accepted/reference/":                            "CORRECT",
		"submissions/compiler_error/compile_error.c":                 "COMPILER-ERROR",
		"submissions/output_limit/output_limit_exceeded.js":          "OUTPUT-LIMIT",
		"submissions/rejected/Main.java":                             "MEMORY-LIMIT, RUN-ERROR",
		"submissions/rejected/memory_limit_exceeded.cpp":             "MEMORY-LIMIT, RUN-ERROR",
		"submissions/rejected/silent.py":                             "NO-OUTPUT, WRONG-ANSWER",
		"submissions/run_time_error/run_time_error.py":               "RUN-ERROR",
		"submissions/run_time_error/security_violation.c":            "RUN-ERROR",
		"submissions/time_limit_exceeded/idleness_limit_exceeded.py": "TIMELIMIT",
		"submissions/time_limit_exceeded/time_limit_exceeded.py":     "TIMELIMIT",
		"submissions/wrong_answer/Main.java":                         "WRONG-ANSWER",
		"submissions/wrong_answer/deep/":                             "WRONG-ANSWER",
		"submissions/wrong_answer/presentation_error.py":             "WRONG-ANSWER",
		"submissions/wrong_answer/wrong_answer.c":                    "WRONG-ANSWER",
	}
	if d := cmp.Diff(want, got.submissions); d != "" {
		t.Error(d)
	}
	for _, m := range got.messages { // it says so although it expects what the annotation says
		if !strings.HasPrefix(m, "annotation does not match directory: submissions/rejected/") {
			t.Error(m)
		}
	}
	if want := []string{"submissions/wrong_answer/deep/sub/x.py"}; !slices.Equal(got.lost, want) {
		t.Errorf("DOMjudge drops %v, want %v", got.lost, want)
	}
	if note := "DOMjudge does not take the files in folders of submissions, as in wrong_answer/deep"; !slices.Contains(s.Notes, note) {
		t.Errorf("notes %q, want %q", s.Notes, note)
	}
}

// TestFlat builds output validators with folders after DOMjudge has taken their files out of these.
func TestFlat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		of    program
		want  string // names of the files
		moved string // lines of the script build about them
		bad   bool
	}{
		{"one file", program{files: map[string][]byte{"v.py": nil}, language: "python3"}, "v.py", "", false},
		{"Go without folders", program{files: map[string][]byte{"go.mod": nil, "main.go": nil}, language: "go"}, "go.mod main.go", "", false},
		{"Go", program{files: map[string][]byte{"go.mod": nil, "main.go": nil, "internal/x/x.go": nil}, language: "go"},
			"README build go.mod internal_x_x.go main.go", "mkdir -p internal/x && mv internal_x_x.go internal/x/x.go || exit\n", false},
		{"scripts", program{files: map[string][]byte{"build": []byte("#!/bin/sh\ncd own\n"), "run": nil, "own/v.cpp": nil}, language: build.Scripts},
			"build own_v.cpp run", "mkdir -p own && mv own_v.cpp own/v.cpp || exit\n", false},
		{"names that meet", program{files: map[string][]byte{"build": []byte("#!/bin/sh\n"), "a/b/c": nil, "a/b_c": nil, "a_b_c": nil}, language: build.Scripts},
			"__a_b_c _a_b_c a_b_c build", "mkdir -p a/b && mv _a_b_c a/b/c || exit\nmkdir -p a && mv __a_b_c a/b_c || exit\n", false},
		{"folders without a script that could make them", program{files: map[string][]byte{"v.py": nil, "lib/x.py": nil}, language: "python3"}, "", "", true},
	} {
		got, ok := tt.of.flat()
		if ok == tt.bad {
			t.Errorf("%s: possible: %v", tt.why, ok)
		}
		if tt.bad {
			continue
		}
		var names []string
		for name := range got.files {
			names = append(names, name)
		}
		slices.Sort(names)
		if list := strings.Join(names, " "); list != tt.want {
			t.Errorf("%s: files %s, want %s", tt.why, list, tt.want)
		}
		first, rest, _ := strings.Cut(string(got.files["build"]), "\n")
		if tt.moved != "" && (first != "#!/bin/sh" || !strings.HasPrefix(rest, tt.moved)) {
			t.Errorf("%s: the script build is\n%s\n%s", tt.why, first, rest)
		}
	}
}

// TestFlatBuilds builds a validator in Go with a package of its own from the files that DOMjudge takes.
func TestFlatBuilds(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "whether DOMjudge can build a validator with packages", "go")
	got, _ := exported(t, "output_validators: [{name: v, protocol: icpc}]\n", map[string]string{
		"reference/sum/output_validators/v/v.go":            "package main\n\nimport (\n\t\"os\"\n\n\t\"v/internal/x\"\n)\n\nfunc main() { os.Exit(x.Accepts) }\n",
		"reference/sum/output_validators/v/go.mod":          "module v\n\ngo 1.22\n",
		"reference/sum/output_validators/v/internal/x/x.go": "package x\n\nconst Accepts = 42\n",
	})
	dir := t.TempDir()
	for name, text := range got.flat {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"./build", "./run"} {
		cmd := exec.Command(command)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if text := fmt.Sprint(err); command == "./build" && err != nil || command == "./run" && text != "exit status 42" {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
}
