package pkgformat

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/quote"

	"gopkg.in/yaml.v3"
)

// settingsFiles are the names of the settings file of a group, in any format.
var settingsFiles = []string{"testdata.yaml", "test_group.yaml"}

// settingsReader reads the settings of groups and cases.
type settingsReader struct {
	p     *kattisReader
	flags []string // arguments of every output validator, from problem.yaml
}

// group returns the settings of a group. Those in its files override those that it inherits from
// outer, the group around it.
func (r settingsReader) group(dir string, files []string, outer Settings) (Settings, error) {
	s := outer
	s.Aggregation, s.MaxScore, s.Unbounded, s.RequirePass, s.Static = "", nil, false, nil, ""
	if dialects[r.p.Dialect].groupScores { // DOMjudge inherits nothing about points
		s.OnReject, s.Grading, s.GraderFlags, s.AcceptScore, s.RejectScore, s.Range = "", "", nil, nil, nil, nil
	}
	for _, rel := range files {
		root, err := r.document(rel)
		if err != nil {
			return s, err
		}
		if err := root.each(r.groupKeys(&s)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// ofCase reads the YAML file of a case.
func (r settingsReader) ofCase(c *Case) error {
	root, err := r.document(c.Settings)
	if err != nil {
		return err
	}
	keys := r.caseKeys(&c.Arguments)
	keys["hint"], keys["description"] = into(&c.Hint), into(&c.Description)
	return root.each(keys)
}

func (r settingsReader) document(rel string) (node, error) {
	data, err := r.p.files.read(rel, maxDocument)
	if err != nil {
		return node{}, err
	}
	root, err := r.p.yaml(rel, data)
	if err != nil {
		return node{}, err
	}
	return r.p.sparing(root, spareSettings), nil
}

// caseKeys returns a reader for each key that cases may have. A group may have the same keys, for
// all its cases.
func (r settingsReader) caseKeys(a *Arguments) map[string]func(node) error {
	outputArgs := func(n node) (err error) {
		var own []string
		if a.OutputValidator, own, err = r.outputValidatorArgs(n); err != nil {
			return err
		}
		a.OutputArgs = slices.Concat(r.flags, own)
		return nil
	}
	inputArgs, answerArgs := set(&a.InputArgs, r.inputArgs), set(&a.AnswerArgs, r.inputArgs)
	return map[string]func(node) error{
		"args":                   set(&a.Args, r.args),
		"input_validator_args":   inputArgs,
		"input_validator_flags":  inputArgs,
		"answer_validator_args":  answerArgs,
		"answer_validator_flags": answerArgs,
		"output_validator_args":  outputArgs,
		"output_validator_flags": outputArgs,
		"input_visualizer_args":  nil,
		"output_visualizer_args": nil,
		"full_feedback": func(n node) error {
			b, err := n.flag()
			if err == nil {
				a.FullFeedback = &b
			}
			return err
		},
	}
}

// groupKeys returns a reader for each key that a group may have in any format.
func (r settingsReader) groupKeys(s *Settings) map[string]func(node) error {
	keys := legacyScoreKeys(s)
	for k, read := range r.caseKeys(&s.Arguments) {
		keys[k] = read
	}
	keys["hint"], keys["description"] = nil, nil
	scoring := func(n node) error { return n.each(scoreKeys(s)) }
	for k, read := range scoreKeys(s) {
		keys[k] = read
	}
	delete(keys, "score")
	delete(keys, "aggregation")
	keys["scoring"] = scoring
	static := func(n node) (err error) {
		if n.kind() == yaml.MappingNode {
			s.Static = "pass-fail"
		} else if s.Static, err = n.text(); s.Static == "false" {
			s.Static = ""
		}
		if s.Static != "" {
			n.d.notef(n.line(), "static validation is not supported")
		}
		return err
	}
	keys["static_validation_score"], keys["static_validation"], keys["static_validator_args"] = static, static, nil
	r.recordPoints(keys, s)
	return keys
}

// recordPoints lets the readers of keys about points record the keys.
func (r settingsReader) recordPoints(keys map[string]func(node) error, s *Settings) {
	newer := scoreKeys(s)
	newer["scoring"] = nil
	for _, of := range []struct {
		keys   map[string]func(node) error
		legacy bool
	}{{newer, false}, {legacyScoreKeys(s), true}} {
		for k := range of.keys {
			if read := keys[k]; read != nil {
				keys[k] = func(n node) error {
					r.p.pointKeys = append(r.p.pointKeys, pointKey{k, n.d.rel, n.line(), of.legacy})
					r.p.newerKeys = r.p.newerKeys || !of.legacy || path.Base(n.d.rel) != settingsFiles[0]
					return read(n)
				}
			}
		}
	}
}

// scoreKeys returns the readers of the keys about points in the later formats, including the names
// that only the draft has.
func scoreKeys(s *Settings) map[string]func(node) error {
	score := func(n node) error {
		if text, err := n.text(); err != nil || text == "unbounded" {
			s.Unbounded = true
			return err
		}
		f, err := n.number(0)
		s.MaxScore = &f
		return err
	}
	aggregation := func(n node) error {
		err := into(&s.Aggregation)(n)
		if err == nil && !slices.Contains([]string{"pass-fail", "sum", "min"}, s.Aggregation) {
			return n.errorf("write pass-fail, sum or min", "unknown aggregation %s", quote.Name(s.Aggregation))
		}
		return err
	}
	return map[string]func(node) error{
		"max_score": score, "score": score,
		"score_aggregation": aggregation, "aggregation": aggregation,
		"require_pass": func(n node) (err error) { s.RequirePass, err = n.texts(); return err },
	}
}

// legacyScoreKeys returns the readers of the keys about points in the legacy format.
func legacyScoreKeys(s *Settings) map[string]func(node) error {
	optional := func(f **float64) func(node) error {
		return func(n node) error {
			v, err := n.number(math.Inf(-1))
			*f = &v
			return err
		}
	}
	return map[string]func(node) error{
		"on_reject": func(n node) error {
			switch text, err := n.text(); {
			case err != nil:
				return err
			case text == "break" || text == "first_error":
				s.OnReject = "break"
			case text == "continue" || text == "grade" || text == "worst_error":
				s.OnReject = "continue"
			default:
				return n.errorf("write break or continue", "unknown on_reject %s", quote.Name(text))
			}
			return nil
		},
		"grading": func(n node) error {
			err := into(&s.Grading)(n)
			if err == nil && s.Grading != "default" && s.Grading != "custom" {
				return n.errorf("write default or custom", "unknown grading %s", quote.Name(s.Grading))
			}
			return err
		},
		"grader_flags": wordsInto(&s.GraderFlags),
		"accept_score": optional(&s.AcceptScore),
		"reject_score": optional(&s.RejectScore),
		"range":        func(n node) error { return readRange(n, &s.Range) },
	}
}

// readRange reads two numbers, the lower one first. They may be infinite.
func readRange(n node, into **[2]float64) error {
	words, err := n.words()
	if err != nil {
		return err
	}
	var r [2]float64
	if len(words) == 2 {
		r[0], err = strconv.ParseFloat(words[0], 64)
		if err == nil {
			r[1], err = strconv.ParseFloat(words[1], 64)
		}
	}
	if err != nil || len(words) != 2 || !(r[0] <= r[1]) {
		return n.errorf("write the least and the greatest score, such as 0 100", "not a range of two numbers")
	}
	*into = &r
	return nil
}

// maxFilled bounds the bytes of all arguments of a package after constants are filled in.
const maxFilled = 64 << 20

// outputValidatorArgs reads arguments of output validators. The form {name: …, flags: …} selects
// one validator; otherwise name is "".
func (r settingsReader) outputValidatorArgs(n node) (name string, words []string, err error) {
	if n.kind() != yaml.MappingNode {
		words, err = r.args(n)
		return "", words, err
	}
	err = n.each(map[string]func(node) error{
		"flags": func(n node) (err error) { words, err = r.args(n); return err },
		"name": func(n node) error {
			if err := into(&name)(n); err != nil {
				return err
			}
			programs := r.p.Validation.Programs
			if len(programs) == 0 {
				n.d.notef(n.line(), "not used: there is no output validator to choose")
			} else if !slices.ContainsFunc(programs, func(rel string) bool { return Named(rel, name) }) {
				return n.errorf("they are "+strings.Join(programs, ", "), "no output validator is called %s", quote.Name(name))
			}
			return nil
		},
	})
	return name, words, err
}

// args reads a list of arguments and fills in the constants.
func (r settingsReader) args(n node) ([]string, error) {
	words, err := n.shellWords()
	if err != nil {
		return nil, err
	}
	if len(words) > maxArgs {
		return nil, n.errorf("", "more than %d arguments", maxArgs)
	}
	for i, w := range words {
		if words[i], err = r.fill(n, w); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// fill fills the constants into an argument.
func (r settingsReader) fill(n node, text string) (string, error) {
	filled, ok := r.p.Fill([]byte(text), maxFilled-r.p.filled)
	if !ok {
		return "", n.errorf("", "with constants filled in, arguments larger than %d MiB", maxFilled>>20)
	}
	if len(r.p.Constants) > 0 {
		r.p.filled += len(filled)
	}
	return string(filled), nil
}

// inputArgs reads arguments of input or answer validators: one list for all, or a mapping from the
// name of a validator to its list. The legacy form {name: …, flags: …} is such a mapping of one.
func (r settingsReader) inputArgs(n node) (InputArgs, error) {
	if n.kind() != yaml.MappingNode {
		words, err := r.args(n)
		return InputArgs{All: words}, err
	}
	keys, err := n.pairs()
	if err != nil {
		return InputArgs{}, err
	}
	by := map[string][]string{}
	var name string
	for _, k := range keys {
		words, err := r.args(k.value)
		if err != nil {
			return InputArgs{}, err
		}
		by[k.key] = words
		if k.key == "name" && len(words) == 1 {
			name = words[0]
		}
	}
	if flags, legacy := by["flags"]; legacy && name != "" && len(by) == 2 {
		by = map[string][]string{name: flags}
	}
	return InputArgs{By: by}, nil
}
