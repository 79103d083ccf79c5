package pkgformat

import (
	"fmt"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// signature is what DMOJ compiles with a submission in C or C++ that has no main function of its own.
type signature struct {
	entry, header string // paths: the source with main, in the language of the submission, and what both include
	main          bool   // a function main of the submission keeps its name
}

// signatureGrader reads the sources that are compiled with submissions.
func (d *dmojReader) signatureGrader() error {
	v := d.top.get("signature_grader")
	if v == nil || d.top.get("custom_judge") != nil {
		return nil
	}
	keys, err := d.plain(*v)
	if err != nil {
		return err
	}
	s := &signature{}
	for key, to := range map[string]*string{"entry": &s.entry, "header": &s.header} {
		file := keys.get(key)
		if file == nil {
			return v.wrong("it has the keys entry and header", "no %s", key)
		}
		if *to, err = d.data(file); err != nil {
			return err
		}
	}
	if allow := keys.get("allow_main"); allow != nil {
		if s.main, err = allow.flag(); err != nil {
			return err
		}
	}
	d.p.signature, d.p.Languages = s, []string{"c", "cpp"}
	return nil
}

// includes returns the files to add to submissions.
func (s *signature) includes(p *Package) (list []problem.Include) {
	for _, language := range []string{"c", "cpp"} {
		list = append(list, problem.Include{Language: language, Read: func() (map[string][]byte, error) {
			entry, err := p.Bytes(s.entry)
			if err != nil {
				return nil, err
			}
			header, err := p.Bytes(s.header)
			return map[string][]byte{"signature_grader." + language: entry, s.header: header}, err
		}})
	}
	return list
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
	return defining([]string{"SIGNATURE_GRADER 1"}, from, languages)
}
