package draft

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// headers returns a source with the package's headers added, except those that it has itself.
func (p *Draft) headers(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	texts := map[string][]byte{}
	for _, rel := range p.Validation.Headers {
		if _, own := s.Texts()[path.Base(rel)]; own {
			continue
		}
		text, err := p.Bytes(rel)
		if err != nil {
			return nil, err
		}
		texts[path.Base(rel)] = text
	}
	if len(texts) == 0 || s.Language == build.Binary {
		return s, nil
	}
	return s.With(texts, languages)
}

// Contestant reads the submission at the path name. It adds the package's included files for the
// submission's language and the package's limits for compilers. A language other than "" overrides
// detection. A submission that the package does not allow is returned as [build.Source.Refused]. An
// example submission of the package is read as by [Draft.Own]; for any other, symbolic links are
// followed only as far as [build.Submission] follows them. If the package wants outputs instead of
// programs, any other submission is read as [build.SubmittedOutputs]. Contestant implements
// [problem.Files].
func (p *Draft) Contestant(name, language string, languages map[string]build.Language) (*build.Source, error) {
	if p.OutputOnly && problem.Find(p.Submissions, p.Root, name) == nil {
		var wanted []string
		for _, c := range p.Cases {
			wanted = append(wanted, c.Submitted)
		}
		return build.SubmittedOutputs(name, language, wanted, languages)
	}
	return build.HandedIn(name, func() (*build.Source, error) {
		return p.submissionFrom(name, language, build.Origin{HandedIn: true, Problem: p.ID}, languages)
	})
}

// Trusted is like Contestant for a program of the user, whose symbolic links may lead anywhere.
func (p *Draft) Trusted(name string, languages map[string]build.Language) (*build.Source, error) {
	return p.submissionFrom(name, "", build.Origin{Problem: p.ID}, languages)
}

func (p *Draft) submissionFrom(name, given string, from build.Origin, languages map[string]build.Language) (*build.Source, error) {
	own := problem.Find(p.Submissions, p.Root, name)
	if own != nil {
		given = cmp.Or(given, language(own, languages))
		from.Entry = own.Entrypoint
		if p.holds(name, own) {
			from.Root, from.Path, from.First = p.Tree.Root, p.Tree.At(own.Path), true
		}
	}
	return p.submission(name, given, own, from, languages)
}

// holds reports whether name lies in the same folder as the package's submission own. A symbolic
// link to own in another folder does not.
func (p *Draft) holds(name string, own *problem.Submission) bool {
	dir, err := os.Stat(filepath.Dir(name))
	if err != nil {
		return false
	}
	ownDir, err := os.Stat(filepath.Dir(p.File(own.Path)))
	return err == nil && os.SameFile(dir, ownDir)
}

// Own reads an example submission of the package. It fills in the package's constants, and uses the
// language and the entry point that the package gives. It implements [problem.Files].
func (p *Draft) Own(s *problem.Submission, languages map[string]build.Language) (*build.Source, error) {
	from := build.Origin{Root: p.Tree.Root, Path: p.Tree.At(s.Path), Entry: s.Entrypoint, First: true}
	return p.submission(p.File(s.Path), language(s, languages), s, from, languages)
}

// submission reads a submission, which is the package's own unless own is nil.
func (p *Draft) submission(name, language string, own *problem.Submission, from build.Origin, languages map[string]build.Language) (*build.Source, error) {
	s, err := build.OpenFrom(name, language, from, languages)
	if err != nil {
		return nil, err
	}
	return p.take(s, own, languages)
}

// Take is like Contestant for a source that was already read. It implements [problem.Files].
func (p *Draft) Take(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if p.OutputOnly {
		return s.Refused("a program, but submissions to this problem are outputs"), nil
	}
	return p.take(s, nil, languages)
}

// take adds the package's included files and compiler limits to a source, or refuses a source that
// the package does not allow. In the package's own submissions it fills in constants.
func (p *Draft) take(s *build.Source, own *problem.Submission, languages map[string]build.Language) (*build.Source, error) {
	if why := p.Refusal(s); why != "" {
		return s.Refused(why), nil
	}
	var err error
	if own != nil {
		if s, err = p.place(own.Path, s, languages); err != nil {
			return nil, err
		}
		if s, err = p.withConstants(s.Name, s, languages); err != nil {
			return nil, err
		}
	}
	if s, err = problem.With(s, p.Include, languages); err != nil {
		return nil, err
	}
	if p.Submitted != nil {
		if s, err = p.Submitted(s, languages); err != nil {
			return nil, err
		}
	}
	return s.Within(p.Compile), nil
}

