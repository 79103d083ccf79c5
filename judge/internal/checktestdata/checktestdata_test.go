package checktestdata

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// check parses a program named f.ctd and checks an input by it.
func check(program, input string) error {
	p, err := Parse("f.ctd", []byte(program))
	if err != nil {
		return err
	}
	return p.Check([]byte(input))
}

// errorText returns the text of an error, "" if there is none.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why            string
		program, input string
		want           string // the error, "" when the input is accepted
	}{
		{"nothing describes the empty input", ``, "", ""},
		{"the end is part of every program", ``, "x", `1:1: end of the program of f.ctd:1: found "x"`},
		{"which stands where its last line is", "SPACE\nSPACE\n\n", "   ", `1:3: end of the program of f.ctd:2: found a space`},
		{"a space", `SPACE`, " ", ""},
		{"a tab is no space", `SPACE`, "\t", `1:1: SPACE of f.ctd:1: found a tab`},
		{"a newline", `NEWLINE`, "\n", ""},
		{"lines do not end in two characters", `NEWLINE`, "\r\n", `1:1: NEWLINE of f.ctd:1: found a carriage return`},
		{"the end is no newline", `NEWLINE`, "", `1:1: NEWLINE of f.ctd:1: found the end`},
		{"EOF matches the end as often as it is there", `INT(1,1) EOF EOF`, "1", ""},
		{"and nothing but the end", "INT(1,1)\nEOF", "1\n", `1:2: EOF of f.ctd:2: found a newline`},

		{"both bounds belong to an integer's range", `INT(1,3) SPACE INT(1,3)`, "1 3", ""},
		{"the place is line and column", "NEWLINE\nINT(1,9) SPACE\nINT(1,n+8)", "\n7 12", `f.ctd:3:7: n has no value, at 2:3 of the input`},
		{"a bound is shown with its value", "INT(1,100,n) NEWLINE INT(1,n)", "10\n12", `2:1: INT(1,n) of f.ctd:1: 12 is greater than n = 10`},
		{"and alone if it is a literal", `INT(-1,100)`, "-2", `1:1: INT(-1,100) of f.ctd:1: -2 is less than -1`},
		{"bounds may be beyond 64 bits", `INT(2^64,2^64+1)`, "18446744073709551617", ""},
		{"values too", `INT(1,10^9)`, "18446744073709551617", `1:1: INT(1,10^9) of f.ctd:1: 18446744073709551617 is greater than 10^9 = 1000000000`},
		{"leading zeros", `INT(0,9)`, "07", `1:1: INT(0,9) of f.ctd:1: 07 has a needless zero or sign`},
		{"a negative zero", `INT(0,9)`, "-0", `1:1: INT(0,9) of f.ctd:1: -0 has a needless zero or sign`},
		{"a positive sign", `INT(0,9)`, "+7", `1:1: INT(0,9) of f.ctd:1: expected an integer, found "+7"`},
		{"a sign alone", `INT(0,9)`, "- 7", `1:1: INT(0,9) of f.ctd:1: expected an integer, found "-"`},
		{"no empty range accepts anything", `INT(2,1)`, "1", `1:1: INT(2,1) of f.ctd:1: 1 is less than 2`},
		{"bounds of an integer are integers", `INT(0,1.5)`, "1", `f.ctd:1:7: 1.5 is not an integer, at 1:1 of the input`},

		{"a number in any notation", `REP(5,SPACE) FLOAT(-1,1000) END`, "0 -0 1.50 15e-1 1.5E+2", ""},
		{"fractions are compared exactly", `FLOAT(0,0.1)`, "0.1000000000000000000000000000000000000000000000000001", `1:1: FLOAT(0,0.1) of f.ctd:1: 0.1000000000000000000000000000… is greater than 0.1`},
		{"fixed", `FLOAT(0,9,x,FIXED) NEWLINE`, "1.5\n", ""},
		{"fixed stops at an exponent", `FLOAT(0,9,x,FIXED) NEWLINE`, "1e0\n", `1:2: NEWLINE of f.ctd:1: found "e0"`},
		{"scientific", `FLOAT(0,9,x,SCIENTIFIC)`, "1e0", ""},
		{"scientific needs an exponent", `FLOAT(0,9,x,SCIENTIFIC)`, "1.0", `1:1: FLOAT(0,9,x,SCIENTIFIC) of f.ctd:1: 1.0: no exponent`},
		{"zeros before a number", `FLOAT(0,9)`, "01.0", `1:1: FLOAT(0,9) of f.ctd:1: 01: a needless zero`},
		{"zeros before an exponent", `FLOAT(0,9)`, "1e01", `1:1: FLOAT(0,9) of f.ctd:1: 1e01: a needless zero in the exponent`},
		{"nothing after a point", `FLOAT(0,9)`, "1.", `1:1: FLOAT(0,9) of f.ctd:1: 1.: no digit after the point`},
		{"nothing after an e", `FLOAT(0,9)`, "1e+", `1:1: FLOAT(0,9) of f.ctd:1: 1e+: no digit in the exponent`},
		{"nothing before a point", `FLOAT(0,9)`, ".5", `1:1: FLOAT(0,9) of f.ctd:1: expected a number, found ".5"`},
		{"an exponent that nobody can mean", `FLOAT(0,9)`, "1e999999999", `1:1: FLOAT(0,9) of f.ctd:1: 1e999999999: too large an exponent`},
		{"bounds are numbers", `FLOAT(0,"a")`, "1", `f.ctd:1:9: "a" is not a number, at 1:1 of the input`},
		{"decimals in number", `FLOATP(0,9,1,2) SPACE FLOATP(0,99,1,1,x,SCIENTIFIC)`, "1.25 1.5e1", ""},
		{"too few decimals", `FLOATP(0,9,1,2)`, "1", `1:1: FLOATP(0,9,1,2) of f.ctd:1: 1: 0 decimals, not 1 to 2`},
		{"an exponent wants one digit before the point", `FLOATP(0,99,1,2)`, "12.5e0", `1:1: FLOATP(0,99,1,2) of f.ctd:1: 12.5e0: needs exactly one digit before the point, which is not zero`},
		{"which is not zero", `FLOATP(0,99,1,2)`, "0.5e1", `1:1: FLOATP(0,99,1,2) of f.ctd:1: 0.5e1: needs exactly one digit before the point, which is not zero`},
		{"and a point", `FLOATP(0,99,0,2)`, "5e0", `1:1: FLOATP(0,99,0,2) of f.ctd:1: 5e0: needs exactly one digit before the point, which is not zero`},
		{"too many decimals", `FLOATP(0,9,1,2)`, "1.255", `1:1: FLOATP(0,9,1,2) of f.ctd:1: 1.255: 3 decimals, not 1 to 2`},
		{"fewer decimals than none", `FLOATP(0,9,-1,2)`, "1", `f.ctd:1:12: -1 is not a number of decimals, at 1:1 of the input`},
		{"a number of decimals that none can have", `FLOATP(0,9,2,1)`, "1", `f.ctd:1:12: no number has 2 to 1 decimals, at 1:1 of the input`},

		{"a text", `STRING("a b") SET(s="c") STRING(s)`, "a bc", ""},
		{"the place is where it differs", `STRING("a b")`, "a c", `1:3: STRING("a b") of f.ctd:1: found "c"`},
		{"escapes", `STRING("\n\t\r\b\f\"\\\101\60z\q")`, "\n\t\r\b\f\"\\A0z\\q", ""},
		{"a string goes on in the next line", "STRING(\"a\\\nb\nc\")", "ab\nc", ""},
		{"a number is no text", `STRING(1)`, "1", `f.ctd:1:8: 1 is not a string, at 1:1 of the input`},

		{"a regular expression takes the most it can", `REGEX("[a-z]+",s) INT(1,1) ASSERT(s=="abc")`, "abc1", ""},
		{"and nothing is given back", `REGEX("a*") STRING("a")`, "aaa", `1:4: STRING("a") of f.ctd:1: found the end`},
		{"of alternatives the first that matches", `REGEX("p|ps") STRING("s")`, "ps", ""},
		{"any character means newlines too", `REGEX(".*")`, "a\nb\n", ""},
		{"it begins here", `REGEX("b")`, "ab", `1:1: REGEX("b") of f.ctd:1: found "ab"`},
		{"a bad one that only the input makes", `REGEX("[^ ]*",s) SPACE REGEX(s)`, "a{2 aa", `f.ctd:1:30: regular expression "a{2": unmatched {, at 1:5 of the input`},

		{"an assertion", `INT(1,9,a) SPACE INT(1,9,b) ASSERT(a<b)`, "1 2", ""},
		{"one that does not hold tells the values", `INT(1,9,a) SPACE INT(1,9,b) ASSERT(a<b && 1==1)`, "2 2", `1:4: ASSERT(a<b && 1==1) of f.ctd:1: does not hold with a = 2, b = 2`},
		{"several variables are set at once", `SET(a=1,b=a+1) ASSERT(b==2)`, "", ""},
		{"what is unset has no value", `SET(a=1) UNSET(a) ASSERT(a==1)`, "", `f.ctd:1:26: a has no value, at 1:1 of the input`},
		{"unset means all indices", `SET(a[1]=1,a[2]=1,b=1) UNSET(a,b) SET(a[3]=1) ASSERT(UNIQUE(a))`, "", ""},

		{"rounds with something between", `REP(3,SPACE) INT(0,9) END`, "1 2 3", ""},
		{"nothing between no rounds", `REP(0,SPACE) INT(0,9) END`, "", ""},
		{"nothing after the last", `REP(2,SPACE) INT(0,9) END`, "1 2 ", `1:4: end of the program of f.ctd:1: found a space`},
		{"the round is counted", `REPI(i,3,SPACE) INT(i,i) END ASSERT(i==3)`, "0 1 2", ""},
		{"a variable of the program does not change the rounds", `REPI(i,3,SPACE) INT(0,9) SET(i=7) END ASSERT(i==3)`, "0 1 2", ""},
		{"no rounds can be taken back", `REP(1-2) END`, "", `f.ctd:1:5: cannot repeat -1 times, at 1:1 of the input`},
		{"while", `WHILE(!ISEOF,NEWLINE) INT(0,9) END`, "1\n2", ""},
		{"while with counting", `WHILEI(i,!MATCH("\n"),SPACE) INT(i,i) END NEWLINE ASSERT(i==2)`, "0 1\n", ""},
		{"if", `IF(MATCH("ab")) REGEX("[ab]") ELSE INT(0,9) END`, "a", ""},
		{"else", `IF(MATCH("ab")) REGEX("[ab]") ELSE INT(0,9) END`, "7", ""},
		{"if without else", `IF(1>2) SPACE END`, "", ""},
		{"blocks within blocks", `REP(2,NEWLINE) IF(MATCH("[")) REP(2) REGEX("[\\[\\]]") END ELSE WHILE(MATCH("1")) INT(1,1) END END END`, "[]\n1", ""},

		{"at the end nothing matches", `WHILE(MATCH("a")) STRING("a") END`, "aa", ""},
		{"unique", `REPI(i,3,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))`, "1 2 3", ""},
		{"not unique", `REPI(i,3,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))`, "1 2 1", `1:6: ASSERT(UNIQUE(a)) of f.ctd:1: 1 stands at [0] and [2]`},
		{"what is told is about the test that decides", `SET(a[1]=1,a[2]=1,n=3) ASSERT((UNIQUE(a) || n==3) && n==4)`, "", `1:1: ASSERT((UNIQUE(a) || n==3) && n==4) of f.ctd:1: does not hold with n = 3`},
		{"unique pairs", `SET(x[1]=1,y[1]=1,x[2]=1,y[2]=2) ASSERT(UNIQUE(x,y))`, "", ""},
		{"the same pair twice", `SET(x[1]=1,y[1]="a",x[22]=1,y[22]="a") ASSERT(UNIQUE(x,y))`, "", `1:1: ASSERT(UNIQUE(x,y)) of f.ctd:1: (1, "a") stands at [1] and [22]`},
		{"pairs with other indices", `SET(x[1]=1,x[2]=2,y[1]=1,y[30]=1,y[4]=1) ASSERT(UNIQUE(x,y))`, "", `1:1: ASSERT(UNIQUE(x,y)) of f.ctd:1: only one of x and y has the index [4]`},
		{"a whole number is a fraction", `SET(x[1]=1,x[2]=1.0) ASSERT(!UNIQUE(x))`, "", ""},
		{"unique without values", `ASSERT(UNIQUE(a))`, "", `f.ctd:1:8: a has no value, at 1:1 of the input`},
		{"in an array", `SET(a[1]=1,a[2]=2.5,a[3]="s") ASSERT(INARRAY(5/2.0,a) && INARRAY("s",a) && !INARRAY("1",a))`, "", ""},
		{"what was replaced is not in it", `SET(a[1]=1) ASSERT(INARRAY(1,a)) SET(a[1]=2) ASSERT(INARRAY(1,a))`, "", `1:1: ASSERT(INARRAY(1,a)) of f.ctd:1: does not hold`},
		{"what comes later is in it", `SET(a[1]=1) ASSERT(!INARRAY(2,a)) SET(a[2]=2) ASSERT(INARRAY(2,a))`, "", ""},
		{"several indices", `SET(a[1,23]=1,a[12,3]=2) ASSERT(a[1,23]==1 && a[12,3]==2)`, "", ""},
		{"indices of indices", `SET(i=1,a[i]=2,b[a[i]]=3) ASSERT(b[a[i]]==4)`, "", `1:1: ASSERT(b[a[i]]==4) of f.ctd:1: does not hold with i = 1, a[i] = 2, b[a[i]] = 3`},
		{"an index is an integer", `SET(a[1.0]=1)`, "", `f.ctd:1:7: 1.0 is not an integer, at 1:1 of the input`},
		{"a value that is not there", `SET(i=3,a[1]=1) ASSERT(a[i]==1)`, "", `f.ctd:1:24: a[i] has no value with i = 3, at 1:1 of the input`},

		{"the length of a text", `REGEX("[a-z]*",s) ASSERT(STRLEN(s)==3)`, "abc", ""},
		{"bytes are counted", `REGEX(".*",s) ASSERT(STRLEN(s)==2)`, "ä", ""},
		{"precedence", `ASSERT(2+3*4==14 && -2^2==-4 && (2+3)*4==20 && 2*-3==-6 && 10-3-2==5 && 2^3^2==64)`, "", ""},
		{"division rounds towards zero", `ASSERT(7/2==3 && -7/2==-3 && -7%2==-1 && 7%-2==1)`, "", ""},
		{"a fraction makes fractions", `ASSERT(1/2.==0.5 && 1/3.0*3==1 && 0.5^2==25e-2 && 1-0.5==0.5 && 3+0.5>3)`, "", ""},
		{"powers that are small", `ASSERT(1^10^30==1 && 0^10^30==0 && 0^0==1 && (-1)^(10^30+1)==-1)`, "", ""},
		{"and and or bind to the left", `ASSERT(1==1 || 1==1 && 1==2)`, "", `1:1: ASSERT(1==1 || 1==1 && 1==2) of f.ctd:1: does not hold`},
		{"not takes in all that follows", `ASSERT(!1==2 && 1==1)`, "", ""},
		{"not", `ASSERT(!1==2 && 1==2)`, "", ""},
		{"the second of or is not looked at", `ASSERT(1==1 || x==1) ASSERT(!(1==2 && x==1))`, "", ""},
		{"texts have an order", `ASSERT("a"<"b" && "b">"aa" && "a"<="a" && "a">="a" && "a"=="a" && "a"!="b")`, "", ""},
		{"a text and a number have none", `ASSERT("1"==1)`, "", `f.ctd:1:8: "1"==1 compares a string with a number, at 1:1 of the input`},
		{"division by zero", `INT(0,9,n) ASSERT(1/n==1)`, "0", `f.ctd:1:19: 1/n divides by zero with n = 0, at 1:2 of the input`},
		{"division by a fraction that is zero", `ASSERT(1/0.0==1)`, "", `f.ctd:1:8: 1/0.0 divides by zero, at 1:1 of the input`},
		{"remainders are of integers", `ASSERT(1.5%1==0)`, "", `f.ctd:1:8: 1.5%1 needs integers, at 1:1 of the input`},
		{"exponents are integers", `ASSERT(2^0.5==1)`, "", `f.ctd:1:8: 2^0.5 has an exponent that is not an integer, at 1:1 of the input`},
		{"and not negative", `ASSERT(2^-1==1)`, "", `f.ctd:1:8: 2^-1 has a negative exponent, at 1:1 of the input`},
		{"nothing is computed with texts", `ASSERT(-"a"==1)`, "", `f.ctd:1:8: -"a" is not a number, at 1:1 of the input`},
		{"numbers have an end", `ASSERT(10^(10^10)>0)`, "", `f.ctd:1:8: 10^(10^10) is a number of more than 131072 bits, at 1:1 of the input`},
		{"even if they grow slowly", `SET(x=3) REP(40) SET(x=x*x) END`, "", `f.ctd:1:24: x*x is a number of more than 131072 bits with x = a number of 103873 bits, at 1:1 of the input`},
		{"comments", "# INT(\nINT(1,# one\n9) # \"\n#", "5", ""},
		{"lines of programs may end in two characters", "INT(1,9)\r\nNEWLINE\r\n", "5\n", ""},
	} {
		if got := errorText(check(c.program, c.input)); got != c.want {
			t.Errorf("%s:\n%s\nsays %q\nwant %q", c.why, c.program, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat
	for _, c := range []struct{ why, program, want string }{
		{"a word that is none", "\n INTEGER(1,2)", "2:2: expected a command, found INTEGER"},
		{"a test is no command", `STRLEN(a)`, "1:1: expected a command, found STRLEN"},
		{"a missing argument", `INT(1)`, `1:6: expected ",", found )`},
		{"a missing parenthesis", `INT(1,2 NEWLINE`, `1:9: expected ")", found NEWLINE`},
		{"the end in between", `INT(1,`, "1:7: expected an expression, found end of file"},
		{"no END", "SPACE\nREP(3, SPACE)\nIF(ISEOF) ELSE END", "2:1: REP(3, SPACE) has no END"},
		{"too many ENDs", `REP(1) END END`, "1:12: END without REP, WHILE or IF"},
		{"ELSE of a loop", `REP(1) ELSE END`, `1:8: expected "END", found ELSE`},
		{"two ELSEs", `IF(ISEOF) ELSE ELSE END`, `1:16: expected "END", found ELSE`},
		{"a block between rounds", `REP(2,REP(1)) END`, "1:7: REP cannot separate the rounds of a loop"},
		{"a number is no test", `IF(1) END`, "1:4: 1 is not a test"},
		{"a test is no number", `INT(0,1==1)`, "1:7: 1==1 is a test, not a number or string"},
		{"nor in an expression", `ASSERT(1+(1==1)==2)`, "1:11: 1==1 is a test, not a number or string"},
		{"a number is no operand of and", `ASSERT(1==1 && 1)`, "1:16: 1 is not a test"},
		{"a chain of comparisons", `ASSERT(1<2<3)`, `1:11: expected ")", found <`},
		{"an option that is none", `FLOAT(0,1,x,HEX)`, "1:13: expected FIXED or SCIENTIFIC, found HEX"},
		{"a variable is small", `INT(0,1,X)`, "1:9: expected a variable, found X (hint: names of variables consist of small letters and digits)"},
		{"and without underlines", `INT(0,1,a_b)`, "1:10: unexpected '_' (hint: names of variables consist of small letters and digits)"},
		{"an element is no array", `ASSERT(INARRAY(1,a[1]))`, `1:19: expected ")", found [`},
		{"a character that is none", `INT(0,1;n)`, "1:8: unexpected ';'"},
		{"a constant", `INT(0,{{n}})`, "1:7: unexpected '{' (hint: is it a constant that problem.yaml does not define?)"},
		{"a string without end", "NEWLINE STRING(\"a\n", "1:16: the string has no end"},
		{"an octal escape beyond a byte", `STRING("a\777")`, `1:10: \777 is not a byte`},
		{"zeros before a number", `INT(0,010)`, "1:7: 010 begins with zero"},
		{"a fraction without end", `FLOAT(0,1e99999999)`, "1:9: the exponent of 1e99999999 is too large"},
		{"a bad regular expression", `REGEX("a**")`, `1:7: regular expression "a**": a repetition of a repetition needs parentheses`},
		{"too deep parentheses", "ASSERT(" + deep("(", 2000), "1:1007: nested deeper than 1000"},
		{"too deep signs", "ASSERT(" + deep("-", 2000), "1:1006: nested deeper than 1000"},
		{"too deep negations", "ASSERT(" + deep("!", 2000), "1:1007: nested deeper than 1000"},
		{"too deep blocks", deep("IF(ISEOF)", 2000), "1:8995: nested deeper than 1000"},
		{"a chain that is too long", "ASSERT(1" + deep("+1", 2000), "1:8: an expression deeper than 1000"},
		{"too long", deep(" ", 1<<20+1), "1:1: larger than 1048576 bytes"},
	} {
		want := "f.ctd:" + c.want
		_, err := Parse("f.ctd", []byte(c.program))
		if got := errorText(err); got != want {
			t.Errorf("%s: %q, want %q", c.why, got, want)
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: a %T", c.why, err)
		}
	}
}

// TestKinds distinguishes a wrong input from a wrong program by the type of the error.
func TestKinds(t *testing.T) {
	t.Parallel()
	var mismatch *Mismatch
	if err := check("\nINT(1,1)", "2"); !errors.As(err, &mismatch) || mismatch.Line != 1 || mismatch.Column != 1 {
		t.Errorf("a wrong input: %#v", err)
	}
	var fault *Error
	if err := check("\nINT(1,n)", "2"); !errors.As(err, &fault) || fault.Line != 2 || fault.Column != 7 {
		t.Errorf("a wrong program: %#v", err)
	}
}

func TestNumbersAreBounded(t *testing.T) {
	t.Parallel()
	if got := errorText(check(`INT(0,1)`, strings.Repeat("1", 1<<20))); got != "1:1: INT(0,1) of f.ctd:1: an integer of 1048576 characters" {
		t.Errorf("a large integer: %q", got)
	}
	if got := errorText(check(`FLOAT(0,1)`, "0."+strings.Repeat("1", 1<<20))); got != "1:1: FLOAT(0,1) of f.ctd:1: 0.1111111111111111111111111111…: a number of 1048578 characters" {
		t.Errorf("a large fraction: %q", got)
	}
}

// TestGenerated generates programs, each with an input that it must accept. With bytes added or
// removed it must refuse the input.
func TestGenerated(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		g := generator{Rand: rand.New(rand.NewPCG(seed, 0))}
		g.block(4)
		g.program.WriteString("NEWLINE")
		g.input.WriteString("\n")
		program, input := g.program.String(), g.input.String()
		if err := check(program, input); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%q", seed, err, program, input)
		}
		for _, wrong := range []string{input + "\x00", input[:len(input)-1], "\x00" + input} {
			var mismatch *Mismatch
			if err := check(program, wrong); !errors.As(err, &mismatch) {
				t.Fatalf("seed %d: %v\n%s\n%q", seed, err, program, wrong)
			}
		}
	}
}

