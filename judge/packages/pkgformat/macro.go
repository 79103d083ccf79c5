package pkgformat

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
)

// defining returns a source with macros, such as "SIZE 10", defined in its files in C, C++ and Pascal,
// as the tools of a format define them when they compile. Line numbers stay the same.
func defining(macros []string, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if s.Language == build.Binary {
		return s, nil
	}
	inC, inPascal := "", ""
	for _, macro := range macros {
		name, _, _ := strings.Cut(macro, " ")
		inC += "#define " + macro + "\n"
		inPascal += "{$DEFINE " + name + "}"
	}
	texts := map[string][]byte{}
	for name, text := range s.Texts() {
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		switch path.Ext(name) {
		case ".c", ".cpp", ".cc":
			texts[name] = append([]byte(inC+"#line 1\n"), text...)
		case ".pas":
			texts[name] = append([]byte(inPascal), text...)
		}
	}
	if len(texts) == 0 {
		return s, nil
	}
	return s.With(texts, languages)
}

// macros returns the macros that flags of a compiler define, as for defining, and those of the other
// flags that may matter. Flags about optimization, warnings, libraries and the like are replaced by
// those of the judge.
func macros(flags []string) (list, unused []string) {
	for i := 0; i < len(flags); i++ {
		flag := flags[i]
		if flag == "-D" && i+1 < len(flags) {
			i++
			flag += flags[i]
		}
		if macro, ok := strings.CutPrefix(flag, "-D"); ok {
			name, value, given := strings.Cut(macro, "=")
			if !given {
				value = "1"
			}
			list = append(list, strings.ReplaceAll(name+" "+value, "\n", " "))
		} else if !slices.ContainsFunc([]string{"-O", "-std=", "-W", "-g", "-l", "-m", "-f", "-pthread", "-w"}, func(known string) bool { return strings.HasPrefix(flag, known) }) {
			unused = append(unused, flag)
		}
	}
	return list, unused
}
