package draft

import (
	"cmp"
	"errors"
	"io/fs"
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
	Note        string // what reports say about the case, on one line; unlike the description not only for its authors
}

// MaxArgs bounds the arguments in one list.
const MaxArgs = 256

// Order adds the groups and their cases to the package in natural order, samples first.
func (p *Draft) Order(groups map[string]*Group) error {
	for _, name := range SortedKeys(groups) {
		g := groups[name]
		slices.SortFunc(g.Cases, func(a, b *Case) int { return Natural(a.Name, b.Name) })
		for i := 1; i < len(g.Cases); i++ {
			if c := g.Cases[i]; c.Name == g.Cases[i-1].Name {
				return p.Tree.Errorf(c.Input, 0, "rename it", "two cases are called %s", c.Name)
			}
		}
		p.Data.Groups = append(p.Data.Groups, g)
	}
	slices.SortFunc(p.Data.Groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), Natural(a.Name, b.Name))
	})
	for _, g := range p.Data.Groups {
		p.Cases = append(p.Cases, g.Cases...)
	}
	return nil
}

// rank sorts sample groups before all others.
func rank(group string) int {
	if IsSample(group) {
		return 0
	}
	return 1
}

// IsSample reports whether a group holds samples.
func IsSample(group string) bool {
	first, _, _ := strings.Cut(group, "/")
	return first == "sample" || first == "samples"
}

// Natural compares texts by natural order: digits in them compare as numbers. Texts that differ
// only in leading zeros are not equal.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := Digits(x), Digits(y)
		if n == 0 || m == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		u, v := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
		if d := cmp.Or(cmp.Compare(len(u), len(v)), strings.Compare(u, v)); d != 0 {
			return d
		}
		x, y = x[n:], y[m:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// Digits returns the number of digits at the start of a text.
func Digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// Sizes sets the sizes of the files of a case. A missing file is an error.
func (p *Draft) Sizes(c *Case) error {
	var output int64
	for _, f := range []struct {
		rel  string
		size *int64
	}{{c.Input, &c.InputSize}, {c.Answer, &c.AnswerSize}, {c.Output, &output}} {
		if f.rel == "" {
			continue
		}
		if made, ok := p.MadeFiles[f.rel]; ok {
			*f.size = made.Size
			continue
		}
		info, err := p.Tree.Stat(f.rel)
		if errors.Is(err, fs.ErrNotExist) {
			return p.Tree.Errorf(f.rel, 0, "download the full package, which includes the generated tests", "no such file")
		} else if err != nil {
			return p.Tree.Fail(f.rel, err)
		}
		if !info.Mode().IsRegular() {
			return p.Tree.Errorf(f.rel, 0, "", "not a regular file")
		}
		*f.size = info.Size()
	}
	return nil
}

// WindowsFiles records that CRLF ends the lines of a case if the package is for Windows.
func (p *Draft) WindowsFiles(c *Case) {
	if p.Windows != nil {
		p.Windows[c.Input], p.Windows[c.Answer], p.Windows[c.Output] = true, true, true
	}
}

// MaxListed bounds the tests that a file lists.
const MaxListed = 100_000

// Subtask is a set of cases that gives points if all of them are accepted. Subtasks may share cases.
type Subtask struct {
	Name   string
	Points float64
	Has    func(*Case) bool
	Steps  int // that has takes, besides a few
}

// Divide arranges the cases into groups so that each subtask gets its points. Cases that belong to
// the same subtasks form a group, named for the first of them; cases of no subtask keep their group.
// The points of a subtask belong to its last group, which requires its others. The groups come in the
// order of the subtasks, after the cases of none. rel is the file that lists the subtasks.
func (p *Draft) Divide(rel string, list []Subtask) error {
	steps := 0
	for _, s := range list {
		steps += 16 + len(s.Name) + s.Steps
	}
	if err := p.Tree.Spend(rel, len(p.Cases)*steps); err != nil {
		return err
	}
	type set struct {
		of    []int // indices of its subtasks
		cases []*Case
	}
	var free []*Case
	sets := map[string]*set{}
	var order []*set
	for _, c := range p.Cases {
		var of []int
		var key strings.Builder
		for i, s := range list {
			if s.Has(c) {
				of = append(of, i)
				key.WriteString(s.Name + "\x00")
			}
		}
		if of == nil {
			free = append(free, c)
			continue
		}
		if sets[key.String()] == nil {
			sets[key.String()] = &set{of: of}
			order = append(order, sets[key.String()])
		}
		sets[key.String()].cases = append(sets[key.String()].cases, c)
	}
	p.Data.Groups, p.Cases = nil, nil
	add := func(name string, cases []*Case) *Group {
		g := &Group{Name: name, Cases: cases}
		for _, c := range cases {
			c.Name = strings.TrimPrefix(c.Name, c.Group+"/")
			c.Group, c.Name = name, path.Join(name, c.Name)
		}
		p.Data.Groups, p.Cases = append(p.Data.Groups, g), append(p.Cases, cases...)
		return g
	}
	for from := 0; from < len(free); {
		to := from
		for to < len(free) && free[to].Group == free[from].Group {
			to++
		}
		add(free[from].Group, free[from:to:to])
		from = to
	}
	parts := make([][]string, len(list)) // names of the groups of each subtask so far
	for i, s := range list {
		var own []*Case
		for _, one := range order {
			if one.of[0] != i {
				continue
			}
			if len(one.of) == 1 {
				own = one.cases
				continue
			}
			name := s.Name
			for _, other := range one.of[1:] {
				name += "+" + list[other].Name
			}
			add(name, one.cases)
			for _, other := range one.of {
				parts[other] = append(parts[other], name)
			}
		}
		g := add(s.Name, own) // after those that it requires; without cases if all are shared
		g.Settings.Whole, g.Settings.RequirePass = s.Points, parts[i]
	}
	return nil
}

// Fnmatch reports whether a pattern of a shell, with *, ? and [a-z], matches a name. A pattern that
// is none matches nothing.
func Fnmatch(pattern, name string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return err == nil && ok
}
