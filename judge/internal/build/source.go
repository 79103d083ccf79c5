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
	"strconv"
	"strings"
	"syscall"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/runner"
)

// Limits of a submission.
const (
	maxSource = 16 * limits.MiB // all sources together
	maxBinary = maxResult       // as for compiled programs, because both run from memory
	maxFiles  = 2000
	maxPath   = 1000 // bytes of a file's path in its folder; the cache and the jail prepend unfit
)

// Source is a submission that was read and checked, but not yet built. It is immutable.
type Source struct {
	Name     string // as the caller named it
	Language string // a key of the languages, or Binary

	files  map[string][]byte // by slash-separated path; nil for a binary
	read   []string          // where a folder's files were read from, see Files
	code   []string          // the files to compile; nil for all of the language
	folder string            // of the package to build, in a Go module; "" for the top
	main   string            // the main file
	entry  string            // the main file or class, if the caller named it; else ""
	first  bool              // if several files may be the main one, take the first
	sum    cache.Key         // of an executable, when it was opened; "" for sources
	again  opener            // opens the executable once more
	empty  bool              // the sources are blank
	terms  terms
	bare   *Source // without the files that Including added; nil if there are none
}

// opener opens the named file, like the functions of package regular.
type opener func(name string) (*os.File, fs.FileInfo, error)

// Open reads a source file, a folder of sources, or an ELF executable. A language other than ""
// overrides the one that the name suggests. The error is an [*UnfitError] if the file or folder is
// no submission, for example too large or of no or several languages, and an [*UnreadError] if it
// cannot be read.
func Open(name, language string, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	return classify(open(&Source{Name: name, Language: language}, regular.Open, languages))
}

// Origin is the place that a program of a problem package comes from.
type Origin struct {
	Root     *os.Root // folder of the package, which no link leads out of; nil for none
	Path     string   // slash path of the program below Root
	Entry    string   // main file or class; "" to find it
	HandedIn bool     // a contestant submitted it: links are followed as by [Submission]
}

// OpenFrom is like Open for programs of packages. If several files may be the main one, it takes
// the first by name, as the judges that packages are written for do.
func OpenFrom(name, language string, from Origin, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	var how opener = regular.Open
	switch {
	case from.Root != nil:
		how = func(string) (*os.File, fs.FileInfo, error) { return regular.OpenIn(from.Root, from.Path) }
	case from.HandedIn:
		how = openHandedIn
	}
	return classify(open(&Source{Name: name, Language: language, entry: from.Entry, first: true}, how, languages))
}

// open reads the file or folder s.Name.
func open(s *Source, how opener, languages map[string]Language) (*Source, error) {
	name, language := s.Name, s.Language
	f, info, err := how(name)
	if _, unfit := errors.AsType[*UnfitError](err); err != nil && !unfit {
		err = openError(name, err)
	}
	if language != "" && !hasLanguage(languages, language) {
		err = errors.Join(userErrorf("unknown language %q (hint: the languages are %s)", language, known(languages)), err)
	}
	if f != nil {
		defer f.Close()
	}
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		t, err := treeOf(name, f)
		if err != nil {
			return nil, err
		}
		defer t.close()
		return openFolder(s, languages, t)
	}
	size := limits.Bytes(info.Size())
	magic := make([]byte, len(elf.ELFMAG))
	if _, err := f.ReadAt(magic, 0); err == nil && string(magic) == elf.ELFMAG && (language == "" || language == Binary) {
		if size > maxBinary {
			return nil, fmt.Errorf("%s: executable of %s, more than %s (hint: strip it, or submit the source)", name, size.Human(), maxBinary)
		}
		if err := checkELF(name, f); err != nil {
			return nil, err
		}
		if s.sum, err = binaryKey(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, reason(err))
		}
		// Build opens it again, because a batch may have more executables than the judge may have
		// files open.
		s.Language, s.again = Binary, how
		return s, nil
	}
	if size > maxSource {
		return nil, fmt.Errorf("%s: source of %s, more than %s (hint: is it the right file?)", name, size.Human(), maxSource)
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return single(name, filepath.Base(name), text, language, languages)
}

