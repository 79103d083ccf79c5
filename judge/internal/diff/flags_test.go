package diff

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFlags(t *testing.T) {
	t.Parallel()
	const flags = "case_sensitive, space_change_sensitive, or one of float_absolute_tolerance, float_relative_tolerance and float_tolerance with a number after it"
	for _, tt := range []struct {
		why   string
		lists []string // lists of flags, each split at its spaces
		want  Options
		err   string
	}{
		{why: "without any list", want: Options{Mode: Tokens, FoldCase: true}},
		{why: "without any flag", lists: []string{""}, want: Options{Mode: Tokens, FoldCase: true}},
		{why: "case counts", lists: []string{"case_sensitive"}, want: Options{Mode: Tokens}},
		{why: "white space counts", lists: []string{"space_change_sensitive"}, want: Options{Mode: Tokens, FoldCase: true, Spaces: true}},
		{why: "absolute only", lists: []string{"float_absolute_tolerance 1e-6"}, want: Options{Mode: Float, FoldCase: true, Abs: 1e-6}},
		{why: "relative only", lists: []string{"float_relative_tolerance .5"}, want: Options{Mode: Float, FoldCase: true, Rel: 0.5}},
		{why: "float_tolerance sets both tolerances", lists: []string{"float_tolerance +1E-4"}, want: Options{Mode: Float, FoldCase: true, Abs: 1e-4, Rel: 1e-4}},
		{
			why:   "both tolerances, set one by one, in any order",
			lists: []string{"float_relative_tolerance 1e-9 space_change_sensitive float_absolute_tolerance 2. case_sensitive"},
			want:  Options{Mode: Float, Spaces: true, Abs: 2, Rel: 1e-9},
		},
		{why: "a tolerance of 0 selects mode Float too", lists: []string{"float_tolerance 0"}, want: Options{Mode: Float, FoldCase: true}},
		{why: "flags without a number may be repeated", lists: []string{"case_sensitive case_sensitive"}, want: Options{Mode: Tokens}},
		{
			why:   "the group's tolerance overrides the problem's, the other flags add up",
			lists: []string{"case_sensitive float_tolerance 1e-6", "space_change_sensitive float_absolute_tolerance 1e-3"},
			want:  Options{Mode: Float, Spaces: true, Abs: 1e-3, Rel: 1e-6},
		},
		{why: "float_tolerance in a later list overrides both tolerances", lists: []string{"float_absolute_tolerance 1", "float_tolerance 2"}, want: Options{Mode: Float, FoldCase: true, Abs: 2, Rel: 2}},

		{why: "unknown", lists: []string{"case_insensitive"}, err: `unknown flag "case_insensitive" (hint: ` + flags + `)`},
		{why: "names are exact", lists: []string{"Case_Sensitive"}, err: `unknown flag "Case_Sensitive" (hint: ` + flags + `)`},
		{why: "a number without a flag", lists: []string{"case_sensitive 1"}, err: `unknown flag "1" (hint: ` + flags + `)`},
		{why: "an unknown flag in a later list", lists: []string{"", "x"}, err: `unknown flag "x" (hint: ` + flags + `)`},
		{why: "the number must be in the same list", lists: []string{"float_tolerance", "1"}, err: `float_tolerance: no number after it (hint: float_tolerance 1e-6)`},
		{why: "a flag is not a number", lists: []string{"float_tolerance case_sensitive"}, err: `float_tolerance: "case_sensitive" is not a number (hint: decimal, such as 0.001 or 1e-6)`},
		{why: "text after a number", lists: []string{"float_absolute_tolerance 1e-6x"}, err: `float_absolute_tolerance: "1e-6x" is not a number (hint: decimal, such as 0.001 or 1e-6)`},
		{why: "hexadecimal is not decimal", lists: []string{"float_tolerance 0x1p-3"}, err: `float_tolerance: "0x1p-3" is not a number (hint: decimal, such as 0.001 or 1e-6)`},
		{why: "nan is not a tolerance", lists: []string{"float_relative_tolerance nan"}, err: `float_relative_tolerance: "nan" is not a number (hint: decimal, such as 0.001 or 1e-6)`},
		{why: "too large", lists: []string{"float_relative_tolerance 1e999"}, err: `float_relative_tolerance: "1e999" is not a number (hint: decimal, such as 0.001 or 1e-6)`},
		{why: "a negative tolerance", lists: []string{"float_relative_tolerance -1"}, err: `float_relative_tolerance: -1 is negative (hint: a tolerance is 0 or more)`},
		{why: "twice", lists: []string{"float_tolerance 1 float_tolerance 1"}, err: `float_tolerance: given twice (hint: leave out one)`},
		{why: "a tolerance set twice, with another between", lists: []string{"float_relative_tolerance 1 float_absolute_tolerance 1 float_relative_tolerance 1"}, err: `float_relative_tolerance: given twice (hint: leave out one)`},
		{why: "float_tolerance after one of the others", lists: []string{"float_relative_tolerance 1 float_tolerance 1"}, err: `float_tolerance: given beside float_relative_tolerance (hint: float_tolerance sets both tolerances)`},
		{why: "one of the others after float_tolerance", lists: []string{"float_tolerance 1 float_absolute_tolerance 1"}, err: `float_absolute_tolerance: given beside float_tolerance (hint: float_tolerance sets both tolerances)`},
	} {
		var lists [][]string
		for _, l := range tt.lists {
			lists = append(lists, strings.Fields(l))
		}
		got, err := ParseFlags(lists...)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if d := cmp.Diff(tt.want, got); d != "" || text != tt.err {
			t.Errorf("%s: error %q, want %q (-want +got):\n%s", tt.why, text, tt.err, d)
		}
	}
}

