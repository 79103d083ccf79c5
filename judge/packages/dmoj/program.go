package dmoj

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// meta reads what judge export notes in init.yml of what DMOJ keeps in its database: the title, the
// time limit in seconds and the memory limit in KiB. To DMOJ itself meta is any data for graders.
func (d *reader) meta() error {
	v := d.top.get("meta")
	if v == nil || !v.IsMapping() {
		return nil
	}
	keys, err := d.plain(*v)
	if err != nil {
		return err
	}
	if name := keys.get("name"); name != nil {
		if d.Title, err = name.Text(); err != nil {
			return err
		}
	}
	if t := keys.get("time_limit"); t != nil {
		text, err := t.Text()
		if err == nil {
			err = d.OfferTime(initFile, t.Line(), text)
		}
		if err != nil {
			return err
		}
	}
	if m := keys.get("memory_limit"); m != nil {
		if d.Limits.Memory, err = m.Bytes(limits.KiB); err != nil {
			return err
		}
	}
	return nil
}

// validator reads the input validator, with the arguments that DMOJ gives it in each case.
func (d *reader) validator() error {
	v := d.top.get("validator")
	if v == nil {
		return nil
	}
	args, err := d.plain(*v)
	if err != nil {
		return err
	}
	kind, err := args.text("type")
	if err != nil {
		return err
	}
	source := args.get("source")
	if own := args.get("args_format_string"); source == nil || own != nil || !slices.Contains([]string{"", "default", "testlib"}, kind) {
		d.Note(initFile, v.Line(), "not used: a validator needs a source, the type default or testlib, and no args_format_string")
		return nil
	}
	rel, err := d.program(source)
	if err != nil {
		return err
	}
	d.InputPrograms = append(d.InputPrograms, rel)
	for i, c := range d.Cases {
		batch := 0
		if number, is := strings.CutPrefix(c.Group, "batch"); is {
			_, _ = fmt.Sscan(number, &batch)
		}
		if c.InputArgs.All = []string{fmt.Sprint(batch), fmt.Sprint(i)}; kind == "testlib" {
			c.InputArgs.All = []string{"--group", fmt.Sprintf("st%d", batch)}
		}
	}
	return nil
}

// packagePath returns the path in the package or its archive that a value is.
func packagePath(v *yamlloose.Node) (string, error) {
	name, err := v.Text()
	if err != nil {
		return "", err
	}
	return cleanPath(v, name)
}

// cleanPath returns the path in the package that name, a part of a value, is.
func cleanPath(v *yamlloose.Node, name string) (string, error) {
	rel := path.Clean(name)
	if !fs.ValidPath(rel) {
		return "", v.Wrong("", "%s is no path in the package", quote.Name(name))
	}
	return rel, nil
}

// file returns the path of a file of the package, outside of the archive, that a value names.
func (d *reader) file(v *yamlloose.Node) (string, error) {
	rel, err := packagePath(v)
	if err != nil {
		return "", err
	}
	file, _, err := d.Tree.Kind(rel)
	if err == nil && !file {
		err = v.Wrong("add it", "%s is not in the package", quote.Name(rel))
	}
	return rel, err
}

// program returns the path of a program that a value names: a file, a folder, which DMOJ itself cannot
// read, or a list of sources and the headers that they include.
func (d *reader) program(v *yamlloose.Node) (string, error) {
	list := []*yamlloose.Node{v}
	if items := v.Items(); items != nil {
		list = items
	} else if name, err := v.Text(); err == nil && fs.ValidPath(name) {
		if _, dir, err := d.Tree.Kind(name); err != nil || dir {
			return name, err
		}
	}
	var sources []string
	for _, one := range list {
		rel, err := d.file(one)
		if err != nil {
			return "", err
		}
		ext := path.Ext(rel)
		if header := slices.Contains([]string{".h", ".hh", ".hpp", ".hxx"}, ext); !header {
			sources = append(sources, rel)
		} else if !slices.Contains(d.Validation.Headers, rel) {
			d.Validation.Headers = append(d.Validation.Headers, rel)
		}
	}
	if sources == nil {
		return "", v.Wrong("", "no source")
	}
	d.Describe(sources[0]).Files = sources
	return sources[0], nil
}

// bridgedTypes are the protocols of DMOJ's bridged programs, by the key type.
var bridgedTypes = map[string]problem.Protocol{"default": problem.DMOJ, "testlib": problem.Testlib, "coci": problem.COCI, "peg": problem.PEG}

