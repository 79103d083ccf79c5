package cms

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// gen lists the tests of a task, and how their inputs are made.
const gen = "gen/GEN"

// list reads the tests and the subtasks: from gen/cases.gen, from gen/GEN, or by the inputs that
// there are.
func (r *reader) list() error {
	for _, source := range []struct {
		rel  string
		read func(text string) error
	}{{cases, r.cases}, {gen, r.gen}} {
		data, err := r.Tree.Read(source.rel, tree.MaxDocument)
		if err == nil && data != nil {
			data, err = r.Tree.Text(source.rel, data)
		}
		if err != nil {
			return err
		}
		if data == nil {
			continue
		}
		r.listed = source.rel
		if err := source.read(string(data)); err != nil {
			return err
		}
		break
	}
	for i, part := range r.parts {
		if part.tests == nil && part.on == nil {
			return r.Tree.Errorf(r.listed, part.line, "", "subtask %d has no tests", i+1)
		}
	}
	if r.listed == cases || r.file == orig { // task-maker has no other rules
		r.whole = r.kind == "Sum" || r.kind == "sum" || r.kind == "" && len(r.parts) == 1
		r.kind = ""
		return r.counted()
	}
	override := r.kind != "" && r.rules.Raw != nil && r.count >= 0
	switch {
	case override:
		for len(r.tests) < r.count {
			r.tests = append(r.tests, test{})
		}
		r.tests = r.tests[:r.count]
		return r.scoreType()
	case r.listed != "" && r.count >= 0 && r.count != len(r.tests):
		return r.Tree.Errorf(r.file, 0, "leave it out", "n_input is %d, but gen/GEN lists %d tests", r.count, len(r.tests))
	case r.kind != "" || r.rules.Raw != nil:
		r.Note(r.file, 0, "score_type and its parameters are ignored: CMS wants score_type, score_type_parameters and n_input")
		r.kind = ""
	}
	return r.counted()
}

// counted counts the inputs if no file lists the tests.
func (r *reader) counted() error {
	for r.listed == "" && (r.count < 0 || len(r.tests) < r.count) && len(r.tests) < draft.MaxListed {
		if file, _, err := r.Tree.Kind(fmt.Sprintf("input/input%d.txt", len(r.tests))); err != nil {
			return err
		} else if !file && r.count < 0 {
			break
		}
		r.tests = append(r.tests, test{})
	}
	if len(r.tests) == 0 {
		return r.Tree.Errorf(r.file, 0, "list them in gen/GEN, or add input/input0.txt", "no tests")
	}
	return nil
}

