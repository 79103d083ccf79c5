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

// errorText returns the text of an error; "" if there is none.
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
		{"the empty program accepts the empty input", ``, "", ""},
		{"input after the end of the program", ``, "x", `1:1: end of the program of f.ctd:1: found "x"`},
		{"the end of the program is on its last line", "SPACE\nSPACE\n\n", "   ", `1:3: end of the program of f.ctd:2: found a space`},
		{"a space", `SPACE`, " ", ""},
		{"a tab instead of a space", `SPACE`, "\t", `1:1: SPACE of f.ctd:1: found a tab`},
		{"a newline", `NEWLINE`, "\n", ""},
		{"CRLF instead of a newline", `NEWLINE`, "\r\n", `1:1: NEWLINE of f.ctd:1: found a carriage return`},
		{"the end instead of a newline", `NEWLINE`, "", `1:1: NEWLINE of f.ctd:1: found end of input`},
		{"EOF may be repeated", `INT(1,1) EOF EOF`, "1", ""},
		{"EOF before the end", "INT(1,1)\nEOF", "1\n", `1:2: EOF of f.ctd:2: found a newline`},

		{"bounds of an integer are inclusive", `INT(1,3) SPACE INT(1,3)`, "1 3", ""},
		{"a mistake of the program is located in program and input", "NEWLINE\nINT(1,9) SPACE\nINT(1,n+8)", "\n7 12", `f.ctd:3:7: n has no value, at 2:3 of the input`},
		{"a bound is shown with its value", "INT(1,100,n) NEWLINE INT(1,n)", "10\n12", `2:1: INT(1,n) of f.ctd:1: 12 is greater than n = 10`},
		{"a literal bound is shown alone", `INT(-1,100)`, "-2", `1:1: INT(-1,100) of f.ctd:1: -2 is less than -1`},
		{"bounds of more than 64 bits", `INT(2^64,2^64+1)`, "18446744073709551617", ""},
		{"a value of more than 64 bits", `INT(1,10^9)`, "18446744073709551617", `1:1: INT(1,10^9) of f.ctd:1: 18446744073709551617 is greater than 10^9 = 1000000000`},
		{"leading zeros", `INT(0,9)`, "07", `1:1: INT(0,9) of f.ctd:1: 07 has a leading zero or is -0`},
		{"a negative zero", `INT(0,9)`, "-0", `1:1: INT(0,9) of f.ctd:1: -0 has a leading zero or is -0`},
		{"a positive sign", `INT(0,9)`, "+7", `1:1: INT(0,9) of f.ctd:1: expected an integer, found "+7"`},
		{"a sign alone", `INT(0,9)`, "- 7", `1:1: INT(0,9) of f.ctd:1: expected an integer, found "-"`},
		{"an empty range accepts nothing", `INT(2,1)`, "1", `1:1: INT(2,1) of f.ctd:1: 1 is less than 2`},
		{"bounds of an integer are integers", `INT(0,1.5)`, "1", `f.ctd:1:7: 1.5 is not an integer, at 1:1 of the input`},

		{"a number in any notation", `REP(5,SPACE) FLOAT(-1,1000) END`, "0 -0 1.50 15e-1 1.5E+2", ""},
		{"fractions are compared exactly", `FLOAT(0,0.1)`, "0.1000000000000000000000000000000000000000000000000001", `1:1: FLOAT(0,0.1) of f.ctd:1: 0.1000000000000000000000000000… is greater than 0.1`},
		{"FIXED", `FLOAT(0,9,x,FIXED) NEWLINE`, "1.5\n", ""},
		{"FIXED stops before an exponent", `FLOAT(0,9,x,FIXED) NEWLINE`, "1e0\n", `1:2: NEWLINE of f.ctd:1: found "e0"`},
		{"SCIENTIFIC", `FLOAT(0,9,x,SCIENTIFIC)`, "1e0", ""},
		{"SCIENTIFIC needs an exponent", `FLOAT(0,9,x,SCIENTIFIC)`, "1.0", `1:1: FLOAT(0,9,x,SCIENTIFIC) of f.ctd:1: 1.0: no exponent`},
		{"leading zeros of a fraction", `FLOAT(0,9)`, "01.0", `1:1: FLOAT(0,9) of f.ctd:1: 01: a leading zero`},
		{"leading zeros of an exponent", `FLOAT(0,9)`, "1e01", `1:1: FLOAT(0,9) of f.ctd:1: 1e01: a leading zero in the exponent`},
		{"nothing after a point", `FLOAT(0,9)`, "1.", `1:1: FLOAT(0,9) of f.ctd:1: 1.: no digit after the point`},
		{"nothing after an e", `FLOAT(0,9)`, "1e+", `1:1: FLOAT(0,9) of f.ctd:1: 1e+: no digit in the exponent`},
		{"nothing before a point", `FLOAT(0,9)`, ".5", `1:1: FLOAT(0,9) of f.ctd:1: expected a number, found ".5"`},
		{"an exponent that is too large", `FLOAT(0,9)`, "1e999999999", `1:1: FLOAT(0,9) of f.ctd:1: 1e999999999: the exponent is too large`},
		{"bounds are numbers", `FLOAT(0,"a")`, "1", `f.ctd:1:9: "a" is not a number, at 1:1 of the input`},
		{"a range of decimals", `FLOATP(0,9,1,2) SPACE FLOATP(0,99,1,1,x,SCIENTIFIC)`, "1.25 1.5e1", ""},
		{"too few decimals", `FLOATP(0,9,1,2)`, "1", `1:1: FLOATP(0,9,1,2) of f.ctd:1: 1: 0 decimals, not 1 to 2`},
		{"an exponent with two digits before the point", `FLOATP(0,99,1,2)`, "12.5e0", `1:1: FLOATP(0,99,1,2) of f.ctd:1: 12.5e0: an exponent needs one nonzero digit and a point before it`},
		{"an exponent with a zero before the point", `FLOATP(0,99,1,2)`, "0.5e1", `1:1: FLOATP(0,99,1,2) of f.ctd:1: 0.5e1: an exponent needs one nonzero digit and a point before it`},
		{"an exponent without a point", `FLOATP(0,99,0,2)`, "5e0", `1:1: FLOATP(0,99,0,2) of f.ctd:1: 5e0: an exponent needs one nonzero digit and a point before it`},
		{"too many decimals", `FLOATP(0,9,1,2)`, "1.255", `1:1: FLOATP(0,9,1,2) of f.ctd:1: 1.255: 3 decimals, not 1 to 2`},
		{"a negative number of decimals", `FLOATP(0,9,-1,2)`, "1", `f.ctd:1:12: -1 is not a number of decimals, at 1:1 of the input`},
		{"an empty range of decimals", `FLOATP(0,9,2,1)`, "1", `f.ctd:1:12: the range of 2 to 1 decimals is empty, at 1:1 of the input`},

		{"strings", `STRING("a b") SET(s="c") STRING(s)`, "a bc", ""},
		{"a string that differs is located at the first wrong byte", `STRING("a b")`, "a c", `1:3: STRING("a b") of f.ctd:1: found "c"`},
		{"escapes", `STRING("\n\t\r\b\f\"\\\101\60z\q")`, "\n\t\r\b\f\"\\A0z\\q", ""},
		{"a string continues on the next line", "STRING(\"a\\\nb\nc\")", "ab\nc", ""},
		{"a number instead of a string", `STRING(1)`, "1", `f.ctd:1:8: 1 is not a string, at 1:1 of the input`},

		{"a regular expression is greedy", `REGEX("[a-z]+",s) INT(1,1) ASSERT(s=="abc")`, "abc1", ""},
		{"a regular expression does not backtrack after its match", `REGEX("a*") STRING("a")`, "aaa", `1:4: STRING("a") of f.ctd:1: found end of input`},
		{"the first alternative that matches is taken", `REGEX("p|ps") STRING("s")`, "ps", ""},
		{"a dot matches newlines", `REGEX(".*")`, "a\nb\n", ""},
		{"a match begins at the current place", `REGEX("b")`, "ab", `1:1: REGEX("b") of f.ctd:1: found "ab"`},
		{"an invalid regular expression from the input", `REGEX("[^ ]*",s) SPACE REGEX(s)`, "a{2 aa", `f.ctd:1:30: regular expression "a{2": unmatched {, at 1:5 of the input`},

		{"an assertion that holds", `INT(1,9,a) SPACE INT(1,9,b) ASSERT(a<b)`, "1 2", ""},
		{"an assertion that does not hold shows the values", `INT(1,9,a) SPACE INT(1,9,b) ASSERT(a<b && 1==1)`, "2 2", `1:4: ASSERT(a<b && 1==1) of f.ctd:1: does not hold with a = 2, b = 2`},
		{"several variables are set at once", `SET(a=1,b=a+1) ASSERT(b==2)`, "", ""},
		{"a variable after UNSET has no value", `SET(a=1) UNSET(a) ASSERT(a==1)`, "", `f.ctd:1:26: a has no value, at 1:1 of the input`},
		{"UNSET removes all indices", `SET(a[1]=1,a[2]=1,b=1) UNSET(a,b) SET(a[3]=1) ASSERT(UNIQUE(a))`, "", ""},

		{"REP with a separator", `REP(3,SPACE) INT(0,9) END`, "1 2 3", ""},
		{"REP of no rounds", `REP(0,SPACE) INT(0,9) END`, "", ""},
		{"a separator after the last round", `REP(2,SPACE) INT(0,9) END`, "1 2 ", `1:4: end of the program of f.ctd:1: found a space`},
		{"REPI counts the rounds", `REPI(i,3,SPACE) INT(i,i) END ASSERT(i==3)`, "0 1 2", ""},
		{"setting the counter of REPI does not change the rounds", `REPI(i,3,SPACE) INT(0,9) SET(i=7) END ASSERT(i==3)`, "0 1 2", ""},
		{"a negative number of rounds", `REP(1-2) END`, "", `f.ctd:1:5: cannot repeat -1 times, at 1:1 of the input`},
		{"WHILE", `WHILE(!ISEOF,NEWLINE) INT(0,9) END`, "1\n2", ""},
		{"WHILEI", `WHILEI(i,!MATCH("\n"),SPACE) INT(i,i) END NEWLINE ASSERT(i==2)`, "0 1\n", ""},
		{"IF", `IF(MATCH("ab")) REGEX("[ab]") ELSE INT(0,9) END`, "a", ""},
		{"ELSE", `IF(MATCH("ab")) REGEX("[ab]") ELSE INT(0,9) END`, "7", ""},
		{"IF without ELSE", `IF(1>2) SPACE END`, "", ""},
		{"nested blocks", `REP(2,NEWLINE) IF(MATCH("[")) REP(2) REGEX("[\\[\\]]") END ELSE WHILE(MATCH("1")) INT(1,1) END END END`, "[]\n1", ""},

		{"MATCH is false at the end", `WHILE(MATCH("a")) STRING("a") END`, "aa", ""},
		{"unique", `REPI(i,3,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))`, "1 2 3", ""},
		{"not unique", `REPI(i,3,SPACE) INT(0,9,a[i]) END ASSERT(UNIQUE(a))`, "1 2 1", `1:6: ASSERT(UNIQUE(a)) of f.ctd:1: 1 is at both [0] and [2]`},
		{"the message is about the test that decides", `SET(a[1]=1,a[2]=1,n=3) ASSERT((UNIQUE(a) || n==3) && n==4)`, "", `1:1: ASSERT((UNIQUE(a) || n==3) && n==4) of f.ctd:1: does not hold with n = 3`},
		{"unique pairs", `SET(x[1]=1,y[1]=1,x[2]=1,y[2]=2) ASSERT(UNIQUE(x,y))`, "", ""},
		{"pairs that are not unique", `SET(x[1]=1,y[1]="a",x[22]=1,y[22]="a") ASSERT(UNIQUE(x,y))`, "", `1:1: ASSERT(UNIQUE(x,y)) of f.ctd:1: (1, "a") is at both [1] and [22]`},
		{"arrays with different indices", `SET(x[1]=1,x[2]=2,y[1]=1,y[30]=1,y[4]=1) ASSERT(UNIQUE(x,y))`, "", `1:1: ASSERT(UNIQUE(x,y)) of f.ctd:1: only one of x and y has the index [4]`},
		{"an integer equals a fraction", `SET(x[1]=1,x[2]=1.0) ASSERT(!UNIQUE(x))`, "", ""},
		{"unique without values", `ASSERT(UNIQUE(a))`, "", `f.ctd:1:8: a has no value, at 1:1 of the input`},
		{"in an array", `SET(a[1]=1,a[2]=2.5,a[3]="s") ASSERT(INARRAY(5/2.0,a) && INARRAY("s",a) && !INARRAY("1",a))`, "", ""},
		{"an array does not contain a replaced value", `SET(a[1]=1) ASSERT(INARRAY(1,a)) SET(a[1]=2) ASSERT(INARRAY(1,a))`, "", `1:1: ASSERT(INARRAY(1,a)) of f.ctd:1: does not hold`},
		{"an array contains a value that was set after INARRAY", `SET(a[1]=1) ASSERT(!INARRAY(2,a)) SET(a[2]=2) ASSERT(INARRAY(2,a))`, "", ""},
		{"several indices", `SET(a[1,23]=1,a[12,3]=2) ASSERT(a[1,23]==1 && a[12,3]==2)`, "", ""},
		{"indices of indices", `SET(i=1,a[i]=2,b[a[i]]=3) ASSERT(b[a[i]]==4)`, "", `1:1: ASSERT(b[a[i]]==4) of f.ctd:1: does not hold with i = 1, a[i] = 2, b[a[i]] = 3`},
		{"an index that is not an integer", `SET(a[1.0]=1)`, "", `f.ctd:1:7: 1.0 is not an integer, at 1:1 of the input`},
		{"an element without a value", `SET(i=3,a[1]=1) ASSERT(a[i]==1)`, "", `f.ctd:1:24: a[i] has no value with i = 3, at 1:1 of the input`},

		{"STRLEN", `REGEX("[a-z]*",s) ASSERT(STRLEN(s)==3)`, "abc", ""},
		{"STRLEN counts bytes", `REGEX(".*",s) ASSERT(STRLEN(s)==2)`, "ä", ""},
		{"precedence", `ASSERT(2+3*4==14 && -2^2==-4 && (2+3)*4==20 && 2*-3==-6 && 10-3-2==5 && 2^3^2==64)`, "", ""},
		{"division rounds towards zero", `ASSERT(7/2==3 && -7/2==-3 && -7%2==-1 && 7%-2==1)`, "", ""},
		{"an operation on a fraction gives a fraction", `ASSERT(1/2.==0.5 && 1/3.0*3==1 && 0.5^2==25e-2 && 1-0.5==0.5 && 3+0.5>3)`, "", ""},
		{"large exponents with small powers", `ASSERT(1^10^30==1 && 0^10^30==0 && 0^0==1 && (-1)^(10^30+1)==-1)`, "", ""},
		{"&& and || associate to the left", `ASSERT(1==1 || 1==1 && 1==2)`, "", `1:1: ASSERT(1==1 || 1==1 && 1==2) of f.ctd:1: does not hold`},
		{"! applies to everything that follows", `ASSERT(!1==2 && 1==1)`, "", ""},
		{"! of a test that is false", `ASSERT(!1==2 && 1==2)`, "", ""},
		{"&& and || skip an operand that does not matter", `ASSERT(1==1 || x==1) ASSERT(!(1==2 && x==1))`, "", ""},
		{"comparisons of strings", `ASSERT("a"<"b" && "b">"aa" && "a"<="a" && "a">="a" && "a"=="a" && "a"!="b")`, "", ""},
		{"a comparison of a string with a number", `ASSERT("1"==1)`, "", `f.ctd:1:8: "1"==1 compares a string with a number, at 1:1 of the input`},
		{"division by zero", `INT(0,9,n) ASSERT(1/n==1)`, "0", `f.ctd:1:19: 1/n divides by zero with n = 0, at 1:2 of the input`},
		{"division by a fraction that is zero", `ASSERT(1/0.0==1)`, "", `f.ctd:1:8: 1/0.0 divides by zero, at 1:1 of the input`},
		{"a remainder of a fraction", `ASSERT(1.5%1==0)`, "", `f.ctd:1:8: 1.5%1 needs integers, at 1:1 of the input`},
		{"an exponent that is a fraction", `ASSERT(2^0.5==1)`, "", `f.ctd:1:8: 2^0.5 has an exponent that is not an integer, at 1:1 of the input`},
		{"a negative exponent", `ASSERT(2^-1==1)`, "", `f.ctd:1:8: 2^-1 has a negative exponent, at 1:1 of the input`},
		{"arithmetic with a string", `ASSERT(-"a"==1)`, "", `f.ctd:1:8: -"a" is not a number, at 1:1 of the input`},
		{"a power that is too large", `ASSERT(10^(10^10)>0)`, "", `f.ctd:1:8: 10^(10^10) is a number of more than 131072 bits, at 1:1 of the input`},
		{"a number that grows too large", `SET(x=3) REP(40) SET(x=x*x) END`, "", `f.ctd:1:24: x*x is a number of more than 131072 bits with x = a number of 103873 bits, at 1:1 of the input`},
		{"comments", "# INT(\nINT(1,# one\n9) # \"\n#", "5", ""},
		{"a program with CRLF", "INT(1,9)\r\nNEWLINE\r\n", "5\n", ""},
	} {
		if got := errorText(check(c.program, c.input)); got != c.want {
			t.Errorf("%s:\n%s\ngot  %q\nwant %q", c.why, c.program, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	repeat := strings.Repeat
	for _, c := range []struct{ why, program, want string }{
		{"an unknown command", "\n INTEGER(1,2)", "2:2: expected a command, found INTEGER"},
		{"a function instead of a command", `STRLEN(a)`, "1:1: expected a command, found STRLEN"},
		{"a missing argument", `INT(1)`, `1:6: expected ",", found )`},
		{"a missing parenthesis", `INT(1,2 NEWLINE`, `1:9: expected ")", found NEWLINE`},
		{"the end within a command", `INT(1,`, "1:7: expected an expression, found end of file"},
		{"a missing END", "SPACE\nREP(3, SPACE)\nIF(ISEOF) ELSE END", "2:1: REP(3, SPACE) has no END"},
		{"too many ENDs", `REP(1) END END`, "1:12: END without REP, WHILE or IF"},
		{"ELSE of a loop", `REP(1) ELSE END`, `1:8: expected "END", found ELSE`},
		{"two ELSEs", `IF(ISEOF) ELSE ELSE END`, `1:16: expected "END", found ELSE`},
		{"a block as a separator", `REP(2,REP(1)) END`, "1:7: REP cannot separate the rounds of a loop"},
		{"a number instead of a test", `IF(1) END`, "1:4: 1 is not a test"},
		{"a test instead of a number", `INT(0,1==1)`, "1:7: 1==1 is a test, not a number or string"},
		{"a test as an operand of +", `ASSERT(1+(1==1)==2)`, "1:11: 1==1 is a test, not a number or string"},
		{"a number as an operand of &&", `ASSERT(1==1 && 1)`, "1:16: 1 is not a test"},
		{"a chain of comparisons", `ASSERT(1<2<3)`, `1:11: expected ")", found <`},
		{"an unknown option", `FLOAT(0,1,x,HEX)`, "1:13: expected FIXED or SCIENTIFIC, found HEX"},
		{"a variable with an upper-case letter", `INT(0,1,X)`, "1:9: expected a variable, found X (hint: names of variables have only lower-case letters and digits)"},
		{"a variable with an underscore", `INT(0,1,a_b)`, "1:10: unexpected '_' (hint: names of variables have only lower-case letters and digits)"},
		{"an element instead of an array", `ASSERT(INARRAY(1,a[1]))`, `1:19: expected ")", found [`},
		{"an unknown character", `INT(0,1;n)`, "1:8: unexpected ';'"},
		{"a constant", `INT(0,{{n}})`, "1:7: unexpected '{' (hint: is it a constant that problem.yaml does not define?)"},
		{"an unterminated string", "NEWLINE STRING(\"a\n", "1:16: unterminated string"},
		{"an octal escape beyond a byte", `STRING("a\777")`, `1:10: \777 is not a byte`},
		{"leading zeros of a literal", `INT(0,010)`, "1:7: 010 begins with zero"},
		{"a literal with an exponent that is too large", `FLOAT(0,1e99999999)`, "1:9: the exponent of 1e99999999 is too large"},
		{"an invalid regular expression", `REGEX("a**")`, `1:7: regular expression "a**": a repetition of a repetition needs parentheses`},
		{"parentheses nested too deep", "ASSERT(" + repeat("(", 2000), "1:1007: nested deeper than 1000"},
		{"too many signs", "ASSERT(" + repeat("-", 2000), "1:1006: nested deeper than 1000"},
		{"too many negations", "ASSERT(" + repeat("!", 2000), "1:1007: nested deeper than 1000"},
		{"blocks nested too deep", repeat("IF(ISEOF)", 2000), "1:8995: nested deeper than 1000"},
		{"too many operands", "ASSERT(1" + repeat("+1", 2000), "1:8: an expression nested deeper than 1000"},
		{"a program that is too long", repeat(" ", 1<<20+1), "1:1: larger than 1048576 bytes"},
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

// TestKinds checks the types and locations of errors for a wrong input and for a wrong program.
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
	if got := errorText(check(`INT(0,1)`, strings.Repeat("1", 1<<20))); got != "1:1: INT(0,1) of f.ctd:1: the integer is too long: 1048576 characters" {
		t.Errorf("a large integer: %q", got)
	}
	if got := errorText(check(`FLOAT(0,1)`, "0."+strings.Repeat("1", 1<<20))); got != "1:1: FLOAT(0,1) of f.ctd:1: 0.1111111111111111111111111111…: too long: 1048578 characters" {
		t.Errorf("a large fraction: %q", got)
	}
}

// TestGenerated generates programs, each with an input that it must accept. It must reject the
// input with a byte added or removed.
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

// write appends to the program.
func (g *generator) write(format string, args ...any) { fmt.Fprintf(&g.program, format+" ", args...) }

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
		g.write("INT(%d,%d,%s) ASSERT(%s==%d) NEWLINE", x-g.Int64N(2), x+g.Int64N(2), name, name, x)
		fmt.Fprintf(&g.input, "%d\n", x)
	case 1:
		x := float64(g.IntN(2000)-1000) / 8
		g.write("FLOAT(%g,%g,%s) ASSERT(%s*8==%d) SPACE", x-1, x+1, name, name, int(x*8))
		fmt.Fprintf(&g.input, "%.3f ", x)
	case 2:
		text := "ab\n\"\\"[:1+g.IntN(5)]
		g.write("STRING(%q)", text)
		g.input.WriteString(text)
	case 3:
		k := 1 + g.IntN(5)
		g.write(`REGEX("x{%d,%d}y",%s) ASSERT(STRLEN(%s)==%d)`, k-g.IntN(2), k+g.IntN(2), name, name, k+1)
		g.input.WriteString(strings.Repeat("x", k) + "y")
	case 4:
		k := 1 + g.IntN(4)
		g.write("REPI(i,%d,SPACE) INT(0,99,%s[i]) END NEWLINE ASSERT(UNIQUE(%s) && INARRAY(%d,%s))", k, name, name, k-1, name)
		for i := range k {
			fmt.Fprintf(&g.input, "%d%c", i, " \n"[(i+1)/k])
		}
	case 5:
		k := g.IntN(4)
		g.write(`WHILEI(i,MATCH("z")) STRING("z") END STRING(".") ASSERT(i==%d)`, k)
		g.input.WriteString(strings.Repeat("z", k) + ".")
	case 6:
		g.write("IF(1<2)")
		g.block(depth - 1)
		g.write("ELSE STRING(%q) END", "never")
	case 7:
		g.write("IF(!1<2) SPACE ELSE")
		g.block(depth - 1)
		g.write("END")
	case 8:
		// Every round has the same input. UNSET keeps the values of arrays unique.
		k, before := 1+g.IntN(3), g.input.Len()
		g.write("REP(%d)", k)
		first := g.names
		g.block(depth - 1)
		for i := first; i < g.names; i++ {
			g.write("UNSET(v%d)", i+1)
		}
		g.write("END")
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
