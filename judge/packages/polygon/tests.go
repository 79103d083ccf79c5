package polygon

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// set is a testset of problem.xml.
type set struct {
	Name    string `xml:"name,attr"`
	Time    string `xml:"time-limit"`   // ms
	Memory  string `xml:"memory-limit"` // bytes
	Count   int    `xml:"test-count"`
	Inputs  string `xml:"input-path-pattern"`
	Outputs string `xml:"output-path-pattern"` // in tests of a checker: files with the outputs to judge
	Answers string `xml:"answer-path-pattern"`
	Tests   []struct {
		Sample bool   `xml:"sample,attr"`
		Group  string `xml:"group,attr"`
		Points string `xml:"points,attr"`
		// The command that makes the input of a generated test, whose standard output it is, or a file
		// that the generator leaves.
		Command  string `xml:"cmd,attr"`
		FromFile string `xml:"from-file,attr"`
		// Only tests of a checker or a validator have these. Verdict is valid or invalid, or a name as in
		// the tags of solutions.
		Verdict string `xml:"verdict,attr"`
		Testset string `xml:"testset,attr"`
	} `xml:"tests>test"`
	Groups []group `xml:"groups>group"`
}

type group struct {
	Name         string `xml:"name,attr"`
	Policy       string `xml:"points-policy,attr"`
	Dependencies []struct {
		Group string `xml:"group,attr"`
	} `xml:"dependencies>dependency"`
}

