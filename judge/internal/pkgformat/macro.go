package pkgformat

import (
	"bytes"
	"path"

	"tribunal/judge/internal/build"
)

// defining returns a source with a macro defined in its files in C, C++ and Pascal, as the tools of a
// format define it when they compile. Line numbers stay the same.
func defining(macro string, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if s.Language == build.Binary {
		return s, nil
	}
	texts := map[string][]byte{}
	for name, text := range s.Texts() {
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		switch path.Ext(name) {
		case ".c", ".cpp", ".cc":
			texts[name] = append([]byte("#define "+macro+" 1\n#line 1\n"), text...)
		case ".pas":
			texts[name] = append([]byte("{$DEFINE "+macro+"}"), text...)
		}
	}
	if len(texts) == 0 {
		return s, nil
	}
	return s.With(texts, languages)
}
