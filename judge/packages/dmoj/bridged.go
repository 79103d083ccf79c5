package dmoj

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// bridgedTypes are the protocols of DMOJ's bridged programs, by the key type.
var bridgedTypes = map[string]problem.Protocol{"default": problem.DMOJ, "testlib": problem.Testlib, "coci": problem.COCI, "peg": problem.PEG}

// bridged reads the program of a checker or an interactor, and how it is called.
func (d *reader) bridged(v *yamlloose.Node, args *scope, interactor bool) (string, error) {
	p := d.p
	kind, err := args.text("type")
	if err != nil {
		return "", err
	}
	protocol, known := bridgedTypes[cmp.Or(kind, "default")]
	switch {
	case !known:
		return "", v.Wrong("it is default, testlib, coci or peg", "the type %s is not supported", quote.Name(kind))
	case interactor && protocol == problem.PEG:
		return "", v.Wrong("it is default, testlib or coci", "interactors of the type peg are not supported")
	}
	p.Validation.Protocol, p.Validation.Form = protocol, nil
	if f := args.get("args_format_string"); f != nil {
		if p.Validation.Form, err = f.ShellWords(); err != nil {
			return "", err
		}
		for _, word := range p.Validation.Form {
			for _, name := range formName().FindAllString(word, -1) {
				if !slices.Contains([]string{"{input_file}", "{output_file}", "{answer_file}"}, name) {
					return "", f.Wrong("there are {input_file}, {output_file} and {answer_file}", "unknown name %s", quote.Name(name))
				}
			}
		}
	}
	if p.Validate.CPU, p.Validate.Memory, err = d.bounds(args, p.Validate.CPU, p.Validate.Memory); err != nil {
		return "", err
	}
	files := args.get("files")
	if files == nil {
		return "", v.Wrong("add files: …", "no program")
	}
	rel, err := d.program(files)
	if err != nil {
		return "", err
	}
	return rel, d.compiled(rel, args, "lang")
}

var formName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*\}`) })

// bounds returns the limits that keys of a program give, or else cpu and memory.
func (d *reader) bounds(args *scope, cpu time.Duration, memory limits.Bytes) (time.Duration, limits.Bytes, error) {
	if v := args.get("time_limit"); v != nil {
		t, err := v.Number(0)
		if err != nil {
			return 0, 0, err
		}
		cpu = max(time.Second, time.Duration(min(t, yamlloose.Longest.Seconds())*float64(time.Second)))
	}
	if v := args.get("memory_limit"); v != nil {
		size, err := v.Number(0)
		if err != nil {
			return 0, 0, err
		}
		memory = max(16*limits.MiB, limits.Bytes(min(size, math.MaxInt32))<<10)
	}
	return cpu, memory, nil
}

// languages are the languages of programs whose names may not say them, by DMOJ's names without
// the version.
var languages = map[string]string{
	"C": "c", "CPP": "cpp", "CLANG": "c", "CLANGX": "cpp", "PY": "python3", "PYPY": "pypy3", "JAVA": "java", "RUST": "rust", "GO": "go",
	"PAS": "pascal", "HASK": "haskell", "OCAML": "ocaml", "KOTLIN": "kotlin", "MONOCS": "csharp", "PERL": "perl", "RUBY": "ruby", "LUA": "lua",
}

// compiled reads the keys about how a program is compiled: flags, and the language, whose key has
// that name.
func (d *reader) compiled(rel string, args *scope, language string) error {
	p := d.p
	if v := args.get("flags"); v != nil {
		flags, err := v.Texts()
		if err != nil {
			return err
		}
		list, unused := draft.Macros(flags)
		for _, flag := range unused {
			p.Note(initFile, v.Line(), "the flag %s is not used", quote.Name(flag))
		}
		if len(list) > 0 {
			p.Describe(rel).Macros = list
		}
	}
	name, err := args.text(language)
	if err != nil {
		return err
	}
	ours := languages[strings.TrimRight(name, "0123456789")]
	if file, _, err := p.Tree.Kind(rel); ours == "" || name == "PY2" || err != nil || !file || slices.Contains([]string{".c", ".cc", ".cpp"}, path.Ext(rel)) {
		return err
	}
	p.Describe(rel).Language = ours
	return nil
}
