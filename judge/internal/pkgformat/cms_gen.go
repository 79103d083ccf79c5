package pkgformat

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/problem"
)

// cmsGEN lists the tests of a task, and how their inputs are made.
const cmsGEN = "gen/GEN"

// list reads the tests and the subtasks.
func (r *cmsReader) list() error {
	p := r.p
	data, err := p.files.read(cmsGEN, maxDocument)
	if err != nil {
		return err
	}
	if data != nil {
		if err := r.gen(string(data)); err != nil {
			return err
		}
	}
	override := r.kind != "" && r.rules.n != nil && r.count >= 0
	switch {
	case override || data == nil:
		if r.count < 0 {
			return p.files.errorf(cmsFile, 0, "it is the number of tests, which gen/GEN may list instead", "n_input is missing")
		}
		for len(r.tests) < r.count {
			r.tests = append(r.tests, cmsTest{})
		}
		r.tests = r.tests[:r.count]
	case r.count >= 0 && r.count != len(r.tests):
		return p.files.errorf(cmsFile, 0, "leave it out", "n_input is %d, but gen/GEN lists %d tests", r.count, len(r.tests))
	}
	if override {
		return r.scoreType()
	}
	if r.kind != "" || r.rules.n != nil {
		p.note(cmsFile, 0, "score_type and its parameters are ignored: CMS wants score_type, score_type_parameters and n_input")
		r.kind = ""
	}
	return nil
}

// gen reads gen/GEN: a line is a test with the arguments of the generator, an input to copy or the
// beginning of a subtask; all other comments are skipped.
func (r *cmsReader) gen(text string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		call, comment, _ := strings.Cut(line, "#")
		call, comment = strings.TrimSpace(call), strings.TrimSpace(comment)
		points, begins := strings.CutPrefix(comment, "ST:")
		copied, copies := strings.CutPrefix(comment, "COPY:")
		t := cmsTest{line: number, subtask: len(r.parts)}
		bad := func(hint, format string, args ...any) error {
			return r.p.files.errorf(cmsGEN, number, hint, format, args...)
		}
		switch {
		case call != "" && (begins || copies):
			return bad("", "a test and a command on one line")
		case begins:
			worth, err := strconv.ParseFloat(strings.TrimSpace(points), 64)
			if err != nil || !(worth >= 0) || worth > 1e9 {
				return bad("write # ST: 30", "%s is no number of points", show(strings.TrimSpace(points)))
			}
			if len(r.parts) == 0 && len(r.tests) > 0 {
				return bad("move it above them", "the first subtask begins after %d tests", len(r.tests))
			}
			r.parts = append(r.parts, cmsPart{points: worth})
			continue
		case copies:
			if t.copied = path.Clean(strings.TrimSpace(copied)); !fs.ValidPath(t.copied) {
				return bad("", "%s is no path in the package", show(copied))
			}
		case call != "":
			t.args = strings.Fields(call)
		default:
			continue
		}
		if len(r.tests) == maxCMS {
			return bad("", "more than %d tests", maxCMS)
		}
		if n := len(r.parts); n > 0 {
			r.parts[n-1].tests = append(r.parts[n-1].tests, len(r.tests))
		}
		r.tests = append(r.tests, t)
	}
	for i, part := range r.parts {
		if part.tests == nil {
			return r.p.files.errorf(cmsGEN, 0, "", "subtask %d has no tests", i+1)
		}
	}
	return nil
}

// scoreType reads score_type_parameters.
func (r *cmsReader) scoreType() error {
	r.parts = nil
	switch r.kind {
	case "Sum":
		each, err := r.rules.number(0)
		r.total = each * float64(len(r.tests))
		return err
	case "GroupMul": // without partial scores, the product of outcomes is the least one
		if r.p.Validation.Programs != nil {
			return r.rules.wrong("", "GroupMul with a checker is not supported")
		}
	case "GroupMin":
	default:
		return r.rules.errorf("Sum and GroupMin are", "the score type %s is not supported", show(r.kind))
	}
	next := 0
	for _, item := range r.rules.items() {
		var worth, tests node
		if pair := item.items(); len(pair) >= 2 {
			worth, tests = *pair[0], *pair[1]
		}
		if item.isMapping() {
			err := item.each(map[string]func(node) error{
				"max_score": func(n node) error { worth = n; return nil }, "testcases": func(n node) error { tests = n; return nil },
				"threshold": nil, "always_show_testcases": nil,
			})
			if err != nil {
				return err
			}
		}
		if worth.n == nil || tests.n == nil {
			return item.errorf("write [points, tests]", "a subtask without points or tests")
		}
		part := cmsPart{}
		var err error
		if part.points, err = worth.number(0); err != nil {
			return err
		}
		if part.tests, err = r.selected(tests, next); err != nil {
			return err
		}
		if len(part.tests) == 0 {
			return item.errorf("", "a subtask without tests")
		}
		next += len(part.tests)
		r.parts = append(r.parts, part)
	}
	if r.parts == nil {
		return r.rules.errorf("write a list of [points, tests]", "no subtasks")
	}
	return nil
}

