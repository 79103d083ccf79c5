package pkgformat

import (
	"path"
	"strings"
)

// Group is a folder of cases and of other groups.
type Group struct {
	Name     string // such as "secret/group1"; "" for the group of all
	Settings Settings
	Cases    []*Case // in order of their names
	Groups   []*Group
}

// Settings are those of a group, with what it inherits from the groups around it.
// What no file says has its zero value; the defaults of a format are for whoever
// computes with it.
type Settings struct {
	// Of the legacy format.
	OnReject                 string // "break" or "continue"
	Grading                  string // "default" or "custom"
	GraderFlags              []string
	AcceptScore, RejectScore *float64
	Range                    *[2]float64 // may be infinite

	// Of the later formats, never inherited, and of Polygon's.
	Aggregation string // "pass-fail", "sum" or "min"
	MaxScore    *float64
	Unbounded   bool     // max_score: unbounded
	RequirePass []string // names of groups
	Static      string   // static_validation_score as written; "" for none

	Arguments // what a case has that does not say otherwise
}

// Arguments are how programs are called on a case.
type Arguments struct {
	Args            []string // of the submission
	InputArgs       InputArgs
	AnswerArgs      InputArgs
	OutputArgs      []string // of the output validator, those of problem.yaml first
	OutputValidator string   // the name of the only one that is asked; "" for all
	FullFeedback    *bool    // whether whoever fails the case may see all of it
}

// InputArgs are the arguments of input validators, or of answer validators.
type InputArgs struct {
	All []string            // of each, if By is nil
	By  map[string][]string // by the name of the validator; one that is not there has none
}

// Of returns the arguments of the validator that is that file or folder of the package. Its
// name may lack the ending.
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

// Case is one test. Files that it does not have are "".
type Case struct {
	Name  string // the path below data without the extension, such as "secret/group1/03-max"
	Group string // the name of its group, such as "secret/group1"

	Input       string
	Answer      string   // "" only in ValidInput and InvalidInput, or with a custom validator: then it is empty
	Output      string   // what is to be validated, in InvalidOutput and ValidOutput
	Files       string   // a folder of files that the submission finds where it starts, see [Package.Beside]
	Inside      []string // the files in that folder, by slash paths below it
	Interaction string   // a transcript to show
	HintFile    string
	DescFile    string
	Settings    string // the YAML file of this case

	InputSize, AnswerSize int64 // bytes

	Points float64 // that a test of Polygon's is worth

	Arguments
	Hint        string // of the YAML file; see HintFile
	Description string // of the YAML file; see DescFile
}

// Case returns the case of that name among those that submissions are judged on, or
// nil.
func (p *Package) Case(name string) *Case { return p.byName[name] }
