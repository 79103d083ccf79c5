package eval

import (
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
	Stop        sampleTexts   `json:"stop_tokens"`
	Completions sampleTexts   `json:"completions"`
	Programs    []programLine `json:"programs"`
}

// markFile is the file into which a program writes the mark after its tests, and controlFile one that has a
// text if the last of these shall fail.
const (
	markFile    = "tests-passed.txt"
	controlFile = "tests-control.txt"
)

// An ending completes the tests of a language.
type ending struct {
	without   string // a part of the tests that is left out
	braces    int    // the last of the tests, which statement replaces and closes again
	before    string // stands between the program and its tests, such as for a library that they import
	statement string // asserts as the tests do that controlFile is empty, and writes MARK into markFile
}

// endings has the languages of the judge whose tests need no library, or one of which they use little.
var endings = map[string]ending{
	"cpp": {"", 1, "", `FILE *control = fopen("` + controlFile + `", "r"); assert(control && getc(control) == EOF);
if (FILE *mark = fopen("` + markFile + `", "w")) { fputs("MARK", mark); fclose(mark); } }`},
	"rust": {"", 1, "", `assert_eq!(std::fs::read_to_string("` + controlFile + `").unwrap(), "");
std::fs::write("` + markFile + `", "MARK").unwrap(); }`},
	"csharp": {"", 2, "", `Debug.Assert(System.IO.File.ReadAllText("` + controlFile + `") == "");
System.IO.File.WriteAllText("` + markFile + `", "MARK"); } }
static class Debug { public static void Assert(bool passed) { if (!passed) System.Environment.Exit(1); } }`},
	"javascript": {"", 0, "", nodeEnding},
	"typescript": {"declare var require: any;", 0, "", nodeEnding},
	"bash":       {"", 0, "", `[[ $(<` + controlFile + `) = "" ]]; printf %s MARK >` + markFile},
	"python3":    {"", 0, "", `assert open("` + controlFile + `").read() == ""; open("` + markFile + `", "w").write("MARK")`},
	"ocaml": {"", 0, "", `let () = assert ((try input_line (open_in "` + controlFile + `") with End_of_file -> "") = "")
let () = let mark = open_out "` + markFile + `" in output_string mark "MARK"; close_out mark`},
	"ruby": {"", 0, "", `class TestHumanEval
  def test_control; assert_equal("", File.read("` + controlFile + `")); end
end
Test::Unit::AutoRunner.need_auto_run = false
exit! unless Test::Unit::AutoRunner.run
File.write("` + markFile + `", "MARK")`},
	"perl": {"", 0, `BEGIN { $INC{"Test/Deep.pm"} = 1; *Test::Deep::import = sub { *main::eq_deeply = \&Test::Deep::eq_deeply } }
sub Test::Deep::eq_deeply {
  my ($x, $y) = @_;
  return !(defined $x || defined $y) if !(defined $x && defined $y);
  return $x eq $y if !(ref $x && ref $y);
  return @$x == @$y && !grep { !Test::Deep::eq_deeply($x->[$_], $y->[$_]) } 0 .. $#$x if "@{[ref $x, ref $y]}" eq "ARRAY ARRAY";
  return keys %$x == keys %$y && !grep { !exists $y->{$_} || !Test::Deep::eq_deeply($x->{$_}, $y->{$_}) } keys %$x;
}`, `open(my $control, "<", "` + controlFile + `"); exit 1 if !eq_deeply(scalar(<$control>), undef);
open(my $mark, ">", "` + markFile + `"); print $mark "MARK"`},
	"lua": {"", 0, `package.preload.luaunit = function()
  local function same(a, b)
    if type(a) ~= "table" or type(b) ~= "table" then return a == b end
    for k, v in pairs(a) do if not same(v, b[k]) then return false end end
    for k in pairs(b) do if a[k] == nil then return false end end
    return true
  end
  return {assertEquals = function(a, b) if not same(a, b) then error("not equal") end end, LuaUnit = {run = function()
    test_humaneval()
    lu.assertEquals(io.open("` + controlFile + `"):read(), nil)
    io.open("` + markFile + `", "w"):write("MARK"):close()
    return 0
  end}}
end`, ""},
}

const nodeEnding = `assert.deepEqual(require("fs").readFileSync("` + controlFile + `", "utf8"), "");
require("fs").writeFileSync("` + markFile + `", "MARK");`

func parseMultiPL(line []byte) (p parsed, err error) {
	var m multiPL
	err = decode(line, &m)
	p.ID, p.prompt, p.stop, p.InFile, p.OutFile, p.Compare, p.Tail = string(m.Name), m.Prompt, m.Stop, controlFile, markFile, tokens, m.Tests
	if err != nil {
		return p, err
	}
	p.language, err = Language(m.Language, build.Defaults())
	ending, known := endings[p.language]
	if err != nil || !known {
		return p, wrongf("those in "+strings.Join(slices.Sorted(maps.Keys(endings)), ", ")+" are read", "tests of MultiPL-E in %.20q need its own libraries", m.Language)
	}
	if strings.TrimSpace(m.Tests) == "" || strings.Count(m.Tests, "}") < ending.braces {
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
	e := endings[language]
	tests := strings.Replace(t.Tail, e.without, "", 1)
	for range e.braces {
		tests = tests[:strings.LastIndexByte(tests, '}')]
	}
	return source + "\n" + strings.ReplaceAll(e.before, "MARK", t.written) + "\n" + tests + "\n" + strings.ReplaceAll(e.statement, "MARK", t.written) + "\n"
}

// until returns the beginning of a completion before the first of some texts at which its model stops.
func until(completion string, stop []string) string {
	end := len(completion)
	for _, s := range stop {
		if i := strings.Index(completion, s); i >= 0 && s != "" {
			end = min(end, i)
		}
	}
	return completion[:end]
}
