package cms

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// make makes the inputs and outputs that the package lacks, as cmsMake does: inputs by the generator
// or as copies, outputs by the solution.
func (r *reader) make() error {
	generator, err := r.program("gen", "generator", "generatore")
	if err != nil {
		return err
	}
	model := slices.IndexFunc(r.Submissions, func(s problem.Submission) bool { return s.Expect.Final == draft.Accepted })
	mentioned, err := r.mentioned(generator)
	if err != nil {
		return err
	}
	var inputs, outputs []draft.Step
	done := map[string]bool{}
	for _, c := range r.Cases {
		i, _ := strconv.Atoi(path.Base(c.Name))
		t := r.tests[i]
		input, _, err := r.Tree.Kind(c.Input)
		if err != nil {
			return err
		}
		output := c.Answer == "" // the manager judges
		if !output {
			if output, _, err = r.Tree.Kind(c.Answer); err != nil {
				return err
			}
		}
		where := fmt.Sprintf("%s:%d", r.listed, t.line)
		switch {
		case input:
		case t.copied != "":
			if file, _, err := r.Tree.Kind(t.copied); err != nil {
				return err
			} else if !file {
				return r.Tree.Errorf(r.listed, t.line, "add it", "copies %s, which is not in the package", quote.Name(t.copied))
			}
			c.Input = t.copied
		case t.line == 0:
			return r.Tree.Errorf(c.Input, 0, "add it, or list the tests in gen/GEN", "no such file")
		case cmp.Or(t.generator, generator) == "":
			return r.Tree.Errorf(c.Input, 0, "add gen/generator.py, or another language's", "no such file, and no generator that makes it")
		case !done[c.Input]:
			step := draft.Step{Program: cmp.Or(t.generator, generator), Args: t.args, Stdout: c.Input, From: where}
			if step.Files, err = r.argued(t.args); err != nil {
				return err
			}
			maps.Copy(step.Files, mentioned)
			inputs = append(inputs, step)
			done[c.Input] = true
		}
		switch {
		case output:
		case model < 0:
			return r.Tree.Errorf(c.Answer, 0, "add sol/solution.cpp, or another language's", "no such file, and no solution that makes it")
		case !done[c.Answer]:
			outputs = append(outputs, r.AnswerStep(r.Submissions[model].Path, c, where))
			done[c.Answer] = true
		}
	}
	if err := r.Make(inputs); err != nil {
		return err
	}
	if err := r.Make(outputs); err != nil {
		return err
	}
	return r.Measure()
}

// argued returns the files of the package that arguments name, which a generator may read: it starts
// in the folder of the package.
func (r *reader) argued(args []string) (map[string]string, error) {
	files := map[string]string{}
	for _, arg := range args {
		if !strings.Contains(arg, "/") || !fs.ValidPath(arg) {
			continue
		}
		if file, _, err := r.Tree.Kind(arg); err != nil {
			return nil, err
		} else if file {
			files[arg] = arg
		}
	}
	return files, nil
}

// maxMentioned is the size in bytes of the largest file that a generator gets because it mentions
// the folder.
const maxMentioned = 64 << 10

// mentioned returns the small files in the folders of the package that a generator mentions: some
// take samples from the statement.
func (r *reader) mentioned(generator string) (map[string]string, error) {
	var code []byte
	for _, rel := range r.Known(generator).Files {
		text, err := r.Tree.Head(rel, tree.MaxDocument)
		if err != nil {
			return nil, err
		}
		code = append(code, text...)
	}
	folders, err := r.ListSkipping(".")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, dir := range folders {
		if !dir.Dir || dir.Name == "input" || dir.Name == "output" || !regexp.MustCompile(`(?m)(?:^|[\s"'=(/])`+regexp.QuoteMeta(dir.Name)+`(?:["'/]|$)`).Match(code) {
			continue
		}
		list, err := r.ListSkipping(dir.Name)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.Dir {
				continue
			}
			rel := path.Join(dir.Name, e.Name)
			if size, err := r.Tree.Size(dir.Name, &e); err != nil {
				return nil, err
			} else if size <= maxMentioned {
				files[rel] = rel
			}
		}
	}
	return files, nil
}