// openError explains why a name could not be opened.
func openError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return userErrorf("%s: %w (hint: a submission is a source file, a folder of sources or an executable)", name, reason(err))
	case errors.Is(err, regular.ErrIrregular):
		return fmt.Errorf("%s: %w (hint: - reads source from standard input)", name, regular.ErrIrregular)
	}
	return fmt.Errorf("%s: %w", name, reason(err))
}

// Read reads a submission of one source file from r. Messages call it name; file is its file name,
// "" if it has none (then language must be given). The errors are those of [Open].
func Read(name, file string, r io.Reader, language string, languages map[string]Language) (*Source, error) {
	return classify(read(name, file, r, language, languages))
}

func read(name, file string, r io.Reader, language string, languages map[string]Language) (*Source, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(maxSource)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if limits.Bytes(len(text)) > maxSource {
		return nil, fmt.Errorf("%s: source of more than %s (hint: is it the right file?)", name, maxSource)
	}
	return single(name, file, text, language, languages)
}

// single returns the source of one file.
func single(name, file string, text []byte, language string, languages map[string]Language) (*Source, error) {
	if language == "" {
		found := matches(languages, file, text)
		other := foreignLanguage(languages, file, text)
		switch {
		case file == "":
			return nil, userErrorf("%s: no file name to tell the language by (hint: add --lang, one of %s)", name, known(languages))
		case other != "":
			return nil, &ForeignError{name, other}
		case len(found) == 0:
			return nil, fmt.Errorf("%s: no language takes files that end in %q (hint: add --lang, one of %s)", name, filepath.Ext(file), known(languages))
		case len(found) > 1:
			return nil, fmt.Errorf("%s: may be %s (hint: add --lang)", name, strings.Join(found, " or "))
		}
		language = found[0]
	} else if language == Binary || !hasLanguage(languages, language) {
		return nil, userErrorf("%s: unknown language %q for a source (hint: the languages are %s)", name, language, known(languages))
	}
	if l := languages[language]; file == "" || !slices.Contains(l.Match, filepath.Ext(file)) {
		file = "main"
		if len(l.Match) > 0 {
			file += l.Match[0]
		}
	}
	s := &Source{Name: name, Language: language, files: map[string][]byte{file: text}, main: file}
	return s, s.findMain(languages)
}

func hasLanguage(languages map[string]Language, name string) bool {
	_, ok := languages[name]
	return ok || name == Binary
}

// key adds everything of the source that can change the program.
func (s *Source) key(h *cache.Hasher) {
	start := ""
	if s.classes() {
		start = s.entry + strconv.FormatBool(s.first) // both choose among several classes
	}
	h.Text(s.Language, s.main, start)
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

// write writes the sources into dir, readable for every account whatever the judge's umask is;
// other accounts of the host cannot enter the cache. A name that is too long here is a
// *CompileError.
func (s *Source) write(dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	for name, text := range s.files {
		for _, folder := range foldersOf(name) {
			folder = filepath.Join(dir, filepath.FromSlash(folder))
			if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chmod(folder, 0o755)); err != nil {
				return nameTooLong(err)
			}
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.WriteFile(file, text, 0o644), os.Chmod(file, 0o644)); err != nil {
			return nameTooLong(err)
		}
	}
	return nil
}

// nameTooLong returns a *CompileError for an error about a source whose name is too long, and other
// errors as they are.
func nameTooLong(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, syscall.ENAMETOOLONG) {
		return &CompileError{Output: fmt.Sprintf("%.100s…: the name of a source is too long (hint: put it into fewer folders)", path.Base(p.Path))}
	}
	return err
}

// buildFiles returns the sources as files for the compiler's box. The compiler may change them all,
// for example overwrite a class file that was submitted.
func (s *Source) buildFiles() []runner.File {
	mode := fs.FileMode(0o666)
	if s.Language == Scripts {
		mode = 0o777 // an archive may have lost which of them are executable
	}
	var list []runner.File
	made := map[string]bool{}
	for name, text := range s.files {
		for _, dir := range foldersOf(name) {
			made[dir] = true
		}
		list = append(list, runner.File{Name: name, Mode: mode, Content: content.Of(text)})
	}
	for dir := range made {
		list = append(list, runner.File{Name: dir, Mode: fs.ModeDir | 0o777})
	}
	slices.SortFunc(list, func(a, b runner.File) int { return strings.Compare(a.Name, b.Name) }) // folders come before their files
	return list
}
