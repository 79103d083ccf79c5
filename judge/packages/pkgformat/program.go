package pkgformat

import (
	"bytes"
	"cmp"
	"maps"
	"path"

	"tribunal/judge/internal/build"
)

// program says how a program of the package is built, as far as the file or folder at its path does not say it.
type program struct {
	files      []string          // of the package, if they and not its path make it up; the first is the main one
	own        map[string][]byte // files of judge's own in Python that are the program, and files is below packageDir; nil for none
	main       string            // the main one of own
	language   string            // "" if its name says it, and for submissions
	macros     []string          // see defining
	linked     linking           // what is compiled with it, if places of included files matter
	unbuffered bool              // its output, if it is in C or C++
	adapter    *adapter          // translates its protocol; nil if the judge speaks it
	script     string            // starts it; "" for none
}

// packageDir is where the files of the package are, below those of judge's own that run them.
const packageDir = "package"

// program returns what loaders say about the program rel.
func (p *Package) program(rel string) *program {
	if p.programs == nil {
		p.programs = map[string]*program{}
	}
	if p.programs[rel] == nil {
		p.programs[rel] = &program{}
	}
	return p.programs[rel]
}

// known returns what loaders have said about the program rel.
func (p *Package) known(rel string) *program { return cmp.Or(p.programs[rel], &program{}) }

// Program reads one of the package's own programs, a file or a folder, with the package's headers
// added and constants filled in. It implements [problem.Files].
func (p *Package) Program(rel string, languages map[string]build.Language) (*build.Source, error) {
	for i := range p.Submissions {
		if s := &p.Submissions[i]; s.Path == rel { // rel is a submission that serves as the reference
			return p.Own(s, languages)
		}
	}
	one := p.known(rel)
	if one.own != nil {
		return p.ownProgram(rel, one, languages)
	}
	if one.files != nil {
		rel = one.files[0]
	}
	source, err := p.openProgram(rel, one, languages)
	if err != nil {
		return nil, err
	}
	if source, err = p.headers(source, languages); err != nil {
		return nil, err
	}
	switch {
	case one.adapter != nil:
		if source, err = p.place(rel, source, languages); err != nil {
			return nil, err
		}
		return p.around(one.adapter, source, languages)
	case one.script != "":
		return source.Scripted(map[string][]byte{"run": []byte(one.script)}), nil
	case one.macros != nil && p.inclusion == nil:
		if source, err = defining(one.macros, source, languages); err != nil {
			return nil, err
		}
	}
	if one.unbuffered {
		if source, err = unbuffer(source, languages); err != nil {
			return nil, err
		}
	}
	if source, err = p.place(rel, source, languages); err != nil {
		return nil, err
	}
	return p.withConstants(p.Show(rel), source, languages)
}

// openProgram reads the files of a program, in the language that the package gives if it gives one.
func (p *Package) openProgram(rel string, one *program, languages map[string]build.Language) (source *build.Source, err error) {
	if err := p.visitProgram(rel, nil); err != nil {
		return nil, err
	}
	if one.language != "" {
		source, err = build.OpenFrom(p.File(rel), one.language, build.Origin{Root: p.files.root, Path: p.files.at(rel), First: true}, languages)
	} else {
		source, err = build.OpenProgram(p.files.root, p.files.at(rel), p.File(rel), languages)
	}
	if err == nil && len(one.files) > 1 {
		texts := map[string][]byte{}
		for _, rel := range one.files[1:] {
			text, err := p.Bytes(rel)
			if err != nil {
				return nil, err
			}
			texts[path.Base(rel)] = text
		}
		source, err = source.With(texts, languages)
	}
	if err != nil {
		return nil, build.Located(p.Show(rel), err)
	}
	return source, nil
}

// ownProgram returns a program of judge's own that runs files of the package.
func (p *Package) ownProgram(rel string, one *program, languages map[string]build.Language) (*build.Source, error) {
	texts := maps.Clone(one.own)
	for _, file := range one.files {
		text, err := p.Bytes(file)
		if err != nil {
			return nil, err
		}
		texts[path.Join(packageDir, file)] = text
	}
	source, err := build.Read(p.Show(rel), one.main, bytes.NewReader(texts[one.main]), pythonSet, languages)
	if err == nil && len(texts) > 1 {
		source, err = source.With(texts, languages)
	}
	if err != nil {
		return nil, build.Located(p.Show(rel), err)
	}
	return source, nil
}

const pythonSet = "python3"
