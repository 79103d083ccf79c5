package checktestdata

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// matched returns the prefix of text that a regular expression matches, or its error.
func matched(expression, text string) string {
	p, err := compile(expression)
	if err != nil {
		return err.Error()
	}
	n := newMatcher(p).match([]byte(text))
	if n < 0 {
		return "no match"
	}
	return text[:n]
}

func TestRegex(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, expression, text, want string }{
		{"the empty expression", "", "a", ""},
		{"characters", "ab", "abc", "ab"},
		{"characters that differ", "ab", "acb", "no match"},
		{"a set of bytes", "[\x80-\xff]{2}", "äö", "ä"},
		{"any byte", ".{3}", "\n\x00\xff!", "\n\x00\xff"},
		{"a set", "[abc]+", "cabd", "cab"},
		{"a range", "[a-c]+", "ac-", "ac"},
		{"ranges", "[a-cx-z]+", "axbyw", "axby"},
		{"all but a set", "[^a-c]+", "x-\na", "x-\n"},
		{"a hyphen first", "[-a]+", "-a-b", "-a-"},
		{"a hyphen last", "[a-]+", "-a-b", "-a-"},
		{"a hyphen after a range", "[a-c-e]+", "a-ed", "a-e"},
		{"a range of hyphens", "[---]", "-", "-"},
		{"an escaped hyphen", `[a\-c]+`, "a-cb", "a-c"},
		{"a range to an escaped character", `[+-\-]+`, "+,-.", "+,-"},
		{"brackets in a set", `[\[\]]+`, "[]x", "[]"},
		{"a circumflex that is not first", "[a^]+", "^a", "^a"},
		{"special characters are ordinary in a set", "[.*+?{}()|$]+", "$|)(}{?+*.x", "$|)(}{?+*."},
		{"a class of older programs", "[[:alpha:]_]+", "aZ_9", "aZ_"},
		{"a class and a range", "[[:digit:]a-c]+", "9b-", "9b"},
		{"repetition", "a*b+c?", "bbd", "bb"},
		{"an exact number", "a{2}", "aaa", "aa"},
		{"a minimum and a maximum", "a{1,2}", "aaa", "aa"},
		{"at least", "a{2,}", "aaa", "aaa"},
		{"at most", "a{,2}", "aaa", "aa"},
		{"any number", "a{,}", "aaa", "aaa"},
		{"too few", "a{2,}", "ab", "no match"},
		{"large numbers", "a{1,100000}", strings.Repeat("a", 100001), strings.Repeat("a", 100000)},
		{"the first alternative", "a|ab", "ab", "a"},
		{"the second alternative", "ab|a", "ac", "a"},
		{"an alternative chosen by what follows", "(a|ab)c", "abc", "abc"},
		{"an empty alternative", "(|a)b", "ab", "ab"},
		{"groups", "(ab){2}|x", "ababab", "abab"},
		{"a repetition of a group that may be empty", "(a*)*b", "aab", "aab"},
		{"a repetition that prefers the empty match", "(|a)*", "aab", "aa"},
		{"backslashes before special characters", `\.\*\(`, ".*(", ".*("},
		{"backslashes before other characters", `\d\n`, `\d\n`, `\d\n`},
		{"no anchors", "^a$", "^a$", "^a$"},
		{"closing brackets are ordinary", "]}", "]}", "]}"},

		{"nothing to repeat", "*a", "", `regular expression "*a": * has nothing to repeat`},
		{"nothing to repeat in a group", "(+)", "", `regular expression "(+)": + has nothing to repeat`},
		{"a repetition of a repetition", "a{2}{3}", "", `regular expression "a{2}{3}": a repetition of a repetition needs parentheses`},
		{"a lazy repetition", "a+?", "", `regular expression "a+?": a repetition of a repetition needs parentheses`},
		{"a number is missing", "a{}", "", `regular expression "a{}": { without a number`},
		{"a letter instead of a number", "a{x}", "", `regular expression "a{x}": { without a number`},
		{"a range that is empty", "a{3,2}", "", `regular expression "a{3,2}": {3,2} is empty`},
		{"a zero before a number", "a{01}", "", `regular expression "a{01}": 01 begins with zero`},
		{"a number that is too large", "a{99999999999999999999}", "", `regular expression "a{99999999999999999999}": 99999999999999999999 is too large`},
		{"an open repetition", "a{1", "", `regular expression "a{1": unmatched {`},
		{"an open group", "(a", "", `regular expression "(a": unmatched (`},
		{"a closed group", "a)", "", `regular expression "a)": unmatched )`},
		{"an open set", "[a", "", `regular expression "[a": unmatched [`},
		{"an empty set", "[]", "", `regular expression "[]": empty set; ] within [ ] needs a backslash`},
		{"an empty range", "[b-a]", "", `regular expression "[b-a]": the range b-a is empty`},
		{"a set in a set", "[[a]", "", `regular expression "[[a]": [ within [ ] needs a backslash`},
		{"an unknown class", "[[:foo:]]", "", `regular expression "[[:foo:]]": [ within [ ] needs a backslash`},
		{"too many repetitions", "((a{999}){999}){999}", "", `regular expression "((a{999}){999}){999}": too many repetitions`},
		{"too long", strings.Repeat("a", 1<<16+1), "", `regular expression too long: 65537 bytes`},
		{"nested too deep", strings.Repeat("(", 2000), "", `regular expression "` + strings.Repeat("(", 59) + `…: nested deeper than 1000`},
	} {
		if got := matched(c.expression, c.text); got != c.want {
			t.Errorf("%s: %q matches %.99q of %.99q, want %.99q", c.why, c.expression, got, c.text, c.want)
		}
	}
}

// TestRegexAgainstGo compares matches with those of package regexp, in the syntax that both share.
func TestRegexAgainstGo(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		expression := randomRegex(r, 3)
		text := make([]byte, r.IntN(8))
		for i := range text {
			text[i] = "abc\n"[r.IntN(4)]
		}
		want := "no match"
		if at := regexp.MustCompile("^(?s:" + expression + ")").FindIndex(text); at != nil {
			want = string(text[:at[1]])
		}
		if got := matched(expression, string(text)); got != want {
			t.Fatalf("%q matches %q of %q, but with package regexp %q", expression, got, text, want)
		}
	}
}

// TestRegexOfNothing repeats an empty expression more often than a pattern has instructions.
func TestRegexOfNothing(t *testing.T) {
	t.Parallel()
	if got := matched("((((){4000000}){4000000}){4000000}a)", "ab"); got != "a" {
		t.Errorf("got %q, want a", got)
	}
}

// randomRegex returns an expression that matches at least one character, because package regexp
// repeats empty matches by other rules.
func randomRegex(r *rand.Rand, depth int) string {
	n := r.IntN(9)
	if depth == 0 {
		n %= 4
	}
	sub := func() string { return randomRegex(r, depth-1) }
	switch n {
	case 0, 1:
		return "abc"[n : n+1]
	case 2:
		return "."
	case 3:
		return []string{"[ab]", "[^a]", "[a-c]", "[^b-c]"}[r.IntN(4)]
	case 4, 5:
		return "(" + sub() + "|" + sub() + ")"
	case 6:
		return sub() + "(" + sub() + ")" + []string{"*", "+", "?"}[r.IntN(3)]
	case 7:
		lo := r.IntN(3)
		return sub() + fmt.Sprintf("(%s){%d,%d}", sub(), lo, lo+r.IntN(3))
	}
	return sub() + sub()
}
