package build

import (
	"bytes"
	"errors"
	"fmt"
	gobuild "go/build"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
)

// OpenOwn reads one of the repository's own programs: the Go package in folder, a slash path below
// root, with the files that the go command would build on this machine. These are the files that
// build constraints select, the files that they embed, and the packages of the same module that
// they import, directly or indirectly. A package without such imports is read as [Open] reads it. A
// package with such imports, or whose go.mod changes how it is compiled, is built in a module with
// the same path, language version and GODEBUG settings. OpenOwn starts no program.
//
// OpenOwn does not report errors that the go command reports well, such as syntax errors. Other
// errors of the program are [*yamlstrict.Error]s: an import from another module, a pattern that
// embeds nothing, cgo or assembler. Programs in other languages are read as Open reads them, but
// without the folders of the problem's other programs.
func OpenOwn(root, folder string, languages map[string]Language) (*Source, error) {
	s, err := openOwn(root, path.Clean(folder), languages)
	if err != nil {
		return nil, Located(filepath.Join(root, filepath.FromSlash(folder)), err)
	}
	return s, nil
}

func openOwn(root, folder string, languages map[string]Language) (*Source, error) {
	name := filepath.Join(root, filepath.FromSlash(folder))
	t, err := openTree(name)
	if err != nil {
		return nil, err
	}
	defer t.close()
	top, err := t.files()
	if err != nil {
		return nil, err
	}
	language, err := (&Source{Name: name}).folderLanguage(t, top, languages)
	if err != nil {
		return nil, err
	}
	if language == "go" {
		return openPackage(root, folder, languages)
	}
	t.excluded = others
	s, err := openFolder(&Source{Name: name, Language: language, whole: true}, languages, t)
	if err != nil {
		return nil, err
	}
	for i, file := range s.read {
		s.read[i] = path.Join(folder, file)
	}
	slices.Sort(s.read)
	return s, nil
}

// MainFiles names, for hints, what the main file of a program of a problem may be called.
const MainFiles = "main.go, main.py or the like"

// HasSource reports whether a folder itself, not a subfolder, has a source file of some language.
func HasSource(dir string, languages map[string]Language) bool {
	t, err := openTree(dir)
	if err != nil {
		return false
	}
	defer t.close()
	top, err := t.files()
	if err != nil {
		return false
	}
	for file := range top {
		if len(matches(languages, file, t.start(file))) > 0 {
			return true
		}
	}
	return false
}

// others lists the subfolders of a reference solver's folder that are not part of the program.
var others = []string{"answer_validators", "brute", "check", "draw", "gen", "graders", "input_validators", "output_validators", "statement", "submission_include", "submissions"}

// InModule reports whether [OpenOwn] has read the source as a package of a Go module. If not, Texts has the whole
// source.
func (s *Source) InModule() bool { return s.module }

// Files returns the files of an [OpenOwn] source as slash paths below root, sorted. A file added to
// one of their folders may become part of the program.
func (s *Source) Files() []string { return slices.Clone(s.read) }

// Code returns the sources in the program's language, by slash path within the source, without the
// imported packages of an [OpenOwn] source.
func (s *Source) Code(languages map[string]Language) map[string][]byte {
	texts := map[string][]byte{}
	for _, file := range s.sources(languages[s.Language]) {
		if path.Dir(file) == path.Dir(s.main) {
			texts[file] = bytes.Clone(s.files[file])
		}
	}
	return texts
}

// Texts returns all files of a source, including those of imported packages, by slash path within
// the source. Callers must not change them.
func (s *Source) Texts() map[string][]byte { return s.files }

// StartsAs reports whether s is in the same language as t and starts in the same file or class. s
// must have the files of t, or its single file under another name. The result is false if the
// sources do not show the class.
func (s *Source) StartsAs(t *Source) bool {
	if s.classes() && (len(t.files) > 1 || s.entry != t.entry) {
		class := s.guessClass()
		return s.Language == t.Language && class != "" && class == t.guessClass()
	}
	return s.Language == t.Language && (len(t.files) == 1 || s.main == t.main)
}

