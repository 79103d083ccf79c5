// Package library loads problems of Library Checker.
package library

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

const (
	libraryFile = "info.toml"
	model       = "sol/correct.cpp"
)

// Family describes problems of Library Checker.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "library", Main: "data", Points: draft.ByGroups, Compare: draft.ByTokens, Inputs: problem.Testlib, Outputs: problem.Testlib, Output: 64 * limits.MiB}},
	Origin:  "Library Checker", Signs: "info.toml and gen/",
	Empty: "list generators as [[tests]] in " + libraryFile,
	Is: func(_ *draft.Draft, list draft.Listing) (bool, error) {
		return list.File(libraryFile) && list.Folder("gen"), nil
	},
	Read: read,
}

// reader reads a problem of Library Checker.
type reader struct{ *draft.Draft }

// read reads a problem of Library Checker, or of a contest that uses its tools. info.toml
// names the generators and the solutions; everything else is at fixed places.
func read(of *draft.Draft) error {
	p := &reader{Draft: of}
	doc, err := p.toml(libraryFile)
	if err != nil {
		return err
	}
	if err := p.libraryFolders(); err != nil {
		return err
	}
	p.Submissions = []problem.Submission{{Path: model, Model: true, Expect: problem.Expect{Final: draft.Accepted, From: "its name"}}}
	checker, verifier := "checker.cpp", "verifier.cpp"
	var params strings.Builder
	var tests []test
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
			one := test{line: t.line, number: -1}
			err = p.libraryKeys(t, map[string]any{"name": &one.name, "number": &one.number})
			tests = append(tests, one)
		case "solutions":
			err = p.librarySolution(t)
		default:
			p.Note(libraryFile, t.line, "unknown table %s", quote.Name(t.name))
		}
		if err != nil {
			return err
		}
	}
	p.Inclusion.Made[p.Tree.At("params.h")] = []byte(params.String())
	for _, rel := range []string{checker, verifier, model} {
		if file, _, err := p.Tree.Kind(rel); err != nil {
			return err
		} else if !file {
			return p.Tree.Errorf(rel, 0, "", "no such file, which every problem of Library Checker has")
		}
	}
	p.Validation.Programs, p.InputPrograms = []string{checker}, []string{verifier}
	if file, _, err := p.Tree.Kind("task.md"); err != nil {
		return err
	} else if file {
		p.Statements = []draft.Statement{{Language: "en", Path: "task.md"}}
	}
	if err := p.NoteUnlisted("sol", libraryFile); err != nil {
		return err
	}
	return p.libraryCases(tests)
}

// libraryFolders finds the folder common, whose headers every program may include. It lies in one
// of the folders around the package, below the one that the user named.
func (p *reader) libraryFolders() error {
	p.Inclusion = &draft.Inclusion{Made: map[string][]byte{}}
	for dir := p.Tree.Sub; dir != "" && dir != "."; {
		dir = path.Dir(dir)
		common := path.Join(dir, "common")
		if _, there, err := p.Tree.Around().Kind(common); err != nil {
			return err
		} else if there {
			p.Inclusion.Folders = []string{common}
			return nil
		}
	}
	return nil
}

// ignored is the reader of a key that does not matter to a judge.
func ignored(tomlKey) error { return nil }

// libraryKeys reads the keys of a table into the targets, by name: pointers to values of the type
// that the key must have, or functions. It notes unknown keys.
func (p *reader) libraryKeys(t tomlTable, targets map[string]any) error {
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
			p.Note(libraryFile, k.line, "unknown key %s", quote.Name(k.name))
			continue
		}
		if !ok {
			return p.Tree.Errorf(libraryFile, k.line, "", "%s must be %s, not %s", k.name, want, quote.Name(k.text))
		}
	}
	return nil
}

// libraryTime reads the time limit, in seconds.
func (p *reader) libraryTime(k tomlKey) error {
	seconds, ok := k.value.(float64)
	if whole, is := k.value.(int64); is {
		seconds, ok = float64(whole), true
	}
	if !ok || !(seconds > 0) || seconds > yamlloose.Longest.Seconds() {
		return p.Tree.Errorf(libraryFile, k.line, "write timelimit = 2.0", "timelimit must be a number of seconds above 0, not %s", quote.Name(k.text))
	}
	p.Time.Limit, p.Time.From = time.Duration(seconds*float64(time.Second)), libraryFile
	return nil
}

// libraryParam adds the line of params.h for a parameter.
func (p *reader) libraryParam(k tomlKey, header *strings.Builder) error {
	switch value := k.value.(type) {
	case int64:
		fmt.Fprintf(header, "#define %s (long long)%d\n", k.name, value)
	case float64:
		fmt.Fprintf(header, "#define %s %s\n", k.name, k.text)
	case string:
		fmt.Fprintf(header, "#define %s \"%s\"\n", k.name, value)
	default:
		return p.Tree.Errorf(libraryFile, k.line, "", "the parameter %s must be a number or a string, not %s", k.name, quote.Name(k.text))
	}
	return nil
}

