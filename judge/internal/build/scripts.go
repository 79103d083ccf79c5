package build

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strings"

	"tribunal/judge/internal/regular"
)

// Scripts is the language of a program that builds itself: a folder with a script named build,
// which makes an executable named run, or with run alone. Only programs of problem packages and runs
// of a service may use it, and no other language may have its name.
const Scripts = "scripts"

// scripts runs the scripts build and run of the problem package format. A shell calls them, because
// it also runs files whose first line names no interpreter. exec replaces the shell with run, so
// that the sandbox sees how run exits. Each run starts in a working directory of its own, which
// contains symbolic links to the files of the program's folder. A file of the test case takes the
// place of a link with the same name.
var scripts = Language{
	Build: []string{"sh", "-c", `if [ -e build ]; then ./build || exit; fi
[ -f run ] && [ -x run ] || { echo "build left no executable file named run"; exit 1; }`},
	Run: []string{"sh", "-c", `ln -s "${0%/*}"/* . 2>/dev/null; exec "$0" "$@"`, "{dir}/run"},
	Env: []string{"PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8", "PYTHONNOUSERSITE=1"},
	// No mounts, because scripts may call any installed program.
}

// scriptLanguages lists the languages whose tools are in the PATH of scripts, wherever they are
// installed: those that the package format promises, and others that most judges have.
var scriptLanguages = []string{"c", "cpp", "python3", "go", "java"}

// OpenProgram reads a program of a problem package that is not a submission. Besides everything
// that [Open] reads, it accepts a folder of scripts, a Checktestdata file, and a folder whose only
// file is in Checktestdata or an executable. rel is the program's slash path below root; messages
// call it name. The program and its files may be symbolic links, but OpenProgram reads nothing
// outside of root. It skips names that begin with a dot or a dash, as the package formats require.
// root must stay open while the source of an executable is in use.
func OpenProgram(root *os.Root, rel, name string, languages map[string]Language) (*Source, error) {
	f, info, err := regular.OpenIn(root, rel)
	if err == nil {
		f.Close()
	}
	if err == nil && !info.IsDir() && isChecktestdata(rel) {
		return openChecktestdata(name, path.Base(rel), func() (*os.File, os.FileInfo, error) { return regular.OpenIn(root, rel) })
	}
	if err != nil || !info.IsDir() {
		return OpenFrom(name, "", Origin{Root: root, Path: rel, First: true}, languages)
	}
	t := &tree{root: root, top: rel, name: name, program: true}
	top, err := t.files()
	if err != nil {
		return nil, err
	}
	if file := onlyChecktestdata(top); file != "" {
		return openChecktestdata(name, file, func() (*os.File, os.FileInfo, error) { return t.open(file) })
	}
	if file := onlyExecutable(t, top); file != "" {
		return OpenFrom(name, "", Origin{Root: root, Path: path.Join(rel, file), First: true}, languages)
	}
	if top["build"] || top["run"] {
		return openFolder(&Source{Name: name, Language: Scripts}, languages, t)
	}
	return openFolder(&Source{Name: name, first: true}, languages, t)
}

// Scripted returns a source of the scripts in texts, build or run or both, with the files of s beside
// them.
func (s *Source) Scripted(texts map[string][]byte) *Source {
	return &Source{Name: s.Name, Language: Scripts, files: Overlay(s.files, texts), read: s.read, terms: s.terms}
}

// onlyExecutable returns the only file of a folder if it is an executable, else "".
func onlyExecutable(t *tree, top map[string]bool) string {
	for file := range top {
		if len(top) == 1 && bytes.HasPrefix(t.start(file), []byte(programMagic)) {
			return file
		}
	}
	return ""
}

// Image returns the current bytes of the executable of a source with the language Binary.
func (s *Source) Image() ([]byte, error) {
	f, _, err := s.again(s.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(wholeBinary(f))
}

// language returns the language of that name, including Scripts and Checktestdata.
func (b *Builder) language(name string) Language {
	switch name {
	case Scripts:
		return scripts
	case Checktestdata:
		return checktestdataLanguage
	}
	return b.options.Languages[name]
}

// addScriptTools adds the tools of scriptLanguages to the toolchain of scripts.
func (b *Builder) addScriptTools(ctx context.Context, t *toolchain) error {
	for _, name := range scriptLanguages {
		other, err := b.resolveLocked(ctx, name)
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

// goTools returns the toolchain of Go if a source is in Go, or its script build may call the go
// command; otherwise nil.
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
		return nil, nil // without Go, the script will fail
	}
	return t, err
}

// goFlags returns the environment for go commands that a script calls. It sets the flags with which
// the standard library was compiled, because with others the go command would compile it again.
func goFlags(l Language) []string {
	var env, flags []string
	for _, arg := range warmArguments(l.Build, nil) {
		if strings.HasPrefix(arg, "-") && arg != "--" {
			if strings.Contains(arg, " ") {
				arg = "'" + arg + "'"
			}
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
