// Package pisek loads tasks of pisek.
package pisek

import (
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"

	_ "embed"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

// Family describes tasks of pisek.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "pisek", Main: file, Points: draft.ByGroups, Compare: draft.AsSaid, Inputs: problem.CMS, Outputs: problem.CMS, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "pisek, the tool of Kasiopea", Signs: "config with [task] and [tests]",
	Lacks: "limits of single solutions, judges that are not in C, C++ or Python",
	Empty: "add inputs that in_globs of [test01] matches, or in_gen in [tests]",
	Is:    is, Read: read,
}

// reader reads a task of pisek.
type reader struct {
	*draft.Draft
	configs []*config // each overrides those after it
	seeded  bool      // the judge gets the number of the test and the seed
	judging []string  // arguments of the judge for all tests
	places  int       // decimals of the points of a test
	tests   []*testcases
	primary string   // path of the solution that makes outputs; "" for none
	of      []string // names of the sections of the submissions
}

// is reports whether the file config has the sections that every task has.
func is(p *draft.Draft, list draft.Listing) (bool, error) {
	if !list.File(file) {
		return false, nil
	}
	data, err := p.Tree.Head(file, tree.MaxDocument)
	found := 0
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "[task]" || line == "[tests]" {
			found++
		}
	}
	return found >= 2, err
}

// read reads a task of pisek, the tool of Kasiopea and other Czech contests.
func read(p *draft.Draft) error {
	r := &reader{Draft: p}
	return draft.InOrder(r.config, r.task, r.check, r.list, r.solutions, r.stub, r.inputs, r.group, r.promises, r.answers)
}

// config reads the file config and those that it uses.
func (r *reader) config() error {
	files, rel := r.Tree, file
	for level := 0; ; level++ {
		data, err := files.Read(rel, tree.MaxDocument)
		if err == nil {
			data, err = files.Text(rel, data)
		}
		if err != nil {
			return err
		}
		bad := func(line int, hint, format string, args ...any) error {
			return files.Errorf(rel, line, hint, format, args...)
		}
		c, err := parsePisek(files.Show(rel), string(data), bad)
		if err != nil {
			return err
		}
		if err := c.upgrade(func(name string) bool { found, _ := r.source(name); return found != "" }, bad); err != nil {
			return err
		}
		if level == 0 {
			c.unknown(func(line int, format string, args ...any) { r.Note(file, line, format, args...) })
		}
		r.configs = append(r.configs, c)
		use := c.values["task"]["use"]
		if contest, own := strings.CutPrefix(use.text, "@"); own || use.text == "" {
			if own && contest != "kasiopea" && contest != "cms" {
				return bad(use.line, "they are @kasiopea and @cms", "pisek has no defaults %s", quote.Name(use.text))
			}
			if own {
				r.configs = append(r.configs, defaults(contest))
			}
			r.configs = append(r.configs, defaults(""))
			return nil
		}
		if level == 10 {
			return bad(use.line, "", "more than 10 files of settings, each used by the one before")
		}
		if !fs.ValidPath(use.text) {
			return bad(use.line, "name a file in pisek/configs/", "uses %s, which is no path below it", quote.Name(use.text))
		}
		outer := r.Tree.Around()
		found := ""
		for dir := r.Tree.Sub; found == ""; dir = path.Dir(dir) {
			name := path.Join(dir, "pisek", "configs", use.text)
			if file, _, err := outer.Kind(name); err != nil {
				return err
			} else if file {
				found = name
			} else if dir == "." || dir == "" {
				return bad(use.line, "add --root-of-package FOLDER, the folder around the package with pisek/configs/", "uses %s, which is not in the package", quote.Name(use.text))
			}
		}
		files, rel = outer, found
	}
}

// get returns the value of a key, in the first of some sections that have it. key "" asks for nothing.
func (r *reader) get(key string, sections ...string) value {
	for _, section := range sections {
		for _, c := range r.configs {
			if v, ok := c.values[section][key]; ok {
				return v
			}
		}
	}
	return value{}
}

