package build

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	gobuild "go/build"
	"go/version"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// This file reads modules and Go distributions without starting the go command.

// goModule is the part of a go.mod that affects how packages are compiled.
type goModule struct {
	path    string   // module path; "" if there is no go.mod
	version string   // version of the language; may be ""
	godebug []string // GODEBUG settings, such as panicnil=1
}

// findModule returns the module of a folder, which is a slash path below root, and the slash path
// of the module's folder below root. It looks for no go.mod above root. If there is no module, the
// path is ".".
func findModule(root, folder string) (string, goModule, error) {
	for {
		file := filepath.Join(root, filepath.FromSlash(folder), "go.mod")
		text, err := readSource(file)
		switch {
		case err == nil:
			m, err := parseModule(file, text)
			return folder, m, err
		case !errors.Is(err, fs.ErrNotExist):
			return "", goModule{}, err
		case folder == ".":
			return ".", goModule{}, nil
		}
		folder = path.Dir(folder)
	}
}

func parseModule(file string, text []byte) (goModule, error) {
	var m goModule
	block := "" // the keyword of the current block in parentheses; "" outside of one
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case block == "godebug":
			m.godebug = append(m.godebug, words[0])
		case block != "":
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case len(words) != 2:
		case words[0] == "module":
			m.path = words[1]
			if name, err := strconv.Unquote(words[1]); err == nil {
				m.path = name
			}
		case words[0] == "go":
			m.version = words[1]
		case words[0] == "godebug":
			m.godebug = append(m.godebug, words[1])
		}
	}
	if m.path == "" {
		return m, fmt.Errorf("%s:1: no module line (hint: go mod init NAME writes one)", file)
	}
	return m, nil
}

// ModuleSettings returns the part of a go.mod that changes how programs are compiled which [OpenOwn]
// reads, as a go.mod. The error names the file.
func ModuleSettings(file string, text []byte) ([]byte, error) {
	m, err := parseModule(file, text)
	if err != nil {
		return nil, err
	}
	return m.text(), nil
}

// text returns a go.mod with the settings of m.
func (m goModule) text() []byte {
	text := "module " + m.path + "\n"
	if m.version != "" {
		text += "\ngo " + m.version + "\n"
	}
	for _, setting := range m.godebug {
		text += "\ngodebug " + setting + "\n"
	}
	return []byte(text)
}

// matters reports whether a go command with these release tags compiles a package in the module
// differently than without a module.
func (m goModule) matters(releases []string) bool {
	return len(m.godebug) > 0 || m.version != "" && len(releases) > 0 && version.Lang("go"+m.version) != releases[len(releases)-1]
}

// folder returns the slash path, below the module's folder, of the package with the import path
// name. It returns false if the package does not belong to the module.
func (m goModule) folder(name string) (string, bool) {
	if m.path == "" {
		return "", false
	}
	if name == m.path {
		return ".", true
	}
	return strings.CutPrefix(name, m.path+"/")
}

// goContext returns the context with which the language's build command selects files. It does not
// depend on the judge's environment.
func goContext(l Language) gobuild.Context {
	c := gobuild.Default
	c.GOROOT, c.GOPATH = "", "" // read files from the given folder alone
	c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags = runtime.GOOS, runtime.GOARCH, true, nil
	flags := slices.Clone(l.Build)
	for _, setting := range l.Env {
		switch name, value, _ := strings.Cut(setting, "="); name {
		case "GOOS":
			c.GOOS = value
		case "GOARCH":
			c.GOARCH = value
		case "CGO_ENABLED":
			c.CgoEnabled = value != "0"
		case "GOFLAGS":
			flags = append(strings.Fields(value), flags...) // flags of the command override it
		}
	}
	for i, flag := range flags {
		name, tags, ok := strings.Cut(flag, "=")
		if !ok && i+1 < len(flags) {
			tags = flags[i+1]
		}
		if strings.TrimLeft(name, "-") == "tags" && strings.HasPrefix(name, "-") {
			c.BuildTags = strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	// Use the release tags of the Go that compiles the program, which may not be the version that
	// built the judge.
	if len(l.Build) > 0 {
		if _, real := lookUp(l.Build[0]); real != "" {
			if d, ok := readDistribution(real); ok {
				c.ReleaseTags = releases(d.version)
			}
		}
	}
	return c
}

// releases returns the release tags of a Go version: its own and those of all before it. If the
// version has no number, it returns the tags of the Go that built the judge.
func releases(goVersion string) []string {
	_, minor, _ := strings.Cut(version.Lang(goVersion), ".")
	last, err := strconv.Atoi(minor)
	if err != nil {
		return gobuild.Default.ReleaseTags
	}
	var list []string
	for i := range last {
		list = append(list, fmt.Sprintf("go1.%d", i+1))
	}
	return list
}

// distribution identifies a Go distribution by the build information of its go command.
type distribution struct {
	root     string
	version  string // Go version, such as go1.26.8
	platform string // operating system and architecture, such as linux/amd64
}

// readDistribution returns the distribution to which a go command belongs, and false if the file is
// not a go command, for example because it is a shim. "go version" prints the same, unless the
// environment selects another toolchain.
func readDistribution(file string) (distribution, bool) {
	d := distribution{root: filepath.Dir(filepath.Dir(file))}
	if file != filepath.Join(d.root, "bin", "go") || !exists(filepath.Join(d.root, "pkg", "tool")) {
		return d, false
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil || info.Path != "cmd/go" {
		return d, false
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	d.version, d.platform = info.GoVersion, settings["GOOS"]+"/"+settings["GOARCH"]
	return d, settings["GOOS"] != "" && settings["GOARCH"] != ""
}
