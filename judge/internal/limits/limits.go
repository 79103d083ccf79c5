// Package limits defines amounts of resources, with units in Go and in text.
package limits

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Bytes is an amount of memory or data in bytes.
type Bytes int64

// The binary units.
const (
	KiB Bytes = 1 << 10
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30
)

var byteUnits = []struct {
	name string
	size Bytes
}{{"GiB", GiB}, {"MiB", MiB}, {"KiB", KiB}, {"B", 1}}

// String returns the shortest exact text, such as "64MiB" or "1500B", which ParseBytes parses back
// to the same amount.
func (b Bytes) String() string {
	for _, u := range byteUnits {
		if b != 0 && b%u.size == 0 {
			return strconv.FormatInt(int64(b/u.size), 10) + u.name
		}
	}
	return "0B"
}

// Human returns a rounded text for reports, such as "8.7 MiB".
func (b Bytes) Human() string {
	for _, u := range byteUnits {
		if b >= u.size && u.size > 1 {
			return strconv.FormatFloat(float64(b)/float64(u.size), 'f', 1, 64) + " " + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10) + " B"
}

func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText parses text as ParseBytes does.
func (b *Bytes) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBytes(string(text))
	return err
}

// MarshalJSON writes the number of bytes: in JSON documents only the names of fields carry units.
func (b Bytes) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(b), 10), nil }

// UnmarshalJSON parses what MarshalJSON writes.
func (b *Bytes) UnmarshalJSON(text []byte) (err error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	*b = Bytes(n)
	return err
}

// ParseBytes parses an amount with its unit, B, KiB, MiB or GiB, such as "64MiB" or "1.5GiB". A
// bare number, a negative amount, a decimal unit (MB) and an amount over 2^62 are errors that end
// in a hint.
func ParseBytes(text string) (Bytes, error) {
	number, unit := split(text)
	if unit == "" {
		return 0, bare(text, "MiB")
	}
	for _, u := range byteUnits {
		if unit != u.name {
			continue
		}
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n >= 0 && n <= math.MaxInt64/2/int64(u.size) {
			return Bytes(n) * u.size, nil
		}
		f, err := strconv.ParseFloat(number, 64)
		if err != nil || !(f >= 0) || f*float64(u.size) > math.MaxInt64/2 {
			return 0, fmt.Errorf("size %q is not a number with a unit (hint: write it like 64MiB)", text)
		}
		return Bytes(f * float64(u.size)), nil
	}
	return 0, fmt.Errorf("size %q has an unknown unit %q (hint: the units are B, KiB, MiB, GiB)", text, unit)
}

// ParseDuration parses a time with its unit, as time.ParseDuration does. Bare numbers, even 0,
// negative times and times over 1000 hours are errors, with a hint where one helps.
func ParseDuration(text string) (time.Duration, error) {
	if _, unit := split(text); unit == "" {
		return 0, bare(text, "s")
	}
	d, err := time.ParseDuration(text)
	if err == nil && d > longest {
		return 0, fmt.Errorf("time %q is more than %v", text, longest)
	}
	if err != nil || d < 0 {
		return 0, fmt.Errorf("time %q is not a positive number with a unit (hint: write it like 1s, 300ms or 2m)", text)
	}
	return d, nil
}

// longest is the longest time that ParseDuration accepts, so that multiples of it do not overflow.
const longest = 1000 * time.Hour

// split splits a quantity into its number and its last unit.
func split(text string) (number, unit string) {
	i := strings.LastIndexAny(text, "0123456789.") + 1
	return text[:i], text[i:]
}

func bare(text, unit string) error {
	if text == "" {
		return errors.New("empty quantity (hint: write it like 1s or 64MiB)")
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return fmt.Errorf("%q is not a quantity (hint: write it like 1s or 64MiB)", text)
	}
	return fmt.Errorf("%s has no unit (hint: did you mean %s%s?)", text, text, unit)
}

// Limits bounds what one run may use. A zero field sets no limit.
type Limits struct {
	CPU       time.Duration `json:"cpu_ns"`       // user and system time of all processes and threads together
	Wall      time.Duration `json:"wall_ns"`      // from the start of the program to its end
	Memory    Bytes         `json:"memory_bytes"` // peak of the memory that the run is charged for; address space does not count
	Output    Bytes         `json:"output_bytes"` // written to standard output
	Processes int           `json:"processes"`    // processes and threads alive at a time
	CPUs      int           `json:"cpus"`         // CPUs the run may use at a time; 0 means 1
}

// Override returns l with the limits in text replaced. The text is a comma-separated list such as
// "cpu=2s,memory=64MiB"; the keys are cpu, wall, memory, output, processes and cpus.
func (l Limits) Override(text string) (Limits, error) {
	if text == "" {
		return l, nil
	}
	for _, item := range strings.Split(text, ",") {
		key, value, found := strings.Cut(strings.TrimSpace(item), "=")
		if !found {
			return l, fmt.Errorf("limit %q has no value (hint: write it like cpu=2s,memory=64MiB)", item)
		}
		var err error
		switch key {
		case "cpu":
			l.CPU, err = positive(ParseDuration(value))
		case "wall":
			l.Wall, err = positive(ParseDuration(value))
		case "memory":
			if l.Memory, err = positive(ParseBytes(value)); err == nil && l.Memory < MiB {
				err = errors.New("must be at least 1MiB: no program starts with less")
			}
		case "output":
			l.Output, err = positive(ParseBytes(value))
		case "processes":
			l.Processes, err = positive(strconv.Atoi(value))
		case "cpus":
			l.CPUs, err = positive(strconv.Atoi(value))
		default:
			return l, fmt.Errorf("unknown limit %q (hint: the limits are cpu, wall, memory, output, processes, cpus)", key)
		}
		if err != nil {
			return l, fmt.Errorf("limit %s: %w", key, err)
		}
	}
	return l, nil
}

func positive[T time.Duration | Bytes | int](v T, err error) (T, error) {
	var numeric *strconv.NumError
	switch {
	case errors.As(err, &numeric):
		return v, fmt.Errorf("%q is not a whole number", numeric.Num)
	case err == nil && v <= 0:
		return v, errors.New("must be more than zero")
	}
	return v, err
}
