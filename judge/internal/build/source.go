package build

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
)

// What a submission may consist of.
const (
	maxSource = 16 * limits.MiB // all sources together
	maxBinary = maxResult       // as of what a compiler makes: it is run from memory
	maxFiles  = 2000
)

// Source is a submission as it was handed in, read and checked, not yet built.
// It is immutable.
type Source struct {
	Name     string // as the caller named it
	Language string // a key of the languages, or Binary

	files  map[string][]byte // by slash-separated path; nil for a binary
	read   []string          // where a folder's files were read from, see Files
	code   []string          // the files to compile; nil for all of the language
	folder string            // of the package to build, in a Go module; "" for the top
	main   string            // the main file
	class  string            // the main class, for Java and Kotlin
	entry  string            // the main file or class that somebody else knows; "" if the files tell
	first  bool              // where nothing tells, it is the first
	binary string            // the path of an executable
	empty  bool              // nothing but white space
	terms  terms
}

// Open reads a submission: a source file, a folder of sources, or an ELF
// executable. language, when not "", is used whatever the name says. The errors
// are the caller's fault: no such file, too large, no or several languages.
func Open(name, language string, languages map[string]Language) (*Source, error) {
	return open(&Source{Name: name, Language: language}, languages)
}

// OpenFrom is Open for programs of packages, which say with which file or class one of
// several files begins. Where entry is "" and the files do not tell, it is the first by
// name, as the judges that packages are made for have it.
func OpenFrom(name, language, entry string, languages map[string]Language) (*Source, error) {
	return open(&Source{Name: name, Language: language, entry: entry, first: true}, languages)
}

// open reads what s is named after.
func open(s *Source, languages map[string]Language) (*Source, error) {
	name, language := s.Name, s.Language
	if language != "" && !hasLanguage(languages, language) {
		return nil, fmt.Errorf("unknown language %q (hint: the languages are %s)", language, known(languages))
	}
	info, err := os.Stat(name)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("%s: %w (hint: a submission is a source file, a folder of sources or an executable)", name, err)
	}
	switch {
	case info.IsDir():
		return openFolder(s, languages, folderRules{})
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file (hint: - reads source from standard input)", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	defer f.Close()
	magic := make([]byte, len(elf.ELFMAG))
	if _, err := io.ReadFull(f, magic); err == nil && string(magic) == elf.ELFMAG && (language == "" || language == Binary) {
		if limits.Bytes(info.Size()) > maxBinary {
			return nil, fmt.Errorf("%s: executable of %s, more than %s (hint: strip it, or submit the source)", name, limits.Bytes(info.Size()).Human(), maxBinary)
		}
		return &Source{Name: name, Language: Binary, binary: name}, checkELF(name)
	}
	if limits.Bytes(info.Size()) > maxSource {
		return nil, fmt.Errorf("%s: source of %s, more than %s (hint: is it the right file?)", name, limits.Bytes(info.Size()).Human(), maxSource)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return Read(name, filepath.Base(name), f, language, languages)
}

// Read reads a submission of one source file from r. name is what messages call
// it; file is its file name, "" when it has none (then language must be given).
func Read(name, file string, r io.Reader, language string, languages map[string]Language) (*Source, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(maxSource)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if limits.Bytes(len(text)) > maxSource {
		return nil, fmt.Errorf("%s: source of more than %s (hint: is it the right file?)", name, maxSource)
	}
	if language == "" {
		found := matches(languages, file, text)
		other := stranger(languages, file, text)
		switch {
		case file == "":
			return nil, fmt.Errorf("%s: no file name to tell the language by (hint: add --lang, one of %s)", name, known(languages))
		case other != "":
			return nil, &ForeignError{name, other}
		case len(found) == 0:
			return nil, fmt.Errorf("%s: no language takes files that end in %q (hint: add --lang, one of %s)", name, filepath.Ext(file), known(languages))
		case len(found) > 1:
			return nil, fmt.Errorf("%s: may be %s (hint: add --lang)", name, strings.Join(found, " or "))
		}
		language = found[0]
	} else if language == Binary || !hasLanguage(languages, language) {
		return nil, fmt.Errorf("%s: unknown language %q for a source (hint: the languages are %s)", name, language, known(languages))
	}
	if l := languages[language]; file == "" || !slices.Contains(l.Match, filepath.Ext(file)) {
		file = "main"
		if len(l.Match) > 0 {
			file += l.Match[0]
		}
	}
	s := &Source{Name: name, Language: language, files: map[string][]byte{file: text}, main: file}
	return s, s.settle(languages)
}

func hasLanguage(languages map[string]Language, name string) bool {
	_, ok := languages[name]
	return ok || name == Binary
}

// openFolder reads a folder of sources. A folder of Go files without a go.mod is
// one package: its files alone, without the tests; otherwise everything below
// counts, except what begins with a dot and what the rules leave out.
func openFolder(s *Source, languages map[string]Language, rules folderRules) (*Source, error) {
	name := s.Name
	top, err := topFiles(name, rules)
	if err != nil {
		return nil, err
	}
	s.files = map[string][]byte{}
	if s.Language == "" {
		if s.Language, err = folderLanguage(name, top, languages); err != nil {
			return nil, err
		}
	}
	onePackage := s.Language == "go" && !top["go.mod"]
	root := name
	if rules.links {
		if root, err = filepath.EvalSymlinks(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
	}
	var total limits.Bytes
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, file)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", file, errors.Unwrap(err))
		case relErr != nil:
			return relErr
		case rel == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), d.IsDir() && (d.Name() == "__pycache__" || onePackage):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() && slices.Contains(rules.without, rel):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !rules.takes(file, d):
			return fmt.Errorf("%s: not a regular file (hint: a submission holds no links or devices)", file)
		case onePackage && (!strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go")):
			return nil
		}
		info, err := d.Info()
		if err == nil && total+limits.Bytes(info.Size()) > maxSource {
			return fmt.Errorf("%s: sources of more than %s, with %s (hint: is it the right folder?)", name, maxSource, file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, errors.Unwrap(err))
		}
		if total += limits.Bytes(len(text)); total > maxSource {
			return fmt.Errorf("%s: sources of more than %s (hint: is it the right folder?)", name, maxSource)
		}
		s.read = append(s.read, filepath.ToSlash(rel))
		if s.files[filepath.ToSlash(rel)] = text; len(s.files) > maxFiles {
			return fmt.Errorf("%s: more than %d files (hint: is it the right folder?)", name, maxFiles)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, s.settle(languages)
}

// folderRules say what of a folder is a part of the program.
type folderRules struct {
	without []string // folders right in it that are not
	links   bool     // the folder may be a link, and links to files are what they lead to
}

func (r folderRules) takes(file string, d fs.DirEntry) bool {
	if r.links && d.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(file)
		return err == nil && info.Mode().IsRegular()
	}
	return d.Type().IsRegular()
}

