package diff

import "fmt"

// The flags of the default output validator.
const (
	flagCase   = "case_sensitive"
	flagSpaces = "space_change_sensitive"
	flagAbs    = "float_absolute_tolerance"
	flagRel    = "float_relative_tolerance"
	flagBoth   = "float_tolerance"
)

// ParseFlags returns the Options that compare outputs as the default output validator of the ICPC
// problem package format does with these flags:
//
//	case_sensitive              unless given, words are equal up to the case of A to Z
//	space_change_sensitive      white space counts
//	float_absolute_tolerance E  Float, with Abs
//	float_relative_tolerance E  Float, with Rel
//	float_tolerance E           Float, with both
//
// Without a tolerance the Mode is Tokens; with one, even 0, it is Float. There may be several lists
// of flags, because packages of the older format have one for the problem and one for a test group:
// a tolerance in a later list overrides one in an earlier list. Errors name the flag.
//
// ParseFlags and the comparison follow version 2025-09 of the format where other judges differ. A
// number is decimal and complete, so 1e, hexadecimal, inf and nan are words (problemtools reads the
// first two as numbers, DOMjudge all four). NUL is part of a word like any other byte (in
// problemtools and DOMjudge it hides the rest of the word). A list must not set a tolerance twice,
// nor contain float_tolerance beside another tolerance (problemtools and DOMjudge use the last).
// The format leaves two things open. The arithmetic here is that of float64, as in problemtools. A
// number that no float64 can hold, or of more than 1024 bytes, is a word here.
func ParseFlags(lists ...[]string) (Options, error) {
	o := Options{Mode: Tokens, FoldCase: true}
	for _, flags := range lists {
		if err := o.parse(flags); err != nil {
			return Options{}, err
		}
	}
	return o, nil
}

// parse applies one list of flags to o.
func (o *Options) parse(flags []string) error {
	abs, rel := "", "" // the flags of this list that set Abs and Rel
	for i := 0; i < len(flags); i++ {
		switch name := flags[i]; name {
		case flagCase:
			o.FoldCase = false
		case flagSpaces:
			o.Spaces = true
		case flagAbs, flagRel, flagBoth:
			i++
			e, err := tolerance(name, flags[i:])
			if err != nil {
				return err
			}
			o.Mode = Float
			if name != flagRel {
				if abs != "" {
					return conflict(abs, name)
				}
				o.Abs, abs = e, name
			}
			if name != flagAbs {
				if rel != "" {
					return conflict(rel, name)
				}
				o.Rel, rel = e, name
			}
		default:
			return fmt.Errorf("unknown flag %q (hint: %s, %s, or one of %s, %s and %s with a number after it)",
				name, flagCase, flagSpaces, flagAbs, flagRel, flagBoth)
		}
	}
	return nil
}

// tolerance parses the number after the flag called name; rest is the list of flags after it.
func tolerance(name string, rest []string) (float64, error) {
	if len(rest) == 0 {
		return 0, fmt.Errorf("%s: no number after it (hint: %s 1e-6)", name, name)
	}
	e, ok := number([]byte(rest[0]))
	switch {
	case !ok:
		return 0, fmt.Errorf("%s: %q is not a number (hint: decimal, such as 0.001 or 1e-6)", name, rest[0])
	case e < 0:
		return 0, fmt.Errorf("%s: %s is negative (hint: a tolerance is 0 or more)", name, rest[0])
	}
	return e, nil
}

// conflict returns the error for two flags that set the same tolerance; second is the later one.
func conflict(first, second string) error {
	if first == second {
		return fmt.Errorf("%s: given twice (hint: leave out one)", second)
	}
	return fmt.Errorf("%s: given beside %s (hint: %s sets both tolerances)", second, first, flagBoth)
}
