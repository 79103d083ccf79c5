package pkgexport

import (
	_ "embed"
	"fmt"
	"path"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// Scripts that adapt programs of the ICPC formats to testlib's protocol.
var (
	//go:embed polygon/checker.sh.txt
	checkerScript string
	//go:embed polygon/interactor.sh.txt
	interactorScript string
	//go:embed polygon/validator.sh.txt
	validatorScript string
)

// Scripts that adapt testlib programs to the protocol of the ICPC formats.
var (
	//go:embed icpc/checker.sh.txt
	testlibChecker string
	//go:embed icpc/interactor.sh.txt
	testlibInteractor string
	//go:embed icpc/checker-after.sh.txt
	testlibCheckerAfter string // appended to testlibInteractor if there is a checker
	//go:embed icpc/validator.sh.txt
	testlibValidator string
	//go:embed icpc/accepted.sh.txt
	testlibAccepted string // the function accepted, which replaces {{accepted}} in the others
)

// part is a program that a script calls.
type part struct {
	*program
	folder string   // holds the program, beside the script
	args   []string // replace {{folder args}}
}

// scripted returns a program that consists of a script, the programs that the script calls, and a
// script that builds them. In the script {{folder}} stands for the command that runs the program in
// that folder, and {{folder args}} for its arguments.
func (p *plan) scripted(script string, parts ...part) *program {
	w := &program{files: map[string][]byte{}, language: build.Scripts}
	builds := ""
	for _, of := range parts {
		compile, run := p.commands(of)
		args := ""
		for _, a := range of.args {
			args += " " + shellQuoted(a)
		}
		script = strings.NewReplacer("{{"+of.folder+"}}", run, "{{"+of.folder+" args}}", args).Replace(script)
		if compile != "" {
			builds += "cd " + of.folder + "\n" + compile + "\ncd ..\n"
		}
		for name, text := range of.files {
			w.files[path.Join(of.folder, name)] = text
		}
	}
	w.files["run"] = []byte(script)
	if builds != "" {
		w.files["build"] = []byte("#!/bin/sh\n# Builds what run calls.\nset -e\n" + builds)
	}
	return w
}

// likeTestlib wraps a program of the ICPC formats in a script that follows testlib's protocol.
func (p *plan) likeTestlib(script string, v *program, args []string) *program {
	return p.scripted(script, part{v, "own", args})
}

// likeICPC returns an output validator with the protocol of the ICPC formats. It returns a program
// that follows the protocol itself as it is, and wraps a testlib checker, or a testlib interactor
// with the checker that may follow it, in a script.
func (p *plan) likeICPC(list []*problem.Validator) (*program, error) {
	first, err := p.own(list[0].Program)
	if err != nil || list[0].Protocol == problem.ICPC {
		return first, err
	}
	if !list[0].Interactive {
		return p.scripted(icpcScript(testlibChecker), part{first, "own", nil}), nil
	}
	if len(list) == 1 {
		return p.scripted(icpcScript(testlibInteractor), part{first, "interactor", nil}), nil
	}
	checker, err := p.own(list[1].Program)
	if err != nil {
		return nil, err
	}
	args := list[1].Flags
	if list[1].Protocol == problem.ICPC {
		checker, args = p.likeTestlib(checkerScript, checker, args), nil
	}
	after := strings.ReplaceAll(testlibCheckerAfter, "{{skip}}", fmt.Sprint(len(list[0].Flags)))
	return p.scripted(icpcScript(testlibInteractor+after), part{first, "interactor", nil}, part{checker, "checker", args}), nil
}

// icpcScript completes a script that acts as an output validator of the ICPC formats.
func icpcScript(script string) string {
	return strings.ReplaceAll(script, "{{accepted}}\n", testlibAccepted) + "exit 42\n"
}

// commands returns the shell command that builds a program in its folder, "" if there is nothing to
// build, and the one that runs it. $here is the folder that holds the program's folder.
func (p *plan) commands(v part) (compile, run string) {
	own := `"$here"/` + v.folder + "/"
	switch v.language {
	case build.Scripts:
		if v.files["build"] != nil {
			compile = "./build"
		}
		return compile, own + "run"
	case build.Binary:
		return "", own + "program"
	case "go":
		return "go build -o program .", own + "program"
	}
	first, then := v.source.Commands(p.CaseData.Builder.Languages()[v.language], "program", "{own}")
	return shellLine(first), strings.ReplaceAll(shellLine(then), "{own}", strings.TrimSuffix(own, "/"))
}

// shellLine quotes a command for a shell.
func shellLine(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, shellQuoted(w))
	}
	return strings.Join(list, " ")
}

// shellQuoted quotes a word for a shell. It leaves the placeholder {own} alone.
func shellQuoted(word string) string {
	if shellWord.MatchString(strings.ReplaceAll(word, "{own}", "own")) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
