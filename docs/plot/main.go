// Program plot reads the output of `go test -bench` and writes it into a document as tables, with
// pictures of solvers beside the document:
//
//	go test -run - -bench . -count 3 ./reference/slink | go run ./docs/plot
//	go test -run - -bench Compare -benchtime 1x -count 5 ./judge | go run ./docs/plot docs/performance.md
//
// The figures of a problem's solver, or of a benchmark of another package, replace the text between
// two lines of the document, by default docs/solvers.md:
//
//	<!-- figures: slink -->
//	<!-- end of figures -->
//
// The pictures go into a folder with the name of the document, such as docs/solvers. What was not
// measured keeps its figures. The same measurements always give the same bytes. If plot fails, it
// changes no file.
//
// bench.go parses the output of the benchmarks, table.go makes the tables, charts.go the pictures.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stderr))
}

func run(args []string, in io.Reader, stderr io.Writer) int {
	document := filepath.Join("docs", "solvers.md")
	switch {
	case len(args) == 1 && !strings.HasPrefix(args[0], "-"):
		document = args[0]
	case len(args) > 0:
		fmt.Fprintln(stderr, "usage: go test -run - -bench . ./reference/... | plot [DOCUMENT]")
		return 2
	}
	if err := update(document, in); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// update writes measurements into a document and its pictures.
func update(document string, in io.Reader) error {
	subjects, err := parse(in)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	folder := strings.TrimSuffix(document, filepath.Ext(document))
	var files []file
	figures := map[string]string{}
	for _, s := range subjects {
		figures[s.id] = tables(s)
		for _, c := range charts(s) {
			files = append(files, file{filepath.Join(folder, c.name+".svg"), c.svg})
			figures[s.id] += fmt.Sprintf("\n![%s](%s/%s.svg)\n", c.title, filepath.Base(folder), c.name)
		}
	}
	if text, err = splice(text, figures); err != nil {
		return fmt.Errorf("%s:%w", document, err)
	}
	return write(append(files, file{document, text}))
}

type file struct {
	path string
	data []byte
}

// write writes all files. If a file cannot be written, it changes none; only an error of a rename
// can leave some of them changed.
func write(files []file) (err error) {
	var temps []string
	defer func() {
		for _, t := range temps {
			err = errors.Join(err, os.Remove(t))
		}
	}()
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
			return err
		}
		temp := f.path + ".new"
		temps = append(temps, temp)
		if err := os.WriteFile(temp, f.data, 0o644); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := os.Rename(temps[0], f.path); err != nil {
			return err
		}
		temps = temps[1:]
	}
	return nil
}

const (
	begin = "<!-- figures: "
	end   = "<!-- end of figures -->"
)

// splice replaces the given figures in the document, by subject, and keeps all others. Its errors
// begin with a line number.
func splice(document []byte, figures map[string]string) ([]byte, error) {
	var out bytes.Buffer
	places := map[string]int{}
	id, number, opened := "", 0, 0
	for line := range strings.Lines(string(document)) {
		number++
		text := strings.TrimSpace(line)
		name, begins := strings.CutPrefix(text, begin)
		switch {
		case begins && opened > 0:
			return nil, noEnd(id, opened)
		case begins:
			id, opened = strings.TrimSuffix(name, " -->"), number
			if places[id] > 0 {
				return nil, fmt.Errorf("%d: the figures of %s already have a place in line %d", number, id, places[id])
			}
			places[id] = number
			if f, measured := figures[id]; measured {
				line += "\n" + f + "\n"
			}
		case text == end:
			opened = 0
		case opened > 0 && figures[id] != "":
			continue
		}
		out.WriteString(line)
	}
	if opened > 0 {
		return nil, noEnd(id, opened)
	}
	for _, id := range slices.Sorted(maps.Keys(figures)) {
		if places[id] == 0 {
			return nil, fmt.Errorf("%d: no place for the figures of %s (hint: add two lines, %s%s --> and %s)", number, id, begin, id, end)
		}
	}
	return out.Bytes(), nil
}

func noEnd(id string, line int) error {
	return fmt.Errorf("%d: the figures of %s have no end (hint: add a line %s)", line, id, end)
}
