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
// Without a tolerance (0 is one) the Mode is Tokens. There may be several lists of flags, because
// packages of the older format have one for the problem and one for a test group: a tolerance in a
// later list replaces that of an earlier one. An error names the flag and what would be right.
//
// Where judges differ, version 2025-09 of the format decides. A number is decimal and complete, so
// 1e, hexadecimal, inf and nan are words (problemtools takes the first two for numbers, DOMjudge
// all). NUL belongs to a word like any other byte (in problemtools and DOMjudge it hides the rest
// of the word). Within a list no tolerance may be given twice, nor float_tolerance beside another
// (problemtools and DOMjudge take the last). The format leaves two things open: the arithmetic,
// which here is that of float64 as in problemtools, and a number that no float64 can hold or of
// more than 1024 bytes, which here is a word.
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
	abs, rel := "", "" // the flags that set them
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

// tolerance parses the number after the flag name.
func tolerance(name string, rest []string) (float64, error) {
	if len(rest) == 0 {
		return 0, fmt.Errorf("%s: no number after it (hint: %s 1e-6)", name, name)
	}
	e, ok := number([]byte(rest[0]))
	switch {
	case !ok:
		return 0, fmt.Errorf("%s: %q is not a number (hint: decimal, such as 0.001 or 1e-6)", name, rest[0])
	case e < 0:
		return 0, fmt.Errorf("%s: %s is negative (hint: 0 is the least)", name, rest[0])
	}
	return e, nil
}

// conflict returns an error about two flags, in their order, that set the same tolerance.
func conflict(first, again string) error {
	if first == again {
		return fmt.Errorf("%s: given twice (hint: leave out one)", again)
	}
	return fmt.Errorf("%s: given beside %s (hint: %s sets both tolerances)", again, first, flagBoth)
}
