package pkgformat

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
)

const (
	libraryFile  = "info.toml"
	libraryModel = "sol/correct.cpp"
)

// libraryFamily are problems of Library Checker.
var libraryFamily = Family{
	Formats: []Format{{Name: "library", Main: "data", Points: ByGroups, Compare: ByTokens, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 64 * limits.MiB}},
	Origin:  "Library Checker", Signs: "info.toml and gen/",
	Empty: "list generators as [[tests]] in " + libraryFile,
	Is: func(_ *Package, list listing) (bool, error) {
		return list.file(libraryFile) && list.folder("gen"), nil
	},
	Read: readLibrary,
}

// libraryReader reads a problem of Library Checker.
type libraryReader struct{ *Package }

// readLibrary reads a problem of Library Checker, or of a contest that uses its tools. info.toml
// names the generators and the solutions; everything else is at fixed places.
func readLibrary(of *Package) error {
	p := &libraryReader{Package: of}
	doc, err := p.toml(libraryFile)
	if err != nil {
		return err
	}
	if err := p.libraryFolders(); err != nil {
		return err
	}
	p.Submissions = []problem.Submission{{Path: libraryModel, Model: true, Expect: problem.Expect{Final: accepted, From: "its name"}}}
	checker, verifier := "checker.cpp", "verifier.cpp"
	var params strings.Builder
	var tests []libraryTest
	for _, t := range doc {
		switch t.name {
		case "":
			err = p.libraryKeys(t, map[string]any{
				"title": &p.Title, "timelimit": p.libraryTime, "checker": &checker, "verifier": &verifier, "forum": ignored,
			})
		case "params":
			for _, k := range t.keys {
				if err = p.libraryParam(k, &params); err != nil {
					return err
				}
			}
		case "tests":
			one := libraryTest{line: t.line, number: -1}
			err = p.libraryKeys(t, map[string]any{"name": &one.name, "number": &one.number})
			tests = append(tests, one)
		case "solutions":
			err = p.librarySolution(t)
		default:
			p.note(libraryFile, t.line, "unknown table %s", quote.Name(t.name))
		}
		if err != nil {
			return err
		}
	}
	p.inclusion.made[p.files.at("params.h")] = []byte(params.String())
	for _, rel := range []string{checker, verifier, libraryModel} {
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if !file {
			return p.files.errorf(rel, 0, "", "no such file, which every problem of Library Checker has")
		}
	}
	p.Validation.Programs, p.InputPrograms = []string{checker}, []string{verifier}
	if file, _, err := p.files.kind("task.md"); err != nil {
		return err
	} else if file {
		p.Statements = []Statement{{"en", "task.md"}}
	}
	if err := p.noteUnlisted("sol", libraryFile); err != nil {
		return err
	}
	return p.libraryCases(tests)
}

// libraryFolders finds the folder common, whose headers every program may include. It lies in one
// of the folders around the package, below the one that the user named.
func (p *libraryReader) libraryFolders() error {
	p.inclusion = &inclusion{made: map[string][]byte{}}
	for dir := p.files.sub; dir != "" && dir != "."; {
		dir = path.Dir(dir)
		common := path.Join(dir, "common")
		if _, there, err := p.files.around().kind(common); err != nil {
			return err
		} else if there {
			p.inclusion.folders = []string{common}
			return nil
		}
	}
	return nil
}

// ignored is the reader of a key that does not matter to a judge.
func ignored(tomlKey) error { return nil }

// libraryKeys reads the keys of a table into the targets, by name: pointers to values of the type
// that the key must have, or functions. It notes unknown keys.
func (p *libraryReader) libraryKeys(t tomlTable, targets map[string]any) error {
	for _, k := range t.keys {
		var ok bool
		var want string
		switch to := targets[k.name].(type) {
		case func(tomlKey) error:
			if err := to(k); err != nil {
				return err
			}
			ok = true
		case *string:
			want = "a string"
			*to, ok = k.value.(string)
		case *int64:
			want = "a whole number"
			*to, ok = k.value.(int64)
		case *bool:
			want = "true or false"
			*to, ok = k.value.(bool)
		default:
			p.note(libraryFile, k.line, "unknown key %s", quote.Name(k.name))
			continue
		}
		if !ok {
			return p.files.errorf(libraryFile, k.line, "", "%s must be %s, not %s", k.name, want, quote.Name(k.text))
		}
	}
	return nil
}

