package web

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"

	"tribunal/judge/judged/internal/ledger"
)

// archiveBounds bounds what an archive may claim to hold. A worker checks the bounds again while it extracts the
// archive, because an archive can lie.
type archiveBounds struct {
	files int
	total limits.Bytes // of all files
	links bool         // symbolic links are allowed
}

var (
	// Beside the files of the program, the archive may have others, such as products of compilers.
	sourceArchive  = archiveBounds{files: build.MaxFiles, total: 4 * build.MaxSource}
	packageArchive = archiveBounds{files: 1 << 20, total: 16 * limits.GiB, links: true}
)

// checkArchive returns an error unless data is a zip archive within bounds, whose files have unique names
// below its folder.
func checkArchive(data []byte, bounds archiveBounds) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && z == nil {
		return fmt.Errorf("not a zip archive: %w", err)
	}
	seen, packed, total := map[string]bool{}, uint64(0), uint64(0)
	files := 0
	for _, f := range z.File {
		if bad := badEntry(f, bounds); bad != "" {
			return fmt.Errorf("%.100q in the archive %s", f.Name, bad)
		}
		name := path.Clean(f.Name)
		if seen[name] {
			return fmt.Errorf("the archive has %.100q twice", f.Name)
		}
		seen[name] = true
		packed += min(f.CompressedSize64, 1<<50)
		total += min(f.UncompressedSize64, 1<<50)
		if !f.Mode().IsDir() {
			files++
		}
	}
	switch {
	case files == 0:
		return fmt.Errorf("the archive is empty")
	case files > bounds.files:
		return fmt.Errorf("an archive has at most %d files", bounds.files)
	case packed > uint64(len(data)):
		return fmt.Errorf("files of the archive share its bytes: a zip bomb")
	case total > uint64(bounds.total):
		return fmt.Errorf("the files of the archive have more than %v", bounds.total)
	}
	return nil
}

// badEntry says what is wrong with a file of an archive, "" if nothing is.
func badEntry(f *zip.File, bounds archiveBounds) string {
	name, mode := f.Name, f.Mode()
	switch {
	case name == "" || !utf8.ValidString(name) || strings.ContainsRune(name, 0):
		return "has no valid name"
	case strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || slices.Contains(strings.Split(name, "/"), ".."):
		return "leads out of it"
	case len(name) > 1000:
		return "has too long a name"
	case f.Flags&1 != 0:
		return "is encrypted"
	case mode.IsDir() || mode.IsRegular() || bounds.links && mode&fs.ModeSymlink != 0:
		return ""
	}
	return "is neither a file nor a folder"
}

// CheckSource returns what is wrong with the name or the content of a source that is handed in, nil if nothing is.
func CheckSource(name string, data []byte) error {
	if bad := badName(name); bad != "" {
		return errors.New(bad)
	}
	switch {
	case len(data) == 0:
		return errors.New("the source is empty")
	case strings.EqualFold(path.Ext(name), archiveExtension):
		return checkArchive(data, sourceArchive)
	}
	return nil
}

// CheckPackage returns what is wrong with an upload of a problem before a worker reads it, nil if nothing is.
func CheckPackage(id string, data []byte) error {
	if id == ledger.InlineProblem {
		return fmt.Errorf("the id %s is reserved", id)
	}
	return checkArchive(data, packageArchive)
}
