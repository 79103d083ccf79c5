package cases

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// beside returns the path of a file in the folder of a group, or "" if name is "".
func beside(file, name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(strings.TrimSuffix(file, ".yaml"), name)
}

// MaxFiles is the maximum size in bytes of all files beside the case files of a problem. Each of
// them has the limit of a document, see [yamlstrict.MaxFile].
const MaxFiles = 512 << 20

// readFiles reads the inputs, outputs and working folders that cases keep in files of their own.
func (s *Set) readFiles(list []Case) error {
	for i := range list {
		c := &list[i]
		for _, f := range []struct {
			path, key string
			text      **string
		}{{c.InputFile, "input_file", &c.Input}, {c.OutputFile, "output_file", &c.Output}} {
			if f.path == "" {
				continue
			}
			data, err := yamlstrict.Read(f.path)
			if errors.Is(err, fs.ErrNotExist) {
				return c.Errorf(f.key, "it must be in the folder "+filepath.Dir(f.path), "no file %s", f.path)
			}
			if err != nil {
				return err
			}
			if s.size += int64(len(data)); s.size > MaxFiles {
				return c.Errorf(f.key, "generate large inputs instead of keeping them", "files of more than %d MiB, with %s", MaxFiles>>20, f.path)
			}
			text := string(data)
			*f.text = &text
		}
		if err := s.readFolder(c); err != nil {
			return err
		}
	}
	return nil
}

// The most that a case may put into the submission's working folder.
const (
	MaxBeside      = 64 << 20 // bytes of all files together
	MaxBesideFiles = 10_000   // files and folders
)

func (s *Set) readFolder(c *Case) error {
	if c.FilesDir == "" {
		return nil
	}
	bad := func(hint, format string, args ...any) error { return c.Errorf("files", hint, format, args...) }
	if info, err := os.Stat(c.FilesDir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return bad("it must be in the folder "+filepath.Dir(c.FilesDir), "no folder %s", c.FilesDir)
	}
	c.Files = map[string][]byte{}
	entries, size := 0, 0
	return filepath.WalkDir(c.FilesDir, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return yamlstrict.FileError(file, err)
		case d.IsDir():
			entries++
			return nil
		case !d.Type().IsRegular():
			return bad("put the file itself there", "%s is not a regular file", file)
		}
		data, err := yamlstrict.Read(file)
		if err != nil {
			return err
		}
		size += len(data)
		s.size += int64(len(data))
		if entries++; entries > MaxBesideFiles || size > MaxBeside || s.size > MaxFiles {
			return bad("", "more than %d files and folders, or %d MiB, in %s", MaxBesideFiles, MaxBeside>>20, c.FilesDir)
		}
		below, err := filepath.Rel(c.FilesDir, file)
		c.Files[filepath.ToSlash(below)] = data
		return err
	})
}
