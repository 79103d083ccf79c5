package bundle

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/yamlstrict"
)

// Submission reads a program that is judged on the package, with what the package
// includes for its language and the limits that it gives compilers. name is where it is;
// language, if not "", is its own. One that the package does not take becomes no program,
// see [build.Source.Refused]. One of the package's own is read as [Bundle.Own] does; of
// another, which may be a contestant's, links are followed as by [build.Submission].
func (b *Bundle) Submission(name, language string) (*build.Source, error) {
	return b.submissionFrom(name, language, build.Origin{HandedIn: true})
}

// Trusted is Submission for a program of the user's own, whose links lead anywhere.
func (b *Bundle) Trusted(name string) (*build.Source, error) {
	return b.submissionFrom(name, "", build.Origin{})
}

func (b *Bundle) submissionFrom(name, language string, from build.Origin) (*build.Source, error) {
	own := b.Find(name)
	if own != nil {
		language = cmp.Or(language, b.language(own))
		from.Entry = own.Entrypoint
		if b.holds(name, own) {
			from.Root, from.Path = b.Root(), own.Path
		}
	}
	return b.submission(name, language, own != nil, from)
}

// holds reports whether a name is that of a submission in the package's own folders, and
// not of a link to it from elsewhere.
func (b *Bundle) holds(name string, own *pkgformat.Submission) bool {
	here, err := os.Stat(filepath.Dir(name))
	if err != nil {
		return false
	}
	there, err := os.Stat(filepath.Dir(b.File(own.Path)))
	return err == nil && os.SameFile(here, there)
}

// Find returns the submission of the package that a file or folder is, or nil.
func (b *Bundle) Find(name string) *pkgformat.Submission {
	info, err := os.Stat(name)
	if err != nil {
		return nil // which reading it will tell
	}
	for i, s := range b.Submissions {
		if path.Base(s.Path) != filepath.Base(name) {
			continue
		}
		if other, err := os.Stat(b.File(s.Path)); err == nil && os.SameFile(info, other) {
			return &b.Submissions[i]
		}
	}
	return nil
}

// Own reads one of the package's own submissions. They have the package's constants in
// their places, the language that the package says, and begin where it says.
func (b *Bundle) Own(s *pkgformat.Submission) (*build.Source, error) {
	from := build.Origin{Root: b.Root(), Path: s.Path, Entry: s.Entrypoint}
	return b.submission(b.File(s.Path), b.language(s), true, from)
}

func (b *Bundle) submission(name, language string, own bool, from build.Origin) (*build.Source, error) {
	s, err := build.OpenFrom(name, language, from, b.builder.Languages())
	if err != nil {
		return nil, err
	}
	return b.take(s, own)
}

// Take is Submission for a source that was read elsewhere.
func (b *Bundle) Take(s *build.Source) (*build.Source, error) { return b.take(s, false) }

// take returns a source with what the package has for it, or as one that it refuses.
func (b *Bundle) take(s *build.Source, own bool) (*build.Source, error) {
	if why := b.refusal(s); why != "" {
		return s.Refused(why), nil
	}
	var err error
	if own {
		if s, err = b.filled(s.Name, s); err != nil {
			return nil, err
		}
	}
	if s, err = b.include(s); err != nil {
		return nil, err
	}
	return s.Within(b.Compile), nil
}

// include returns a source with the files that the package includes for its language.
func (b *Bundle) include(s *build.Source) (*build.Source, error) {
	if s.Language == build.Binary {
		return s, nil
	}
	var from pkgformat.Include
	for _, code := range append(codes(s.Language), "default") {
		for _, i := range b.Package.Include {
			if i.Language == code && from.Path == "" {
				from = i
			}
		}
	}
	if from.Path == "" {
		return s, nil
	}
	texts := map[string][]byte{}
	var err error
	for _, name := range from.Files {
		if texts[name], err = b.Bytes(path.Join(from.Path, name)); err != nil {
			return nil, err
		}
	}
	if texts, err = b.fill(b.Show(from.Path), texts); err != nil {
		return nil, err
	}
	return s.With(texts, b.builder.Languages())
}

// maxFilled is how large a program may become with the package's constants in it: as
// large as its sources may be.
const maxFilled = 16 << 20

// fill returns the texts of a program, which errors show as shown, with the constants in
// their places.
func (b *Bundle) fill(shown string, texts map[string][]byte) (map[string][]byte, error) {
	all, left := map[string][]byte{}, maxFilled
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		text, ok := b.Fill(texts[file], left)
		if !ok {
			return nil, &yamlstrict.Error{File: shown, Msg: fmt.Sprintf("constants make it larger than %d MiB", maxFilled>>20)}
		}
		all[file] = text
		left -= len(text)
	}
	return all, nil
}

// filled returns a source of the package with the constants in their places.
func (b *Bundle) filled(shown string, s *build.Source) (*build.Source, error) {
	if len(b.Constants) == 0 || s.Language == build.Binary {
		return s, nil
	}
	texts, err := b.fill(shown, s.Texts())
	if err != nil {
		return nil, err
	}
	return s.With(texts, b.builder.Languages())
}
