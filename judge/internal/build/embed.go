package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// embedded returns the files that a pattern of a //go:embed line matches, by the rules of package
// embed, as slash paths below dir, the folder of the source.
func embedded(dir, pattern string) ([]string, error) {
	glob, all := strings.CutPrefix(pattern, "all:")
	if _, err := path.Match(glob, ""); err != nil || glob == "." || !fs.ValidPath(glob) {
		return nil, errors.New("not a pattern (hint: such as table.txt, data/*.txt or data)")
	}
	matches, err := fs.Glob(os.DirFS(dir), glob)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, match := range matches {
		if err := embeddable(dir, match); err != nil {
			return nil, err
		}
		err := fs.WalkDir(os.DirFS(dir), match, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case file != match && (!all && strings.ContainsRune("._", rune(d.Name()[0])) || isVersionControl(d.Name())):
				if d.IsDir() {
					return fs.SkipDir
				}
			case d.IsDir() && exists(filepath.Join(dir, filepath.FromSlash(file), "go.mod")):
				return fs.SkipDir
			case d.Type().IsRegular():
				list = append(list, file)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no such file (hint: hidden files and other modules do not count)")
	}
	return list, nil
}

// embeddable returns an error for a match of a pattern that cannot be embedded.
func embeddable(dir, match string) error {
	for part := match; part != "."; part = path.Dir(part) {
		name := filepath.Join(dir, filepath.FromSlash(part))
		info, err := os.Lstat(name)
		switch {
		case err != nil:
			return err
		case !info.IsDir() && !(part == match && info.Mode().IsRegular()):
			return fmt.Errorf("%s is neither a file nor a folder (hint: symbolic links cannot be embedded)", part)
		case isVersionControl(path.Base(part)):
			return fmt.Errorf("%s belongs to version control", part)
		case exists(filepath.Join(name, "go.mod")):
			return fmt.Errorf("%s is in another module", part)
		}
	}
	return nil
}

func isVersionControl(name string) bool {
	return slices.Contains([]string{".bzr", ".git", ".hg", ".svn"}, name)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
