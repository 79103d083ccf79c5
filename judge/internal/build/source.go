package build

import (
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
	"tribunal/judge/internal/outputs"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/runner"
)

// Limits of a submission.
const (
	MaxSource = 16 * limits.MiB // total size of all sources
	maxBinary = maxResult       // size of a submitted executable: the limit of compiled programs, because both run from memory
	MaxFiles  = 2000
	maxPath   = 1000 // longest path below the submission's folder, in bytes; paths in the cache and the jail are longer
)

// Source is a submission that was read and checked, but not yet built. It is immutable.
type Source struct {
	Name     string // name that the caller gave
	Language string // name of a language of Options, Binary, Scripts, Checktestdata or Outputs

	files   map[string][]byte // contents by slash path; nil for a binary
	read    []string          // paths that Files returns
	module  bool              // OpenOwn has read it as a package of a Go module, so that read is below the root
	code    []string          // the files to compile; nil means all files of the language
	placed  bool              // Placed chose code, so the files alone do not say what is compiled
	folder  string            // folder of the package to build, in a Go module; "" for the top
	main    string            // the main file
	entry   string            // the main file or class, if the caller named it; else ""
	first   bool              // if several files may be the main one, take the first
	whole   bool              // all files are part of the program
	problem string            // id of the problem that it was handed in for; "" if that is not known
	choice  Choice            // how the main file was chosen
	strange []string          // sources that the compiler gets, but that may belong to a program that was left out
	names   map[string]Naming // cache of namesIn
	sum     cache.Key         // cache key of an executable, when it was opened; "" for sources
	again   opener            // opens the executable once more
	empty   bool              // the sources contain only white space
	terms   terms
	handed  *outputs.Set // what was submitted instead of a program; nil for a program
	bare    *Source      // the source without the files that Including added; nil if it added none
}

// opener opens the named file, like the functions of package regular.
type opener func(name string) (*os.File, fs.FileInfo, error)

// Open reads a source file, a folder of sources, or an ELF executable. language, unless "",
// overrides the one that the file names suggest. The error is an [*UnfitError] if the file or
// folder is not a submission, for example because it is too large or in no known language. It is an
// [*UnclearError] if a folder may be several programs. It is an [*UnreadError] if the file or folder cannot be read.
func Open(name, language string, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	return classify(open(&Source{Name: name, Language: language}, regular.Open, languages))
}

// Origin describes where a program of a problem package comes from.
type Origin struct {
	Root     *os.Root // folder of the package; symbolic links out of it are not followed; may be nil
	Path     string   // slash path of the program below Root
	Entry    string   // main file or class; "" lets the judge find it
	First    bool     // if nothing else decides, the main file is the first by name, as in the judges for which packages are written
	HandedIn bool     // a contestant submitted the program: follow only the symbolic links that [Submission] follows
	Problem  string   // id of the problem for which it was handed in, as in [Submission]
}

// OpenFrom is like [Open] for programs of packages and for packages. The files of a folder below
// Root may be symbolic links to other files of the package.
func OpenFrom(name, language string, from Origin, languages map[string]Language) (*Source, error) {
	if name == "" {
		return nil, errNothing
	}
	source := &Source{Name: name, Language: language, entry: from.Entry, first: from.First, problem: from.Problem}
	var openFile opener = regular.Open
	switch {
	case from.Root != nil:
		if info, err := from.Root.Stat(from.Path); err == nil && info.IsDir() && (language == "" || hasLanguage(languages, language)) {
			return classify(openFolder(source, languages, &tree{root: from.Root, top: from.Path, name: name, program: true}))
		}
		openFile = func(string) (*os.File, fs.FileInfo, error) { return regular.OpenIn(from.Root, from.Path) }
	case from.HandedIn:
		openFile = openHandedIn
	}
	return classify(open(source, openFile, languages))
}

