package pkgformat

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
)

// make makes the inputs and outputs that the package lacks, as cmsMake does: inputs by the generator
// or as copies, outputs by the solution.
func (r *cmsReader) make() error {
	p := r.p
	generator, err := r.program("gen", "generator", "generatore")
	if err != nil {
		return err
	}
	model := slices.IndexFunc(p.Submissions, func(s problem.Submission) bool { return s.Expect.Final == accepted })
	mentioned, err := r.mentioned(generator)
	if err != nil {
		return err
	}
	var inputs, outputs []Step
	done := map[string]bool{}
	for _, c := range p.Cases {
		i, _ := strconv.Atoi(path.Base(c.Name))
		t := r.tests[i]
		input, _, err := p.files.kind(c.Input)
		if err != nil {
			return err
		}
		output := c.Answer == "" // the manager judges
		if !output {
			if output, _, err = p.files.kind(c.Answer); err != nil {
				return err
			}
		}
		where := fmt.Sprintf("%s:%d", r.listed, t.line)
		switch {
		case input:
		case t.copied != "":
			if file, _, err := p.files.kind(t.copied); err != nil {
				return err
			} else if !file {
				return p.files.errorf(r.listed, t.line, "add it", "copies %s, which is not in the package", quote.Name(t.copied))
			}
			c.Input = t.copied
		case t.line == 0:
			return p.files.errorf(c.Input, 0, "add it, or list the tests in gen/GEN", "no such file")
		case cmp.Or(t.generator, generator) == "":
			return p.files.errorf(c.Input, 0, "add gen/generator.py, or another language's", "no such file, and no generator that makes it")
		case !done[c.Input]:
			step := Step{Program: cmp.Or(t.generator, generator), Args: t.args, Stdout: c.Input, From: where}
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
	return p.measure()
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

// maxMentioned is the size in bytes of the largest file that a generator gets because it mentions
// the folder.
const maxMentioned = 64 << 10

// mentioned returns the small files in the folders of the package that a generator mentions: some
// take samples from the statement.
func (r *cmsReader) mentioned(generator string) (map[string]string, error) {
	p := r.p
	var code []byte
	for _, rel := range p.known(generator).files {
		text, err := p.files.head(rel, maxDocument)
		if err != nil {
			return nil, err
		}
		code = append(code, text...)
	}
	folders, err := p.listSkipping(".")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, dir := range folders {
		if !dir.dir || dir.name == "input" || dir.name == "output" || !regexp.MustCompile(`(?m)(?:^|[\s"'=(/])`+regexp.QuoteMeta(dir.name)+`(?:["'/]|$)`).Match(code) {
			continue
		}
		list, err := p.listSkipping(dir.name)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.dir {
				continue
			}
			rel := path.Join(dir.name, e.name)
			if size, err := p.files.size(dir.name, &e); err != nil {
				return nil, err
			} else if size <= maxMentioned {
				files[rel] = rel
			}
		}
	}
	return files, nil
}
