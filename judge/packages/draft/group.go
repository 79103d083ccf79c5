package draft

import (
	"path"
	"slices"
	"strings"
)

// Group is a test group: a folder of cases and of other groups.
type Group struct {
	Name     string // such as "secret/group1"; "" for the root group
	Settings Settings
	Own      bool    // it has a settings file
	Cases    []*Case // in judging order
	Groups   []*Group
}

// Custom reports whether the group, or one in it, has a grader of the package.
func (g *Group) Custom() bool {
	return g.Settings.Grading == "custom" || slices.ContainsFunc(g.Groups, (*Group).Custom)
}

// Settings are the settings of a group, including those inherited from the groups around it. A
// setting that no file gives is zero; the code that computes scores applies the format's defaults.
type Settings struct {
	// Settings that only the legacy format has.
	OnReject                 string // "break" or "continue"
	Grading                  string // "default" or "custom"
	GraderFlags              []string
	AcceptScore, RejectScore *float64
	Range                    *[2]float64 // may be infinite

	// Settings that only the later formats, Polygon, DMOJ and Rime have. They are never inherited.
	Aggregation string // "pass-fail", "sum" or "min"
	MaxScore    *float64
	Unbounded   bool     // max_score: unbounded
	RoundUp     bool     // points are rounded up to a whole number; only in packages of SIO2
	Places      *int     // points are rounded to so many decimals; only in packages of pisek
	RequirePass []string // names of the groups that must be accepted first
	Whole       float64  // points for all cases of the group and of those that it requires
	Static      string   // static_validation_score as written; "" for none

	Arguments // the defaults for the group's cases
}

// Arguments are the command-line arguments of the programs that run on a case.
type Arguments struct {
	Args            []string // arguments of the submission
	InputArgs       InputArgs
	AnswerArgs      InputArgs
	OutputArgs      []string // arguments of the output validator, those of problem.yaml first
	OutputValidator string   // name of the only output validator to run; "" if all run
	FullFeedback    *bool    // whether a contestant who fails the case may see all of it
}

// InputArgs are the arguments of input validators or of answer validators.
type InputArgs struct {
	All []string            // arguments of every validator; unused unless By is nil
	By  map[string][]string // arguments by validator name; a validator without an entry gets none
}

// Of returns the arguments of the validator at the path rel. Its key in By is its file name, with
// or without the extension.
func (a InputArgs) Of(rel string) []string {
	if a.By == nil {
		return a.All
	}
	base := path.Base(rel)
	if args, ok := a.By[base]; ok {
		return args
	}
	return a.By[strings.TrimSuffix(base, path.Ext(base))]
}

// Case is a test case. The path of a file that it does not have is "".
type Case struct {
	Name  string // path below data without the extension, such as "secret/group1/03-max"
	Group string // name of the group, such as "secret/group1"

	Input       string
	Answer      string   // "" only in ValidInput and InvalidInput, or if an output validator judges, which then gets an empty answer
	Output      string   // output to validate; only in InvalidOutput and ValidOutput
	Files       string   // folder of files to copy into the submission's working folder, see [Draft.Beside]
	Inside      []string // slash paths of the files below Files
	Interaction string   // transcript of a sample interaction
	Overridden  bool     // contestants see another file instead of the answer
	HintFile    string   // separate file with a hint, see also Hint
	DescFile    string   // separate file with a description, see also Description
	Settings    string   // YAML file of this case

	InputSize, AnswerSize int64 // bytes

	Points     float64  // points for the case; only in packages of Polygon and DMOJ
	Validators []string // the input validators that read it; nil for all
	Submitted  string   // name of its output in a submission of outputs; only if OutputOnly is set
	Lines      bool     // its files are given with LF at the end of every line, the last one included, whatever they have

	Arguments
	Hint        string // text of the key hint in the YAML file
	Description string // text of the key description in the YAML file
}

// Case returns the case with that name among Cases, or nil.
func (p *Draft) Case(name string) *Case { return p.byName[name] }

// MaxArgs bounds the arguments in one list.
const MaxArgs = 256
