package dmoj

import (
	"bytes"
	"embed"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// The files in python/ make an output validator of the protocol ICPC of one of DMOJ's checkers, of a
// checker of the package in Python, or of its custom judge. Its last argument is a JSON object with
// the settings of the checker and of the case.
//
//go:embed python/*.py
var files embed.FS

const main = "main.py"

// maxSettings bounds the arguments of a checker in bytes, because they become one argument of a program.
const maxSettings = 64 << 10

// pythonCheckers are DMOJ's checkers that run as programs, because no comparison does what they do.
var pythonCheckers = []string{"easy", "linecount", "linematches", "rstripped", "sorted", "unordered"}

// texts returns the files in dmoj/, by name.
var texts = sync.OnceValue(func() map[string][]byte {
	texts := map[string][]byte{}
	list, _ := files.ReadDir("python") // embedded files can be read
	for _, e := range list {
		texts[e.Name()], _ = files.ReadFile("python/" + e.Name())
	}
	return texts
})

// driven makes the program rel, which runs files of the package, the output validator. settings go to
// it for every case.
func (d *reader) driven(rel string, settings map[string]any, files ...string) {
	v := &d.Validation
	v.Protocol, v.Programs = problem.ICPC, []string{rel}
	*d.Describe(rel) = draft.Program{Own: texts(), Main: main, Files: files}
	settings["problem"] = d.ID
	d.settings = settings
}

// settingsOf returns the arguments of the validator for a case.
func (d *reader) settingsOf(c *draft.Case, worth float64, batch int) ([]string, error) {
	if d.settings == nil {
		return nil, nil
	}
	all := maps.Clone(d.settings)
	all["points"], all["position"], all["batch"], all["binary"] = worth, d.count-1, batch, !c.Lines
	text, err := json.Marshal(all)
	return []string{string(text)}, err
}

// pythonChecker reads a checker that runs as a program: one of DMOJ's, or a file of the package.
func (d *reader) pythonChecker(v *yamlloose.Node, name string, args *scope) error {
	settings := map[string]any{"name": name}
	if len(args.keys) > 0 {
		text, err := args.line.Marshal()
		values := map[string]any{}
		if err == nil {
			err = yaml.Unmarshal(text, &values)
		}
		if err == nil {
			text, err = json.Marshal(values)
		}
		switch {
		case err != nil:
			return v.Wrong("", "arguments that are not text, numbers or lists: %v", err)
		case len(text) > maxSettings:
			return v.Wrong("read them from a file", "arguments larger than %d KiB", maxSettings>>10)
		}
		settings["args"] = values
	}
	if name == "linecount" {
		d.Note(initFile, v.Line(), "a submission that fails on a case gets no points for it, but from DMOJ those of the lines that it has written")
	}
	if !strings.Contains(name, ".") {
		d.driven(name, settings)
		return nil
	}
	rel, text, err := d.pythonFile(*v, name)
	if err != nil {
		return err
	}
	if m := runOnError().FindIndex(text); m != nil {
		d.Note(rel, lineAt(text, m[0]), "run_on_error is ignored: a submission that fails on a case gets no points for it")
	}
	settings["name"], settings["file"] = path.Base(rel), path.Join(draft.PackageDir, rel)
	d.driven(rel, settings, rel)
	return nil
}

var (
	runOnError   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^check\.run_on_error *=`) })
	graderClass  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^class +Grader *\( *([\w.]+) *\)`) })
	dmojImport   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*(?:from|import)[ \t]+(dmoj[\w.]*)`) })
	module       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bmodule\("(dmoj[\w.]*)"`) })
	ofSubmission = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bsubmission_(?:source|language)\b|\bself\.(?:source|language)\b`)
	})
	ofRun         = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bexecution_time\b|\bmax_memory\b`) })
	unknownGrader = []struct {
		pattern func() *regexp.Regexp
		what    string
	}{
		{
			sync.OnceValue(func() *regexp.Regexp {
				return regexp.MustCompile(`(?m)^[ \t]+def +(?:__init__|_launch_process|_generate_binary|populate_result|abort_grading)\b`)
			}),
			"a custom judge that compiles or starts submissions itself",
		},
		{
			sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.launch\((?s:.*)\.launch\(`) }),
			"a custom judge that starts several processes",
		},
		{
			sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bResult\.(?:RTE|TLE|MLE|IR|OLE)\b`) }),
			"a custom judge that decides about submissions that fail",
		},
	}
)

// lineAt returns the number of the line with a byte of a text.
func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// pythonFile reads a file in Python that runs as a part of DMOJ's judge. It is an error if the file
// imports modules of that judge which are not offered to it.
func (d *reader) pythonFile(v yamlloose.Node, name string) (rel string, text []byte, err error) {
	if rel, err = cleanPath(&v, name); err != nil {
		return "", nil, err
	}
	if text, err = d.Tree.Read(rel, tree.MaxDocument); err != nil {
		return "", nil, err
	}
	if text == nil {
		return "", nil, v.Wrong("add it", "%s is not in the package", quote.Name(rel))
	}
	offered := []string{"dmoj"}
	for _, m := range module().FindAllSubmatch(texts()[main], -1) {
		offered = append(offered, string(m[1]))
	}
	for _, m := range dmojImport().FindAllSubmatchIndex(text, -1) {
		module := string(text[m[2]:m[3]])
		if !slices.Contains(offered, strings.TrimSuffix(module, ".")) && !strings.HasPrefix(module, "dmoj.checkers.") {
			return "", nil, d.Tree.Errorf(rel, lineAt(text, m[2]), "it may use "+strings.Join(offered[1:], ", "), "imports %s, a part of DMOJ's judge that is not supported", quote.Name(module))
		}
	}
	d.Validation.Source = d.Validation.Source || ofSubmission().Match(text) || ofRun().Match(text)
	d.Validation.Measured = d.Validation.Measured || ofRun().Match(text)
	return rel, text, nil
}

// customJudge reads a custom judge, a class Grader in Python that talks to the submission.
func (d *reader) customJudge() error {
	v := d.top.get("custom_judge")
	if v == nil {
		return nil
	}
	name, err := v.Text()
	if err != nil {
		return err
	}
	rel, text, err := d.pythonFile(*v, name)
	if err != nil {
		return err
	}
	const hint = "have an interactor or a checker judge the submissions"
	class := graderClass().FindSubmatchIndex(text)
	if class == nil {
		return d.Tree.Errorf(rel, 0, hint, "has no class Grader(InteractiveGrader) or Grader(StandardGrader)")
	}
	base := string(text[class[2]:class[3]])
	if base = base[strings.LastIndex(base, ".")+1:]; base != "InteractiveGrader" && base != "StandardGrader" {
		return d.Tree.Errorf(rel, lineAt(text, class[0]), hint, "a Grader that derives %s is not supported", quote.Name(base))
	}
	for _, one := range unknownGrader {
		if m := one.pattern().FindIndex(text); m != nil {
			return d.Tree.Errorf(rel, lineAt(text, m[0]), hint, "%s is not supported", one.what)
		}
	}
	if d.top.get("interactive") != nil {
		d.Note(initFile, d.top.get("interactive").Line(), "not used: the custom judge gives the verdict")
	}
	settings, files := map[string]any{}, []string{rel}
	if d.settings != nil { // of the checker, which the custom judge may ask
		settings, files = d.settings, append(files, d.Known(d.Validation.Programs[0]).Files...)
	}
	settings["grader"] = path.Join(draft.PackageDir, rel)
	d.driven(rel, settings, files...)
	d.Validation.Interactive = true
	return nil
}
