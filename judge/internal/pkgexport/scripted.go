package pkgexport

import (
	_ "embed"
	"path"
	"strings"

	"tribunal/judge/internal/build"
)

//go:embed polygon/checker.sh.txt
var checkerScript string

//go:embed polygon/validator.sh.txt
var validatorScript string

// scripted returns a program in whatever language behind a script, which calls it with these
// arguments after its own and answers otherwise than it does.
func (p *plan) scripted(v *program, script string, args []string) *program {
	compile, run := p.commands(v)
	words := ""
	for _, a := range args {
		words += " " + shellQuoted(a)
	}
	w := &program{files: map[string][]byte{
		"run": []byte(strings.NewReplacer("{{run}}", run, "{{args}}", words).Replace(script)),
	}, language: build.Scripts}
	if compile != "" {
		w.files["build"] = []byte("#!/bin/sh\n# Makes what run needs of the program in own.\ncd own || exit\n" + compile + "\n")
	}
	for name, text := range v.files {
		w.files[path.Join("own", name)] = text
	}
	return w
}

// commands returns what builds a program where its files are, "" for nothing, and what runs it
// in the folder own of $here.
func (p *plan) commands(v *program) (compile, run string) {
	const own = `"$here"/own/`
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
	return shellLine(first), strings.ReplaceAll(shellLine(then), "{own}", `"$here"/own`)
}

// shellLine writes a command for a shell.
func shellLine(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, shellQuoted(w))
	}
	return strings.Join(list, " ")
}

// shellQuoted writes a word for a shell, but for the place that is filled in later.
func shellQuoted(word string) string {
	if shellWord.MatchString(strings.ReplaceAll(word, "{own}", "own")) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
