package judge0

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
)

// PackName is the name of the archives of [Pack].
const PackName = "judge0.zip"

// Pack returns a zip archive with a source, of this name, and the files of another zip archive, which it does not
// unpack. An error is the fault of the other archive.
func Pack(name string, source, files []byte) ([]byte, error) {
	from, err := zip.NewReader(bytes.NewReader(files), int64(len(files)))
	if err != nil {
		return nil, fmt.Errorf("not a zip archive: %w", err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	w, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err == nil {
		_, err = w.Write(source)
	}
	for _, f := range from.File {
		if path.Clean(f.Name) == name {
			return nil, fmt.Errorf("%s is the name of the source (hint: rename it in the archive)", name)
		}
		err = errors.Join(err, to.Copy(f))
	}
	err = errors.Join(err, to.Close())
	return b.Bytes(), err
}

// Unpack returns the source in an archive of [Pack]; of another archive it may return all.
func Unpack(data []byte) []byte {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(z.File) == 0 || z.File[0].Method != zip.Store {
		return data
	}
	raw, err := z.File[0].OpenRaw()
	if err != nil {
		return data
	}
	source, err := io.ReadAll(raw)
	if err != nil {
		return data
	}
	return source
}
