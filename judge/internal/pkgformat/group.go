package pkgformat

import (
	"path"
	"strings"
)

// Group is a test group: a folder of cases and of other groups.
type Group struct {
	Name     string // such as "secret/group1"; "" for the root group
	Settings Settings
	Cases    []*Case // in judging order
	Groups   []*Group
}

// Settings are the settings of a group, including those inherited from the groups around it. A
// setting that no file gives is zero; the code that computes scores applies the format's defaults.
type Settings struct {
	// Only in the legacy format.
	OnReject                 string // "break" or "continue"
	Grading                  string // "default" or "custom"
	GraderFlags              []string
	AcceptScore, RejectScore *float64
	Range                    *[2]float64 // may be infinite

	// Only in the later formats and Polygon; never inherited.
	Aggregation string // "pass-fail", "sum" or "min"
	MaxScore    *float64
	Unbounded   bool     // max_score: unbounded
	RequirePass []string // names of the groups that must be accepted first
	Static      string   // static_validation_score as written; "" for none

	Arguments // the defaults for the group's cases
}

// Arguments are the command-line arguments of the programs that run on a case.
type Arguments struct {
	Args            []string // of the submission
	InputArgs       InputArgs
	AnswerArgs      InputArgs
	OutputArgs      []string // of the output validator, those of problem.yaml first
	OutputValidator string   // the name of the only one to run; "" for all
	FullFeedback    *bool    // whether a contestant who fails the case may see all of it
}

// InputArgs are the arguments of input validators or of answer validators.
type InputArgs struct {
	All []string            // of every validator, if By is nil
	By  map[string][]string // by the name of the validator; one that is missing gets no arguments
}

// Of returns the arguments of the validator at the path rel. The key in By may lack its extension.
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
	Name  string // the path below data without the extension, such as "secret/group1/03-max"
	Group string // the name of its group, such as "secret/group1"

	Input       string
	Answer      string   // "" only in ValidInput and InvalidInput, or with a custom validator, which then gets an empty one
	Output      string   // the output to validate, in InvalidOutput and ValidOutput
	Files       string   // the folder of files to copy into the submission's working folder, see [Package.Beside]
	Inside      []string // the files in Files, as slash paths below it
	Interaction string   // a transcript to show
	HintFile    string
	DescFile    string
	Settings    string // the YAML file of this case

	InputSize, AnswerSize int64 // bytes

	Points float64 // of a test of Polygon's

	Arguments
	Hint        string // from the YAML file; see HintFile
	Description string // from the YAML file; see DescFile
}

// Case returns the case with that name among Cases, or nil.
func (p *Package) Case(name string) *Case { return p.byName[name] }
