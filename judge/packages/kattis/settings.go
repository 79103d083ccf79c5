package kattis

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// settingsFiles are the names of the settings file of a group, in any format.
var settingsFiles = []string{"testdata.yaml", "test_group.yaml"}

// settingsReader reads the settings of groups and cases.
type settingsReader struct {
	p     *reader
	flags []string // arguments of every output validator, from problem.yaml
}

// group returns the settings of a group. Those in its files override those that it inherits from
// outer, the group around it.
func (r settingsReader) group(dir string, files []string, outer draft.Settings) (draft.Settings, error) {
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
		if err := root.Each(r.groupKeys(&s)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// ofCase reads the YAML file of a case.
func (r settingsReader) ofCase(c *draft.Case) error {
	root, err := r.document(c.Settings)
	if err != nil {
		return err
	}
	keys := r.caseKeys(&c.Arguments)
	keys["hint"], keys["description"] = yamlloose.Into(&c.Hint), yamlloose.Into(&c.Description)
	return root.Each(keys)
}

func (r settingsReader) document(rel string) (yamlloose.Node, error) {
	root, err := r.p.Document(rel)
	if err != nil {
		return yamlloose.Node{}, err
	}
	return r.p.sparing(root, spareSettings), nil
}

// caseKeys returns a reader for each key that cases may have. A group may have the same keys, for
// all its cases.
func (r settingsReader) caseKeys(a *draft.Arguments) map[string]func(yamlloose.Node) error {
	outputArgs := func(n yamlloose.Node) (err error) {
		var own []string
		if a.OutputValidator, own, err = r.outputValidatorArgs(n); err != nil {
			return err
		}
		a.OutputArgs = slices.Concat(r.flags, own)
		return nil
	}
	inputArgs, answerArgs := yamlloose.Set(&a.InputArgs, r.inputArgs), yamlloose.Set(&a.AnswerArgs, r.inputArgs)
	return map[string]func(yamlloose.Node) error{
		"args":                   yamlloose.Set(&a.Args, r.args),
		"input_validator_args":   inputArgs,
		"input_validator_flags":  inputArgs,
		"answer_validator_args":  answerArgs,
		"answer_validator_flags": answerArgs,
		"output_validator_args":  outputArgs,
		"output_validator_flags": outputArgs,
		"input_visualizer_args":  nil,
		"output_visualizer_args": nil,
		"full_feedback": func(n yamlloose.Node) error {
			b, err := n.Flag()
			if err == nil {
				a.FullFeedback = &b
			}
			return err
		},
	}
}

// groupKeys returns a reader for each key that a group may have in any format.
func (r settingsReader) groupKeys(s *draft.Settings) map[string]func(yamlloose.Node) error {
	keys := legacyScoreKeys(s)
	for k, read := range r.caseKeys(&s.Arguments) {
		keys[k] = read
	}
	keys["hint"], keys["description"] = nil, nil
	scoring := func(n yamlloose.Node) error { return n.Each(scoreKeys(s)) }
	for k, read := range scoreKeys(s) {
		keys[k] = read
	}
	delete(keys, "score")
	delete(keys, "aggregation")
	keys["scoring"] = scoring
	static := func(n yamlloose.Node) (err error) {
		if n.Kind() == yaml.MappingNode {
			s.Static = "pass-fail"
		} else if s.Static, err = n.Text(); s.Static == "false" {
			s.Static = ""
		}
		if s.Static != "" {
			n.Doc.Notef(n.Line(), "static validation is not supported")
		}
		return err
	}
	keys["static_validation_score"], keys["static_validation"], keys["static_validator_args"] = static, static, nil
	r.recordPoints(keys, s)
	return keys
}

// recordPoints lets the readers of keys about points record the keys.
func (r settingsReader) recordPoints(keys map[string]func(yamlloose.Node) error, s *draft.Settings) {
	newer := scoreKeys(s)
	newer["scoring"] = nil
	for _, of := range []struct {
		keys   map[string]func(yamlloose.Node) error
		legacy bool
	}{{newer, false}, {legacyScoreKeys(s), true}} {
		for k := range of.keys {
			if read := keys[k]; read != nil {
				keys[k] = func(n yamlloose.Node) error {
					r.p.pointKeys = append(r.p.pointKeys, pointKey{k, n.Doc.Rel, n.Line(), of.legacy})
					r.p.newerKeys = r.p.newerKeys || !of.legacy || path.Base(n.Doc.Rel) != settingsFiles[0]
					return read(n)
				}
			}
		}
	}
}

// scoreKeys returns the readers of the keys about points in the later formats, including the names
// that only the draft has.
func scoreKeys(s *draft.Settings) map[string]func(yamlloose.Node) error {
	score := func(n yamlloose.Node) error {
		if text, err := n.Text(); err != nil || text == "unbounded" {
			s.Unbounded = true
			return err
		}
		f, err := n.Number(0)
		s.MaxScore = &f
		return err
	}
	aggregation := func(n yamlloose.Node) error {
		err := yamlloose.Into(&s.Aggregation)(n)
		if err == nil && !slices.Contains([]string{"pass-fail", "sum", "min"}, s.Aggregation) {
			return n.Errorf("write pass-fail, sum or min", "unknown aggregation %s", quote.Name(s.Aggregation))
		}
		return err
	}
	return map[string]func(yamlloose.Node) error{
		"max_score": score, "score": score,
		"score_aggregation": aggregation, "aggregation": aggregation,
		"require_pass": func(n yamlloose.Node) (err error) { s.RequirePass, err = n.Texts(); return err },
	}
}

// legacyScoreKeys returns the readers of the keys about points in the legacy format.
func legacyScoreKeys(s *draft.Settings) map[string]func(yamlloose.Node) error {
	optional := func(f **float64) func(yamlloose.Node) error {
		return func(n yamlloose.Node) error {
			v, err := n.Number(math.Inf(-1))
			*f = &v
			return err
		}
	}
	return map[string]func(yamlloose.Node) error{
		"on_reject": func(n yamlloose.Node) error {
			switch text, err := n.Text(); {
			case err != nil:
				return err
			case text == "break" || text == "first_error":
				s.OnReject = "break"
			case text == "continue" || text == "grade" || text == "worst_error":
				s.OnReject = "continue"
			default:
				return n.Errorf("write break or continue", "unknown on_reject %s", quote.Name(text))
			}
			return nil
		},
		"grading": func(n yamlloose.Node) error {
			err := yamlloose.Into(&s.Grading)(n)
			if err == nil && s.Grading != "default" && s.Grading != "custom" {
				return n.Errorf("write default or custom", "unknown grading %s", quote.Name(s.Grading))
			}
			return err
		},
		"grader_flags": yamlloose.WordsInto(&s.GraderFlags),
		"accept_score": optional(&s.AcceptScore),
		"reject_score": optional(&s.RejectScore),
		"range":        func(n yamlloose.Node) error { return readRange(n, &s.Range) },
	}
}

// readRange reads two numbers, the lower one first. They may be infinite.
func readRange(n yamlloose.Node, into **[2]float64) error {
	words, err := n.Words()
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
		return n.Errorf("write the least and the greatest score, such as 0 100", "not a range of two numbers")
	}
	*into = &r
	return nil
}

// maxFilled bounds the bytes of all arguments of a package after constants are filled in.
const maxFilled = 64 << 20

// outputValidatorArgs reads arguments of output validators. The form {name: …, flags: …} selects
// one validator; otherwise name is "".
func (r settingsReader) outputValidatorArgs(n yamlloose.Node) (name string, words []string, err error) {
	if n.Kind() != yaml.MappingNode {
		words, err = r.args(n)
		return "", words, err
	}
	err = n.Each(map[string]func(yamlloose.Node) error{
		"flags": func(n yamlloose.Node) (err error) { words, err = r.args(n); return err },
		"name": func(n yamlloose.Node) error {
			if err := yamlloose.Into(&name)(n); err != nil {
				return err
			}
			programs := r.p.Validation.Programs
			if len(programs) == 0 {
				n.Doc.Notef(n.Line(), "not used: there is no output validator to choose")
			} else if !slices.ContainsFunc(programs, func(rel string) bool { return draft.Named(rel, name) }) {
				return n.Errorf("they are "+strings.Join(programs, ", "), "no output validator is called %s", quote.Name(name))
			}
			return nil
		},
	})
	return name, words, err
}

// args reads a list of arguments and fills in the constants.
func (r settingsReader) args(n yamlloose.Node) ([]string, error) {
	words, err := n.ShellWords()
	if err != nil {
		return nil, err
	}
	if len(words) > draft.MaxArgs {
		return nil, n.Errorf("", "more than %d arguments", draft.MaxArgs)
	}
	for i, w := range words {
		if words[i], err = r.fill(n, w); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// fill fills the constants into an argument.
func (r settingsReader) fill(n yamlloose.Node, text string) (string, error) {
	filled, ok := r.p.Fill([]byte(text), maxFilled-r.p.filled)
	if !ok {
		return "", n.Errorf("", "with constants filled in, arguments larger than %d MiB", maxFilled>>20)
	}
	if len(r.p.Constants) > 0 {
		r.p.filled += len(filled)
	}
	return string(filled), nil
}

// inputArgs reads arguments of input or answer validators: one list for all, or a mapping from the
// name of a validator to its list. The legacy form {name: …, flags: …} is such a mapping of one.
func (r settingsReader) inputArgs(n yamlloose.Node) (draft.InputArgs, error) {
	if n.Kind() != yaml.MappingNode {
		words, err := r.args(n)
		return draft.InputArgs{All: words}, err
	}
	keys, err := n.Pairs()
	if err != nil {
		return draft.InputArgs{}, err
	}
	by := map[string][]string{}
	var name string
	for _, k := range keys {
		words, err := r.args(k.Value)
		if err != nil {
			return draft.InputArgs{}, err
		}
		by[k.Key] = words
		if k.Key == "name" && len(words) == 1 {
			name = words[0]
		}
	}
	if flags, legacy := by["flags"]; legacy && name != "" && len(by) == 2 {
		by = map[string][]string{name: flags}
	}
	return draft.InputArgs{By: by}, nil
}
