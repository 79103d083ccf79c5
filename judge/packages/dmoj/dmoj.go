// Package dmoj loads problems of DMOJ.
package dmoj

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/kattis"
	"tribunal/judge/packages/yamlloose"
)

const initFile = "init.yml"

// Family describes packages of DMOJ.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "dmoj", Main: initFile, Points: dmojPoints, Compare: draft.AsSaid, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 24 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "DMOJ", Signs: "init.yml without problem.yaml",
	Lacks: "custom judges that start submissions themselves or judge those that fail, keys in Python",
	Marks: []string{initFile}, Empty: "list them under test_cases in " + initFile,
	Is: func(_ *draft.Draft, list draft.Listing) (bool, error) {
		return list.File(initFile) && !list.File(draft.MetadataFile), nil
	},
	Read: read,
}

// scope holds the keys of a mapping in init.yml. A key that it lacks has its value in the scope
// around it: that of the batch of a case, then that of the whole file.
type scope struct {
	line  yamlloose.Node // the mapping itself, for messages
	keys  map[string]yamlloose.Node
	outer *scope
}

// get returns the value of a key; nil if there is none.
func (s *scope) get(key string) *yamlloose.Node {
	for ; s != nil; s = s.outer {
		if v, has := s.keys[key]; has {
			v.Key = key
			return &v
		}
	}
	return nil
}

// text returns the value of a key, which is a text; "" if there is none.
func (s *scope) text(key string) (string, error) {
	if v := s.get(key); v != nil {
		return v.Text()
	}
	return "", nil
}

// keys are the keys of init.yml that are read, or do not concern a judge that knows neither
// the site's languages nor its pages.
var keys = []string{
	"archive", "test_cases", "pretest_test_cases", "points", "in", "out", "batched", "dependencies", "checker", "interactive",
	"generator", "generator_args", "generator_in", "binary_data", "output_limit_length", "custom_judge", "signature_grader",
	"output_prefix_length", "validator", "short_circuit", "wall_time_factor", "meta", "hints", "unbuffered", "symlinks",
}

// scope reads a mapping. Keys that are unknown are noted; keys whose values are Python code are
// errors.
func (d *reader) scope(n yamlloose.Node, outer *scope) (*scope, error) {
	s := &scope{line: n, keys: map[string]yamlloose.Node{}, outer: outer}
	list, err := n.Pairs()
	if err != nil {
		return nil, err
	}
	known := map[string]func(yamlloose.Node) error{}
	for _, key := range keys {
		known[key] = nil
	}
	for _, k := range list {
		switch _, is := known[k.Key]; {
		case strings.HasSuffix(k.Key, "+"):
			return nil, d.Tree.Errorf(initFile, k.Line, "write the values themselves", "key %s: values that Python code computes are not supported", quote.Name(k.Key))
		case !is:
			n.Doc.Unknown(k, known)
		case k.Value.Raw != nil:
			s.keys[k.Key] = k.Value
		}
	}
	return s, nil
}

// reader reads a package of DMOJ.
type reader struct {
	*draft.Draft
	top     *scope
	archive string // path of the archive with the test data; "" if there is none

	count      int            // cases so far
	settings   map[string]any // for the output validator, if files in python/ are it; otherwise nil
	batches    []string       // names of the groups of all batches so far
	pretests   []string       // groups that must be accepted for later ones to count
	steps      []draft.Step
	unbuffered bool       // what submissions in C and C++ print
	signature  *signature // what is compiled with submissions; nil for nothing
	total      float64    // points of all cases
}

// read reads a package with init.yml, which names the cases. The files of a case are in the
// package or in its archive. The time and memory limits of such a problem are in the database of the
// site, not in the package.
func read(p *draft.Draft) error {
	if err := p.ReadTiming(); err != nil {
		return err
	}
	root, err := p.Document(initFile)
	if err != nil {
		return err
	}
	d := &reader{Draft: p}
	if d.top, err = d.scope(root, nil); err != nil {
		return err
	}
	if err := draft.InOrder(d.general, d.meta, d.checker, d.customJudge, d.signatureGrader, d.includes, d.interactor, d.cases, d.validator, d.make, func() error { return kattis.ReadSubmissions(p) }); err != nil {
		return err
	}
	p.Scoring = d.total > 0
	p.AllowPartialScores()
	return nil
}

// general reads the keys about the whole problem, and opens the archive.
func (d *reader) general() error {
	if v := d.top.get("symlinks"); v != nil {
		d.Note(initFile, v.Line(), "symlinks is ignored: submissions find no links in their working folder")
	}
	if v := d.top.get("unbuffered"); v != nil {
		var err error
		if d.unbuffered, err = v.Flag(); err != nil {
			return err
		}
		if d.unbuffered {
			d.Note(initFile, v.Line(), "submissions in other languages than C and C++ must flush what they write, in spite of unbuffered")
		}
	}
	if v := d.top.get("output_limit_length"); v != nil {
		size, err := v.Number(1)
		if err != nil {
			return err
		}
		d.Limits.Output = limits.Bytes(min(size, math.MaxInt32))
	}
	v := d.top.get("archive")
	if v == nil {
		return nil
	}
	rel, err := d.file(v)
	if err != nil {
		return err
	}
	if err := d.Extract(rel); err != nil {
		return err
	}
	d.archive = rel
	return nil
}