// libraryTime reads the time limit, in seconds.
func (p *libraryReader) libraryTime(k tomlKey) error {
	seconds, ok := k.value.(float64)
	if whole, is := k.value.(int64); is {
		seconds, ok = float64(whole), true
	}
	if !ok || !(seconds > 0) || seconds > longest.Seconds() {
		return p.files.errorf(libraryFile, k.line, "write timelimit = 2.0", "timelimit must be a number of seconds above 0, not %s", quote.Name(k.text))
	}
	p.Time.Limit, p.Time.From = time.Duration(seconds*float64(time.Second)), libraryFile
	return nil
}

// libraryParam adds the line of params.h for a parameter.
func (p *libraryReader) libraryParam(k tomlKey, header *strings.Builder) error {
	switch value := k.value.(type) {
	case int64:
		fmt.Fprintf(header, "#define %s (long long)%d\n", k.name, value)
	case float64:
		fmt.Fprintf(header, "#define %s %s\n", k.name, k.text)
	case string:
		fmt.Fprintf(header, "#define %s \"%s\"\n", k.name, value)
	default:
		return p.files.errorf(libraryFile, k.line, "", "the parameter %s must be a number or a string, not %s", k.name, quote.Name(k.text))
	}
	return nil
}

// librarySolution adds the solution of a table. What it promises are the verdicts that cases may
// get, and the one that some case must get.
func (p *libraryReader) librarySolution(t tomlTable) error {
	var name, expect string
	var wrongAnswer, re, tle, bad, function bool
	err := p.libraryKeys(t, map[string]any{
		"name": &name, "expect": &expect, "allow_wa": &wrongAnswer, "allow_re": &re, "allow_tle": &tle, "wrong": &bad, "function": &function,
	})
	if err != nil {
		return err
	}
	rel := "sol/" + name
	if err := p.libraryName("solution", name, t.line); err != nil {
		return err
	}
	if file, _, err := p.files.kind(rel); err != nil {
		return err
	} else if !file {
		return p.files.errorf(libraryFile, t.line, "", "there is no %s", rel)
	}
	if slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Path == rel }) {
		p.note(libraryFile, t.line, "a second entry for %s is ignored", rel)
		return nil
	}
	e := problem.Expect{Final: accepted, From: fmt.Sprintf("%s:%d", libraryFile, t.line)}
	for v, allowed := range map[verdict.Verdict]bool{verdict.WA: wrongAnswer, verdict.RTE: re, verdict.TLE: tle} {
		if allowed {
			e.Final |= v.Class()
		}
	}
	if expect != "" {
		set, known := map[string]verdict.Set{"AC": accepted, "WA": verdict.WA.Class(), "RE": verdict.RTE.Class(), "TLE": verdict.TLE.Class()}[expect]
		if !known {
			return p.files.errorf(libraryFile, t.line, "write AC, WA, RE or TLE", "unknown expect of %s: %s", rel, quote.Name(expect))
		}
		e.Rules = []problem.Rule{{Permitted: e.Final | set, Required: set, From: e.From}}
		e.Final = 0
	}
	if bad {
		e.Final, e.Rules = rejected, nil
	}
	if function {
		p.program(rel).linked = linking{p.files.at("grader/grader.cpp"), p.files.at("grader")}
	}
	p.Submissions = append(p.Submissions, problem.Submission{Path: rel, Expect: e})
	return nil
}

// libraryName checks the name of a file that a table gives.
func (p *libraryReader) libraryName(what, name string, line int) error {
	if name == "" || strings.ContainsAny(name, "/\\") || name[0] == '.' || name[0] == '-' {
		return p.files.errorf(libraryFile, line, "", "the name of a %s is no file name: %s", what, quote.Name(name))
	}
	return nil
}
