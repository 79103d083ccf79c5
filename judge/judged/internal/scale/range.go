package scale

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Numbers parses numbers of workers: a list such as 1,8,64, or a range such as 1..1000, which stands for
// its ends and for 1, 2 and 5 times the powers of ten between them.
func Numbers(text string) (list []int, err error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		for word := range strings.SplitSeq(text, ",") {
			n, err := number(word)
			if err != nil {
				return nil, err
			}
			list = append(list, n)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	from, err := number(low)
	to, err2 := number(high)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	if from > to {
		return nil, fmt.Errorf("%s: the first number is the larger one (hint: %d..%d)", text, to, from)
	}
	list = []int{from}
	for power := 1; power <= to; power *= 10 {
		for _, times := range []int{1, 2, 5} {
			if n := times * power; n > from && n < to {
				list = append(list, n)
			}
		}
	}
	if to > from {
		list = append(list, to)
	}
	return list, nil
}

func number(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > mostWorkers {
		return 0, fmt.Errorf("%q: want a number from 1 to %d (hint: 1..1000, or 1,8,64)", word, mostWorkers)
	}
	return n, nil
}
