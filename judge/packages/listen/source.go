package listen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Source is the file in which the user begins to write a program.
type Source struct {
	Name string // in the folder of the problem
	Text []byte
}

// builtin has the texts for those who have no template, by the language.
var builtin = map[string]Source{
	"cpp":     {"sol.cpp", []byte("#include <bits/stdc++.h>\nusing namespace std;\n\nint main() {\n    ios::sync_with_stdio(false);\n    cin.tie(nullptr);\n\n}\n")},
	"python3": {"sol.py", []byte("import sys\n\n\ndef main():\n    data = sys.stdin.read().split()\n\n\nmain()\n")},
}

// Template returns a source that begins like the file template.* in the first of the folders that has one or, if none
// has one, like a built-in one in a language.
func Template(language string, folders ...string) (s Source, err error) {
	for _, folder := range folders {
		var found []string
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s, yamlstrict.FileError(folder, err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "template.") && !e.IsDir() {
				found = append(found, e.Name())
			}
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			name := filepath.Join(folder, found[0])
			f, info, err := regular.Open(name)
			if err != nil {
				return s, yamlstrict.FileError(name, err)
			}
			defer f.Close()
			if info.Size() > maxBody {
				return s, &yamlstrict.Error{File: name, Msg: fmt.Sprintf("has more than %d bytes", maxBody), Hint: "is it a template?"}
			}
			s.Name = "sol" + filepath.Ext(name)
			if s.Text, err = regular.Read(f, info); err != nil {
				err = yamlstrict.FileError(name, err)
			}
			return s, err
		}
		return s, &yamlstrict.Error{File: folder, Msg: "has several templates: " + strings.Join(found, ", "), Hint: "leave one"}
	}
	s, known := builtin[language]
	if !known {
		return s, fmt.Errorf("%q has no built-in template (hint: write %s, or use --lang cpp or python3)", language, filepath.Join(folders[0], "template.EXTENSION"))
	}
	s.Text = slices.Clone(s.Text)
	return s, nil
}

// add writes the source into the folder of a problem, unless there is a file of that name, and returns its path.
func (s Source) add(folder string) (name string, err error) {
	name = filepath.Join(folder, s.Name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return name, nil
	}
	if err == nil {
		_, err = f.Write(s.Text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		err = yamlstrict.FileError(name, err)
	}
	return name, err
}