// topFiles returns the names of a folder's own files that are not hidden.
func topFiles(name string, rules folderRules) (map[string]bool, error) {
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	files := map[string]bool{}
	for _, e := range entries {
		if rules.takes(filepath.Join(name, e.Name()), e) && !strings.HasPrefix(e.Name(), ".") {
			files[e.Name()] = true
		}
	}
	return files, nil
}

// folderLanguage finds the one language of a folder: that of its own files, or,
// when there is none, of those below.
func folderLanguage(name string, topFiles map[string]bool, languages map[string]Language) (string, error) {
	found := map[string]bool{}
	other := ""
	look := func(file string) {
		start := startOf(file)
		if o := stranger(languages, filepath.Base(file), start); o != "" {
			other = max(other, o)
			return
		}
		for _, l := range matches(languages, filepath.Base(file), start) {
			found[l] = true
		}
	}
	for file := range topFiles {
		look(filepath.Join(name, file))
	}
	if len(found) == 0 {
		_ = filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				look(file)
			}
			return nil
		})
	}
	if len(found) == 0 && other != "" {
		return "", &ForeignError{name, other}
	}
	if found["cpp"] {
		delete(found, "c") // a C++ program may hold C files
	}
	if len(found) > 1 {
		delete(found, "bash") // a script beside sources is how their author runs them
	}
	for l := range found {
		if languages[l].Shebang == nil {
			continue
		}
		// A first line of one file speaks for the others that could be of its language.
		for other := range found {
			if languages[other].Shebang == nil && !slices.ContainsFunc(languages[other].Match, func(ending string) bool {
				return !slices.Contains(languages[l].Match, ending)
			}) {
				delete(found, other)
			}
		}
	}
	var list []string
	for l := range found {
		list = append(list, l)
	}
	slices.Sort(list)
	switch len(list) {
	case 0:
		return "", fmt.Errorf("%s: no source file of any language (hint: the languages are %s)", name, known(languages))
	case 1:
		return list[0], nil
	}
	return "", fmt.Errorf("%s: files of several languages: %s (hint: add --lang)", name, strings.Join(list, ", "))
}

// startOf returns the beginning of a file, as far as it tells the language.
func startOf(name string) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, startSize)
	n, _ := io.ReadFull(f, start)
	return start[:n]
}

// sources returns the files to compile, those of the submission's language, sorted.
func (s *Source) sources(l Language) []string {
	if s.code != nil {
		return slices.Clone(s.code)
	}
	var list []string
	for file := range s.files {
		if slices.Contains(l.Match, path.Ext(file)) || len(s.files) == 1 {
			list = append(list, file)
		}
	}
	slices.Sort(list)
	return list
}

// headers and modules are read by compilers, as sources are.
var headers = []string{".h", ".hh", ".hpp", ".hxx", ".mod", ".sum"}

// data returns the files that no compiler reads: those that the program may want to open.
// A shell script opens others of its kind, by where it starts and not by where it is. It
// is nil if there are none.
func (s *Source) data(l Language) map[string][]byte {
	var files map[string][]byte
	for file, text := range s.files {
		if ext := path.Ext(file); slices.Contains(l.Match, ext) && s.Language != "bash" || slices.Contains(headers, ext) || file == s.main {
			continue
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[file] = text
	}
	return files
}

// key adds everything of the source that can change the program.
func (s *Source) key(h *cache.Hasher) {
	h.Text(s.Language, s.main, s.class)
	names := make([]string, 0, len(s.files))
	for name := range s.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		h.Text(name)
		h.Bytes(s.files[name])
	}
}

// write puts the sources into dir.
func (s *Source) write(dir string) error {
	for name, text := range s.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
