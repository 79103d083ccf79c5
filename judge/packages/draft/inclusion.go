package draft

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/quote"
)

// Inclusion says which files the programs in C and C++ of a package include by paths that begin at their own
// place, such as "../params.h". Such programs are compiled in a copy of that part of the package, or
// of the folder around it that the user named, that they include. All its paths are those of
// [tree.Tree.At].
type Inclusion struct {
	Made    map[string][]byte // headers that the tool of the format would write
	Folders []string          // their files are included by their names alone
	Except  string            // a folder whose programs are compiled as others are; "" for none
	Wanted  []string          // names that must be found in one of the folders; nil for all that are not found elsewhere
}

// Linking is a source file to compile together with a program, and the folder of its headers.
type Linking struct{ File, Folder string }

var quotedInclude = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)
})

// maxIncluded is the largest number of files that a program includes.
const maxIncluded = 1000

// place returns the source of the program at rel, beside the files that it includes. It returns a
// source that is not a single file of C or C++, or of a package without inclusion, as it is.
func (p *Draft) place(rel string, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if p.Inclusion == nil || p.Inclusion.Except != "" && path.Dir(p.Tree.At(rel)) == p.Inclusion.Except || s.Language != "cpp" && s.Language != "c" || len(s.Texts()) != 1 {
		return s, nil
	}
	one, c := p.Known(rel), &collector{Draft: p, folders: p.Inclusion.Folders, files: map[string][]byte{}}
	code := []string{p.Tree.At(rel)}
	if err := c.add(code[0], slices.Concat(defines(one.Macros), s.Texts()[s.Main()])); err != nil {
		return nil, err
	}
	if l := one.Linked; l.File != "" {
		text, err := c.read(l.File)
		if err == nil && text == nil {
			err = p.Tree.Errorf(rel, 0, "", "needs %s, which does not exist", l.File)
		}
		if err == nil {
			c.folders = append(c.folders[:len(c.folders):len(c.folders)], l.Folder)
			err = c.add(l.File, text)
		}
		if err != nil {
			return nil, err
		}
		code = append(code, l.File)
	}
	for len(c.todo) > 0 {
		next := c.todo[0]
		c.todo = c.todo[1:]
		if err := c.include(next); err != nil {
			return nil, err
		}
	}
	return s.Placed(code, c.files, languages)
}

// collector collects the files of one program.
type collector struct {
	*Draft
	folders []string
	files   map[string][]byte
	size    int
	todo    []string // files whose includes are not collected yet
}

func (c *collector) add(name string, text []byte) error {
	c.size += len(text)
	if len(c.files) == maxIncluded || c.size > maxProgram {
		return c.Draft.Tree.Around().Errorf(name, 0, "", "more than %d files or %d MiB with everything that it includes", maxIncluded, maxProgram>>20)
	}
	c.files[name] = text
	c.todo = append(c.todo, name)
	return nil
}

// read returns the text of a file below the root of the tree; nil if there is none.
func (c *collector) read(name string) ([]byte, error) {
	if text, ok := c.Inclusion.Made[name]; ok {
		return text, nil
	}
	if !filepath.IsLocal(name) {
		return nil, nil
	}
	return c.Draft.Tree.Around().Read(name, maxProgram)
}

// include adds the files that the file name includes.
func (c *collector) include(name string) error {
	text := c.files[name]
	for _, m := range quotedInclude().FindAllSubmatchIndex(text, -1) {
		quoted := string(text[m[2]:m[3]])
		beside := path.Join(path.Dir(name), quoted)
		if _, done := c.files[beside]; done || path.IsAbs(quoted) {
			continue
		}
		found, err := c.read(beside)
		if err != nil {
			return err
		}
		if found != nil {
			if err := c.add(beside, found); err != nil {
				return err
			}
			continue
		}
		if err := c.includeByName(name, quoted, 1+bytes.Count(text[:m[2]], []byte("\n"))); err != nil {
			return err
		}
	}
	return nil
}

// includeByName adds a file from the folders. Beside the file that includes it, it puts one that
// leads to it, so that compilers need no further option. A file that is not found is left to the
// compiler, which may have it, unless the user named no folder around the package.
func (c *collector) includeByName(name, quoted string, line int) error {
	for _, folder := range c.folders {
		found, err := c.read(path.Join(folder, quoted))
		if err != nil {
			return err
		}
		if found == nil {
			continue
		}
		if to := path.Join(folder, quoted); c.files[to] == nil {
			if err := c.add(to, found); err != nil {
				return err
			}
		}
		beside := path.Join(path.Dir(name), quoted)
		up, err := filepath.Rel(filepath.FromSlash(path.Dir(beside)), filepath.FromSlash(path.Join(folder, quoted)))
		if err != nil || !filepath.IsLocal(beside) {
			return err
		}
		c.files[beside] = []byte("#include \"" + filepath.ToSlash(up) + "\"\n")
		return nil
	}
	if wanted := c.Inclusion.Wanted; c.Draft.Tree.Sub != "" || wanted != nil && !slices.Contains(wanted, quoted) {
		return nil
	}
	hint := "add --root-of-package FOLDER, a folder around the package, which holds common/" + path.Base(quoted)
	if strings.Contains(quoted, "/") || c.Inclusion.Wanted != nil {
		hint = "add --root-of-package FOLDER, a folder around the package, which holds the file"
	}
	return c.Draft.Tree.Errorf(name, line, hint, "includes %s, which is not in the package", quote.Name(quoted))
}
