package build

import (
	"bytes"
	"crypto/sha256"
	"io"
)

// SameExecutable reports whether p and q are executables with the same bytes, so that they behave
// alike. It is false for programs that a tool of this machine runs. The error is a failure of the
// judge.
func (p *Program) SameExecutable(q *Program) (bool, error) {
	var sums [2][]byte
	for i, r := range []*Program{p, q} {
		exe, err := r.executable()
		if exe == nil || err != nil {
			return false, err
		}
		h := sha256.New()
		info, err := exe.Stat()
		if err == nil {
			_, err = io.Copy(h, io.NewSectionReader(exe, 0, info.Size()))
		}
		if err != nil {
			return false, err
		}
		sums[i] = h.Sum(nil)
	}
	return bytes.Equal(sums[0], sums[1]), nil
}
