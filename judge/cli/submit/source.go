package submit

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Source is a submission as it is sent.
type Source struct {
	Shown string // how the user named it
	Name  string // of the file; an archive of several files ends in .zip
	Data  []byte
}

// maxSource is the size of the largest source that is read. The server may take less.
const maxSource = 64 * limits.MiB

// Read reads a submission: a file, or a folder, which becomes an archive. Hidden files and the caches of
// Python are left out. It follows symbolic links as [regular.OpenGiven] does. Every error is a [*yamlstrict.Error].
func Read(name string) (Source, error) {
	s := Source{Shown: name, Name: filepath.Base(name)}
	f, info, err := regular.OpenGiven(name)
	if link, ok := errors.AsType[*regular.LinkError](err); ok {
		return s, &yamlstrict.Error{File: name, Msg: link.Why, Hint: "submit what it leads to"}
	}
	if err != nil {
		return s, yamlstrict.FileError(name, err)
	}
	defer f.Close()
	if info.IsDir() {
		if abs, err := filepath.Abs(name); err == nil {
			s.Name = filepath.Base(abs) // not a dot
		}
		s.Name += ".zip"
		s.Data, err = pack(name)
		return s, err
	}
	if limits.Bytes(info.Size()) > maxSource {
		return s, tooLarge(name)
	}
	if s.Data, err = regular.Read(f, info); err != nil {
		return s, yamlstrict.FileError(name, err)
	}
	return s, nil
}

func tooLarge(name string) error {
	return &yamlstrict.Error{File: name, Msg: fmt.Sprintf("has more than %v", maxSource), Hint: "is it the right file?"}
}

// ReadFrom reads a submission from a stream, such as standard input.
func ReadFrom(shown, name string, from io.Reader) (Source, error) {
	data, err := io.ReadAll(io.LimitReader(from, int64(maxSource)+1))
	if err == nil && limits.Bytes(len(data)) > maxSource {
		err = tooLarge(shown)
	}
	return Source{Shown: shown, Name: name, Data: data}, err
}

// pack returns an archive of the files below a folder. The same files give the same bytes.
func pack(dir string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var total limits.Bytes
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return yamlstrict.FileError(file, err)
		}
		hidden := strings.HasPrefix(d.Name(), ".") || d.Name() == "__pycache__"
		switch {
		case file == dir:
			return nil
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden:
			return nil
		case !d.Type().IsRegular():
			return &yamlstrict.Error{File: file, Msg: "not a regular file", Hint: "put the file itself there"}
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		text, err := readFile(file)
		if err != nil {
			return err
		}
		if total += limits.Bytes(len(text)); total > maxSource {
			return tooLarge(dir)
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(rel), Method: zip.Deflate, Modified: epoch})
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err == nil && total == 0 {
		err = &yamlstrict.Error{File: dir, Msg: "has no files", Hint: "name a folder with sources"}
	}
	if err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func readFile(name string) ([]byte, error) {
	f, info, err := regular.OpenPlain(name)
	if err != nil {
		return nil, yamlstrict.FileError(name, err)
	}
	defer f.Close()
	if limits.Bytes(info.Size()) > maxSource {
		return nil, tooLarge(name)
	}
	text, err := regular.Read(f, info)
	if err != nil {
		return nil, yamlstrict.FileError(name, err)
	}
	return text, nil
}

// epoch is the time of all files of an archive. A zip file cannot hold an earlier one.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
