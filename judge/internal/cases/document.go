package cases

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"tribunal/judge/internal/yamlstrict"
)

// document is a case file.
type document struct {
	Place    yamlstrict.Place
	Note     string `yaml:"note,word,nonempty" doc:"what the cases of this group have in common"`
	Optional bool   `yaml:"optional" needs:"note" doc:"the cases of this group count only if the user asks for them, and run after all others"`
	Cases    []item `yaml:"cases,required,nonempty" doc:"the cases of this group, in the order in which they run"`
}

// keptBlanks finds the beginning of a block text to which the empty lines after it belong.
var keptBlanks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)[|>][1-9]?\+`) })

// complete reports whether a case file without the end marker is safe to read: it has no output and
// no other text that an editor could trim.
func (d *document) complete(data []byte) bool {
	return bytes.HasSuffix(data, []byte("\n")) && !slices.ContainsFunc(d.Cases, func(c item) bool { return c.Output != nil }) && !keptBlanks().Match(data)
}

// item is one case in a case file.
type item struct {
	Place    yamlstrict.Place
	Name     string   `yaml:"name,required,word" pattern:"[a-z0-9][a-z0-9-]*" doc:"short name, unique in this file"`
	Note     string   `yaml:"note,word" doc:"what this case is for: the rule, bound or trap that it tests"`
	Input    *string  `yaml:"input" oneof:"input" doc:"the exact bytes of standard input, best as a block: |"`
	InFile   string   `yaml:"input_file,word" oneof:"input" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*" doc:"name of a file in the folder <group> beside this file that holds the input"`
	Generate []string `yaml:"generate,word,nonempty" oneof:"input" needs:"seed" doc:"arguments of the problem's generator; -seed is added"`
	Seed     *uint64  `yaml:"seed" needs:"generate" doc:"seed of the generator"`
	Args     []string `yaml:"args,word" doc:"arguments of the submission"`
	Files    string   `yaml:"files,word" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*" doc:"name of a folder in the folder <group> beside this file: its content is in the submission's working folder"`
	Pinned   bool     `yaml:"pinned" needs:"output" doc:"the output comes from the statement or a person, and judge regen never rewrites it"`
	Output   *string  `yaml:"output" doc:"the exact bytes expected; written by judge regen unless pinned"`
	OutFile  string   `yaml:"output_file,word" pattern:"[A-Za-z0-9_][A-Za-z0-9_.-]*" doc:"name of a file in the folder <group> beside this file that holds the output, which counts as pinned; not with output"`

	Points     *float64                 `yaml:"points" min:"0" doc:"points of the case, by the rules of Polygon's packages"`
	OutputArgs []string                 `yaml:"output_validator_args,word" doc:"arguments of the output validator for this case, after those for all cases; if the problem has no output validator, arguments of the default one of problem packages, such as case_sensitive"`
	Validator  string                   `yaml:"output_validator,word,nonempty" doc:"name of the only output validator to run, if the problem has several"`
	InputArgs  yamlstrict.Map[[]string] `yaml:"input_validator_args,word" doc:"arguments of input validators for this case, by their names, in place of those for all cases"`
	AnswerArgs yamlstrict.Map[[]string] `yaml:"answer_validator_args,word" doc:"arguments of answer validators for this case, by their names, in place of those for all cases"`
}
