package pkgexport

import (
	"bytes"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
)

// program is a program in a folder of its own.
type program struct {
	files    map[string][]byte // contents of the files, by slash path within the folder
	language string
	source   *build.Source // the source that it was read from; nil for a Go program and for a generated one
}

// ownProgram returns one of the problem's own programs, in a form that can be built from its folder
// alone. folder is its path below the root. A Go program includes the packages of its module that
// it imports, and the files that build constraints exclude on this machine.
func (p *plan) ownProgram(folder string) (*program, error) {
	source, err := p.CaseData.Source(folder)
	if err != nil {
		return nil, err
	}
	if source.Language == build.Binary {
		image, err := source.Image()
		return &program{map[string][]byte{"program": image}, source.Language, source}, err
	}
	if !source.InModule() {
		files := source.Texts()
		if source.Language == "go" && files["go.mod"] == nil { // the validator of another's package
			files = maps.Clone(files)
			files["go.mod"] = noModule.text(noModule.name)
		}
		return &program{files, source.Language, source}, nil
	}
	folder = filepath.ToSlash(folder)
	m, err := moduleOf(p.CaseData.Problem.Root, folder)
	if err != nil {
		return nil, err
	}
	files, err := p.packages(source)
	if err != nil {
		return nil, err
	}
	base := folder // the innermost folder that holds all packages
	packages := map[string]bool{}
	for file := range files {
		dir := path.Dir(file)
		packages[dir] = packages[dir] || path.Ext(file) == ".go"
		for base != "." && dir != base && !strings.HasPrefix(dir, base+"/") {
			base = path.Dir(base)
		}
	}
	own := &program{files: map[string][]byte{}, language: "go"}
	for file, text := range files {
		dir := path.Dir(file)
		for dir != "." && !packages[dir] { // an embedded file may be in a subfolder of its package
			dir = path.Dir(dir)
		}
		rel := strings.TrimPrefix(file, folder+"/")
		if dir != folder {
			if rel = strings.TrimPrefix(file, base+"/"); !importable(within(base, dir)) {
				return nil, &yamlstrict.Error{
					File: filepath.Join(p.CaseData.Problem.Root, folder), Hint: "move it to " + path.Join(base, "internal"),
					Msg: "imports the package in " + dir + ", which cannot be exported with it",
				}
			}
		}
		own.files[rel] = text
	}
	own.files["go.mod"] = m.text(path.Join(m.name, within(m.top, base)))
	return own, nil
}

// within returns the path of folder relative to dir, which is the same folder or a parent of it.
func within(dir, folder string) string {
	if folder == dir {
		return "."
	}
	return strings.TrimPrefix(folder, dir+"/")
}

// importable reports whether the package at the top of a module can import the one in dir, a path
// within the module.
func importable(dir string) bool {
	return dir != "." && !strings.Contains(strings.TrimPrefix(dir+"/", "internal/"), "internal/")
}

// packages returns the files of the packages that make up a Go program, by slash path below the
// root.
func (p *plan) packages(source *build.Source) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range source.Files() {
		if path.Base(name) == "go.mod" {
			continue
		}
		names := []string{name}
		if path.Ext(name) == ".go" {
			list, err := repo.Entries(filepath.Join(p.CaseData.Problem.Root, filepath.FromSlash(path.Dir(name))))
			if err != nil {
				return nil, err
			}
			for _, e := range list {
				if n := e.Name(); e.Type().IsRegular() && path.Ext(n) == ".go" && !strings.HasSuffix(n, "_test.go") {
					names = append(names, path.Join(path.Dir(name), n))
				}
			}
		}
		for _, n := range names {
			if files[n] != nil {
				continue
			}
			text, err := yamlstrict.Read(filepath.Join(p.CaseData.Problem.Root, filepath.FromSlash(n)))
			if err != nil {
				return nil, err
			}
			files[n] = text
		}
	}
	return files, nil
}

