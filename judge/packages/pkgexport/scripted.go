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
	folder string   // folder of the program, beside the script
	args   []string // arguments that replace {{folder args}} in the script
}

// scripted returns a program that consists of a script, the programs that the script calls, and a
// script that builds these programs. In the script, {{folder}} becomes the command that runs the
// program in that folder, and {{folder args}} its arguments.
func (p *plan) scripted(script string, parts ...part) *program {
	w := &program{files: map[string][]byte{}, language: build.Scripts}
	builds := ""
	for _, part := range parts {
		compile, run := p.commands(part)
		args := ""
		for _, a := range part.args {
			args += " " + shellQuoted(a)
		}
		script = strings.NewReplacer("{{"+part.folder+"}}", run, "{{"+part.folder+" args}}", args).Replace(script)
		if compile != "" {
			builds += "cd " + part.folder + "\n" + compile + "\ncd ..\n"
		}
		for name, text := range part.files {
			w.files[path.Join(part.folder, name)] = text
		}
	}
	w.files["run"] = []byte(script)
	if builds != "" {
		w.files["build"] = []byte("#!/bin/sh\n# Builds the programs that run calls.\nset -e\n" + builds)
	}
	return w
}

// asTestlib wraps a program in a script with testlib's protocol, if it needs one.
func (p *plan) asTestlib(script string, v *program, args []string) *program {
	if script == "" {
		return v
	}
	return p.scripted(script, part{v, "own", args})
}

// asICPC returns an output validator with the protocol of the ICPC formats. list is a checker, or
// an interactor and perhaps a checker that runs after it. Testlib programs are wrapped in a script;
// a program with the ICPC protocol is returned as it is.
func (p *plan) asICPC(list []*problem.Validator) (*program, error) {
	first, err := p.ownProgram(list[0].Program)
	own := carried[list[0].Protocol].icpc
	if err != nil || own.checker == "" {
		return first, err
	}
	if !list[0].Interactive {
		return p.scripted(icpcScript(own.checker), part{first, "own", nil}), nil
	}
	if len(list) == 1 {
		return p.scripted(icpcScript(own.interactor), part{first, "interactor", nil}), nil
	}
	checker, err := p.ownProgram(list[1].Program)
	if err != nil {
		return nil, err
	}
	args := list[1].Flags
	if script := carried[list[1].Protocol].testlib.checker; script != "" {
		checker, args = p.asTestlib(script, checker, args), nil
	}
	after := strings.ReplaceAll(testlibCheckerAfter, "{{skip}}", fmt.Sprint(len(list[0].Flags)))
	return p.scripted(icpcScript(own.interactor+after), part{first, "interactor", nil}, part{checker, "checker", args}), nil
}

// icpcScript completes a script that acts as an output validator of the ICPC formats.
func icpcScript(script string) string {
	return strings.ReplaceAll(script, "{{accepted}}\n", testlibAccepted) + "exit 42\n"
}

// commands returns the shell command that builds a program in its folder, or "" if there is nothing
// to build, and the command that runs it. In the command that runs it, $here is the parent of the
// program's folder.
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
	if shellWord().MatchString(strings.ReplaceAll(word, "{own}", "own")) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
