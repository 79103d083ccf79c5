package parcel

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/archive"
)

// Is reports whether an archive or a folder has files like problems/maze.yaml, which no package
// has. It is false for an archive that cannot be read.
func Is(name string) bool {
	f, info, err := regular.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	if info.IsDir() {
		entries, _ := repo.Entries(filepath.Join(name, "problems"))
		for _, e := range entries {
			if path.Ext(e.Name()) == ".yaml" {
				return true
			}
		}
		return false
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return false
	}
	for _, file := range z.File {
		if ok, _ := path.Match("problems/*.yaml", file.Name); ok {
			return true
		}
	}
	return false
}

// Open reads the problem of a parcel and checks its cases. The parcel is an archive that [Pack]
// wrote, which is extracted into a new folder in scratch, or a folder with the same files. The
// caller removes scratch when the problem is not used any more. Every error is a
// [*yamlstrict.Error], the context's, or one of scratch.
func Open(ctx context.Context, name string, scratch func() (string, error)) (*problem.Problem, error) {
	f, info, err := regular.Open(name)
	if err != nil {
		return nil, yamlstrict.FileError(name, err)
	}
	defer f.Close()
	if info.IsDir() {
		return load(name, name)
	}
	dir, err := archive.Extract(ctx, name, f, scratch, archive.Usual())
	if err != nil {
		return nil, err
	}
	p, err := load(dir, name)
	if located, ok := errors.AsType[*yamlstrict.Error](err); ok {
		return nil, renamed(located, dir, name)
	}
	return p, err
}

// load reads the only problem of the repository in dir, which messages call name.
func load(dir, name string) (*problem.Problem, error) {
	ids, err := repo.List(dir)
	if err != nil {
		return nil, err
	}
	if len(ids) != 1 {
		return nil, &yamlstrict.Error{File: name, Msg: fmt.Sprintf("holds %d problems: %.100s", len(ids), strings.Join(ids, ", ")), Hint: "a parcel holds one"}
	}
	p, err := repo.Load(dir, ids[0])
	if err != nil {
		return nil, err
	}
	_, err = p.Cases()
	return p, err
}

// renamed returns an error about an archive, which the user knows by its name, instead of about the
// folder dir with its files.
func renamed(e *yamlstrict.Error, dir, name string) *yamlstrict.Error {
	other := *e
	spell := strings.NewReplacer(dir+string(os.PathSeparator), strings.TrimSuffix(name, "/")+"/", dir, name).Replace
	other.File, other.Msg, other.Hint = spell(e.File), spell(e.Msg), spell(e.Hint)
	return &other
}