// TestDefaultValidator compares outputs with the flags that a package may give.
func TestDefaultValidator(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		flags  string
		answer string
		accept []string
		reject []string
	}{
		{
			why:    "words count, white space and case do not",
			answer: "Yes 12\nno\n",
			accept: []string{"Yes 12\nno\n", "YES 12 NO", "\v\fyes\r\n12\tno\n\n", "yES 12 No  "},
			reject: []string{"", "Yes 12", "Yes 12 no no", "Yes12 no", "Yes 12.0 no", "Yes 12\u00a0no", "Yes 12 no\x00", "Yes\x00 12 no"},
		},
		{
			why:    "white space of any amount is equal to no output",
			answer: "",
			accept: []string{"", "\n", " \t\v\f\r\n"},
			reject: []string{"0", "\x00", "\ufeff"},
		},
		{
			why:    "no output is equal to expected white space",
			answer: "\n",
			accept: []string{"", " "},
			reject: []string{"."},
		},
		{
			why: "case counts", flags: "case_sensitive",
			answer: "Yes é\n",
			accept: []string{"Yes é", " Yes\té"},
			reject: []string{"yes é", "YES é"},
		},
		{
			why:    "only the letters of ASCII have a case",
			answer: "é Kk ẞ",
			accept: []string{"é kK ẞ"},
			reject: []string{"É kk ẞ", "é \u212ak ẞ", "é kk ß"},
		},
		{
			why: "white space counts, case does not", flags: "space_change_sensitive",
			answer: " Yes  no\n",
			accept: []string{" Yes  no\n", " YES  NO\n"},
			reject: []string{"Yes  no\n", " Yes no\n", " Yes \tno\n", " Yes  no", " Yes  no\n\n", " Yes  no \n", " Yes  no\r\n", "  Yes  no\n", ""},
		},
		{
			why: "white space that was not expected", flags: "space_change_sensitive",
			answer: "",
			accept: []string{""},
			reject: []string{"\n", " ", "x"},
		},
		{
			why: "absolute", flags: "float_absolute_tolerance 0.5",
			answer: "100 no",
			accept: []string{"100.5 No", "99.5 NO", "+1e2 no", "1.E+02 no", "0.1e3 no", "000100 no", ".1e003 no", "1000e-1 no"},
			reject: []string{"100.6 no", "99.4 no", "100 nod", "100,0 no", "0x64 no", "nan no", "inf no", "1e2.0 no", "1e no", ". no", "+-100 no", "0x1.9p6 no", "100f no", "1_00 no", "100. 0 no"},
		},
		{
			why: "the relative tolerance is a fraction of the expected number", flags: "float_relative_tolerance 0.5",
			answer: "8 -8",
			accept: []string{"12 -4", "4 -12"},
			reject: []string{"12.1 -8", "8 -3.9", "16 -8", "-8 8"},
		},
		{
			why: "no relative tolerance makes another number close to 0", flags: "float_relative_tolerance 0.5",
			answer: "0",
			accept: []string{"0", "-0.0", "0e9", "1e-999"},
			reject: []string{"1e-9", "zero"},
		},
		{
			why: "a number within one of two tolerances is close", flags: "float_relative_tolerance 0.25 float_absolute_tolerance 1",
			answer: "1 100",
			accept: []string{"2 125", "0 75", "1.25 101"},
			reject: []string{"2.25 100", "1 126"},
		},
		{
			why: "integers are numbers too", flags: "float_tolerance 0.1",
			answer: "10",
			accept: []string{"11", "9.0"},
			reject: []string{"12"},
		},
		{
			why: "without a tolerance numbers are compared as words", flags: "case_sensitive",
			answer: "1 0",
			accept: []string{"1 0"},
			reject: []string{"1.0 0", "1 -0", "01 0", "+1 0"},
		},
		{
			why: "a tolerance of 0 accepts the same number written differently", flags: "float_tolerance 0",
			answer: "1 0",
			accept: []string{"1.0 -0", "01 0e5", "+1 .0"},
			reject: []string{"1.0000001 0"},
		},
		{
			why: "with a tolerance, white space may count too", flags: "float_absolute_tolerance 1 space_change_sensitive",
			answer: "10 20\n",
			accept: []string{"10.5 19\n", "9 20.000\n"},
			reject: []string{"10.5  19\n", "10.5\n19\n", "10.5 19", "10.5 19\n\n", "8 20\n"},
		},
		{
			why: "words that begin like numbers are words", flags: "float_tolerance 1",
			answer: "3x 1e x7",
			accept: []string{"3X 1E X7"},
			reject: []string{"3.0x 1e x7", "3x 1 x7", "3x 1e x7.0"},
		},
		{
			why: "inf, nan and hexadecimal numbers are words", flags: "float_tolerance 1",
			answer: "inf nan 0x1p4",
			accept: []string{"INF NaN 0X1P4"},
			reject: []string{"+inf nan 0x1p4", "infinity nan 0x1p4", "inf -nan 0x1p4", "inf nan 16", "1e999 nan 0x1p4", "5 nan 0x1p4"},
		},
		{
			why: "thirty digits on both sides of the point", flags: "float_relative_tolerance 1e-15",
			answer: strings.Repeat("7", 30) + "." + strings.Repeat("3", 30),
			accept: []string{strings.Repeat("7", 30), "0" + strings.Repeat("7", 30) + "." + strings.Repeat("3", 31)},
			reject: []string{strings.Repeat("7", 29)},
		},
	} {
		o, err := ParseFlags(strings.Fields(tt.flags))
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range tt.accept {
			if m := Compare([]byte(tt.answer), []byte(out), o); m != nil {
				t.Errorf("%s: %q differs from %q: %s", tt.why, tt.answer, out, m.Format(""))
			}
		}
		for _, out := range tt.reject {
			if Compare([]byte(tt.answer), []byte(out), o) == nil {
				t.Errorf("%s: %q is equal to %q", tt.why, tt.answer, out)
			}
		}
	}
}