// AddInclude adds files of a folder to the submissions of a language, which "default" means for languages without
// any of their own. Constants are filled in when they are read.
func (p *Draft) AddInclude(language, dir string, files []string) {
	p.Include = append(p.Include, problem.Include{Language: language, Read: func() (map[string][]byte, error) {
		texts := map[string][]byte{}
		for _, name := range files {
			text, err := p.Bytes(path.Join(dir, name))
			if err != nil {
				return nil, err
			}
			texts[name] = text
		}
		return p.fill(p.Show(dir), texts)
	}})
}

// maxProgram is the largest size of a program in bytes with constants filled in, the same as for
// sources.
const maxProgram = 16 << 20

// fill returns the files of a program with constants filled in. Errors name the program as shown.
func (p *Draft) fill(shown string, texts map[string][]byte) (map[string][]byte, error) {
	all, left := map[string][]byte{}, maxProgram
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		text, ok := p.Fill(texts[file], left)
		if !ok {
			return nil, &yamlstrict.Error{File: shown, Msg: fmt.Sprintf("with constants filled in, larger than %d MiB", maxProgram>>20)}
		}
		all[file] = text
		left -= len(text)
	}
	return all, nil
}

// withConstants returns a source of the package with constants filled in. A binary stays as it is.
func (p *Draft) withConstants(shown string, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if len(p.Constants) == 0 || s.Language == build.Binary {
		return s, nil
	}
	texts, err := p.fill(shown, s.Texts())
	if err != nil {
		return nil, err
	}
	return s.With(texts, languages)
}

var (
	// constantUse matches {{name}}, and {{name.key}} for one of several values of a constant.
	constantUse = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)\}\}`)
	})
)

// Fill returns a text in which the values of constants replace {{name}}, or false if the result is
// larger than most bytes. In the formats, constants are filled into validators, files to include
// and the package's own submissions, but not into test data. Unknown names stay as they are, and so
// do names in values. A text without any {{name}} is returned itself, not copied.
func (p *Draft) Fill(text []byte, most int) ([]byte, bool) {
	if len(p.Constants) == 0 || !bytes.Contains(text, []byte("{{")) {
		return text, true
	}
	var filled []byte
	for {
		at := constantUse().FindSubmatchIndex(text)
		if at == nil {
			break
		}
		value, known := p.Constants[string(text[at[2]:at[3]])]
		if !known {
			value = string(text[at[0]:at[1]])
		}
		filled = append(append(filled, text[:at[0]]...), value...)
		if text = text[at[1]:]; len(filled)+len(text) > most {
			return nil, false
		}
	}
	if filled == nil {
		return text, true
	}
	return append(filled, text...), true
}

// language returns the language that the package gives for one of its own submissions, or "" if the
// submission's files decide.
func language(s *problem.Submission, known map[string]build.Language) string {
	if _, ours := known[s.Language]; ours {
		return s.Language
	}
	for _, name := range []string{"c", "cpp", "java", "python3"} { // several languages may share a code: prefer the usual one
		if _, ours := known[name]; ours && slices.Contains(problem.Codes(name), s.Language) {
			return name
		}
	}
	return ""
}

const MaxLanguages = 256

// LanguageCodes are the language codes of the formats.
var LanguageCodes = []string{
	"ada", "algol68", "apl", "bash", "c", "cgmp", "cobol", "cpp", "cppgmp", "crystal", "csharp", "d", "dart", "elixir", "erlang",
	"forth", "fortran", "fsharp", "gerbil", "go", "haskell", "java", "javaalgs4", "javascript", "julia", "kotlin", "lisp", "lua",
	"modula2", "nim", "objectivec", "ocaml", "octave", "odin", "pascal", "perl", "php", "prolog", "python2", "python3",
	"python3numpy", "racket", "ruby", "rust", "scala", "simula", "smalltalk", "snobol", "swift", "typescript", "visualbasic", "zig",
}
