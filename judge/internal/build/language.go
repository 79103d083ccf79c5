package build

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Language says how sources of one programming language become a program. The
// commands are argument lists in which these stand for something else:
//
//	{src}     all source files of the language, one argument each
//	{main}    the main source file; in the run command of Java the main class
//	{exe}     the executable to produce
//	{dir}     the folder with the sources and whatever the build leaves there
//	{memory}  the memory limit of the run, as in 64m
//	{heap}    twice that in MiB, as in 128: a bound for a runtime that has one of its own
//	{cpus}    the CPUs the run may use
type Language struct {
	Match   []string // file name endings, such as .cpp
	Build   []string // nil when there is nothing to compile or check
	Run     []string // nil when the build produces an executable to run as it is
	Version []string // prints what toolchain this is
	// Root prints the folder of the toolchain, whose bin folder is searched for the
	// commands first; nil when the commands are found by PATH alone.
	Root []string
	// Mounts are host files or folders, possibly patterns, that the commands need
	// besides shared libraries, their own files and Root; what a host lacks is left
	// out. The compiler sees them and, when there is a run command, the program. nil
	// shows all of /usr, /bin and /lib: whoever names no mounts may need any of it.
	Mounts []string
	Env    []string // added to the environment of both commands
}

// Defaults returns the languages known without any configuration. The caller owns
// the map.
func Defaults() map[string]Language {
	// A C compiler is several programs, and so is what links for others.
	cMounts := []string{
		"/usr/bin/as", "/usr/bin/ld", "/usr/bin/ld.*", "/usr/include", "/usr/lib/gcc", "/usr/libexec/gcc",
		"/usr/local/include", "/usr/local/lib/gcc", "/usr/local/lib64", "/usr/local/libexec/gcc",
	}
	return map[string]Language{
		"c": {
			Match:   []string{".c"},
			Build:   []string{"gcc", "-O2", "-std=gnu17", "-DONLINE_JUDGE", "-o", "{exe}", "{src}", "-lm"},
			Version: []string{"gcc", "--version"},
			Mounts:  cMounts,
		},
		"cpp": {
			Match:   []string{".cc", ".cpp", ".cxx", ".C"},
			Build:   []string{"g++", "-O2", "-std=gnu++20", "-DONLINE_JUDGE", "-o", "{exe}", "{src}"},
			Version: []string{"g++", "--version"},
			Mounts:  cMounts,
		},
		"go": {
			Match:   []string{".go"},
			Build:   []string{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-buildid=", "-o", "{exe}", "{src}"},
			Version: []string{"go", "version"},
			Root:    []string{"go", "env", "GOROOT"},
			Mounts:  []string{"/usr/lib/go-*", "/usr/share/go-*"},
			Env:     []string{"CGO_ENABLED=0", "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTELEMETRY=off", "GO111MODULE=on"},
		},
		"java": {
			Match: []string{".java"},
			Build: []string{"javac", "-proc:none", "-encoding", "UTF-8", "-d", "{dir}", "{src}"},
			// Java and Node.js give up at a heap size of their own. It lies well above the
			// memory limit, so that the kernel decides, and Java is told to give back what
			// it does not need rather than to fill its heap before it collects any garbage.
			Run:     []string{"java", "-Xmx{heap}m", "-Xms16m", "-XX:MinHeapFreeRatio=20", "-XX:MaxHeapFreeRatio=40", "-Xss64m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", "{dir}", "{main}"},
			Version: []string{"javac", "-version"},
			Mounts:  []string{"/usr/lib/jvm", "/etc/java-*"},
		},
		"javascript": {
			Match:   []string{".js", ".mjs", ".cjs"},
			Build:   []string{"node", "--check", "{main}"},
			Run:     []string{"node", "--max-old-space-size={heap}", "--stack-size=60000", "{dir}/{main}"},
			Version: []string{"node", "--version"},
			Mounts:  []string{"/usr/share/nodejs"},
		},
		"python3": {
			Match:   []string{".py"},
			Build:   []string{"python3", "-I", "-m", "py_compile", "{src}"},
			Run:     []string{"python3", "{dir}/{main}"},
			Version: []string{"python3", "--version"},
			Root:    []string{"python3", "-c", "import sys; print(sys.base_prefix)"},
			Mounts:  []string{"/usr/lib/python3*", "/usr/local/lib/python3*", "/usr/local/lib/libpython3*"},
			Env:     []string{"PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8", "PYTHONNOUSERSITE=1"},
		},
		"rust": {
			Match:   []string{".rs"},
			Build:   []string{"rustc", "-O", "--edition", "2021", "--cfg", "online_judge", "-o", "{exe}", "{main}"},
			Version: []string{"rustc", "--version"},
			Root:    []string{"rustc", "--print", "sysroot"},
			Mounts:  append([]string{"/usr/lib/rustlib", "/usr/bin/cc", "/usr/bin/gcc"}, cMounts...),
		},
	}
}

// Binary is the language of a submitted executable. No other may have its name.
const Binary = "binary"

// known lists the languages for messages.
func known(languages map[string]Language) string {
	names := make([]string, 0, len(languages))
	for name := range languages {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// matches returns the languages, sorted, that take a file of that name.
func matches(languages map[string]Language, file string) []string {
	var list []string
	for name, l := range languages {
		if slices.Contains(l.Match, filepath.Ext(file)) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Check reports the first thing wrong with a language, or nil.
func (l Language) Check() error {
	if len(l.Build) == 0 && len(l.Run) == 0 {
		return fmt.Errorf("needs a build or a run command (hint: build: [tool, -o, \"{exe}\", \"{src}\"])")
	}
	for _, m := range l.Match {
		if !strings.HasPrefix(m, ".") || len(m) < 2 {
			return fmt.Errorf("match %q is not a file name ending (hint: write it like .cpp)", m)
		}
	}
	if len(l.Run) == 0 && !slices.ContainsFunc(l.Build, func(a string) bool { return strings.Contains(a, "{exe}") }) {
		return fmt.Errorf("without a run command the build command must produce {exe}")
	}
	for _, arg := range slices.Concat(l.Build, l.Run) {
		if rest := placeholders.Replace(arg); strings.Contains(rest, "{") && strings.Contains(rest, "}") {
			return fmt.Errorf("unknown placeholder in %q (hint: there are {src} {main} {exe} {dir} {memory} {heap} {cpus})", arg)
		}
	}
	return nil
}

var placeholders = strings.NewReplacer("{src}", "", "{main}", "", "{exe}", "", "{dir}", "", "{memory}", "", "{heap}", "", "{cpus}", "")
