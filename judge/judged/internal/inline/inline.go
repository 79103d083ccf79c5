// Package inline packs test cases that come with a submission as a problem package.
package inline

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"time"
)

type Test struct{ Input, Output string }

// metadata is the problem.yaml of the package. Outputs are equal if their tokens are, so that none
// fails because of a newline.
const metadata = `problem_format_version: legacy
name: tests of a submission
validation: default
validator_flags: case_sensitive
`

// timeLimit is the time limit in seconds unless the submission brings its own.
const timeLimit = "2\n"

// Pack returns a package in the legacy Kattis format with these tests. The same tests give the same bytes, so that
// the hash of the package can identify the tests. Therefore nothing is compressed: other builds might compress
// differently.
func Pack(tests []Test) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, text string) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: epoch})
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, text)
		return err
	}
	if err := add("problem.yaml", metadata); err != nil {
		return nil, err
	}
	if err := add(".timelimit", timeLimit); err != nil {
		return nil, err
	}
	for i, t := range tests {
		name := fmt.Sprintf("data/secret/%04d", i+1)
		if err := add(name+".in", t.Input); err != nil {
			return nil, err
		}
		if err := add(name+".ans", t.Output); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// epoch is the time of all files. A zip file cannot hold an earlier one.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
