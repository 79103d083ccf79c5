package engine

import (
	"errors"
	"io"
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagError checks what people read when the value of a flag is wrong.
func TestFlagError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, arg, want string }{
		{"no number", "--n=a", `invalid argument "a" for "--n" flag: want a whole number (hint: x --help)`},
		{"a fraction", "--n=1.5", `invalid argument "1.5" for "--n" flag: want a whole number (hint: x --help)`},
		{"one of several", "--ns=1,b", `invalid argument "1,b" for "--ns" flag: want a whole number (hint: x --help)`},
		{"a negative seed", "--seed=-1", `invalid argument "-1" for "--seed" flag: want a whole number, at least 0 (hint: x --help)`},
		{"too large", "--seed=99999999999999999999", `invalid argument "99999999999999999999" for "--seed" flag: the number is too large or too small (hint: x --help)`},
		{"no real number", "--f=x", `invalid argument "x" for "--f" flag: want a number (hint: x --help)`},
		{"neither yes nor no", "--b=maybe", `invalid argument "maybe" for "--b" flag: want true or false (hint: x --help)`},
		{"a flag that knows better", "--own=a", `invalid argument "a" for "--own" flag: no (hint: yes)`},
		{"no such flag", "--other", "unknown flag: --other (hint: x --help)"},
		{"a flag that was mistyped", "--seeed=1", "unknown flag: --seeed (hint: did you mean --seed?)"},
		{"a hidden flag is not named", "--secrets", "unknown flag: --secrets (hint: x --help)"},
		{"a letter is like every other", "-c", "unknown shorthand flag: 'c' in -c (hint: x --help)"},
	} {
		f := pflag.NewFlagSet("x", pflag.ContinueOnError)
		f.SetOutput(io.Discard)
		f.Int("n", 0, "")
		f.IntSlice("ns", nil, "")
		f.Uint64("seed", 0, "")
		f.Float64("f", 0, "")
		f.Bool("b", false, "")
		f.Bool("secret", false, "")
		f.Lookup("secret").Hidden = true
		f.Func("own", "", func(string) error { return errors.New("no (hint: yes)") })
		err := FlagError("x", f, f.Parse([]string{tt.arg}))
		if _, ok := errors.AsType[UserError](err); !ok || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}