// open reads the file or folder s.Name, which openFile opens.
func open(s *Source, openFile opener, languages map[string]Language) (*Source, error) {
	name, language := s.Name, s.Language
	f, info, err := openFile(name)
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
	magic := make([]byte, len(programMagic))
	if _, err := f.ReadAt(magic, 0); err == nil && string(magic) == programMagic && (language == "" || language == Binary) {
		if size > maxBinary {
			return nil, fmt.Errorf("%s: executable of %s, more than %s (hint: strip it, or submit the source)", name, size.Human(), maxBinary)
		}
		if err := checkProgram(name, f); err != nil {
			return nil, err
		}
		if s.sum, err = binaryKey(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, reason(err))
		}
		// Do not keep the file open: a batch may have more executables than the judge may have open
		// files.
		s.Language, s.again = Binary, openFile
		return s, nil
	}
	if size > MaxSource {
		return nil, fmt.Errorf("%s: source of %s, more than %s (hint: is it the right file?)", name, size.Human(), MaxSource)
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return single(name, filepath.Base(name), text, language, languages)
}

// openError adds the name and a hint to an error of opening a submission.
func openError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return userErrorf("%s: %w (hint: a submission is a source file, a folder of sources or an executable)", name, reason(err))
	case errors.Is(err, regular.ErrIrregular):
		return fmt.Errorf("%s: %w (hint: - reads source from standard input)", name, regular.ErrIrregular)
	}
	return fmt.Errorf("%s: %w", name, reason(err))
}

// Read reads a submission of one source file from r. Messages call it name. file is its file name;
// if that is "", language must be set. The errors are those of [Open].
func Read(name, file string, r io.Reader, language string, languages map[string]Language) (*Source, error) {
	return classify(read(name, file, r, language, languages))
}

func read(name, file string, r io.Reader, language string, languages map[string]Language) (*Source, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(MaxSource)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if limits.Bytes(len(text)) > MaxSource {
		return nil, fmt.Errorf("%s: source of more than %s (hint: is it the right file?)", name, MaxSource)
	}
	return single(name, file, text, language, languages)
}

func single(name, file string, text []byte, language string, languages map[string]Language) (*Source, error) {
	if language == "" {
		found := matches(languages, file, text)
		if ext := filepath.Ext(file); len(found) == 0 { // such as SUM.CPP, which becomes main.cpp
			found = matches(languages, strings.TrimSuffix(file, ext)+strings.ToLower(ext), text)
		}
		if filepath.Ext(file) == "" {
			found = interpreted(languages, text)
		}
		other := foreignLanguage(languages, file, text)
		switch {
		case file == "":
			return nil, userErrorf("%s: no file name that shows the language (hint: add --lang, one of %s)", name, known(languages))
		case other != "":
			return nil, &ForeignError{name, other}
		case len(found) == 0 && IsArchive(file):
			return nil, &ExtensionError{Name: name, Extension: filepath.Ext(file), packed: filepath.Base(file), languages: known(languages)}
		case len(found) == 0:
			return nil, &ExtensionError{Name: name, Extension: filepath.Ext(file), languages: known(languages)}
		case len(found) > 1:
			return nil, fmt.Errorf("%s: could be %s (hint: add --lang)", name, strings.Join(found, " or "))
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

// key adds everything of the source that can change the program to h.
func (s *Source) key(h *cache.Hasher) {
	start := ""
	if s.classes() {
		start = s.entry + strconv.FormatBool(s.first) + s.choice.Main // mainClass depends on all
	}
	if s.folder != "" { // that of the problem, of several programs in a module
		start = s.folder
	}
	h.Text(s.Language, s.main, start)
	if s.placed {
		h.Text(s.code...)
	}
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

// write writes the sources into dir. Every account may read them, whatever the judge's umask is,
// but no other account of the host can enter the cache. If a name is too long for the file system,
// the error is a *CompileError.
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

// nameTooLong returns a *CompileError if a source's name is too long, and other errors unchanged.
func nameTooLong(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, syscall.ENAMETOOLONG) {
		return &CompileError{Output: fmt.Sprintf("%.100s…: the name of a source is too long (hint: nest fewer folders)", path.Base(p.Path))}
	}
	return err
}

// buildFiles returns the sources as files for the compiler's box. The compiler may change all of
// them, for example to overwrite a class file that was submitted.
func (s *Source) buildFiles() []runner.File {
	mode := fs.FileMode(0o666)
	if s.Language == Scripts {
		mode = 0o777 // all executable, because an archive may have lost the permissions
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
	slices.SortFunc(list, func(a, b runner.File) int { return strings.Compare(a.Name, b.Name) }) // sorts each folder before its files
	return list
}
