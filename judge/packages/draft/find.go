package draft

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/tree"
)

// NamedPrograms finds a testlib checker, validator and interactor, and testlib.h, by their names.
func (p *Draft) NamedPrograms() error {
	var err error
	if p.Validation.Programs, err = p.findProgram("checker", "check", "checker", "chk"); err != nil {
		return err
	}
	if p.InputPrograms, err = p.findProgram("validator", "validator", "val"); err != nil {
		return err
	}
	interactor, err := p.findProgram("interactor", "interactor")
	if err != nil {
		return err
	}
	if interactor != nil {
		p.Validation.Interactive, p.Validation.Interactor = true, interactor[0]
	}
	for _, rel := range []string{"testlib.h", "files/testlib.h"} {
		if file, _, err := p.Tree.Kind(rel); err != nil {
			return err
		} else if file {
			p.Validation.Headers = append(p.Validation.Headers, rel)
		}
	}
	return nil
}

// findProgram returns the first program with one of the names, at the top of the package or in
// files/; nil if there is none. It adds a note for every further one. The note calls
// the program by its role, such as "checker".
func (p *Draft) findProgram(role string, names ...string) (first []string, err error) {
	for _, name := range names {
		for _, dir := range []string{"", "files"} {
			for _, ext := range ProgramExtensions {
				rel := path.Join(dir, name+ext)
				if file, _, err := p.Tree.Kind(rel); err != nil {
					return nil, err
				} else if file && first == nil {
					first = []string{rel}
				} else if file {
					p.Note(rel, 0, "not used: the %s is %s", role, first[0])
				}
			}
		}
	}
	return first, nil
}

// First returns the first file whose path is base with one of the endings; "" for none.
func (p *Draft) First(base string, endings ...string) (string, error) {
	for _, ending := range endings {
		if file, _, err := p.Tree.Kind(base + ending); err != nil || file {
			return base + ending, err
		}
	}
	return "", nil
}

// ProgramExtensions are the extensions of the languages in which Polygon allows checkers, and of C.
var ProgramExtensions = []string{".cpp", ".cc", ".c", ".java", ".py", ".pas", ".go", ".rs", ".kt", ".cs"}

// CmsExtensions are the extensions of the sources that cmsMake and CMS know, the preferred ones first.
var CmsExtensions = []string{".cpp", ".cc", ".c", ".py", ".java", ".pas", ".sh", ".rs", ".go", ".hs", ".cs", ".php"}

// Compose adds the headers or modules beside a program to it.
func (p *Draft) Compose(rel string) error {
	endings := []string{".h", ".hpp"}
	if path.Ext(rel) == ".py" {
		endings = []string{".py"}
	}
	list, err := p.ListSkipping(path.Dir(rel))
	all := []string{rel}
	for _, e := range list {
		if !e.Dir && e.Name != path.Base(rel) && slices.Contains(endings, path.Ext(e.Name)) {
			all = append(all, path.Join(path.Dir(rel), e.Name))
		}
	}
	p.Describe(rel).Files = all
	return err
}

// VisitProgram calls visit for every file of a program, which is a file or a folder. A symbolic
// link that leaves the package is an error, because the compiler would follow it. If visit is nil,
// it only checks the links.
func (p *Draft) VisitProgram(rel string, visit func(rel string) error) error {
	file, _, err := p.Tree.Kind(rel)
	if err != nil {
		return err
	}
	if file {
		if visit == nil {
			return nil
		}
		return visit(rel)
	}
	return p.Tree.Walk(rel, func(rel string, e *tree.Entry) (bool, error) {
		if e.Dir || visit == nil {
			return true, nil
		}
		return true, visit(rel)
	})
}

// Named reports whether name is the name of the file or folder rel, with or without its extension.
func Named(rel, name string) bool {
	base := path.Base(rel)
	return name == base || name == strings.TrimSuffix(base, path.Ext(base))
}

// maxInclude limits the total size, in bytes, of the files to include for a language; it equals the
// limit for the sources of a program.
const maxInclude = 16 << 20

// Included returns the files in a folder of include/, by slash paths below it.
func (p *Draft) Included(dir string) (files []string, err error) {
	var total int64
	err = p.Tree.Walk(dir, func(rel string, e *tree.Entry) (bool, error) {
		if e.Dir {
			return true, nil
		}
		size, err := p.Tree.Size(path.Dir(rel), e)
		if err != nil {
			return false, err
		}
		if total += size; total > maxInclude {
			return false, p.Tree.Errorf(dir, 0, "", "more than %d MiB of files", maxInclude>>20)
		}
		files = append(files, strings.TrimPrefix(rel, dir+"/"))
		return true, nil
	})
	return files, err
}

// NoteUnlisted notes the programs in a folder of submissions that list, the file which names the
// submissions, does not name.
func (p *Draft) NoteUnlisted(folder, list string) error {
	entries, err := p.ListSkipping(folder)
	for _, e := range entries {
		rel := folder + "/" + e.Name
		known := slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Path == rel })
		if !known && !e.Dir && slices.Contains(ProgramExtensions, path.Ext(e.Name)) {
			p.NoteFile(folder, "programs that "+list+" does not name, not judged", rel)
		}
	}
	return err
}

// Companion reports whether a file beside programs is not a program itself, but documentation or a
// leftover of a compiler, interpreter or merge.
func Companion(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "readme") || name == "__pycache__" ||
		slices.Contains([]string{".md", ".txt", ".pyc", ".class", ".o", ".exe", ".orig"}, path.Ext(lower))
}

// ListSkipping lists a folder. It skips bad entries, such as broken symbolic links, with a note.
func (p *Draft) ListSkipping(dir string) ([]tree.Entry, error) {
	return p.Tree.ListOr(dir, func(err error) error {
		if e, ok := errors.AsType[*yamlstrict.Error](err); ok {
			p.Notebook.Add(e)
		}
		return nil
	})
}

// noteArguments notes arguments for Checktestdata programs, which take none. Some formats give them to
// every validator.
func (p *Draft) noteArguments() {
	if p.ArgumentsGiven {
		return
	}
	for _, of := range []struct {
		validators []string
		args       func(*Case) InputArgs
	}{
		{p.InputPrograms, func(c *Case) InputArgs { return c.InputArgs }},
		{p.AnswerPrograms, func(c *Case) InputArgs { return c.AnswerArgs }},
	} {
		for _, rel := range of.validators {
			hasArgs := func(c *Case) bool { return len(of.args(c).Of(rel)) > 0 }
			if path.Ext(rel) == Checktestdata && slices.ContainsFunc(p.Cases, hasArgs) {
				p.Note(rel, 0, "arguments are ignored: Checktestdata programs take none")
			}
		}
	}
}

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// MetadataFile describes packages of the Kattis formats.
const MetadataFile = "problem.yaml"
