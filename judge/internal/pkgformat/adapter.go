package pkgformat

import (
	"path"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// adapter makes of a program that has a protocol of its own a validator or an interactor of the protocol
// [problem.ICPC]: a script calls the function program, which runs it.
type adapter struct {
	script string
	args   []string // before those that the script passes
}

// manager is the script for a manager of CMS, which runs beside a submission:
//
//	manager from-submission to-submission < input
//
// The arguments are the paths of two pipes, here its own standard input and output, which it opens once
// more. It finds the input in the file input.txt, too. It answers as a checker of CMS does: the fraction
// of the points on standard output, a message on standard error. The script passes the fraction on as it
// is, and the judge reads it. Of one that SIGPIPE killed the script says what the judge looks for.
const manager = `ln -s "$1" input.txt 2>/dev/null
exec 3<&0 4>&1
program /dev/fd/3 /dev/fd/4 <"$1" >score.out 2>message.out
status=$?
exec 3<&- 4>&- </dev/null >/dev/null
if [ $status != 0 ]; then
	cat message.out >&2
	[ $status = 141 ] && echo "broken pipe" >&2
	exit 1
fi
read -r score <score.out
read -r message <message.out
printf '%s\n' "${message#translate:}" >"$3judgemessage.txt"
printf %s "$score" >"$3score_multiplier.txt"
case $score in
*[1-9]*) ;;
0*|.0*) exit 43 ;;
esac
exit 42
`

// adapters lists how adapted programs are compiled and run, by the extensions of their files.
var adapters = map[string]struct{ build, run string }{
	".c":   {"cc -O2 -std=gnu17 -o program.exe {} -lm", "./program.exe"},
	".cpp": {"c++ -O2 -std=gnu++20 -o program.exe {}", "./program.exe"},
	".cc":  {"c++ -O2 -std=gnu++20 -o program.exe {}", "./program.exe"},
	".py":  {"", "python3 {}"},
}

// adapt makes the program rel the only output validator of the package, by an adapter.
func (p *Package) adapt(rel string, a adapter) error {
	if _, known := adapters[path.Ext(rel)]; !known {
		return p.files.errorf(rel, 0, "write it in C, C++ or Python", "in a language in which such a program is not supported")
	}
	p.adapted = map[string]adapter{rel: a}
	p.Validation.Protocol, p.Validation.Programs = problem.Adapted, []string{rel}
	return nil
}

// around returns the source of the program rel with the adapter's scripts.
func (a adapter) around(rel string, s *build.Source) *build.Source {
	kind, file := adapters[path.Ext(rel)], shellQuoted("./"+path.Base(rel))
	call := strings.ReplaceAll(kind.run, "{}", file)
	for _, arg := range a.args {
		call += " " + shellQuoted(arg)
	}
	scripts := map[string][]byte{"run": []byte("#!/bin/sh\nprogram() { " + call + " \"$@\"; }\n" + a.script)}
	if kind.build != "" {
		scripts["build"] = []byte("#!/bin/sh\n" + strings.ReplaceAll(kind.build, "{}", file) + "\n")
	}
	return s.Scripted(scripts)
}

// shellQuoted returns the text as one word of a shell script.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