// gen reads gen/GEN: a line is a test with the arguments of the generator, an input to copy or the
// beginning of a subtask; all other comments are skipped. Right after a subtask begins, its name and
// the subtasks that it depends on may follow.
func (r *reader) gen(text string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		call, comment, _ := strings.Cut(line, "#")
		call, comment = strings.TrimSpace(call), strings.TrimSpace(comment)
		points, begins := strings.CutPrefix(comment, "ST:")
		copied, copies := strings.CutPrefix(comment, "COPY:")
		name, names := strings.CutPrefix(comment, "STNAME:")
		on, depends := strings.CutPrefix(comment, "STDEP:")
		bad := func(hint, format string, args ...any) error {
			return r.Tree.Errorf(gen, number, hint, format, args...)
		}
		switch {
		case call != "" && (begins || copies):
			return bad("", "a test and a command on one line")
		case begins:
			if len(r.parts) == 0 && len(r.tests) > 0 {
				return bad("move it above them", "the first subtask begins after %d tests", len(r.tests))
			}
			if err := r.begin(strings.TrimSpace(points), number, "write # ST: 30"); err != nil {
				return err
			}
		case call == "" && names:
			if err := r.named(strings.TrimSpace(name), number); err != nil {
				return err
			}
		case call == "" && depends:
			if err := r.depends(strings.Fields(on), number); err != nil {
				return err
			}
		case copies:
			if err := r.test(test{copied: strings.TrimSpace(copied), line: number}); err != nil {
				return err
			}
		case call != "":
			if err := r.test(test{args: strings.Fields(call), line: number}); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin begins a subtask.
func (r *reader) begin(points string, line int, hint string) error {
	worth, err := strconv.ParseFloat(points, 64)
	if err != nil || !(worth >= 0) || worth > 1e9 {
		return r.Tree.Errorf(r.listed, line, hint, "%s is no number of points", quote.Name(points))
	}
	if len(r.parts) == maxParts {
		return r.Tree.Errorf(r.listed, line, "", "more than %d subtasks", maxParts)
	}
	r.parts = append(r.parts, cmsPart{points: worth, line: line})
	return nil
}

// fresh returns the subtask that has just begun and has no tests yet.
func (r *reader) fresh(line int, what string) (*cmsPart, error) {
	if n := len(r.parts); n > 0 && r.parts[n-1].tests == nil {
		return &r.parts[n-1], nil
	}
	return nil, r.Tree.Errorf(r.listed, line, "move it below the beginning of the subtask", "%s does not follow the beginning of a subtask", what)
}

// named names the subtask that has just begun.
func (r *reader) named(name string, line int) error {
	part, err := r.fresh(line, "STNAME")
	switch {
	case err != nil:
		return err
	case part.name != "":
		return r.Tree.Errorf(r.listed, line, "", "a second name of a subtask")
	case name == "" || len(strings.Fields(name)) != 1:
		return r.Tree.Errorf(r.listed, line, "write one word", "%s is no name of a subtask", quote.Name(name))
	case slices.ContainsFunc(r.parts, func(p cmsPart) bool { return p.name == name }):
		return r.Tree.Errorf(r.listed, line, "", "two subtasks are called %s", quote.Name(name))
	}
	part.name = name
	return nil
}

// depends records on which subtasks the one that has just begun depends.
func (r *reader) depends(names []string, line int) error {
	part, err := r.fresh(line, "STDEP")
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := r.Tree.Spend(r.listed, 16+len(part.on)); err != nil {
			return err
		}
		if !slices.Contains(part.on, name) {
			part.on = append(part.on, name)
		}
	}
	return nil
}

// test adds a test to the current subtask, if there is one.
func (r *reader) test(t test) error {
	if t.copied != "" {
		if t.copied = path.Clean(t.copied); !fs.ValidPath(t.copied) {
			return r.Tree.Errorf(r.listed, t.line, "", "%s is no path in the package", quote.Name(t.copied))
		}
	}
	if len(r.tests) == draft.MaxListed {
		return r.Tree.Errorf(r.listed, t.line, "", "more than %d tests", draft.MaxListed)
	}
	if t.subtask = len(r.parts); t.subtask > 0 {
		part := &r.parts[t.subtask-1]
		part.tests = append(part.tests, len(r.tests))
	}
	r.tests = append(r.tests, t)
	return nil
}

// scoreType reads score_type_parameters.
func (r *reader) scoreType() error {
	listed := r.parts
	r.parts = nil
	switch r.kind {
	case "Sum":
		each, err := r.rules.Number(0)
		r.total = each * float64(len(r.tests))
		return err
	case "GroupMul": // without partial scores, the product of outcomes is the least one
		if r.Validation.Programs != nil {
			return r.rules.Wrong("", "GroupMul with a checker is not supported")
		}
	case "GroupMin":
	default:
		return r.rules.Errorf("Sum and GroupMin are", "the score type %s is not supported", quote.Name(r.kind))
	}
	next, total := 0, 0
	for _, item := range r.rules.Items() {
		var worth, tests yamlloose.Node
		if pair := item.Items(); len(pair) >= 2 {
			worth, tests = *pair[0], *pair[1]
		}
		if item.IsMapping() {
			err := item.Each(map[string]func(yamlloose.Node) error{
				"max_score": func(n yamlloose.Node) error { worth = n; return nil }, "testcases": func(n yamlloose.Node) error { tests = n; return nil },
				"threshold": nil, "always_show_testcases": nil,
			})
			if err != nil {
				return err
			}
		}
		if worth.Raw == nil || tests.Raw == nil {
			return item.Errorf("write [points, tests]", "a subtask without points or tests")
		}
		part := cmsPart{}
		var err error
		if part.points, err = worth.Number(0); err != nil {
			return err
		}
		if part.tests, err = r.selected(tests, next); err != nil {
			return err
		}
		if len(part.tests) == 0 {
			return item.Errorf("", "a subtask without tests")
		}
		next += len(part.tests)
		if total += len(part.tests); total > 10*draft.MaxListed || len(r.parts) == maxParts {
			return item.Errorf("", "more than %d subtasks, or more than %d tests of all together", maxParts, 10*draft.MaxListed)
		}
		r.parts = append(r.parts, part)
	}
	if r.parts == nil {
		return r.rules.Errorf("write a list of [points, tests]", "no subtasks")
	}
	for i := range listed {
		if len(listed) == len(r.parts) {
			r.parts[i].name = listed[i].name
		}
	}
	return nil
}

// selected returns the tests of a subtask: a number of tests from next on, those whose names match an
// expression, or a list of names. Tests are called 000, 001, ….
func (r *reader) selected(n yamlloose.Node, next int) (list []int, err error) {
	all := len(r.tests)
	if names := n.Items(); names != nil {
		for _, one := range names {
			name, err := one.Text()
			if err != nil {
				return nil, err
			}
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= all {
				return nil, one.Errorf("tests are called 000, 001, …", "there is no test %s", quote.Name(name))
			}
			list = append(list, i)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	text, err := n.Text()
	if err != nil {
		return nil, err
	}
	if n.Raw.Tag == "!!int" {
		count, err := strconv.Atoi(text)
		if err != nil || count < 0 || next+count > all {
			return nil, n.Errorf("", "%s tests from test %d on, but there are %d tests", quote.Name(text), next, all)
		}
		for i := range count {
			list = append(list, next+i)
		}
		return list, nil
	}
	match, err := regexp.Compile("^(?:" + text + ")")
	if err != nil {
		return nil, n.Errorf("", "%s is no expression for names of tests", quote.Name(text))
	}
	if err := r.Tree.Spend(r.file, 32*all); err != nil {
		return nil, err
	}
	for i := range all {
		if match.MatchString(fmt.Sprintf("%03d", i)) {
			list = append(list, i)
		}
	}
	return list, nil
}
