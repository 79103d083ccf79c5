// Package pkgformat reads problem packages: those of the ICPC/Kattis formats, of Polygon, DMOJ, CMS, TPS,
// SIO2, Library Checker, Rime, pisek, rbx and CPH, and plain folders of inputs and answers. Start at [Open] in open.go;
// [Package.Problem] in problem.go makes the problem to judge.
//
// It only reads and describes; it runs nothing. [Package.Notes] lists the parts of a package that
// tribunal does not support. If ignoring such a part would change what a verdict means, it is an
// error. Links that lead out of a package are followed only below a folder that the user names, and files
// are only written below the scratch folder given to [Open].
package pkgformat

import (
	"path/filepath"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// The formats that [Open] detects. Versions of the specification that differ only in name share a
// constant.
const (
	Legacy  = problem.Legacy // no problem_format_version, legacy or legacy-icpc
	Draft   = "2023-07"      // 2023-07 and 2023-07-draft
	Latest  = "2025-09"      // 2025-09, its draft, and draft
	Pairs   = "pairs"        // a folder of inputs with answers, such as x.in with x.ans
	DMOJ    = "dmoj"         // init.yml
	Polygon = "polygon"      // tests/01 with tests/01.a, with or without problem.xml
	CMS     = "cms"          // task.yaml of CMS
	Sinol   = "sinol"        // prog/ and config.yml of SIO2
	Library = "library"      // info.toml of Library Checker
	Pisek   = "pisek"        // config of pisek
	TPS     = "tps"          // problem.json, with the tests in gen/data
	Rime    = "rime"         // PROBLEM, with folders for solutions and tests
	Rbx     = "rbx"          // problem.rbx.yml
	CPH     = "cph"          // a file of Competitive Programming Helper
)

// Package describes a problem package as [Open] found it. Its paths are slash paths relative to
// Dir; [Package.File] turns one into a path to open. A Package does not change after Open and is
// safe for concurrent use.
type Package struct {
	Path   string // as given to Open, and as messages show it
	Dir    string // the folder with the files: in Path, or below scratch for an archive
	Format string // one of the constants

	Dialect Dialect // in the Kattis formats; otherwise ""
	Because string  // why the package is of this dialect, as words after "because"

	// Name is the English name, or else the first name, or else the name of the folder.
	Name     string
	Names    map[string]string // by language code; a name without a language is under "en"
	UUID     string
	Source   string // the contest or collection that the problem is from; may be ""
	License  string
	Authors  []string
	Keywords []string

	Scoring     bool // type: scoring; otherwise pass-fail
	Minimize    bool // lower scores are better; legacy scoring only
	Interactive bool // an output validator or interactor talks to the submission
	MultiPass   bool // the output validator may request more runs, up to Passes in total
	OutputOnly  bool // contestants submit outputs, not programs; noted and not supported in the Kattis formats
	// InFile and OutFile are the files that submissions use instead of standard input and output; ""
	// for these. Only packages of Polygon and CMS have them.
	InFile, OutFile string
	filesKeys       string // which keys name these files, and the values that stand for none
	Passes          int    // 1 unless MultiPass

	// Limits are the limits of one run of a submission. CPU, Wall, Processes and CPUs are always 0:
	// the time limit is in Time. If the package does not set Memory or Output, they are the values
	// that the specification calls typical.
	Limits     limits.Limits
	Exceptions []problem.Exception // to these limits and to the time limit; later ones replace earlier ones
	Time       problem.Timing
	Validate   limits.Limits // CPU, Memory and Output of a validator on one case

	problem.Terms // the conditions that submissions must meet
	// Constants are the values for {{name}} in programs, see [Package.Fill]. In the settings of
	// cases and groups they are already filled in.
	Constants map[string]string

	Validation       Validation
	InputValidators  []string // each a file or a folder; all must accept an input
	InputProtocol    problem.Protocol
	AnswerValidators []string
	Graders          []string // programs that compute the scores of groups with custom grading
	Include          []Include
	Statements       []Statement

	// Data is the root group, named "". In the Kattis formats it holds the groups sample and secret.
	Data *Group
	// Cases are the cases that submissions are judged on, in judging order.
	Cases []*Case
	// The cases that test the validators. In the Kattis formats they are sorted by name, and each name
	// begins with that of its folder, such as "invalid_input/". Only Polygon packages have ValidInput.
	ValidInput, InvalidInput, InvalidAnswer, InvalidOutput, ValidOutput []*Case
	// ShownOutput are the cases of 2025-09 with an output that contestants see instead of the answer.
	ShownOutput []*Case

	Submissions []problem.Submission // example submissions, sorted by path

	// Missing is nil, or an error that says that the package has no cases but samples.
	Missing *yamlstrict.Error

	// Notes name everything in the package that is unknown, unsupported or unused, one sentence each,
	// with the file and line where that helps: "hello/problem.yaml:7: …".
	Notes []string

	inclusion  *inclusion // nil unless places of included files matter
	shown      string     // Dir as messages show it
	files      *tree
	unpacker   func(rel string) error                    // extracts an archive of the package; nil after Open
	maker      func([]Step) (map[string]MadeFile, error) // nil if programs cannot be run, and after Open
	made       map[string]MadeFile                       // by path; none of them is in the folder
	windows    map[string]bool                           // paths of test data in which CRLF ends a line
	written    int                                       // number of files in made that no program made
	programs   map[string]*program                       // by path: see [Package.program]
	submitted  program                                   // what holds for all submissions: unbuffered and macros
	signature  *signature                                // what is compiled with submissions to a package of DMOJ; nil for nothing
	notes      notes
	given      Dialect                 // as in [Options]
	tags       map[string]taggedSource // annotations by path of the submission
	pointKeys  []pointKey
	newerKeys  bool         // not all of pointKeys are those of the legacy format in its file
	comparison diff.Options // how outputs are compared; only in packages of DMOJ, Rime, pisek and rbx
	single     string       // the file that is the package; "" if a folder is
	rules      int          // number of rules of all submissions so far, at most maxRules
	filled     int          // bytes of all arguments so far, after constants are filled in, at most maxFilled
	byName     map[string]*Case
}

// ID returns the short name of the package: the name of its folder, or of its archive without the
// extension.
func (p *Package) ID() string {
	name := p.Path
	if abs, err := filepath.Abs(name); err == nil {
		name = abs // "." is not a name
	}
	name = filepath.Base(name)
	if p.Path != p.Dir {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// File returns the path with which to open a file of the package.
func (p *Package) File(rel string) string { return filepath.Join(p.Dir, filepath.FromSlash(rel)) }

// Show returns the path of a file of the package as messages show it.
func (p *Package) Show(rel string) string {
	if rel == "." {
		return p.shown
	}
	return strings.TrimSuffix(p.shown, "/") + "/" + rel
}

// Validation says how outputs are judged. Without Programs, the Kattis formats use their default
// validator with the OutputArgs of each case, Pairs compares bytes, and most others compare tokens.
type Validation struct {
	Protocol problem.Protocol
	Programs []string // each a file or a folder; all must accept an output
	// Interactor is a testlib interactor. It talks to the submission and writes an output. The
	// programs of Programs judge this output; if there are none, the interactor gives the verdict. ""
	// if there is no interactor.
	Interactor string
	Score      bool     // Programs report a score
	Form       []string // replaces the arguments of the protocol: see [problem.Validator]
	// Source and Measured say what the programs read about a submission: see [problem.Validator].
	Source, Measured bool
	Headers          []string // files that programs may include by base name, such as files/testlib.h
	Line             int      // line of the key validation in problem.yaml; 0 if there is none
}

// Include is a folder of files to add to the submissions of a language.
type Include struct {
	Language string // language code of the package, or "default" for languages without a folder of their own
	Path     string
	Files    []string // slash paths below Path, subfolders included
}

// Statement is a file with the problem statement.
type Statement struct {
	Language string // "en" if the file has none
	Path     string
}
