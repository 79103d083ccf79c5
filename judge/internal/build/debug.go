package build

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
)

// Debug is what a language adds to its commands for finding a fault in a program: symbols, checks at
// run time, and a debugger.
type Debug struct {
	Flags    []string // inserted in the build command before the sources
	RunFlags []string // inserted in the run command after its first word
	Env      []string // added to the environment of both commands
	// Debugger is the command that repeats a run in a debugger. {exe} is the executable, {source} the
	// submission, {folder} the folder that holds it, and {input} the file with the input.
	Debugger []string
}

// Debugging returns a copy of languages with the commands for finding faults. It has only the
// languages with a [Debug].
func Debugging(languages map[string]Language) map[string]Language {
	debug := map[string]Language{}
	for name, l := range languages {
		if l.Debug == nil {
			continue
		}
		if i := slices.IndexFunc(l.Build, isSource); i > 0 {
			l.Build = slices.Insert(slices.Clone(l.Build), i, l.Debug.Flags...)
		}
		if len(l.Run) > 0 {
			l.Run = slices.Insert(slices.Clone(l.Run), 1, l.Debug.RunFlags...)
		}
		l.Env = append(slices.Clone(l.Env), l.Debug.Env...)
		debug[name] = l
	}
	return debug
}

func isSource(word string) bool { return word == "{src}" || word == "{main}" }

// CopyExecutable writes the executable of a program to a new file of this name. It writes nothing and
// returns false if the program has none.
func (p *Program) CopyExecutable(name string) (bool, error) {
	if !p.Executable() {
		return false, nil
	}
	exe, err := p.executable()
	if err != nil {
		return false, err
	}
	to, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return false, err
	}
	info, err := exe.Stat()
	if err == nil {
		_, err = io.Copy(to, io.NewSectionReader(exe, 0, info.Size()))
	}
	return err == nil, errors.Join(err, to.Close())
}

// Line returns the debugger's command with its placeholders replaced, in the environment of the run.
func (d *Debug) Line(exe, source, folder, input string) (line []string) {
	if len(d.Env) > 0 {
		line = append([]string{"env"}, d.Env...)
	}
	values := strings.NewReplacer("{exe}", exe, "{source}", source, "{folder}", folder, "{input}", input)
	for _, word := range d.Debugger {
		line = append(line, values.Replace(word))
	}
	return line
}

// gdb runs an executable with an input, and finds its sources in their folder.
var gdb = []string{"gdb", "-q", "-d", "{folder}", "-ex", "run < {input}", "{exe}"}

// sanitizers are the settings of the sanitizers of GCC. They abort, so that a debugger stops there.
// They cannot look for leaks in the jail, which needs ptrace, and leaks are no faults of a solution.
var sanitizers = []string{"ASAN_OPTIONS=detect_leaks=0:abort_on_error=1", "UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1"}

// debugs returns the builds for finding faults of the languages that have one by default.
func debugs() map[string]*Debug {
	checked := []string{"-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-static-libasan", "-static-libubsan"}
	return map[string]*Debug{
		"c":   {Flags: checked, Env: sanitizers, Debugger: gdb},
		"cpp": {Flags: append(slices.Clone(checked), "-D_GLIBCXX_DEBUG"), Env: sanitizers, Debugger: gdb},
		"go": {
			Flags: []string{"-gcflags=-N -l"}, Env: []string{"GOTRACEBACK=all"},
			Debugger: []string{"dlv", "exec", "--redirect", "stdin:{input}", "{exe}"},
		},
		"java":   {Flags: []string{"-g"}, RunFlags: []string{"-ea"}},
		"pascal": {Flags: []string{"-g", "-gl", "-Cr", "-Co", "-Ci"}, Debugger: gdb},
		"python3": {
			RunFlags: []string{"-X", "dev", "-X", "faulthandler"},
			// The program reads its input from the file, and the debugger its commands from the terminal.
			Debugger: []string{"python3", "-c", "import pdb,runpy,sys; sys.stdin=open(sys.argv[2]); pdb.Pdb(stdin=open('/dev/tty'),stdout=sys.stdout).runcall(runpy.run_path,sys.argv[1],run_name='__main__')", "{source}", "{input}"},
		},
		"rust": {Flags: []string{"-g", "-C", "debug-assertions", "-C", "overflow-checks"}, Env: []string{"RUST_BACKTRACE=1"}, Debugger: gdb},
	}
}

// withDebug adds the default [Debug] to languages.
func withDebug(languages map[string]Language) {
	for name, debug := range debugs() {
		l := languages[name]
		l.Debug = debug
		languages[name] = l
	}
}