// openPackage reads a Go package and the packages of its module that it imports.
func openPackage(root, folder string, languages map[string]Language) (*Source, error) {
	top, module, err := findModule(root, folder)
	if err != nil {
		return nil, err
	}
	c := &collector{
		context: goContext(languages["go"]),
		dir:     filepath.Join(root, filepath.FromSlash(top)),
		module:  module,
		files:   map[string][]byte{},
	}
	c.context.OpenFile = c.open
	main := relative(top, folder)
	packages := []dependency{{folder: main}}
	for i := 0; i < len(packages); i++ {
		found, err := c.collect(packages[i])
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if !slices.ContainsFunc(packages, func(known dependency) bool { return known.folder == p.folder }) {
				packages = append(packages, p)
			}
		}
	}
	s := &Source{Name: filepath.Join(root, filepath.FromSlash(folder)), Language: "go", files: c.files, code: c.code, module: true}
	for file := range c.files {
		s.read = append(s.read, path.Join(top, file))
	}
	if module.path != "" {
		s.read = append(s.read, path.Join(top, "go.mod"))
	}
	switch {
	case len(packages) > 1:
		s.files["go.mod"] = module.text()
		s.folder, s.main = main, s.code[0]
	default:
		s.files = make(map[string][]byte, len(c.files))
		for file, text := range c.files {
			s.files[relative(main, file)] = text
		}
		for i, file := range s.code {
			s.code[i] = relative(main, file)
		}
		if module.matters(c.context.ReleaseTags) {
			s.files["go.mod"], s.folder = module.text(), "."
		}
	}
	slices.Sort(s.read)
	return s, s.findMain(languages)
}

// relative returns the path of a file or folder that lies below dir or is dir.
func relative(dir, file string) string {
	switch {
	case dir == ".":
		return file
	case dir == file:
		return "."
	}
	return strings.TrimPrefix(file, dir+"/")
}

// collector reads the packages of a Go program.
type collector struct {
	context gobuild.Context
	dir     string // folder of the module, or root if there is none
	module  goModule
	opened  map[string][]byte // files of the current package that go/build has read, by path
	failed  error             // first error of reading one of them
	files   map[string][]byte // files of the program, by slash path below dir
	code    []string          // files to compile, the program's own package first
	total   limits.Bytes
}

// dependency is a package of the module.
type dependency struct {
	folder, path string         // slash path below the module's folder; import path
	at           token.Position // position of its first import
}

// open reads a file for go/build, which examines its beginning. It keeps the whole text, so that
// the file that is built is the one that was examined.
func (c *collector) open(name string) (io.ReadCloser, error) {
	text, err := readSource(name)
	if err != nil && c.failed == nil {
		c.failed = err
	}
	c.opened[name] = text
	return io.NopCloser(bytes.NewReader(text)), err
}

