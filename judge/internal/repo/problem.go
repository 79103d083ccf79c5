// Package repo loads problems from the YAML and the folders of the repository. Begin with [Load].
package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// document is the content of a problem file.
type document struct {
	Place     yamlstrict.Place
	ID        string                   `yaml:"id,required,word" pattern:"[a-z0-9][a-z0-9-]*" doc:"must equal the file name"`
	Title     string                   `yaml:"title,required,word,nonempty" doc:"name of the problem"`
	Source    string                   `yaml:"source,required,word,nonempty" doc:"contest, year and number that the problem comes from"`
	UUID      string                   `yaml:"uuid,word" pattern:"[0-9A-Fa-f-]{36}" doc:"derived from id and title if left out"`
	Authors   []string                 `yaml:"authors,word,nonempty" doc:"who wrote the problem"`
	License   string                   `yaml:"license,word,nonempty" enum:"unknown,public domain,cc0,cc by,cc by-sa,educational,permission" doc:"how the problem may be used: as problem packages call it; by default unknown"`
	Keywords  []string                 `yaml:"keywords,word,nonempty" doc:"search terms for the problem"`
	Languages []string                 `yaml:"languages,word,nonempty" pattern:"[a-z0-9]+" doc:"languages that submissions may use, by their names in problem packages, such as cpp and python3; by default all"`
	ReadOnly  bool                     `yaml:"read_only" doc:"submissions may read files, but not write them"`
	Type      []string                 `yaml:"type,word,nonempty" enum:"pass-fail,scoring,interactive,multi-pass" doc:"scoring: submissions get points; interactive: the output validator talks to the submission; multi-pass: the output validator may request another run"`
	Limits    limitsDocument           `yaml:"limits,required" doc:"what one run may use"`
	Bounds    yamlstrict.Map[[2]int64] `yaml:"bounds" doc:"smallest and largest value of each number of the input"`
	Compare   string                   `yaml:"compare" enum:"exact,lines,tokens,float" doc:"how an output is compared with the expected one"`
	Tolerance *Tolerance               `yaml:"tolerance" doc:"largest difference between numbers that count as equal; only with compare: float"`
	FoldCase  bool                     `yaml:"fold_case" doc:"ignore the case of the letters A to Z; with compare: tokens or float"`
	Spaces    bool                     `yaml:"spaces" doc:"white space must match, too; with compare: tokens or float"`
	Checker   bool                     `yaml:"checker" doc:"several outputs are correct: if the bytes differ, reference/<id>/check decides; not with output_validators"`
	Outputs   []validatorDocument      `yaml:"output_validators,nonempty" doc:"programs in reference/<id>/output_validators/, each in the folder of its name; they run in this order, and an output is correct if all of them accept it"`
	Inputs    []validatorDocument      `yaml:"input_validators,nonempty" doc:"programs in reference/<id>/input_validators/, each in the folder of its name; all of them must accept each input"`
	Answers   []validatorDocument      `yaml:"answer_validators,nonempty" doc:"programs in reference/<id>/answer_validators/, each in the folder of its name, which must all accept each expected output"`
	Scoring   *scoringDocument         `yaml:"scoring" doc:"how submissions get points; with type: scoring, or with type: pass-fail for the verdict alone"`
	Samples   []string                 `yaml:"samples,word" pattern:"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*" doc:"cases to show with the statement, as group/name"`
	Feedback  string                   `yaml:"feedback" enum:"none,verdict,samples,first,all" doc:"what a service shows to submitters; by default what it is set to"`
	Numbered  bool                     `yaml:"numbered" doc:"a service does not show submitters the names of cases, but of samples"`
	Language  string                   `yaml:"language,word" pattern:"[A-Za-z-]+" doc:"language of title and statement; by default en"`
	Texts     []textDocument           `yaml:"statements,nonempty" doc:"more statements, in other languages or forms"`
	Statement string                   `yaml:"statement,required,nonempty" doc:"the task, in Markdown"`
	Input     string                   `yaml:"input,required,nonempty" doc:"the form of the input, in Markdown"`
	Output    string                   `yaml:"output,required,nonempty" doc:"the form of the output, in Markdown"`
	Package   *packageDocument         `yaml:"package" doc:"written by judge import: the package that the problem was imported from; what its authors left out is then a note, not a finding"`
	Rulings   []string                 `yaml:"rulings,word" doc:"decisions on what the original statement leaves open, which exact comparison would otherwise hide"`
}

