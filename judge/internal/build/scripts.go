package build

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"io"
	"os"
	"path"
	"strings"

	"tribunal/judge/internal/regular"
)

// Scripts is the language of a program that says itself how it is built and run: a
// folder with a script build, which makes run of what is there, or with run alone. Only
// programs of problem packages may be in it, and no other language may have its name.
const Scripts = "scripts"

// scripts calls what the specification of packages calls build and run. They go through
// a shell, which takes a file without a first line that names an interpreter for one of
// its own. It is replaced by run, whose end is then seen as it is. Where run starts it
// finds links to what is in its folder, unless a case has a file of that name, and may
// write what no other run sees.
var scripts = Language{
	Build: []string{"sh", "-c", `if [ -e build ]; then ./build || exit; fi
[ -f run ] && [ -x run ] || { echo "build has left no executable file run"; exit 1; }`},
	Run: []string{"sh", "-c", `ln -s "${0%/*}"/* . 2>/dev/null; exec "$0" "$@"`, "{dir}/run"},
	Env: []string{"PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8", "PYTHONNOUSERSITE=1"},
	// No mounts: scripts may call all that is installed.
}

// called are the languages whose tools scripts find by name wherever they are installed:
// those that the specification promises, and those that other judges have as well.
var called = []string{"c", "cpp", "python3", "go", "java"}

// OpenProgram reads a program of a problem package that is no submission: what Open reads, a
// folder of scripts, or a file in Checktestdata or an executable, alone in its folder if a folder
// is named. Of an executable root has to stay open. rel is its slash path below root, and messages call it name. It
// may be a link, and so may the files of a folder, but nothing outside root is read. Names
// that begin with a dot or a dash are not read: the formats of packages pass over them.
func OpenProgram(root *os.Root, rel, name string, languages map[string]Language) (*Source, error) {
	f, info, err := regular.OpenIn(root, rel)
	if err == nil {
		f.Close()
	}
	if err == nil && !info.IsDir() && describes(rel) {
		return openDescription(name, path.Base(rel), func() (*os.File, os.FileInfo, error) { return regular.OpenIn(root, rel) })
	}
	if err != nil || !info.IsDir() {
		return OpenFrom(name, "", Origin{Root: root, Path: rel}, languages)
	}
	t := &tree{root: root, top: rel, name: name, program: true}
	top, err := t.files()
	if err != nil {
		return nil, err
	}
	if file := onlyDescription(top); file != "" {
		return openDescription(name, file, func() (*os.File, os.FileInfo, error) { return t.open(file) })
	}
	if file := onlyExecutable(t, top); file != "" {
		return OpenFrom(name, "", Origin{Root: root, Path: path.Join(rel, file)}, languages)
	}
	if top["build"] || top["run"] {
		return openFolder(&Source{Name: name, Language: Scripts}, languages, t)
	}
	return openFolder(&Source{Name: name, first: true}, languages, t)
}

// onlyExecutable returns the file of a folder that has an executable and nothing else, "" for
// any other folder.
func onlyExecutable(t *tree, top map[string]bool) string {
	for file := range top {
		if len(top) == 1 && bytes.HasPrefix(t.start(file), []byte(elf.ELFMAG)) {
			return file
		}
	}
	return ""
}

// Image returns the bytes of a submitted or a problem's own executable, as they are now.
func (s *Source) Image() ([]byte, error) {
	f, _, err := s.again(s.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(wholeBinary(f))
}

// language returns a language that the builder builds.
func (b *Builder) language(name string) Language {
	switch name {
	case Scripts:
		return scripts
	case Checktestdata:
		return descriptions
	}
	return b.options.Languages[name]
}

// borrow adds to the toolchain of scripts what they call.
func (b *Builder) borrow(ctx context.Context, t *toolchain) error {
	for _, name := range called {
		other, err := b.look(ctx, name)
		if _, missing := errors.AsType[*MissingError](err); missing {
			continue
		}
		if err != nil {
			return err
		}
		t.Roots = append(t.Roots, other.Roots...)
		t.Version += other.Version
	}
	return nil
}

// goTools returns the toolchain of Go if it makes a program of the source, or a script
// may ask it to, and nil otherwise.
func (b *Builder) goTools(ctx context.Context, s *Source) (*toolchain, error) {
	calls := s.Language == "go"
	for file := range s.files {
		calls = calls || s.Language == Scripts && path.Ext(file) == ".go"
	}
	if !calls {
		return nil, nil
	}
	t, err := b.resolve(ctx, "go")
	if _, missing := errors.AsType[*MissingError](err); missing {
		return nil, nil // the script will tell
	}
	return t, err
}

// goFlags is the environment of a go command that a script calls. It has the flags that
// the standard library was compiled with: with others it would be compiled again.
func goFlags(l Language) []string {
	var env, flags []string
	for _, arg := range warmArguments(l.Build, nil) {
		if strings.HasPrefix(arg, "-") && arg != "--" {
			flags = append(flags, arg)
		}
	}
	for _, setting := range l.Env {
		if more, ok := strings.CutPrefix(setting, "GOFLAGS="); ok {
			flags = append(flags, strings.Fields(more)...)
			continue
		}
		env = append(env, setting)
	}
	return append(env, "GOFLAGS="+strings.Join(flags, " "))
}
