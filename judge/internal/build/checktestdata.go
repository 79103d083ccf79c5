package build

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"

	"tribunal/judge/internal/checktestdata"
	"tribunal/judge/internal/regular"
)

// Checktestdata is the language of a program that describes inputs or answers: a file whose
// name ends in .ctd. The judge's own executable interprets it, in the jail as any other
// program. Only validators may be in it, and no other language may have its name.
const Checktestdata = "checktestdata"

// descriptions runs what package checktestdata has for it; compiling is reading the program.
var descriptions = Language{
	Match:  []string{".ctd"},
	Build:  []string{checktestdata.Interpreter, checktestdata.Only, "{main}"},
	Run:    []string{checktestdata.Interpreter, "{dir}/{main}"},
	Keep:   []string{},
	Mounts: []string{},
}

// describes reports whether a file is in Checktestdata.
func describes(file string) bool { return slices.Contains(descriptions.Match, path.Ext(file)) }

// openDescription reads a program in Checktestdata.
func openDescription(name, file string, open func() (*os.File, os.FileInfo, error)) (*Source, error) {
	f, info, err := open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer f.Close()
	if info.Size() > int64(maxSource) {
		return nil, fmt.Errorf("%s: larger than %s", name, maxSource)
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return &Source{Name: name, Language: Checktestdata, files: map[string][]byte{file: text}, main: file}, nil
}

// onlyDescription returns the file of a folder that has a program in Checktestdata and
// nothing else, "" for any other folder.
func onlyDescription(top map[string]bool) string {
	files := slices.Collect(maps.Keys(top))
	if len(files) == 1 && describes(files[0]) {
		return files[0]
	}
	return ""
}

// itself returns the judge's own executable in memory, also after the file was replaced.
func itself() (*os.File, error) { return memoryCopy("/proc/self/exe") }

// interpreter is the toolchain of Checktestdata, whose version is the judge itself.
func interpreter() (*toolchain, error) {
	exe, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, err
	}
	key, err := binaryKey(exe)
	return &toolchain{Tools: map[string]string{}, Version: string(key)}, errors.Join(err, exe.Close())
}