// librarySolution adds the solution of a table. What it promises are the verdicts that cases may
// get, and the one that some case must get.
func (p *reader) librarySolution(t tomlTable) error {
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
	if file, _, err := p.Tree.Kind(rel); err != nil {
		return err
	} else if !file {
		return p.Tree.Errorf(libraryFile, t.line, "", "there is no %s", rel)
	}
	if slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Path == rel }) {
		p.Note(libraryFile, t.line, "a second entry for %s is ignored", rel)
		return nil
	}
	e := problem.Expect{Final: draft.Accepted, From: fmt.Sprintf("%s:%d", libraryFile, t.line)}
	for v, allowed := range map[verdict.Verdict]bool{verdict.WA: wrongAnswer, verdict.RTE: re, verdict.TLE: tle} {
		if allowed {
			e.Final |= v.Class()
		}
	}
	if expect != "" {
		set, known := map[string]verdict.Set{"AC": draft.Accepted, "WA": verdict.WA.Class(), "RE": verdict.RTE.Class(), "TLE": verdict.TLE.Class()}[expect]
		if !known {
			return p.Tree.Errorf(libraryFile, t.line, "write AC, WA, RE or TLE", "unknown expect of %s: %s", rel, quote.Name(expect))
		}
		e.Rules = []problem.Rule{{Permitted: e.Final | set, Required: set, From: e.From}}
		e.Final = 0
	}
	if bad {
		e.Final, e.Rules = draft.Rejected, nil
	}
	if function {
		p.Describe(rel).Linked = draft.Linking{File: p.Tree.At("grader/grader.cpp"), Folder: p.Tree.At("grader")}
	}
	p.Submissions = append(p.Submissions, problem.Submission{Path: rel, Expect: e})
	return nil
}

// libraryName checks the name of a file that a table gives.
func (p *reader) libraryName(what, name string, line int) error {
	if name == "" || strings.ContainsAny(name, "/\\") || name[0] == '.' || name[0] == '-' {
		return p.Tree.Errorf(libraryFile, line, "", "the name of a %s is no file name: %s", what, quote.Name(name))
	}
	return nil
}

// tomlTable is a table of a TOML file: one [name], one element of [[name]], or the keys before all
// of them, whose name is "".
type tomlTable struct {
	name string
	line int
	keys []tomlKey // in the order of the file
}

// tomlKey is a key with its value, which is a string, an int64, a float64 or a bool.
type tomlKey struct {
	name, text string // text is the value as written, without comment and underscores
	line       int
	value      any
}

// tomlLines holds the expressions that match the lines of the part of TOML that is read: tables,
// bare keys, and strings of one line, decimal numbers and booleans as values.
var tomlLines = sync.OnceValue(func() (re struct{ blank, table, key, text, raw, whole, float *regexp.Regexp }) {
	const rest = `[ \t]*(?:#.*)?$`
	re.blank = regexp.MustCompile(`^` + rest)
	re.table = regexp.MustCompile(`^[ \t]*(\[\[?)[ \t]*([A-Za-z0-9_-]+)[ \t]*(\]\]?)` + rest)
	re.key = regexp.MustCompile(`^[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[^"'\[{# \t]+)` + rest)
	re.text = regexp.MustCompile(`^"(?:[^"\\\x00-\x08\x0a-\x1f]|\\(?:["\\bfnrt]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}))*"$`)
	re.raw = regexp.MustCompile(`^'[^'\x00-\x08\x0a-\x1f]*'$`)
	re.whole = regexp.MustCompile(`^[+-]?(?:0|[1-9](?:_?[0-9])*)$`)
	re.float = regexp.MustCompile(`^[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9]+)?$`)
	return re
})

// toml reads a file of the package as TOML. Everything that TOML allows beyond the part that is read
// is an error.
func (p *reader) toml(rel string) ([]tomlTable, error) {
	data, err := p.Tree.Read(rel, tree.MaxDocument)
	if err != nil {
		return nil, err
	}
	re := tomlLines()
	list := []tomlTable{{line: 1}}
	once := map[string]bool{"": true} // by name: whether the table is a single one
	text := strings.TrimPrefix(string(data), "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		bad := func(format string, args ...any) error { return p.Tree.Errorf(rel, i+1, "", format, args...) }
		table, key := re.table.FindStringSubmatch(line), re.key.FindStringSubmatch(line)
		switch {
		case re.blank.MatchString(line):
		case table != nil && len(table[1]) == len(table[3]):
			name, single := table[2], len(table[1]) == 1
			if before, known := once[name]; known && (before || single) {
				return nil, bad("a second table %s", name)
			}
			once[name] = single
			list = append(list, tomlTable{name: name, line: i + 1})
		case key != nil:
			at := &list[len(list)-1]
			for _, k := range at.keys {
				if k.name == key[1] {
					return nil, bad("a second key %s, after line %d", k.name, k.line)
				}
			}
			k := tomlKey{name: key[1], line: i + 1}
			if !k.set(key[2]) {
				return nil, bad("no string, number or boolean: %s", quote.Name(key[2]))
			}
			at.keys = append(at.keys, k)
		default:
			return nil, p.Tree.Errorf(rel, i+1, "judge reads tables, and keys whose values are strings, numbers or booleans", "unsupported or invalid TOML: %s", quote.Name(line))
		}
	}
	return list, nil
}

// set sets the value from the text of a file. It returns false if the text is no value.
func (k *tomlKey) set(text string) bool {
	re := tomlLines()
	k.text = strings.ReplaceAll(text, "_", "")
	var err error
	switch {
	case re.text.MatchString(text):
		k.text = text
		k.value, err = strconv.Unquote(text)
	case re.raw.MatchString(text):
		k.text, k.value = text, text[1:len(text)-1]
	case re.whole.MatchString(text):
		k.value, err = strconv.ParseInt(k.text, 10, 64)
	case re.float.MatchString(text):
		var f float64
		f, err = strconv.ParseFloat(k.text, 64)
		k.value = f
		return err == nil && !math.IsInf(f, 0)
	case text == "true" || text == "false":
		k.value = text == "true"
	default:
		return false
	}
	return err == nil
}
