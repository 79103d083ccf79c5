package pkgformat

import (
	"path"
	"slices"

	"tribunal/judge/internal/problem"
)

// readPrograms finds the validators, the graders and the files to include. It is an error if a
// validator that problem.yaml requires is missing.
func (p *kattisReader) readPrograms(m *metadata) (err error) {
	p.InputPrograms = p.optionalValidators("input_validators", "input_format_validators", "input_validator")
	p.AnswerPrograms = p.optionalValidators("answer_validators", "answer_validator")
	for _, v := range slices.Concat(p.InputPrograms, p.AnswerPrograms) {
		if path.Ext(v) == viva {
			p.note(v, 0, "VIVA validators are not supported")
		}
	}
	if err := p.readOutputValidators(m); err != nil {
		return err
	}
	languages, err := p.files.list("include")
	if err != nil {
		return err
	}
	for _, e := range languages {
		rel := path.Join("include", e.name)
		if !e.dir {
			p.note(rel, 0, "not read: a file to include belongs in a folder named for its language")
			continue
		}
		files, err := p.included(rel)
		if err != nil {
			return err
		}
		p.include(e.name, rel, files)
	}
	p.graders = p.optionalValidators("graders")
	for _, dir := range []string{"static_validator", "input_visualizer", "output_visualizer", "test_case_visualizer"} {
		if _, isDir, err := p.files.kind(dir); err != nil {
			return err
		} else if isDir {
			p.note(dir, 0, "not supported")
		}
	}
	return nil
}

func (p *kattisReader) readOutputValidators(m *metadata) error {
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
		return p.files.errorf(metadataFile, m.line, "put it into output_validators/", "the problem needs an output validator, but there is none")
	case (p.Validation.Interactive || p.Validation.Passes > 1) && len(found) == 0:
		return p.files.errorf(metadataFile, m.line, "put it into output_validator/", "interactive and multi-pass problems need an output validator, but there is none")
	case custom:
		v.Programs = found
	case len(found) > 0:
		p.note(found[0], 0, "not used: problem.yaml does not set validation: custom")
	}
	return nil
}

// optionalValidators returns the programs in the folders. Judging can do without them, so a program
// that cannot be read is an error only when it is used; a folder that cannot be read is skipped with
// a note.
func (p *kattisReader) optionalValidators(dirs ...string) []string {
	var all []string
	for _, dir := range dirs {
		found, err := p.validators(dir, false, false)
		p.noteSkipped(err, dir)
		all = append(all, found...)
	}
	return all
}

// validators returns the programs in the folder dir. The folder itself is one program if it
// contains a header or a build or run script, or if single is set and it has several entries.
// Otherwise each file and each subfolder in it is a program. A subfolder that contains only
// Checktestdata files is not a program, but each of its files is. If readable is set, a program with a
// file that cannot be read is an error.
func (p *kattisReader) validators(dir string, single, readable bool) ([]string, error) {
	list, err := p.files.listAll(dir)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e entry) bool { return companion(e.name) })
	if len(list) == 0 {
		return nil, nil
	}
	if readable {
		if err := p.visitProgram(dir, nil); err != nil {
			return nil, err
		}
	}
	whole := single && len(list) > 1
	for _, e := range list {
		header := slices.Contains([]string{".h", ".hh", ".hpp", ".hxx"}, path.Ext(e.name))
		whole = whole || !e.dir && (header || e.name == "build" || e.name == "run")
	}
	if whole {
		return []string{dir}, nil
	}
	var programs []string
	for _, e := range list {
		rel := path.Join(dir, e.name)
		inside, err := p.checktestdataFiles(rel, e.dir)
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
func (p *kattisReader) checktestdataFiles(rel string, dir bool) ([]string, error) {
	if !dir {
		return nil, nil
	}
	list, err := p.files.list(rel)
	var files []string
	for _, e := range list {
		switch {
		case companion(e.name):
		case e.dir || path.Ext(e.name) != checktestdata:
			return nil, err
		default:
			files = append(files, path.Join(rel, e.name))
		}
	}
	return files, err
}

// checkNames adds notes about folders and YAML files at the top of the package that no format has.
func (p *kattisReader) checkNames() error {
	known := []string{
		"data", "submissions", "include", "attachments", "statement", "problem_statement", "solution", "solutions", "generators",
		"input_validators", "input_format_validators", "input_validator", "answer_validators", "answer_validator",
		"output_validators", "output_validator",
		"graders", "static_validator", "input_visualizer", "output_visualizer", "test_case_visualizer",
	}
	list, err := p.listSkipping(".")
	for _, e := range list {
		if e.dir && !slices.Contains(known, e.name) {
			p.note(e.name, 0, "not read: no format has such a folder")
		} else if !e.dir && path.Ext(e.name) == ".yaml" && e.name != metadataFile {
			p.note(e.name, 0, "not read")
		}
	}
	return err
}
