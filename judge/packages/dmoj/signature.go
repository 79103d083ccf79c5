package dmoj

import (
	"fmt"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

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
	d.signature, d.p.Languages, d.p.Placed = s, []string{"c", "cpp"}, true
	d.p.Submitted = func(from *build.Source, languages map[string]build.Language) (*build.Source, error) {
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
		d.p.Include = append(d.p.Include, problem.Include{Language: language, Read: func() (map[string][]byte, error) {
			texts := map[string][]byte{}
			if d.unbuffered {
				texts[draft.UnbufferingFile+language] = []byte(draft.Unbuffering)
			}
			s := d.signature
			if s == nil {
				return texts, nil
			}
			entry, err := d.p.Bytes(s.entry)
			if err != nil {
				return nil, err
			}
			texts["signature_grader."+language] = entry
			texts[s.header], err = d.p.Bytes(s.header)
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
