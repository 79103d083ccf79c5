package polygon

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

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