// comparisons maps the names of DMOJ's checkers to what compares outputs as they do.
var comparisons = map[string]diff.Options{
	"": {Mode: diff.Tokens}, "standard": {Mode: diff.Tokens}, "identical": {Mode: diff.Exact},
	"floats": {Mode: diff.Float}, "floatsabs": {Mode: diff.Float}, "floatsrel": {Mode: diff.Float},
}

// checker reads how outputs are judged.
func (d *reader) checker() error {
	v := d.top.get("checker")
	if v == nil {
		d.Compare = comparisons[""]
		if d.top.get("interactive") == nil && d.top.get("custom_judge") == nil {
			d.noteLines(nil)
		}
		return nil
	}
	args := &scope{}
	name := ""
	if v.IsMapping() {
		list, err := v.Pairs()
		if err != nil {
			return err
		}
		for _, k := range list {
			switch {
			case k.Key == "name":
				if name, err = k.Value.Text(); err != nil {
					return err
				}
			case k.Key != "args":
				v.Doc.Unknown(k, map[string]func(yamlloose.Node) error{"name": nil, "args": nil})
			case k.Value.Raw != nil:
				if args, err = d.plain(k.Value); err != nil {
					return err
				}
			}
		}
	} else if name, _ = v.Text(); name == "" {
		return v.Wrong("", "no name of a checker")
	}
	if name == "bridged" {
		rel, err := d.bridged(v, args, false)
		d.Validation.Programs = []string{rel}
		return err
	}
	o, known := comparisons[name]
	switch {
	case strings.Contains(name, ".") || slices.Contains(pythonCheckers, name):
		return d.pythonChecker(v, name, args)
	case !known:
		all := slices.Sorted(slices.Values(slices.Concat(pythonCheckers, draft.SortedKeys(comparisons)[1:], []string{"bridged"})))
		return v.Wrong("DMOJ has "+strings.Join(all, ", ")+"; a file in Python has a dot in its name", "unknown checker %s", quote.Name(name))
	}
	if d.Compare = o; o.Mode == diff.Float {
		if err := d.floats(name, args); err != nil {
			return err
		}
	}
	d.noteLines(v)
	return nil
}

// noteLines notes that outputs are compared less strictly than by DMOJ's own checkers.
func (d *reader) noteLines(v *yamlloose.Node) {
	if d.Compare.Mode == diff.Exact {
		return
	}
	line := 0
	if v != nil {
		line = v.Line()
	}
	d.Note(initFile, line, "outputs are compared word by word: where lines break does not count, but DMOJ wants the same words on each line")
}

// plain reads a mapping without the keys of init.yml, such as the arguments of a checker.
func (d *reader) plain(n yamlloose.Node) (*scope, error) {
	list, err := n.Pairs()
	s := &scope{line: n, keys: map[string]yamlloose.Node{}}
	for _, k := range list {
		if k.Value.Raw != nil {
			s.keys[k.Key] = k.Value
		}
	}
	return s, err
}

// floats reads the arguments of a checker that allows differences between numbers.
func (d *reader) floats(name string, args *scope) error {
	digits := 6.0
	if v := args.get("precision"); v != nil {
		var err error
		if digits, err = v.Number(0); err != nil {
			return err
		}
	}
	mode, err := args.text("error_mode")
	if err != nil {
		return err
	}
	epsilon, err := strconv.ParseFloat("1e-"+strconv.Itoa(int(min(digits, 400))), 64)
	if err != nil {
		return err
	}
	switch cmp.Or(mode, map[string]string{"floatsabs": "absolute", "floatsrel": "relative"}[name], "default") {
	case "absolute":
		d.Compare = diff.Options{Mode: diff.Float, Abs: epsilon}
	case "relative":
		d.Compare = diff.Options{Mode: diff.Float, Rel: epsilon}
	case "default":
		d.Compare = diff.Options{Mode: diff.Float, Abs: epsilon, Rel: epsilon}
	default:
		return args.get("error_mode").Wrong("it is default, absolute or relative", "unknown mode %s", quote.Name(mode))
	}
	return nil
}

// interactor reads the program that talks to submissions.
func (d *reader) interactor() error {
	v := d.top.get("interactive")
	if v == nil || d.top.get("custom_judge") != nil || d.signature != nil {
		return nil
	}
	args, err := d.plain(*v)
	if err != nil {
		return err
	}
	if len(d.Validation.Programs) > 0 {
		d.Note(initFile, d.top.get("checker").Line(), "not used: the interactor gives the verdict")
		d.Validation.Programs, d.settings = nil, nil
	}
	d.Validation.Interactive = true
	if d.Validation.Interactor, err = d.bridged(v, args, true); err != nil {
		return err
	}
	unbuffered := true
	if own := args.get("unbuffered"); own != nil {
		unbuffered, err = own.Flag()
	}
	d.Describe(d.Validation.Interactor).Unbuffered = unbuffered
	return err
}
