package build

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
)

// Checktestdata is a language for input validators: files whose names end in .ctd. The judge's own
// executable interprets them, in the jail like any other program. Only validators may use it, and
// no other language may have its name.
const Checktestdata = "checktestdata"

// Interpreter is os.Args[0] of a judge that interprets the program in the file that is its first argument, as
// package checktestdata does. With ParseOnly before it, the program is read but not run.
const (
	Interpreter = "/tribunal-checktestdata"
	ParseOnly   = "-only-read"
)

// checktestdataLanguage runs the judge as an interpreter. Its build command only parses the program.
var checktestdataLanguage = Language{
	Match:  []string{".ctd"},
	Build:  []string{Interpreter, ParseOnly, "{main}"},
	Run:    []string{Interpreter, "{dir}/{main}"},
	Keep:   []string{},
	Mounts: []string{},
}

func isChecktestdata(file string) bool {
	return slices.Contains(checktestdataLanguage.Match, path.Ext(file))
}

func openChecktestdata(name, file string, open func() (*os.File, os.FileInfo, error)) (*Source, error) {
	f, info, err := open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer f.Close()
	if info.Size() > int64(MaxSource) {
		return nil, fmt.Errorf("%s: larger than %s", name, MaxSource)
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return &Source{Name: name, Language: Checktestdata, files: map[string][]byte{file: text}, main: file}, nil
}

// onlyChecktestdata returns the only file of a folder if it is a Checktestdata program, else "".
func onlyChecktestdata(top map[string]bool) string {
	files := slices.Collect(maps.Keys(top))
	if len(files) == 1 && isChecktestdata(files[0]) {
		return files[0]
	}
	return ""
}

// ownExecutable returns an in-memory copy of the judge's own executable, even if its file was
// replaced.
func ownExecutable() (*os.File, error) {
	f, err := system.Executable()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return sandbox.Executable(f)
}

// interpreter returns the toolchain of Checktestdata. Its version is the hash of the judge.
func interpreter() (*toolchain, error) {
	exe, err := system.Executable()
	if err != nil {
		return nil, err
	}
	key, err := binaryKey(exe)
	return &toolchain{Tools: map[string]string{}, Version: string(key)}, errors.Join(err, exe.Close())
}
