package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/regular"
)

// buildBinary returns the program of a submitted executable. It stores a copy in the cache, so that
// later changes of the file do not affect a judging in progress.
func (b *Builder) buildBinary(s *Source) (_ *Program, err error) {
	p := &Program{Language: Binary, Key: s.sum}
	if p.entry, err = b.options.Cache.Get(p.Key); err != nil {
		return nil, err
	}
	if p.Cached = p.entry != nil; !p.Cached {
		p.entry, err = b.options.Cache.Put(p.Key, func(dir string) error { return keepBinary(dir, s, p.Key) })
		if err != nil {
			return nil, err
		}
	}
	if err := b.finish(p, s, Language{}, &toolchain{}); err != nil {
		return nil, err
	}
	return p, nil
}

// binaryKey returns the cache key of an executable: it depends on the content alone.
func binaryKey(f *os.File) (cache.Key, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, wholeBinary(f)); err != nil {
		return "", err
	}
	return keyOfSum(sum.Sum(nil)), nil
}

// wholeBinary reads an executable from its start, at most maxBinary bytes.
func wholeBinary(f *os.File) io.Reader { return io.NewSectionReader(f, 0, int64(maxBinary)) }

func keyOfSum(sum []byte) cache.Key {
	h := cache.NewHasher("binary 1")
	h.Text(hex.EncodeToString(sum))
	return h.Key()
}

// keepBinary copies an executable into dir. Because its owner may write to the file meanwhile, it
// checks the copy: if that does not have the key, or cannot run here, the error is a
// [*CompileError].
func keepBinary(dir string, s *Source, key cache.Key) (err error) {
	changed := &CompileError{Output: regular.ErrChanged.Error() + " (hint: submit it again)"}
	in, info, err := s.again(s.Name)
	if err != nil {
		return changed
	}
	defer in.Close()
	if info.IsDir() {
		return changed
	}
	out, err := os.OpenFile(filepath.Join(dir, exeName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), wholeBinary(in)); err != nil {
		return err
	}
	if keyOfSum(sum.Sum(nil)) != key {
		return changed
	}
	if err := checkProgram(s.Name, out); err != nil {
		return &CompileError{Output: strings.TrimPrefix(err.Error(), s.Name+": ")}
	}
	return out.Chmod(0o755)
}