// module is the Go module that a program belongs to.
type module struct {
	top           string // folder of the module, below the root
	name, version string
}

// text returns a go.mod with another name of the module.
func (m module) text(name string) []byte {
	return fmt.Appendf(nil, "module %s\n\ngo %s\n", name, m.version)
}

// noModule stands for a missing module, with the language version of the Go release that built the judge.
var noModule = module{top: ".", name: "program", version: strings.TrimPrefix(version.Lang(runtime.Version()), "go")}

// moduleOf finds the module of a folder below the root. If there is none, it returns noModule.
func moduleOf(root, folder string) (module, error) {
	for dir := folder; ; dir = path.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(dir), "go.mod"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return noModule, yamlstrict.FileError(filepath.Join(root, dir, "go.mod"), err)
		}
		if err == nil {
			m := module{top: dir, name: noModule.name, version: noModule.version}
			for line := range bytes.Lines(text) {
				if f := strings.Fields(string(line)); len(f) > 1 && f[0] == "module" {
					m.name = strings.Trim(f[1], `"`)
				} else if len(f) > 1 && f[0] == "go" {
					m.version = f[1]
				}
			}
			return m, nil
		}
		if dir == "." {
			return noModule, nil
		}
	}
}

// buildScript builds a validator for tools that do not support Go.
const buildScript = `#!/bin/sh
# Builds ./run from the Go program in this folder.
exec go build -o run .
`

// readme explains buildScript; %s is a Go version.
const readme = `The script build needs the go command, version %s or later, and no network.
`

// addValidator plans the files of a validator in dir, with a build script if it is in Go.
func (p *plan) addValidator(dir string, v *program) {
	if v.language == build.Checktestdata { // tools recognise it only as a single file
		for _, text := range v.files {
			p.addBytes(dir+".ctd", text)
		}
		return
	}
	for name, text := range v.files {
		p.addBytes(path.Join(dir, name), text)
		p.files[len(p.files)-1].executable = v.language == build.Scripts || v.language == build.Binary || name == "build"
	}
	if v.language != "go" || v.files["build"] != nil {
		return
	}
	p.addText(path.Join(dir, "build"), buildScript)
	p.files[len(p.files)-1].executable = true
	p.addText(path.Join(dir, "README"), fmt.Sprintf(readme, goVersion(v.files["go.mod"])))
}

// flat returns a program without folders, for DOMjudge, which takes all files of an output validator
// out of their folders. A script that builds the program puts them back. It reports false if the
// program has folders and no such script.
func (v *program) flat() (*program, bool) {
	w := &program{files: maps.Clone(v.files), language: v.language, source: v.source}
	moves := ""
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		dir := path.Dir(name)
		if dir == "." {
			continue
		}
		to := strings.ReplaceAll(name, "/", "_")
		for _, taken := w.files[to]; taken; _, taken = w.files[to] {
			to = "_" + to
		}
		moves += fmt.Sprintf("mkdir -p %s && mv %s %s || exit\n", shellQuoted(dir), shellQuoted(to), shellQuoted(name))
		w.files[to] = w.files[name]
		delete(w.files, name)
	}
	if moves == "" {
		return v, true
	}
	script := string(w.files["build"])
	if v.language == "go" {
		script = buildScript
		w.files["README"] = fmt.Appendf(nil, readme, goVersion(v.files["go.mod"]))
	}
	first, rest, _ := strings.Cut(script, "\n")
	w.files["build"] = []byte(first + "\n" + moves + rest)
	return w, script != ""
}

func goVersion(mod []byte) string {
	_, v, _ := strings.Cut(string(mod), "\ngo ")
	return strings.TrimSpace(v)
}

// sources returns the sorted names of the files with an extension of the program's language.
func (v *program) sources(languages map[string]build.Language) []string {
	var list []string
	for name := range v.files {
		if slices.Contains(languages[v.language].Match, path.Ext(name)) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