// readSource reads a file of at most MaxSource bytes.
func readSource(name string) ([]byte, error) {
	f, info, err := regular.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer f.Close()
	switch size := limits.Bytes(info.Size()); {
	case info.IsDir():
		return nil, fmt.Errorf("%s: %w", name, regular.ErrIrregular)
	case size > MaxSource:
		return nil, fmt.Errorf("%s: source of more than %s (hint: is it the right file?)", name, MaxSource)
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return text, nil
}

// collect adds the files of one package to c, and returns the packages of the module that it
// imports.
func (c *collector) collect(d dependency) ([]dependency, error) {
	dir := filepath.Join(c.dir, filepath.FromSlash(d.folder))
	if info, err := os.Stat(dir); d.path != "" && (err != nil || !info.IsDir()) {
		return nil, located(d.at, "imports %s, but there is no folder %s", d.path, dir)
	}
	c.opened, c.failed = map[string][]byte{}, nil
	// An error other than a read error means that a file does not parse; the compiler will report
	// it.
	p, err := c.context.ImportDir(dir, 0)
	if pe := (*fs.PathError)(nil); c.failed == nil && errors.As(err, &pe) {
		c.failed = fmt.Errorf("%s: %w", dir, pe.Err)
	}
	if c.failed != nil {
		return nil, c.failed
	}
	code := slices.DeleteFunc(slices.Concat(p.GoFiles, p.CgoFiles, p.InvalidGoFiles), func(file string) bool {
		return strings.HasSuffix(file, "_test.go")
	})
	slices.Sort(code)
	code = slices.Compact(code)
	if len(code) == 0 {
		hint := "write main.go"
		if left := slices.Sorted(slices.Values(p.IgnoredGoFiles)); len(left) > 0 {
			hint = "build constraints or cgo exclude " + strings.Join(left, ", ")
		}
		if d.path != "" {
			return nil, located(d.at, "imports %s, which has no Go file for this machine (hint: %s)", d.path, hint)
		}
		return nil, fmt.Errorf("%s: no Go file for this machine (hint: %s)", dir, hint)
	}
	if err := refuseForeign(p); err != nil {
		return nil, err
	}
	for _, file := range code {
		c.code = append(c.code, path.Join(d.folder, file))
		if err := c.add(path.Join(d.folder, file), c.opened[filepath.Join(dir, file)]); err != nil {
			return nil, err
		}
	}
	for _, pattern := range p.EmbedPatterns {
		files, err := embedded(dir, pattern)
		if err != nil {
			return nil, located(p.EmbedPatternPos[pattern][0], "embeds %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := readSource(filepath.Join(dir, filepath.FromSlash(file)))
			if err != nil {
				return nil, err
			}
			if err := c.add(path.Join(d.folder, file), text); err != nil {
				return nil, err
			}
		}
	}
	return c.imports(p)
}

// imports returns the packages of the module that p imports. An import from another module is an
// error; the compiler will report packages that do not exist.
func (c *collector) imports(p *gobuild.Package) ([]dependency, error) {
	var list []dependency
	for _, name := range p.Imports {
		at := p.ImportPos[name][0]
		folder, own := c.module.folder(name)
		if own {
			if other := c.otherModule(folder); other != "" {
				return nil, located(at, "imports %s, which belongs to the module of %s (hint: a problem's programs may use the standard library and packages of their own module)", name, other)
			}
			list = append(list, dependency{folder, name, at})
			continue
		}
		if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
			return nil, located(at, "imports %s (hint: a problem's programs may use the standard library and packages of their own module)", name)
		}
	}
	return list, nil
}

// otherModule returns the path of the go.mod that makes a folder part of another module, or "".
func (c *collector) otherModule(folder string) string {
	for ; folder != "."; folder = path.Dir(folder) {
		file := filepath.Join(c.dir, filepath.FromSlash(folder), "go.mod")
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}

func (c *collector) add(file string, text []byte) error {
	if _, ok := c.files[file]; ok {
		return nil
	}
	if c.total += limits.Bytes(len(text)); c.total > MaxSource {
		return fmt.Errorf("%s: with this file the sources exceed %s", filepath.Join(c.dir, file), MaxSource)
	}
	if c.files[file] = text; len(c.files) > MaxFiles {
		return fmt.Errorf("%s: with this file there are more than %d files", filepath.Join(c.dir, file), MaxFiles)
	}
	return nil
}

// refuseForeign returns an error if a Go package has files in other languages.
func refuseForeign(p *gobuild.Package) error {
	for _, list := range [][]string{p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles} {
		if len(list) > 0 {
			return fmt.Errorf("%s: needs cgo, an assembler or a linker's object (hint: a problem's programs must be pure Go)", filepath.Join(p.Dir, list[0]))
		}
	}
	return nil
}

// located returns an error with its place in a source file.
func located(at token.Position, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", at.Filename, at.Line, fmt.Errorf(format, args...))
}
