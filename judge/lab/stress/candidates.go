package stress

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"tribunal/judge/internal/casedata"
)

// candidates is a list of candidates for a smaller input, the largest reductions first. It creates
// each on demand, because all candidates of a large input would not fit into memory.
type candidates struct {
	size int
	at   func(i int) []byte // returns candidate i, from 0
}

// offered returns the smaller inputs that the problem's validator prints for -reduce. It returns
// none if the validator fails or is still running when bound ends.
func (s *Search) offered(ctx, bound context.Context, input []byte) (candidates, error) {
	m := s.caseData()
	program, err := m.Program(ctx, m.Problem.Check)
	if err != nil {
		return candidates{}, err
	}
	job := casedata.ReduceJob(input)
	o, stdout, _ := s.alone(bound, &Side{Program: program, Limits: job.Limits, Writes: true}, input, job.Args...)
	if ctx.Err() != nil || o.Err != nil || !o.OK(job.Limits) {
		return candidates{}, ctx.Err()
	}
	list, err := netstrings(stdout)
	if err != nil {
		return candidates{}, nil
	}
	return candidates{len(list), func(i int) []byte { return list[i] }}, nil
}

// netstrings reads a sequence of LENGTH:BYTES, each followed by a comma. The result shares memory
// with text.
func netstrings(text []byte) (list [][]byte, err error) {
	for at := 0; at < len(text); {
		digits, _, ok := bytes.Cut(text[at:min(len(text), at+20)], []byte{':'})
		n, err := strconv.ParseUint(string(digits), 10, 62)
		if !ok || err != nil || string(digits) != strconv.FormatUint(n, 10) {
			return nil, fmt.Errorf("byte %d: no length", at)
		}
		at += len(digits) + 1
		if n >= uint64(len(text)-at) || text[at+int(n)] != ',' {
			return nil, fmt.Errorf("byte %d: no comma after the text of %d bytes that begins there", at, n)
		}
		list = append(list, text[at:at+int(n):at+int(n)])
		at += int(n) + 1
	}
	return list, nil
}
