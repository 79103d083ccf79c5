// Package config decodes runner.yaml into the options of the packages that it configures.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/watch"
	"tribunal/judge/internal/yamlstrict"
)

// File is the name of the configuration at the top of a repository.
const File = "runner.yaml"

// Config is the configuration of a machine. Every field has a usable value.
type Config struct {
	Slots      int          // number of runs at the same time
	CacheDir   string       // absolute path of the cache
	CacheSize  limits.Bytes // maximum size of the cache; 0 means unlimited
	Mode       sandbox.Mode
	Grace      time.Duration // how far a run may exceed a limit before it is stopped
	WallFactor float64       // wall limit divided by CPU limit, if a problem sets no wall limit
	Build      build.Options // options of builds; Cache and Host are not set
	Quiet      time.Duration // how long files must be unchanged before watch mode writes
	Diff       diff.Options  // how much of a difference reports show
}

// document is runner.yaml. Missing keys keep their defaults.
type document struct {
	Place     yamlstrict.Place
	Slots     string                        `yaml:"slots,word" doc:"runs at a time, from 1 to 1024; auto = CPUs of this machine"`
	Cache     string                        `yaml:"cache,word" doc:"folder of the cache; auto = the user's cache directory"`
	CacheSize limits.Bytes                  `yaml:"cache_size" min:"16MiB" doc:"maximum size of the cache, including compiled packages of Go; the entries that were used longest ago are dropped"`
	Sandbox   sandboxDocument               `yaml:"sandbox" doc:"how programs are confined"`
	Build     buildDocument                 `yaml:"build" doc:"limits of one compilation"`
	Watch     watchDocument                 `yaml:"watch" doc:"watch mode"`
	Report    reportDocument                `yaml:"report" doc:"how much of a difference is shown"`
	Languages yamlstrict.Map[languageEntry] `yaml:"languages" doc:"languages by name; a known one keeps what is not set here"`
}

type sandboxDocument struct {
	Mode       string        `yaml:"mode" enum:"auto,container,rlimit" doc:"how programs are isolated; auto takes the strongest mode that works here"`
	Grace      time.Duration `yaml:"grace" max:"1m" doc:"how far over a limit a run may go before it is stopped"`
	WallFactor float64       `yaml:"wall_factor" min:"1" max:"1000" doc:"wall limit as a multiple of the CPU limit, if the problem sets none"`
}

type buildDocument struct {
	Timeout time.Duration `yaml:"timeout" min:"1s" max:"1h" doc:"CPU time of one compilation; it may take twice as long by the clock"`
	Memory  limits.Bytes  `yaml:"memory" min:"64MiB" doc:"memory of one compilation"`
	Output  limits.Bytes  `yaml:"output" min:"1KiB" max:"64MiB" doc:"how much of the compiler's output is kept"`
}

type watchDocument struct {
	Quiet time.Duration `yaml:"quiet" min:"1ms" max:"1m" doc:"how long no file may change before the judge writes files or reports a broken one; work that only reads begins after a tenth of it"`
}

type reportDocument struct {
	DiffLines int          `yaml:"diff_lines" min:"2" max:"1000" doc:"lines to show of a difference"`
	DiffBytes limits.Bytes `yaml:"diff_bytes" min:"256B" max:"1MiB" doc:"bytes to show of a difference"`
}

type languageEntry struct {
	Place   yamlstrict.Place
	Match   []string   `yaml:"match,word" doc:"file name extensions, such as .cpp"`
	Shebang []string   `yaml:"shebang,word" doc:"interpreters; the language takes only files whose first line is #! with one of them"`
	Build   []string   `yaml:"build,word" doc:"compile or check command; {src} {main} {stem} {exe} {dir} stand for files; a first word such as lua5.4|lua means the first of these tools that is installed"`
	Run     []string   `yaml:"run,word" doc:"run command, when the build produces no executable; {dir} {main} {stem} {exe} {memory} {heap} {stack} {cpus}"`
	Keep    []string   `yaml:"keep,word" doc:"names of files that the build makes for the run command, possibly patterns; a run gets no other files of the build, nor its changes to the sources; by default, for a new language or another tool, all files of the build"`
	Options []string   `yaml:"options,word" doc:"options of the compiler that a submission may bring, as regular expressions of a whole option, such as -O[0-3]; they must not name files or call programs"`
	Version []string   `yaml:"version,word" doc:"prints the toolchain's version, which is part of every build's key"`
	Root    []string   `yaml:"root,word" doc:"prints the toolchain's folder, when PATH leads to a shim"`
	Mounts  []string   `yaml:"mounts,word" doc:"host files and folders, possibly patterns, that the commands see besides shared libraries and their own files; by default, for a new language or another tool, all of /usr, /bin and /lib"`
	Env     []string   `yaml:"env,word" doc:"KEY=value for both commands; {dir} is the folder of the program, {memory} {heap} {stack} {cpus} as in run"`
	Package string     `yaml:"package" doc:"what to install on Debian for the commands"`
	Debug   debugEntry `yaml:"debug" doc:"what judge run --debug adds"`
}

type debugEntry struct {
	Flags    []string `yaml:"flags,word" doc:"inserted in the build command before the sources"`
	RunFlags []string `yaml:"run_flags,word" doc:"inserted in the run command after its first word"`
	Env      []string `yaml:"env,word" doc:"KEY=value, added to the environment of both commands"`
	Debugger []string `yaml:"debugger,word" doc:"command that repeats a run in a debugger; {exe} {source} {folder} {input}"`
}