// generator generates a program and an input that it describes.
type generator struct {
	*rand.Rand
	program, input bytes.Buffer
	names          int
}

// put appends to the program.
func (g *generator) put(format string, args ...any) { fmt.Fprintf(&g.program, format+" ", args...) }

func (g *generator) block(depth int) {
	for range 1 + g.IntN(3) {
		g.command(depth)
	}
}

// command adds one command and the input that it matches.
func (g *generator) command(depth int) {
	g.names++
	name := fmt.Sprintf("v%d", g.names)
	n := g.IntN(9)
	if depth == 0 {
		n %= 6
	}
	switch n {
	case 0:
		x := g.Int64N(1<<60) - 1<<59
		g.put("INT(%d,%d,%s) ASSERT(%s==%d) NEWLINE", x-g.Int64N(2), x+g.Int64N(2), name, name, x)
		fmt.Fprintf(&g.input, "%d\n", x)
	case 1:
		x := float64(g.IntN(2000)-1000) / 8
		g.put("FLOAT(%g,%g,%s) ASSERT(%s*8==%d) SPACE", x-1, x+1, name, name, int(x*8))
		fmt.Fprintf(&g.input, "%.3f ", x)
	case 2:
		text := "ab\n\"\\"[:1+g.IntN(5)]
		g.put("STRING(%q)", text)
		g.input.WriteString(text)
	case 3:
		k := 1 + g.IntN(5)
		g.put(`REGEX("x{%d,%d}y",%s) ASSERT(STRLEN(%s)==%d)`, k-g.IntN(2), k+g.IntN(2), name, name, k+1)
		g.input.WriteString(strings.Repeat("x", k) + "y")
	case 4:
		k := 1 + g.IntN(4)
		g.put("REPI(i,%d,SPACE) INT(0,99,%s[i]) END NEWLINE ASSERT(UNIQUE(%s) && INARRAY(%d,%s))", k, name, name, k-1, name)
		for i := range k {
			fmt.Fprintf(&g.input, "%d%c", i, " \n"[(i+1)/k])
		}
	case 5:
		k := g.IntN(4)
		g.put(`WHILEI(i,MATCH("z")) STRING("z") END STRING(".") ASSERT(i==%d)`, k)
		g.input.WriteString(strings.Repeat("z", k) + ".")
	case 6:
		g.put("IF(1<2)")
		g.block(depth - 1)
		g.put("ELSE STRING(%q) END", "never")
	case 7:
		g.put("IF(!1<2) SPACE ELSE")
		g.block(depth - 1)
		g.put("END")
	case 8:
		// Every round is the same, which UNSET makes possible for arrays.
		k, before := 1+g.IntN(3), g.input.Len()
		g.put("REP(%d)", k)
		first := g.names
		g.block(depth - 1)
		for i := first; i < g.names; i++ {
			g.put("UNSET(v%d)", i+1)
		}
		g.put("END")
		round := bytes.Clone(g.input.Bytes()[before:])
		g.input.Write(bytes.Repeat(round, k-1))
	}
}

func FuzzCheck(f *testing.F) {
	for _, program := range []string{
		"INT(1,10^3,n) NEWLINE SET(a[1]=n,a[n]=2) NEWLINE ASSERT(UNIQUE(a) && INARRAY(1,a))",
		`IF(MATCH("3")) REGEX("[a-z]{1,3}|(x)*",s) ELSE FLOATP(-1,1,0,3,x,FIXED) END EOF`,
		"IF(ISEOF) SET(x=2^1000) SET(y=x*x/3.0) END", "IF(1==1) REP(3) END END", `REGEX("((a?){99}){99}")`,
	} {
		f.Add(program, "3\n1 2 3\n")
	}
	f.Fuzz(func(t *testing.T, program, input string) {
		if strings.Contains(program, "REP") || strings.Contains(program, "WHILE") {
			_, _ = Parse("f.ctd", []byte(program))
			return // it may run forever
		}
		err := check(program, input)
		var mismatch *Mismatch
		var fault *Error
		switch {
		case err == nil:
		case errors.As(err, &mismatch):
			if mismatch.Line < 1 || mismatch.Column < 1 || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
		case !errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1 || strings.Contains(err.Error(), "\n"):
			t.Errorf("%q", err)
		}
	})
}
