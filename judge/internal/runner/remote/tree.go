//go:build linux

package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"os"
)

// tree is a folder that a caller has sent for jails to show.
type tree struct {
	key  string // hash of its files
	dir  string
	size int64
}

// trees are the folders of one connection, least recently used first. Runs of one program share
// boxes only if these show the same folder.
type trees []tree

// How many trees, and how many bytes in them, are kept between requests.
const (
	keptTrees     = 16
	keptTreeBytes = 64 << 20
)

// trim removes the oldest trees beyond these limits. No run may be in progress. A box that shows
// a removed tree keeps its files.
func (t *trees) trim() {
	total := int64(0)
	for _, one := range *t {
		total += one.size
	}
	for len(*t) > keptTrees || total > keptTreeBytes {
		total -= (*t)[0].size
		os.RemoveAll((*t)[0].dir)
		*t = (*t)[1:]
	}
}

func (t *trees) close() {
	for _, one := range *t {
		os.RemoveAll(one.dir)
	}
	*t = nil
}

// get returns the tree with these files, and creates it below parent if there is none.
func (t *trees) get(parent string, files []file, contents *contentReader) (tree, error) {
	names, err := json.Marshal(files)
	if err != nil {
		return tree{}, err
	}
	h := sha256.New()
	h.Write(names)
	var made tree
	start := *contents
	for _, f := range files {
		made.size += f.Size
	}
	if err := addContents(h, contents, made.size); err != nil {
		return tree{}, err
	}
	made.key = hex.EncodeToString(h.Sum(nil))
	for i, old := range *t {
		if old.key == made.key {
			*t = append(append((*t)[:i:i], (*t)[i+1:]...), old)
			return old, nil
		}
	}
	if made.dir, err = writeTree(parent, files, start.next); err != nil {
		return tree{}, err
	}
	*t = append(*t, made)
	return made, nil
}

// addContents adds the next size bytes of the contents to a hash.
func addContents(h hash.Hash, contents *contentReader, size int64) error {
	for size > 0 {
		data, err := contents.next(min(size, chunk))
		if err != nil {
			return err
		}
		h.Write(data)
		size -= int64(len(data))
	}
	return nil
}
