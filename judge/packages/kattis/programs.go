package kattis

import (
	"path"
	"slices"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// readPrograms finds the validators, the graders and the files to include. It is an error if a
// validator that problem.yaml requires is missing.
func (p *reader) readPrograms(m *metadata) (err error) {
	p.InputPrograms = p.optionalValidators("input_validators", "input_format_validators", "input_validator")
	p.AnswerPrograms = p.optionalValidators("answer_validators", "answer_validator")
	for _, v := range slices.Concat(p.InputPrograms, p.AnswerPrograms) {
		if path.Ext(v) == draft.Viva {
			p.Note(v, 0, "VIVA validators are not supported")
		}
	}
	if err := p.readOutputValidators(m); err != nil {
		return err
	}
	languages, err := p.Tree.List("include")
	if err != nil {
		return err
	}
	for _, e := range languages {
		rel := path.Join("include", e.Name)
		if !e.Dir {
			p.Note(rel, 0, "not read: a file to include belongs in a folder named for its language")
			continue
		}
		files, err := p.Included(rel)
		if err != nil {
			return err
		}
		p.AddInclude(e.Name, rel, files)
	}
	p.graders = p.optionalValidators("graders")
	for _, dir := range []string{"static_validator", "input_visualizer", "output_visualizer", "test_case_visualizer"} {
		if _, isDir, err := p.Tree.Kind(dir); err != nil {
			return err
		} else if isDir {
			p.Note(dir, 0, "not supported")
		}
	}
	return nil
}

func (p *reader) readOutputValidators(m *metadata) error {
	v := &p.Validation
	v.Protocol = problem.ICPC
	var found []string
	for _, dir := range []string{"output_validators", "output_validator"} {
		programs, err := p.validators(dir, dir == "output_validator", true)
		if err != nil {
			return err
		}
		found = append(found, programs...)
	}
	// In the legacy format problem.yaml decides whether output validators are used; in the others they
	// are used if they exist.
	custom := len(found) > 0
	if p.Format == Legacy && !dialects[p.Dialect].anyValidators {
		custom = slices.Contains(m.validation[:min(len(m.validation), 1)], "custom") || p.Validation.Interactive || p.Validation.Passes > 1
	}
	switch {
	case custom && len(found) == 0:
		return p.Tree.Errorf(draft.MetadataFile, m.line, "put it into output_validators/", "the problem needs an output validator, but there is none")
	case (p.Validation.Interactive || p.Validation.Passes > 1) && len(found) == 0:
		return p.Tree.Errorf(draft.MetadataFile, m.line, "put it into output_validator/", "interactive and multi-pass problems need an output validator, but there is none")
	case custom:
		v.Programs = found
	case len(found) > 0:
		p.Note(found[0], 0, "not used: problem.yaml does not set validation: custom")
	}
	return nil
}

// optionalValidators returns the programs in the folders. Judging can do without them, so a program
// that cannot be read is an error only when it is used; a folder that cannot be read is skipped with
// a note.
func (p *reader) optionalValidators(dirs ...string) []string {
	var all []string
	for _, dir := range dirs {
		found, err := p.validators(dir, false, false)
		p.NoteSkipped(err, dir)
		all = append(all, found...)
	}
	return all
}

// validators returns the programs in the folder dir. The folder itself is one program if it
// contains a header or a build or run script, or if single is set and it has several entries.
// Otherwise each file and each subfolder in it is a program. A subfolder that contains only
// Checktestdata files is not a program, but each of its files is. If readable is set, a program with a
// file that cannot be read is an error.
func (p *reader) validators(dir string, single, readable bool) ([]string, error) {
	list, err := p.Tree.ListAll(dir)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e tree.Entry) bool { return draft.Companion(e.Name) })
	if len(list) == 0 {
		return nil, nil
	}
	if readable {
		if err := p.VisitProgram(dir, nil); err != nil {
			return nil, err
		}
	}
	whole := single && len(list) > 1
	for _, e := range list {
		header := slices.Contains([]string{".h", ".hh", ".hpp", ".hxx"}, path.Ext(e.Name))
		whole = whole || !e.Dir && (header || e.Name == "build" || e.Name == "run")
	}
	if whole {
		return []string{dir}, nil
	}
	var programs []string
	for _, e := range list {
		rel := path.Join(dir, e.Name)
		inside, err := p.checktestdataFiles(rel, e.Dir)
		if err != nil && readable {
			return nil, err
		}
		if len(inside) > 0 {
			programs = append(programs, inside...)
		} else {
			programs = append(programs, rel)
		}
	}
	return programs, nil
}

// checktestdataFiles returns the files of a folder that contains only Checktestdata files, and nil
// for any other file or folder. Each such file is a validator of its own.
func (p *reader) checktestdataFiles(rel string, dir bool) ([]string, error) {
	if !dir {
		return nil, nil
	}
	list, err := p.Tree.List(rel)
	var files []string
	for _, e := range list {
		switch {
		case draft.Companion(e.Name):
		case e.Dir || path.Ext(e.Name) != draft.Checktestdata:
			return nil, err
		default:
			files = append(files, path.Join(rel, e.Name))
		}
	}
	return files, err
}

// checkNames adds notes about folders and YAML files at the top of the package that no format has.
func (p *reader) checkNames() error {
	known := []string{
		"data", "submissions", "include", "attachments", "statement", "problem_statement", "solution", "solutions", "generators",
		"input_validators", "input_format_validators", "input_validator", "answer_validators", "answer_validator",
		"output_validators", "output_validator",
		"graders", "static_validator", "input_visualizer", "output_visualizer", "test_case_visualizer",
	}
	list, err := p.ListSkipping(".")
	for _, e := range list {
		if e.Dir && !slices.Contains(known, e.Name) {
			p.Note(e.Name, 0, "not read: no format has such a folder")
		} else if !e.Dir && path.Ext(e.Name) == ".yaml" && e.Name != draft.MetadataFile {
			p.Note(e.Name, 0, "not read")
		}
	}
	return err
}