// wrong returns an error about a value.
func (r *reader) wrong(v value, hint, format string, args ...any) error {
	if v.rel == "" {
		return r.Tree.Errorf(file, 0, hint, format, args...)
	}
	return &yamlstrict.Error{File: v.rel, Line: v.line, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// number reads a number that is not negative; X is none, and returns -1.
func (r *reader) number(key string, sections ...string) (float64, value, error) {
	v := r.get(key, sections...)
	if v.text == "X" {
		return -1, v, nil
	}
	n, err := strconv.ParseFloat(v.text, 64)
	if err != nil || !(n >= 0) || n > 1e9 {
		return 0, v, r.wrong(v, "", "%s=%s in [%s] is no number", key, quote.Name(v.text), sections[0])
	}
	return n, v, nil
}

// flag reads a switch.
func (r *reader) flag(key string, sections ...string) (bool, error) {
	v := r.get(key, sections...)
	switch strings.ToLower(v.text) {
	case "1", "true", "t", "yes", "y", "on":
		return true, nil
	case "0", "false", "f", "no", "n", "off", "":
		return false, nil
	}
	return false, r.wrong(v, "write yes or no", "%s=%s is neither yes nor no", key, quote.Name(v.text))
}

// task reads what concerns all tests: the name, the limits and the validator.
func (r *reader) task() error {
	if r.Title = r.get("title", "cms").text; r.Title == "@name" {
		r.Title = r.get("name", "cms").text
	}
	seconds, v, err := r.number("time_limit", "run_secondary_solution", "run_solution", "run")
	if err != nil {
		return err
	}
	if seconds > 0 {
		r.Time.Limit, r.Time.From = time.Duration(min(seconds, yamlloose.Longest.Seconds())*float64(time.Second)), file
		if v.line > 0 {
			r.Time.From = fmt.Sprintf("%s:%d", file, v.line)
		}
	}
	size, _, err := r.number("mem_limit", "run_secondary_solution", "run_solution", "run")
	if err != nil {
		return err
	}
	if size >= 1 {
		r.Limits.Memory = limits.Bytes(min(size, 1<<24)) * limits.MiB
	}
	places, v, err := r.number("score_precision", "task")
	if r.places = int(places); err == nil && (places != math.Trunc(places) || places > 9) {
		err = r.wrong(v, "", "score_precision=%s is no number of decimals", quote.Name(v.text))
	}
	if err != nil {
		return err
	}
	validator := r.get("validator", "tests")
	if validator.text == "" {
		return nil
	}
	rel, args, err := r.program(validator, validator.text, "run_validator_"+validator.text, "run_validator")
	if err == nil && len(args) > 0 {
		err = r.wrong(validator, "", "arguments of validators are not supported")
	}
	r.InputPrograms = []string{rel}
	return err
}

// check reads how outputs are judged.
func (r *reader) check() error {
	out, kind := r.get("out_check", "tests"), r.get("task_type", "task")
	if kind.text != "batch" && kind.text != "interactive" {
		return r.wrong(kind, "write batch or interactive", "unknown task_type %s", quote.Name(kind.text))
	}
	switch {
	case out.text == "judge":
		return r.judge(kind.text == "interactive")
	case kind.text == "interactive":
		return r.wrong(out, "write out_check=judge", "an interactive task needs a judge")
	case out.text == "diff" || out.text == "tokens":
		r.Compare = diff.Options{Mode: diff.Tokens}
		if out.text == "diff" {
			r.Note(file, out.line, "where lines break does not count, and neither does white space")
			return nil
		}
		if ignored, err := r.flag("tokens_ignore_newlines", "tests"); err != nil {
			return err
		} else if !ignored {
			r.Note(file, out.line, "where lines break does not count")
		}
		var err error
		if r.Compare.FoldCase, err = r.flag("tokens_ignore_case", "tests"); err != nil {
			return err
		}
		if r.get("tokens_float_rel_error", "tests").text == "" {
			return nil
		}
		r.Compare.Mode = diff.Float
		if r.Compare.Rel, _, err = r.number("tokens_float_rel_error", "tests"); err == nil {
			r.Compare.Abs, _, err = r.number("tokens_float_abs_error", "tests")
		}
		return err
	case out.text == "shuffle":
		return r.shuffle(out)
	}
	return r.wrong(out, "write diff, tokens, shuffle or judge", "unknown out_check %s", quote.Name(out.text))
}

// shuffle judges outputs whose lines or words may be in another order.
//
//go:embed shuffle.py
var shuffle []byte

// shuffle reads in which order an output may be.
func (r *reader) shuffle(out value) error {
	const name = "shuffle.py"
	mode := r.get("shuffle_mode", "tests")
	fold, err := r.flag("shuffle_ignore_case", "tests")
	if err != nil {
		return err
	}
	if mode.line == 0 {
		mode.rel, mode.line = out.rel, out.line
	}
	if !slices.Contains([]string{"lines", "words", "lines_words", "tokens"}, mode.text) {
		return r.wrong(mode, "write lines, words, lines_words or tokens", "unknown shuffle_mode %s", quote.Name(mode.text))
	}
	r.judging = []string{mode.text, map[bool]string{true: "yes", false: "no"}[fold]}
	r.Validation.Protocol, r.Validation.Programs = problem.ICPC, []string{name}
	*r.Describe(name) = draft.Program{Own: map[string][]byte{name: shuffle}, Main: name}
	return nil
}

// opendata is the script for a judge of the type opendata-v1, which is called with the number of the test
// and the seed, and exits with 0 or 1.
const opendata = `TEST_INPUT=$1 TEST_OUTPUT=$2 feedback=$3
shift 3
export TEST_INPUT TEST_OUTPUT
program "$@" >/dev/null 2>message.out
case $? in
0) exit 42 ;;
1) cat message.out >"${feedback}judgemessage.txt"; exit 43 ;;
esac
cat message.out >&2
exit 1
`

// judge reads the program that judges outputs, or talks to submissions.
func (r *reader) judge(interactive bool) error {
	name, kind := r.get("out_judge", "tests"), r.get("judge_type", "tests")
	if name.text == "" {
		return r.wrong(r.get("out_check", "tests"), "write out_judge=judge", "out_check=judge without a judge")
	}
	rel, args, err := r.program(name, name.text, "run_judge_"+name.text, "run_judge")
	if err != nil {
		return err
	}
	switch {
	case interactive && kind.text == "cms-communication":
		r.Validation.Interactive = true
		return r.Adapt(rel, draft.Adapter{Script: draft.Manager, Args: args})
	case !interactive && kind.text == "opendata-v1":
		r.seeded = true
		return r.Adapt(rel, draft.Adapter{Script: opendata, Args: args})
	case !interactive && kind.text == "cms-batch" && len(args) == 0:
		r.Validation.Protocol, r.Validation.Programs = problem.CMS, []string{rel}
		return nil
	case !interactive && kind.text == "cms-batch":
		return r.wrong(name, "", "arguments of a judge of the type cms-batch are not supported")
	}
	types := []string{"cms-batch", "opendata-v1"}
	if interactive {
		types = []string{"cms-communication"}
	}
	return r.wrong(kind, "write "+strings.Join(types, " or "), "judge_type=%s is none for such a task", quote.Name(kind.text))
}
