package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
)

// multiPL is a problem of MultiPL-E (Cassano et al., arXiv:2208.08227), in the shape of nuprl/MultiPL-E of
// Hugging Face. Its tests follow the program in the same file. In the files of its own samples completions
// are beside the problem.
type multiPL struct {
	Name        text          `json:"name"`
	Language    string        `json:"language"`
	Prompt      string        `json:"prompt"`
	Tests       string        `json:"tests"`
	Completions sampleTexts   `json:"completions"`
	Programs    []programLine `json:"programs"`
}

// markFile is the file into which a program writes the mark after its tests.
const markFile = "tests-passed.txt"

// endings has, for each language, a statement that writes %q into a file, and whether it must be within the
// last braces. Tests in other languages need libraries.
var endings = map[string]struct {
	statement string
	within    bool
}{
	"cpp":        {`if (FILE *mark = fopen("` + markFile + `", "w")) { fputs(%q, mark); fclose(mark); }`, true},
	"rust":       {`std::fs::write("` + markFile + `", %q).unwrap();`, true},
	"javascript": {`require("fs").writeFileSync("` + markFile + `", %q);`, false},
	"bash":       {`printf %%s %q >` + markFile, false},
	"python3":    {`open("` + markFile + `", "w").write(%q)`, false},
}

func parseMultiPL(line []byte) (p parsed, err error) {
	var m multiPL
	err = decode(line, &m)
	p.ID, p.prompt, p.OutFile, p.Compare, p.Tail = string(m.Name), m.Prompt, markFile, tokens, m.Tests
	if err != nil {
		return p, err
	}
	if p.language, err = Language(m.Language, build.Defaults()); err != nil || endings[p.language].statement == "" {
		return p, wrongf("those in "+strings.Join(slices.Sorted(maps.Keys(endings)), ", ")+" are read", "tests of MultiPL-E in %.20q need its own libraries", m.Language)
	}
	if end := strings.LastIndexByte(m.Tests, '}'); strings.TrimSpace(m.Tests) == "" || end < 0 && endings[p.language].within {
		return p, wrongf("", "no tests")
	}
	for i := range m.Completions {
		p.programs = append(p.programs, programLine{Source: &m.Completions[i], continues: true})
	}
	p.programs, p.Tests = append(p.programs, m.Programs...), []Test{{Name: "1"}}
	return p, nil
}

// tested returns a program with the tests of the task behind it, and the mark at their end.
func (t *Task) tested(source, language string) string {
	ending, tests := endings[language], t.Tail
	statement := fmt.Sprintf(ending.statement, t.written)
	if end := strings.LastIndexByte(tests, '}'); ending.within {
		return source + "\n" + tests[:end] + statement + "\n" + tests[end:]
	}
	return source + "\n" + tests + "\n" + statement + "\n"
}