// selected returns the tests of a subtask: a number of tests from next on, those whose names match an
// expression, or a list of names. Tests are called 000, 001, ….
func (r *cmsReader) selected(n node, next int) (list []int, err error) {
	all := len(r.tests)
	if names := n.items(); names != nil {
		for _, one := range names {
			name, err := one.text()
			if err != nil {
				return nil, err
			}
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= all {
				return nil, one.errorf("tests are called 000, 001, …", "there is no test %s", show(name))
			}
			list = append(list, i)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	text, err := n.text()
	if err != nil {
		return nil, err
	}
	if n.n.Tag == "!!int" {
		count, err := strconv.Atoi(text)
		if err != nil || count < 0 || next+count > all {
			return nil, n.errorf("", "%s tests from test %d on, but there are %d tests", show(text), next, all)
		}
		for i := range count {
			list = append(list, next+i)
		}
		return list, nil
	}
	match, err := regexp.Compile("^(?:" + text + ")")
	if err != nil {
		return nil, n.errorf("", "%s is no expression for names of tests", show(text))
	}
	for i := range all {
		if match.MatchString(fmt.Sprintf("%03d", i)) {
			list = append(list, i)
		}
	}
	return list, nil
}

// make makes the inputs and outputs that the package lacks, as cmsMake does: inputs by the generator
// or as copies, outputs by the solution.
func (r *cmsReader) make() error {
	p := r.p
	generator, err := r.program("gen", "generator", "generatore")
	if err != nil {
		return err
	}
	model := slices.IndexFunc(p.Submissions, func(s problem.Submission) bool { return s.Expect.Final == accepted })
	var inputs, outputs []Step
	done := map[string]bool{}
	for _, c := range p.Cases {
		i, _ := strconv.Atoi(path.Base(c.Name))
		t := r.tests[i]
		input, _, err := p.files.kind(c.Input)
		if err != nil {
			return err
		}
		output, _, err := p.files.kind(c.Answer)
		if err != nil {
			return err
		}
		where := fmt.Sprintf("%s:%d", cmsGEN, t.line)
		switch {
		case input:
		case t.copied != "":
			if file, _, err := p.files.kind(t.copied); err != nil {
				return err
			} else if !file {
				return p.files.errorf(cmsGEN, t.line, "add it", "copies %s, which is not in the package", show(t.copied))
			}
			c.Input = t.copied
		case t.line == 0:
			return p.files.errorf(c.Input, 0, "add it, or list the tests in gen/GEN", "no such file")
		case generator == "":
			return p.files.errorf(c.Input, 0, "add gen/generator.py, or another language's", "no such file, and no generator that makes it")
		case !done[c.Input]:
			step := Step{Program: generator, Args: t.args, Stdout: c.Input, From: where}
			if step.Files, err = r.argued(t.args); err != nil {
				return err
			}
			inputs = append(inputs, step)
			done[c.Input] = true
		}
		switch {
		case output:
		case model < 0:
			return p.files.errorf(c.Answer, 0, "add sol/solution.cpp, or another language's", "no such file, and no solution that makes it")
		case !done[c.Answer]:
			outputs = append(outputs, p.answerStep(p.Submissions[model].Path, c, where))
			done[c.Answer] = true
		}
	}
	if err := p.make(inputs); err != nil {
		return err
	}
	if err := p.make(outputs); err != nil {
		return err
	}
	for _, c := range p.Cases {
		if err := p.sizes(c); err != nil {
			return err
		}
	}
	return nil
}

// argued returns the files of the package that arguments name, which a generator may read: it starts
// in the folder of the package.
func (r *cmsReader) argued(args []string) (map[string]string, error) {
	files := map[string]string{}
	for _, arg := range args {
		if !strings.Contains(arg, "/") || !fs.ValidPath(arg) {
			continue
		}
		if file, _, err := r.p.files.kind(arg); err != nil {
			return nil, err
		} else if file {
			files[arg] = arg
		}
	}
	return files, nil
}