// Load reads runner.yaml in the folder root. If there is no such file, it returns the defaults.
// Every error is a located *yamlstrict.Error.
func Load(root string) (*Config, error) {
	file := filepath.Join(root, File)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		data = nil
	} else if err != nil {
		return nil, yamlstrict.FileError(file, err)
	}
	return parse(file, data)
}

// defaults returns the document without a file.
func defaults() document {
	return document{
		Slots: "auto", Cache: "auto", CacheSize: 2 * limits.GiB,
		Sandbox: sandboxDocument{Mode: string(sandbox.Auto), Grace: run.DefaultGrace, WallFactor: 3},
		Build:   buildDocument{Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput},
		Watch:   watchDocument{Quiet: watch.DefaultQuiet},
		Report:  reportDocument{DiffLines: 12, DiffBytes: 4 * limits.KiB},
	}
}

func parse(file string, data []byte) (*Config, error) {
	d := defaults()
	if data != nil {
		if err := yamlstrict.Decode(file, data, &d); err != nil {
			return nil, err
		}
	}
	c := &Config{
		Slots:      sandbox.DefaultSlots(),
		CacheSize:  d.CacheSize,
		Mode:       sandbox.Mode(d.Sandbox.Mode),
		Grace:      d.Sandbox.Grace,
		WallFactor: d.Sandbox.WallFactor,
		Quiet:      d.Watch.Quiet,
		Diff:       diff.Options{Lines: d.Report.DiffLines, Bytes: int(d.Report.DiffBytes)},
		Build:      build.Options{Timeout: d.Build.Timeout, Memory: d.Build.Memory, Output: d.Build.Output, Languages: build.Defaults()},
	}
	if d.Slots != "auto" {
		n, err := strconv.Atoi(d.Slots)
		if err != nil || n < 1 || n > 1024 {
			return nil, d.Place.Errorf("slots", "", "slots: want auto or a number from 1 to 1024, found %q", d.Slots)
		}
		c.Slots = n
	}
	var err error
	if c.CacheDir, err = cacheDir(d.Cache, filepath.Dir(file)); err != nil {
		return nil, d.Place.Errorf("cache", "", "cache: %v", err)
	}
	for _, entry := range d.Languages {
		if err := c.setLanguage(entry.Key, entry.Value); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// CacheVariable is the environment variable that overrides the cache folder, such as for accounts
// without a home directory.
const CacheVariable = "TRIBUNAL_CACHE"

func cacheDir(setting, root string) (string, error) {
	switch dir := os.Getenv(CacheVariable); {
	case dir != "":
		return filepath.Abs(dir)
	case setting == "":
		return "", errors.New("want auto or a folder, found nothing")
	case setting != "auto" && filepath.IsAbs(setting):
		return setting, nil
	case setting != "auto":
		return filepath.Abs(filepath.Join(root, setting))
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w (hint: set cache in %s or %s in the environment)", err, File, CacheVariable)
	}
	return filepath.Join(dir, "tribunal"), nil
}

// Complete fills in an unset wall limit, which is derived from the CPU limit, and an unset limit of
// processes.
func (c *Config) Complete(l limits.Limits) limits.Limits {
	if l.Wall == 0 {
		l.Wall = c.Wall(l)
	}
	if l.Processes == 0 {
		l.Processes = limits.Processes
	}
	return l
}

// Wall returns the wall limit for the CPU limit of l.
func (c *Config) Wall(l limits.Limits) time.Duration {
	return time.Duration(float64(l.CPU) * c.WallFactor)
}

// setLanguage applies an entry to the language with this name, which may be new.
func (c *Config) setLanguage(name string, e languageEntry) error {
	switch name {
	case build.Binary:
		return e.Place.Errorf("", "choose another name", "language %s: is reserved for submitted executables", name)
	case build.Outputs:
		return e.Place.Errorf("", "choose another name", "language %s: is reserved for submitted outputs", name)
	case build.Scripts:
		return e.Place.Errorf("", "choose another name", "language %s: is reserved for programs of packages that build themselves", name)
	case build.Checktestdata:
		return e.Place.Errorf("", "choose another name", "language %s: is reserved for validators that the judge interprets", name)
	}
	l := c.Build.Languages[name]
	if anotherTool(l.Build, e.Build) || anotherTool(l.Run, e.Run) {
		l.Mounts, l.Keep, l.Options, l.Package = nil, nil, nil, "" // these defaults belong to the default tools
	}
	for _, part := range []struct {
		to   *[]string
		from []string
	}{
		{&l.Match, e.Match}, {&l.Shebang, e.Shebang}, {&l.Build, e.Build}, {&l.Run, e.Run}, {&l.Keep, e.Keep}, {&l.Options, e.Options}, {&l.Version, e.Version},
		{&l.Root, e.Root}, {&l.Mounts, e.Mounts}, {&l.Env, e.Env},
	} {
		if part.from != nil {
			*part.to = part.from
		}
	}
	if e.Package != "" {
		l.Package = e.Package
	}
	if d := e.Debug; d.Flags != nil || d.RunFlags != nil || d.Env != nil || d.Debugger != nil {
		l.Debug = &build.Debug{Flags: d.Flags, RunFlags: d.RunFlags, Env: d.Env, Debugger: d.Debugger}
	}
	if err := l.Check(); err != nil {
		return e.Place.Errorf("", "", "language %s: %v", name, err)
	}
	c.Build.Languages[name] = l
	return nil
}

// anotherTool reports whether set replaces a command by one with a different first word.
func anotherTool(now, set []string) bool {
	return len(set) > 0 && (len(now) == 0 || now[0] != set[0])
}

// Schema returns the JSON Schema of runner.yaml.
func Schema() ([]byte, error) {
	return yamlstrict.Schema(defaults(), "runner.yaml: the machine, and the languages of submissions")
}