// bridged reads the program of a checker or an interactor, and how it is called.
func (d *reader) bridged(v *yamlloose.Node, args *scope, interactor bool) (string, error) {
	kind, err := args.text("type")
	if err != nil {
		return "", err
	}
	protocol, known := bridgedTypes[cmp.Or(kind, "default")]
	switch {
	case !known:
		return "", v.Wrong("it is default, testlib, coci or peg", "the type %s is not supported", quote.Name(kind))
	case interactor && protocol.Rules().Interactor == "":
		return "", v.Wrong("it is default, testlib or coci", "interactors of the type peg are not supported")
	}
	d.Validation.Protocol, d.Validation.Form = protocol, nil
	if f := args.get("args_format_string"); f != nil {
		if d.Validation.Form, err = f.ShellWords(); err != nil {
			return "", err
		}
		for _, word := range d.Validation.Form {
			for _, name := range formName().FindAllString(word, -1) {
				if !slices.Contains([]string{"{input_file}", "{output_file}", "{answer_file}"}, name) {
					return "", f.Wrong("there are {input_file}, {output_file} and {answer_file}", "unknown name %s", quote.Name(name))
				}
			}
		}
	}
	if d.Validate.CPU, d.Validate.Memory, err = d.bounds(args, d.Validate.CPU, d.Validate.Memory); err != nil {
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
	if v := args.get("flags"); v != nil {
		flags, err := v.Texts()
		if err != nil {
			return err
		}
		list, unused := draft.Macros(flags)
		for _, flag := range unused {
			d.Note(initFile, v.Line(), "the flag %s is not used", quote.Name(flag))
		}
		if len(list) > 0 {
			d.Describe(rel).Macros = list
		}
	}
	name, err := args.text(language)
	if err != nil {
		return err
	}
	ours := languages[strings.TrimRight(name, "0123456789")]
	if file, _, err := d.Tree.Kind(rel); ours == "" || name == "PY2" || err != nil || !file || slices.Contains([]string{".c", ".cc", ".cpp"}, path.Ext(rel)) {
		return err
	}
	d.Describe(rel).Language = ours
	return nil
}

// signature holds the files that DMOJ compiles with a submission in C or C++ without a main function.
type signature struct {
	entry, header string // paths: the source with main, in the language of the submission, and what both include
	main          bool   // a function main of the submission keeps its name
}

// signatureGrader reads the sources that are compiled with submissions.
func (d *reader) signatureGrader() error {
	v := d.top.get("signature_grader")
	if v == nil || d.top.get("custom_judge") != nil {
		return nil
	}
	keys, err := d.plain(*v)
	if err != nil {
		return err
	}
	s := &signature{}
	for _, one := range []struct {
		key string
		to  *string
	}{{"entry", &s.entry}, {"header", &s.header}} {
		file := keys.get(one.key)
		if file == nil {
			return v.Wrong("it has the keys entry and header", "no %s", one.key)
		}
		if *one.to, err = d.data(file); err != nil {
			return err
		}
	}
	if allow := keys.get("allow_main"); allow != nil {
		if s.main, err = allow.Flag(); err != nil {
			return err
		}
	}
	d.signature, d.Languages, d.Placed = s, []string{"c", "cpp"}, true
	d.Submitted = func(from *build.Source, languages map[string]build.Language) (*build.Source, error) {
		if from.Language == build.Binary {
			return from, nil
		}
		return s.before(from, languages)
	}
	return nil
}

// includes adds files to submissions in C and C++.
func (d *reader) includes() error {
	if d.signature == nil && !d.unbuffered {
		return nil
	}
	for _, language := range []string{"c", "cpp"} {
		d.Include = append(d.Include, problem.Include{Language: language, Read: func() (map[string][]byte, error) {
			texts := map[string][]byte{}
			if d.unbuffered {
				texts[draft.UnbufferingFile+language] = []byte(draft.Unbuffering)
			}
			s := d.signature
			if s == nil {
				return texts, nil
			}
			entry, err := d.Bytes(s.entry)
			if err != nil {
				return nil, err
			}
			texts["signature_grader."+language] = entry
			texts[s.header], err = d.Bytes(s.header)
			return texts, err
		}})
	}
	return nil
}

// before returns a submission, to which the files have been added, with what DMOJ writes before its
// sources. Line numbers stay the same.
func (s *signature) before(from *build.Source, languages map[string]build.Language) (*build.Source, error) {
	text := fmt.Sprintf("#include %q\n", s.header)
	if !s.main {
		text += "#define main main_of_submission\n"
	}
	texts := map[string][]byte{}
	for name, own := range from.Bare().Code(languages) {
		texts[name] = append([]byte(text+"#line 1\n"), own...)
	}
	from, err := from.With(texts, languages)
	if err != nil {
		return nil, err
	}
	return draft.Defining([]string{"SIGNATURE_GRADER 1"}, from, languages)
}