var numberVerb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%(0?)([0-9]?)d`) })

// numbered inserts a number into a pattern such as tests/%02d.
func numbered(pattern string, n int) string {
	return numberVerb().ReplaceAllStringFunc(pattern, func(verb string) string {
		m := numberVerb().FindStringSubmatch(verb)
		text := strconv.Itoa(n)
		if width, _ := strconv.Atoi(m[2]); m[1] == "0" && len(text) < width {
			text = strings.Repeat("0", width-len(text)) + text
		}
		return text
	})
}

// polygonTests adds the tests of a set. A test without a group joins the group sample if the
// statement shows it, and otherwise the group tests. Tests are judged in the order of their
// numbers, or group by group if the problem has points.
func (p *reader) polygonTests(doc polygonXML, set set) error {
	groups := map[string]*draft.Group{}
	count := max(set.Count, len(set.Tests))
	for _, pattern := range []string{set.Inputs, set.Answers} {
		if count > 1 && !numberVerb().MatchString(pattern) || count > tree.MaxEntries {
			return p.Tree.Errorf(polygonFile, 0, "", "%d tests do not fit the file pattern %s", count, quote.Name(pattern))
		}
	}
	for n := 1; n <= count; n++ {
		input := path.Clean(numbered(set.Inputs, n))
		answer := path.Clean(numbered(set.Answers, n))
		c := &draft.Case{Group: "tests", Input: input, Answer: answer}
		p.WindowsFiles(c)
		given := ""
		if n <= len(set.Tests) {
			given = set.Tests[n-1].Group
			if err := p.polygonTest(c, set, n); err != nil {
				return err
			}
		}
		c.InputArgs.All = validatorArgs(set.Name, given)
		c.Name = c.Group + "/" + path.Base(input)
		if groups[c.Group] == nil {
			groups[c.Group] = &draft.Group{Name: c.Group, Settings: draft.Settings{Aggregation: "sum"}}
			p.Data.Groups = append(p.Data.Groups, groups[c.Group])
		}
		groups[c.Group].Cases = append(groups[c.Group].Cases, c)
		p.Cases = append(p.Cases, c)
	}
	if err := p.makeTests(doc, set, p.Cases); err != nil {
		return err
	}
	for _, c := range p.Cases {
		if err := p.Sizes(c); err != nil {
			return err
		}
	}
	if err := p.polygonGroups(set.Groups, groups); err != nil {
		return err
	}
	if p.Scoring { // judge the tests of a group together, because their points are added up
		p.Cases = nil
		for _, g := range p.Data.Groups {
			p.Cases = append(p.Cases, g.Cases...)
		}
	}
	return nil
}

// polygonTest reads the group and the points of the n-th test, from 1.
func (p *reader) polygonTest(c *draft.Case, set set, n int) error {
	t := set.Tests[n-1]
	switch {
	case t.Group != "":
		if c.Group = t.Group; !fs.ValidPath(c.Group) || c.Group == "." || strings.Contains(c.Group, "/") {
			return p.Tree.Errorf(polygonFile, 0, "", "test %d: invalid group name %s", n, quote.Name(c.Group))
		}
	case t.Sample:
		c.Group = "sample"
	}
	if t.Points == "" {
		return nil
	}
	points, err := strconv.ParseFloat(strings.TrimSpace(t.Points), 64)
	if err != nil || !(points >= 0) || math.IsInf(points, 1) {
		return p.Tree.Errorf(polygonFile, 0, "", "invalid points of test %d: %s", n, quote.Name(t.Points))
	}
	c.Points, p.Scoring = points, true
	return nil
}

// polygonGroups reads the points policies of groups and their dependencies.
func (p *reader) polygonGroups(list []group, groups map[string]*draft.Group) error {
	for _, from := range list {
		g := groups[from.Name]
		if g == nil {
			p.Note(polygonFile, 0, "a group without tests: %s", quote.Name(from.Name))
			continue
		}
		switch from.Policy {
		case "complete-group":
			g.Settings.Aggregation = "pass-fail"
		case "each-test", "":
		default:
			return p.Tree.Errorf(polygonFile, 0, "write complete-group or each-test", "unknown points-policy of group %s: %s", quote.Name(from.Name), quote.Name(from.Policy))
		}
		for _, d := range from.Dependencies {
			g.Settings.RequirePass = append(g.Settings.RequirePass, d.Group)
		}
	}
	return nil
}

// toolTests adds the tests of the validator and of the checker. Judging does not need them, so a
// missing file only gets a note.
func (p *reader) toolTests(doc polygonXML) {
	if len(doc.Validators) > 1 {
		p.Note(polygonFile, 0, "tests of several validators are not supported")
	} else if len(doc.Validators) == 1 {
		p.toolTest(doc.Validators[0].Tests, map[string]*[]*draft.Case{"valid": &p.ValidInput, "invalid": &p.InvalidInput})
	}
	p.toolTest(doc.Checker.Tests, map[string]*[]*draft.Case{
		"ok": &p.ValidOutput, "wrong-answer": &p.InvalidOutput, "presentation-error": &p.InvalidOutput,
	})
}

// toolTest adds each test of a validator or checker to the list for its expected verdict.
func (p *reader) toolTest(set set, lists map[string]*[]*draft.Case) {
	for i, t := range set.Tests {
		c := &draft.Case{Name: path.Clean(numbered(set.Inputs, i+1))}
		c.Input, c.InputArgs.All = c.Name, validatorArgs(t.Testset, t.Group)
		if set.Answers != "" {
			c.Answer, c.Output = path.Clean(numbered(set.Answers, i+1)), path.Clean(numbered(set.Outputs, i+1))
		}
		p.WindowsFiles(c)
		list := lists[t.Verdict]
		if list == nil {
			p.Note(c.Name, 0, "not used: a test with the unsupported verdict %s", quote.Name(t.Verdict))
			continue
		}
		if err := p.Sizes(c); err != nil {
			p.NoteSkipped(err, "the test")
			continue
		}
		*list = append(*list, c)
	}
}

// validatorArgs returns the arguments that Polygon gives to an input validator.
func validatorArgs(testset, group string) []string {
	var args []string
	if testset != "" {
		args = append(args, "--testset", testset)
	}
	if group != "" {
		args = append(args, "--group", group)
	}
	return args
}

// makeTests makes the inputs and answers that a standard package lacks: a full package holds them.
// Inputs come from the commands in problem.xml, answers from the main solution. Those of
// interactive problems are empty, because Polygon's are the output of the interactor.
func (p *reader) makeTests(doc polygonXML, set set, list []*draft.Case) error {
	generators := map[string]string{}
	for _, e := range doc.Executables {
		rel := path.Clean(e.Path)
		generators[strings.TrimSuffix(path.Base(rel), path.Ext(rel))] = rel
	}
	var inputs, answers []draft.Step
	several := map[string]int{} // by command: the index of the step that makes files for several tests
	main := slices.IndexFunc(p.Submissions, func(s problem.Submission) bool { return s.Model })
	for i, c := range list {
		where := fmt.Sprintf("%s: test %d", polygonFile, i+1)
		file, _, err := p.Tree.Kind(c.Input)
		if err != nil {
			return err
		}
		if !file && (i >= len(set.Tests) || set.Tests[i].Command == "") {
			return p.Tree.Errorf(c.Input, 0, "download the full package, which includes the generated tests", "no such file")
		}
		if !file {
			t := set.Tests[i]
			words, ok := yamlloose.SplitShell(t.Command)
			if !ok || len(words) == 0 {
				return p.Tree.Errorf(polygonFile, 0, "", "test %d: invalid command %s", i+1, quote.Name(t.Command))
			}
			program := generators[words[0]]
			if program == "" {
				return p.Tree.Errorf(polygonFile, 0, "executables lists the generators", "test %d: there is no generator %s", i+1, quote.Name(words[0]))
			}
			at, begun := several[t.Command]
			switch {
			case t.FromFile == "":
				inputs = append(inputs, draft.Step{Program: program, Args: words[1:], Stdout: c.Input, From: where})
			case begun:
				inputs[at].Left[path.Clean(t.FromFile)] = c.Input
			default:
				several[t.Command] = len(inputs)
				inputs = append(inputs, draft.Step{Program: program, Args: words[1:], Left: map[string]string{path.Clean(t.FromFile): c.Input}, From: where})
			}
		}
		if file, _, err = p.Tree.Kind(c.Answer); err != nil {
			return err
		}
		switch {
		case file:
		case p.Validation.Interactive:
			c.Answer = ""
		case main < 0:
			return p.Tree.Errorf(polygonFile, 0, "give one solution the tag main", "no main solution makes %s", quote.Name(c.Answer))
		default:
			answers = append(answers, p.AnswerStep(p.Submissions[main].Path, c, where))
		}
	}
	if err := p.Make(inputs); err != nil {
		return err
	}
	return p.Make(answers)
}