func FuzzParseFlags(f *testing.F) {
	f.Add("")
	f.Add("case_sensitive float_tolerance 1e-6")
	f.Add("float_absolute_tolerance 1 space_change_sensitive float_relative_tolerance .5")
	f.Fuzz(func(t *testing.T, text string) {
		flags := strings.Fields(text)
		o, err := ParseFlags(flags)
		if err != nil {
			if o != (Options{}) || !strings.Contains(err.Error(), "(hint: ") {
				t.Errorf("%q: %+v, %v", flags, o, err)
			}
			return
		}
		number := slices.ContainsFunc(flags, func(s string) bool { return strings.HasPrefix(s, "float_") })
		if (o.Mode == Float) != number || (o.Mode == Tokens) == number {
			t.Errorf("%q: mode %s", flags, o.Mode)
		}
		if o.FoldCase == slices.Contains(flags, flagCase) || o.Spaces != slices.Contains(flags, flagSpaces) {
			t.Errorf("%q: %+v", flags, o)
		}
		for _, e := range []float64{o.Abs, o.Rel} {
			if math.IsNaN(e) || math.IsInf(e, 0) || e < 0 {
				t.Errorf("%q: tolerance %v", flags, e)
			}
		}
		if Compare([]byte(text), []byte(text), o) != nil {
			t.Errorf("%q: an output differs from itself", flags)
		}
	})
}
