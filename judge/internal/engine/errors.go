package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"tribunal/judge/internal/yamlstrict"
)

// UserError marks an error of the user: in the arguments, the configuration or the user's files.
// Its text is that of Err.
type UserError struct{ Err error }

func (e UserError) Error() string { return e.Err.Error() }

func (e UserError) Unwrap() error { return e.Err }

// OutputError is a message with the output of a program, which follows on lines of its own.
type OutputError struct{ Text, Output string }

// Message returns the text without the output.
func (e *OutputError) Message() string { return e.Text }

func (e *OutputError) Error() string {
	text := e.Text
	for l := range strings.Lines(strings.TrimSpace(e.Output)) {
		text += "\n    " + strings.TrimSuffix(l, "\n")
	}
	return text
}

// FlagError returns an error of the user for one that a flag of a command returned. For a number it says what is
// wanted, instead of how parsing failed. An error without a hint gets one: the flag that the user probably
// mistyped, or how to get the command's help. flags are those of the command.
func FlagError(command string, flags *pflag.FlagSet, err error) error {
	if number, ok := errors.AsType[*strconv.NumError](err); ok {
		err = errors.New(strings.TrimSuffix(err.Error(), number.Error()) + wanted(number))
	}
	if strings.Contains(err.Error(), "(hint: ") {
		return UserError{err}
	}
	hint := command + " --help"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := yamlstrict.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return UserError{fmt.Errorf("%w (hint: %s)", err, hint)}
}

// wanted says what the value of a flag should have been.
func wanted(err *strconv.NumError) string {
	switch {
	case errors.Is(err, strconv.ErrRange):
		return "the number is too large or too small"
	case err.Func == "ParseBool":
		return "want true or false"
	case err.Func == "ParseFloat":
		return "want a number"
	case err.Func == "ParseUint":
		return "want a whole number, at least 0"
	default:
		return "want a whole number"
	}
}
