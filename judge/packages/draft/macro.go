package draft

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
)

// Defining returns a source with macros, such as "SIZE 10", defined in its files in C, C++ and Pascal,
// as the tools of a format define them when they compile. Line numbers stay the same.
func Defining(macros []string, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if s.Language == build.Binary {
		return s, nil
	}
	inPascal := ""
	for _, macro := range macros {
		name, _, _ := strings.Cut(macro, " ")
		inPascal += "{$DEFINE " + name + "}"
	}
	texts := map[string][]byte{}
	for name, text := range s.Texts() {
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		switch path.Ext(name) {
		case ".c", ".cpp", ".cc":
			texts[name] = append(defines(macros), text...)
		case ".pas":
			texts[name] = append([]byte(inPascal), text...)
		}
	}
	if len(texts) == 0 {
		return s, nil
	}
	return s.With(texts, languages)
}

// defines returns the lines that define macros in C; nil if there are none.
func defines(macros []string) (lines []byte) {
	for _, macro := range macros {
		lines = fmt.Appendf(lines, "#define %s\n", macro)
	}
	if lines == nil {
		return nil
	}
	return append(lines, "#line 1\n"...)
}

// Macros returns the macros that flags of a compiler define, as for defining, and those of the other
// flags that may matter. Flags about optimization, warnings, libraries and the like are replaced by
// those of the judge.
func Macros(flags []string) (list, unused []string) {
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

// Unbuffering makes the standard output of a program in C or C++ unbuffered, so that it need not flush.
const Unbuffering = `#include <stdio.h>

__attribute__((constructor)) static void unbuffer(void) { setvbuf(stdout, 0, _IONBF, 0); }
`

// UnbufferingFile is its name, without the ending of the language.
const UnbufferingFile = "unbuffered."

// unbuffer returns a program with what makes its output unbuffered, if it is in C or C++.
func unbuffer(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if s.Language != "c" && s.Language != "cpp" {
		return s, nil
	}
	return s.With(map[string][]byte{UnbufferingFile + s.Language: []byte(Unbuffering)}, languages)
}