type limitsDocument struct {
	Place  yamlstrict.Place
	CPU    time.Duration `yaml:"cpu,required" min:"1ms" max:"24h" doc:"CPU time of the whole process tree, such as 1s"`
	Wall   time.Duration `yaml:"wall" min:"1ms" max:"24h" doc:"time from start to end; by default derived from cpu"`
	Memory limits.Bytes  `yaml:"memory,required" min:"1MiB" doc:"peak memory of the whole process tree, such as 64MiB"`
	Output limits.Bytes  `yaml:"output" min:"1B" doc:"size of standard output"`
	CPUs   int           `yaml:"cpus" min:"1" max:"1024" doc:"CPUs that a run claims; on a smaller host, all of its CPUs"`

	Code              limits.Bytes  `yaml:"code" min:"1B" doc:"size of all files of a submission together"`
	CompilationTime   time.Duration `yaml:"compilation_time" min:"1ms" max:"24h" doc:"CPU time of a submission's compilation; by default that of runner.yaml"`
	CompilationMemory limits.Bytes  `yaml:"compilation_memory" min:"1MiB" doc:"memory of a submission's compilation; by default that of runner.yaml"`

	Passes           int           `yaml:"validation_passes" min:"2" max:"1000" doc:"most runs of a submission on one case; with type: multi-pass"`
	ValidationTime   time.Duration `yaml:"validation_time" min:"1ms" max:"24h" doc:"CPU time of a validator for one case, or of a grader for one group; by default 1m"`
	ValidationMemory limits.Bytes  `yaml:"validation_memory" min:"1MiB" doc:"memory of that validator or grader; by default 2GiB"`
	ValidationOutput limits.Bytes  `yaml:"validation_output" min:"1B" doc:"output of that validator or grader; by default 8MiB"`
}

// Tolerance is the key tolerance of a document.
type Tolerance struct {
	Abs float64 `yaml:"abs" min:"0" doc:"largest absolute difference"`
	Rel float64 `yaml:"rel" min:"0" doc:"largest difference relative to the expected number"`
}

type textDocument struct {
	Place    yamlstrict.Place
	Language string `yaml:"language,required,word" pattern:"[A-Za-z-]+" doc:"code of its language, such as de"`
	Title    string `yaml:"title,word,nonempty" doc:"name of the problem in that language"`
	File     string `yaml:"file,required,word" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*" doc:"path of its file below reference/<id>/statement/; its pictures are in the same folder"`
}

type packageDocument struct {
	Format string `yaml:"format,required,word,nonempty" doc:"the format of the package"`
}

// defaults returns a document with the values of keys that a file leaves out.
func defaults() document {
	return document{
		Limits:  limitsDocument{Output: 64 * limits.MiB, CPUs: 1, Passes: 2},
		Compare: string(diff.Exact),
	}
}

var idPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`) })

// Load reads problems/<id>.yaml below root, and finds the problem's programs and submissions. If
// there is no such problem, the error lists the others; every other error is a located
// [*yamlstrict.Error].
func Load(root, id string) (*problem.Problem, error) {
	file := filepath.Join(root, "problems", id+".yaml")
	// The pattern keeps an id such as ../x from naming a file elsewhere.
	if _, err := os.Stat(file); !idPattern().MatchString(id) || errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(root, id)
	}
	data, err := yamlstrict.Read(file)
	if err != nil {
		return nil, err
	}
	return parse(root, file, data)
}

func unknown(root, id string) error {
	ids, err := List(root)
	if err != nil {
		return err
	}
	hint := "known: " + strings.Join(ids, ", ")
	if near := yamlstrict.Nearest(id, ids); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return fmt.Errorf("unknown problem %q (hint: %s)", id, hint)
}

// List returns the ids of all problems below root, sorted. It does not open their files.
func List(root string) ([]string, error) {
	dir := filepath.Join(root, "problems")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &yamlstrict.Error{File: dir, Msg: "no such folder", Hint: "run this at the top of the repository"}
	} else if err != nil {
		return nil, yamlstrict.FileError(dir, err)
	}
	var ids []string
	for _, e := range entries {
		id, yaml := strings.CutSuffix(e.Name(), ".yaml")
		switch {
		case strings.HasPrefix(id, "."):
		case strings.HasSuffix(id, ".yml"):
			return nil, &yamlstrict.Error{File: filepath.Join(dir, id), Msg: "not read as a problem", Hint: "problem files end in .yaml"}
		case !yaml:
		case !idPattern().MatchString(id):
			return nil, &yamlstrict.Error{File: filepath.Join(dir, e.Name()), Msg: fmt.Sprintf("bad problem id %q", id), Hint: "it must match [a-z0-9][a-z0-9-]*"}
		default:
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, &yamlstrict.Error{File: dir, Msg: "no problems", Hint: "judge new begins one"}
	}
	slices.Sort(ids)
	return ids, nil
}

// parse returns the problem of a file with the content data. Its id must be the base name of the
// file, which is not opened. Every error is a [*yamlstrict.Error].
func parse(root, file string, data []byte) (*problem.Problem, error) {
	doc := defaults()
	if err := yamlstrict.Decode(file, data, &doc); err != nil {
		return nil, err
	}
	if err := doc.check(strings.TrimSuffix(filepath.Base(file), ".yaml")); err != nil {
		return nil, err
	}
	p := Bare(root, doc.ID)
	p.Path, p.Title, p.Source, p.Place = file, doc.Title, doc.Source, doc.Place
	p.Limits = limits.Limits{
		CPU: doc.Limits.CPU, Wall: doc.Limits.Wall, Memory: doc.Limits.Memory,
		Output: doc.Limits.Output, CPUs: doc.Limits.CPUs,
	}
	p.Compare = diff.Options{Mode: diff.Mode(doc.Compare), FoldCase: doc.FoldCase, Spaces: doc.Spaces}
	if t := doc.Tolerance; t != nil {
		p.Compare.Abs, p.Compare.Rel = t.Abs, t.Rel
	}
	p.UUID, p.Authors, p.License, p.Keywords = doc.UUID, doc.Authors, doc.License, doc.Keywords
	if p.License == problem.UnknownLicense {
		p.License = ""
	}
	p.Terms = problem.Terms{
		Languages: doc.Languages, Code: doc.Limits.Code,
		Compile:  limits.Limits{CPU: doc.Limits.CompilationTime, Memory: doc.Limits.CompilationMemory},
		ReadOnly: doc.ReadOnly,
	}
	var err error
	if p.Include, err = includes(root, p.ID); err != nil {
		return nil, err
	}
	p.Files = &files{root, p.ID, p.Terms, p.Include}
	p.Language = doc.Language
	for _, text := range doc.Texts {
		file := filepath.Join(root, Statements(p.ID), filepath.FromSlash(text.File))
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			return nil, text.Place.Errorf("file", "it must be in "+Statements(p.ID), "no file %s", file)
		}
		p.Texts = append(p.Texts, problem.Text{Language: text.Language, Title: text.Title, Path: file, Read: func() ([]byte, error) { return yamlstrict.Read(file) }, Beside: beside(root, p.ID, path.Dir(text.File))})
	}
	p.Beside = beside(root, p.ID, ".")
	p.Feedback, p.Numbered = problem.Feedback(doc.Feedback), doc.Numbered
	p.Samples, p.Open, p.Statement, p.Input, p.Output, p.Rulings = doc.Samples, doc.Samples, doc.Statement, doc.Input, doc.Output, doc.Rulings
	if doc.Checker {
		p.Validator = &problem.Validator{Program: p.Check, Protocol: problem.ICPC}
	}
	for _, b := range doc.Bounds {
		p.Bounds = append(p.Bounds, problem.Bound{Name: b.Key, Lo: b.Value[0], Hi: b.Value[1], Line: b.Line})
	}
	if doc.Package != nil {
		p.Origin, p.LenientAnswers = doc.Package.Format, doc.Package.Format == problem.Legacy
	}
	doc.validators(p)
	p.Read = func() (*cases.Set, error) {
		set, err := cases.Read(root, p.ID)
		if err != nil {
			return nil, err
		}
		return set, resolve(p, set)
	}
	if err := doc.scoring(p); err != nil {
		return nil, err
	}
	p.Submissions, err = submissions(root, p.ID)
	return p, err
}

// check finds contradictions between the fields.
func (d *document) check(id string) error {
	if d.ID != id {
		return d.Place.Errorf("id", "write id: "+id+", or rename the file", "id %s does not match the file name", d.ID)
	}
	for _, b := range d.Bounds {
		if b.Value[0] > b.Value[1] {
			e := d.Place.Errorf("bounds", "write [smallest, largest]", "bounds: %s: %d is larger than %d", b.Key, b.Value[0], b.Value[1])
			e.Line = b.Line
			return e
		}
	}
	if err := CheckComparison(d.Place, diff.Options{Mode: diff.Mode(d.Compare), FoldCase: d.FoldCase, Spaces: d.Spaces}, d.Tolerance != nil); err != nil {
		return err
	}
	if err := d.checkValidators(); err != nil {
		return err
	}
	if err := d.checkScoring(); err != nil {
		return err
	}
	for i, s := range d.Samples {
		if slices.Contains(d.Samples[:i], s) {
			return d.Place.Errorf("samples", "", "samples: %s is listed twice", s)
		}
	}
	return nil
}

// CheckComparison returns an error located in a document if its keys for comparing outputs contradict each other.
func CheckComparison(at yamlstrict.Place, o diff.Options, tolerance bool) error {
	switch words := o.Mode == diff.Tokens || o.Mode == diff.Float; {
	case o.Mode == diff.Float && !tolerance:
		return at.Errorf("compare", "add tolerance: {abs: 1e-6, rel: 1e-6}", "compare: float without a tolerance")
	case o.Mode != diff.Float && tolerance:
		return at.Errorf("tolerance", "write compare: float, or leave the tolerance out", "tolerance with compare: %s", cmp.Or(o.Mode, diff.Exact))
	case !words && (o.FoldCase || o.Spaces):
		key := "fold_case"
		if !o.FoldCase {
			key = "spaces"
		}
		return at.Errorf(key, "write compare: tokens, or leave it out", "%s with compare: %s", key, cmp.Or(o.Mode, diff.Exact))
	}
	return nil
}

// Schema returns the JSON Schema of a problem file.
func Schema() ([]byte, error) {
	return yamlstrict.Schema(defaults(), "problems/<id>.yaml: what a contestant may know about a problem")
}
