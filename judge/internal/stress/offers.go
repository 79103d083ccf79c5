package stress

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"tribunal/judge/internal/casedata"
)

// A menu is what may be tried instead of an input, the boldest first. What it offers is
// made when it is asked for: of large inputs all together would not fit into memory.
type menu struct {
	size int
	at   func(i int) []byte
}

// offered asks the validator for smaller inputs. One that has none to offer, fails, or is
// not done when bound ends, offers nothing.
func (s *Search) offered(ctx, bound context.Context, input []byte) (menu, error) {
	m := s.caseData()
	program, err := m.Program(ctx, m.Problem.Check)
	if err != nil {
		return menu{}, err
	}
	job := casedata.ReduceJob(input)
	o, stdout, _ := s.alone(bound, &Side{Program: program, Limits: job.Limits}, input, job.Args...)
	if ctx.Err() != nil || o.Err != nil || !o.OK(job.Limits) {
		return menu{}, ctx.Err()
	}
	list, err := netstrings(stdout)
	if err != nil {
		return menu{}, nil
	}
	return menu{len(list), func(i int) []byte { return list[i] }}, nil
}

// netstrings reads LENGTH:BYTES, again and again. What it returns shares memory with text.
func netstrings(text []byte) (list [][]byte, err error) {
	for at := 0; at < len(text); {
		digits, _, ok := bytes.Cut(text[at:min(len(text), at+20)], []byte{':'})
		n, err := strconv.ParseUint(string(digits), 10, 62)
		if !ok || err != nil || string(digits) != strconv.FormatUint(n, 10) {
			return nil, fmt.Errorf("byte %d: no length", at)
		}
		at += len(digits) + 1
		if n >= uint64(len(text)-at) || text[at+int(n)] != ',' {
			return nil, fmt.Errorf("byte %d: a text of %d bytes does not end there with a comma", at, n)
		}
		list = append(list, text[at:at+int(n):at+int(n)])
		at += int(n) + 1
	}
	return list, nil
}
