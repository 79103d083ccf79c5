package cases

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// sampleGroup is the group that comes first.
const sampleGroup = "sample"

// Group describes the cases of one file.
type Group struct {
	Name     string `json:"group"` // the file name without .yaml
	Cases    int    `json:"cases"` // their number, at least 1
	Note     string `json:"note"`  // what the cases have in common; may be "" unless the group is optional
	Optional bool   `json:"-"`     // the cases count only if the user asks for them
}

// add adds the groups, the optional ones after the others.
func (s *Set) add(parsed []file) error {
	slices.SortStableFunc(parsed, func(a, b file) int {
		switch {
		case a.group.Optional == b.group.Optional:
			return 0
		case a.group.Optional:
			return 1
		}
		return -1
	})
	if first := parsed[0]; first.group.Optional {
		return first.place.Errorf("optional", "remove it from at least one group", "all groups of %s are optional", s.Problem)
	}
	for _, f := range parsed {
		s.Groups = append(s.Groups, f.group)
		s.Files = append(s.Files, f.path)
		s.read = append(s.read, Edit{Path: f.path, Old: f.data, Text: f.data})
		s.Cases = append(s.Cases, f.cases...)
	}
	return nil
}

// Optional returns the optional groups, in case order.
func (s *Set) Optional() []Group {
	return slices.DeleteFunc(slices.Clone(s.Groups), func(g Group) bool { return !g.Optional })
}

// Required returns a new list of the cases that always count, in their order.
func Required(list []Case) []Case {
	return slices.DeleteFunc(slices.Clone(list), func(c Case) bool { return c.Optional })
}

// groupFiles returns the case files of a folder in case order. It skips hidden files and files that
// are not YAML, and rejects YAML files whose names are not those of case files.
func groupFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &yamlstrict.Error{File: dir, Msg: "no such folder", Hint: "the cases of a problem are in cases/<problem>/<group>.yaml"}
	} else if err != nil {
		return nil, yamlstrict.FileError(dir, err)
	}
	var groups []string
	for _, e := range entries {
		name := e.Name()
		group, yaml := strings.CutSuffix(name, ".yaml")
		switch {
		case strings.HasPrefix(name, "."), name == lockFile, name == mutantsFile:
		case strings.HasSuffix(name, ".yml"):
			return nil, &yamlstrict.Error{File: filepath.Join(dir, name), Msg: "not read as a case file", Hint: "case files end in .yaml"}
		case !yaml:
		case !groupName().MatchString(group):
			return nil, &yamlstrict.Error{File: filepath.Join(dir, name), Msg: fmt.Sprintf("bad group name %q", group), Hint: "it must match " + namePattern}
		default:
			groups = append(groups, group)
		}
	}
	if len(groups) == 0 {
		return nil, &yamlstrict.Error{File: dir, Msg: "no case files", Hint: "write one, such as " + filepath.Join(dir, "sample.yaml")}
	}
	slices.SortFunc(groups, compareGroups)
	files := make([]string, len(groups))
	for i, g := range groups {
		files[i] = filepath.Join(dir, g+".yaml")
	}
	return files, nil
}

// compareGroups puts the group sample first and the others in alphabetical order.
func compareGroups(a, b string) int {
	rank := func(group string) int {
		if group == sampleGroup {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}
