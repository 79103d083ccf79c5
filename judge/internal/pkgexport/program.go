package pkgexport

import (
	"bytes"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
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

// program is a program in a folder of its own: texts by slash path within it.
type program struct {
	files    map[string][]byte
	language string
	source   *build.Source // that it was read from; nil for one that was made
}

// own returns one of the problem's own programs, which stands in a folder below the
// root, so that its folder alone can be built. A Go program brings the packages of its
// module along, and what its constraints leave out here.
func (p *plan) own(folder string) (*program, error) {
	source, err := p.CaseData.Source(folder)
	if err != nil {
		return nil, err
	}
	if source.Language == build.Binary {
		image, err := source.Image()
		return &program{map[string][]byte{"program": image}, source.Language, source}, err
	}
	if source.Language != "go" {
		return &program{source.Texts(), source.Language, source}, nil
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
	base := folder // of all packages
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
		dir := path.Dir(file) // of the package, which may embed files further down
		for dir != "." && !packages[dir] {
			dir = path.Dir(dir)
		}
		rel := strings.TrimPrefix(file, folder+"/")
		if dir != folder {
			if rel = strings.TrimPrefix(file, base+"/"); !importable(within(base, dir)) {
				return nil, &yamlstrict.Error{
					File: filepath.Join(p.CaseData.Problem.Root, folder), Hint: "move it to " + path.Join(base, "internal"),
					Msg: "imports the package in " + dir + ", which cannot be taken along",
				}
			}
		}
		own.files[rel] = text
	}
	own.files["go.mod"] = fmt.Appendf(nil, "module %s\n\ngo %s\n", path.Join(m.name, within(m.top, base)), m.version)
	return own, nil
}

// within returns the path of a folder that is dir or lies below it.
func within(dir, folder string) string {
	if folder == dir {
		return "."
	}
	return strings.TrimPrefix(folder, dir+"/")
}

// importable reports whether a package in a folder of a module can be imported by the one
// at its top.
func importable(dir string) bool {
	return dir != "." && !strings.Contains(strings.TrimPrefix(dir+"/", "internal/"), "internal/")
}

// packages returns the files of the packages that a Go program is made of, by slash
// path below the root.
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

// module is what a Go program is a part of.
type module struct {
	top           string // its folder below the root
	name, version string
}

// moduleOf finds the module of a folder below the root. Without one, the language is
// that of the go command which this was made by.
func moduleOf(root, folder string) (module, error) {
	none := module{top: ".", name: "program", version: strings.TrimPrefix(version.Lang(runtime.Version()), "go")}
	for dir := folder; ; dir = path.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(dir), "go.mod"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return none, yamlstrict.FileError(filepath.Join(root, dir, "go.mod"), err)
		}
		if err == nil {
			m := module{top: dir, name: none.name, version: none.version}
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
			return none, nil
		}
	}
}

// buildScript makes the program of a validator for tools that know no Go.
const buildScript = `#!/bin/sh
# Makes ./run of the Go program in this folder.
exec go build -o run .
`

// readme goes with buildScript.
const readme = `The script build needs the go command, version %s or later, and no network.
`

// validator adds a validator, with what tools need to build it.
func (p *plan) validator(dir string, v *program) {
	if v.language == build.Checktestdata { // which tools take for a validator as a file alone
		for _, text := range v.files {
			p.bytes(dir+".ctd", text)
		}
		return
	}
	for name, text := range v.files {
		p.bytes(path.Join(dir, name), text)
		p.files[len(p.files)-1].executable = v.language == build.Scripts || v.language == build.Binary
	}
	if v.language != "go" {
		return
	}
	p.text(path.Join(dir, "build"), buildScript)
	p.files[len(p.files)-1].executable = true
	p.text(path.Join(dir, "README"), fmt.Sprintf(readme, goVersion(v.files["go.mod"])))
}

func goVersion(mod []byte) string {
	_, v, _ := strings.Cut(string(mod), "\ngo ")
	return strings.TrimSpace(v)
}

// sources returns the names of the files in the language of the program, sorted, as
// far as its endings tell.
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
