package build

import (
	"maps"
	"path"
	"slices"
)

// With returns a copy of the source with the given files added, by slash path within the source. They replace files
// of the same path. If the main file of s cannot be one, such as a unit of Pascal, an added file becomes the main
// file.
func (s *Source) With(texts map[string][]byte, languages map[string]Language) (*Source, error) {
	t := *s
	t.files, t.names = Overlay(s.files, texts), nil
	t.code = slices.Clone(s.code)
	for file := range texts {
		if _, known := s.files[file]; !known && t.code != nil {
			t.code = append(t.code, file)
		}
	}
	slices.Sort(t.code)
	if t.entry == "" && t.isUnit(t.main) && len(t.files) > len(s.files) {
		t.nameAfterUnit(t.main)
		t.main = ""
	}
	return classify(&t, t.findMain(languages))
}

// Placed returns a source in the language of s that consists of the files in texts, by slash path.
// Only those that code names are compiled, the first of which is the main file.
func (s *Source) Placed(code []string, texts map[string][]byte, languages map[string]Language) (*Source, error) {
	t := *s
	t.names = nil
	t.files, t.code, t.main, t.placed = texts, slices.Clone(code), code[0], true
	return classify(&t, t.findMain(languages))
}

// Including is like With, for files that a problem adds to a submission. [Source.Bare] returns s.
func (s *Source) Including(texts map[string][]byte, languages map[string]Language) (*Source, error) {
	t, err := s.With(texts, languages)
	if err == nil {
		t.bare = s
	}
	return t, err
}

// Bare returns the source without the files that Including added.
func (s *Source) Bare() *Source {
	if s.bare != nil {
		return s.bare
	}
	return s
}

// Main returns the slash path of the main file within the source.
func (s *Source) Main() string { return s.main }

// Overlay returns the files of both maps, by slash path. A file of over replaces a file or a folder
// of the same path in files, and a folder of over replaces a file. Overlay does not change its
// arguments.
func Overlay(files, over map[string][]byte) map[string][]byte {
	all := make(map[string][]byte, len(files)+len(over))
	maps.Copy(all, over)
	folders := map[string]bool{}
	for file := range over {
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for file, text := range files {
		hidden := folders[file]
		for at := file; at != "." && !hidden; at = path.Dir(at) {
			_, hidden = over[at]
		}
		if !hidden {
			all[file] = text
		}
	}
	return all
}
