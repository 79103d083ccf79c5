package pkgformat_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/pkgdata"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// played returns the languages of packages, in which nothing is compiled: [play] plays their programs.
func played() map[string]build.Language {
	languages := build.Defaults()
	for name, l := range languages {
		languages[name] = build.Language{Match: l.Match, Assigned: l.Assigned, Shebang: l.Shebang, Run: []string{"sh", "{dir}/{main}"}}
	}
	return languages
}

// newMaker returns a maker whose programs are played.
func newMaker(t *testing.T) *pkgdata.Maker {
	t.Helper()
	local := runner.NewLocal(sandboxtest.New(t, play), 1)
	pool := run.NewPool(local, 1, time.Second)
	t.Cleanup(func() { pool.Close() })
	c := cachetest.Fresh(t)
	m := &pkgdata.Maker{Builder: build.New(build.Options{Languages: played(), Cache: c, Runner: local}), Pool: pool, Cache: c}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// play does what the lines of a program say that have "play: " in them, whatever its language is:
//
//	play: print TEXT
//	play: err TEXT          (standard error)
//	play: write FILE TEXT   (where it starts)
//	play: fill TIMES TEXT   (standard output, without an end of line)
//	play: spin              (for longer than it may)
//	play: exit STATUS
//
// In these, $args stands for the arguments, $1 for the first, $input for standard input, $sum for the sum of its
// numbers and $twice for twice that, and $(name) for the content of a file where the program starts; \n ends a line.
// A line that begins with "when TEXT: " counts if the arguments begin with the text, and one with "else: " if no such
// line before it counted.
func play(_ context.Context, r sandboxtest.Run) (result sandbox.Result, err error) {
	if strings.HasSuffix(r.Spec.Folder.Path, "/build") { // scripts, which have nothing to build
		for _, f := range r.FolderFiles {
			data, err := io.ReadAll(f.From())
			if err := errors.Join(err, put(r.Dir, path.Base(f.Name), string(data))); err != nil {
				return result, err
			}
			if err := os.Chmod(filepath.Join(r.Dir, path.Base(f.Name)), f.Mode.Perm()); err != nil {
				return result, err
			}
		}
		return result, nil
	}
	lines, args, err := script(r)
	if err != nil {
		return result, err
	}
	all, total := strings.Join(args, " "), sum(string(r.Input))
	replace := []string{
		`\\`, `\`, `\n`, "\n", "$args", all, "$input", strings.TrimSpace(string(r.Input)), "$sum", strconv.Itoa(total), "$twice", strconv.Itoa(2 * total),
	}
	given := map[string]string{}
	for _, f := range r.FolderFiles {
		if f.Mode.IsDir() {
			continue
		}
		data, err := io.ReadAll(f.From())
		if err != nil {
			return result, err
		}
		text := strings.TrimSpace(string(data))
		replace = append(replace, "$("+f.Name+")", text)
		if len(args) > 0 && args[0] == f.Name {
			replace = append(replace, "$($1)", text)
		}
		given[f.Name] = string(data)
	}
	for name, text := range given {
		if err := put(r.Dir, name, text); err != nil {
			return result, err
		}
	}
	for i, arg := range args {
		replace = append(replace, "$"+strconv.Itoa(i+1), arg)
	}
	fill := strings.NewReplacer(replace...)
	met := false
	for _, line := range lines {
		if rest, is := strings.CutPrefix(line, "when "); is {
			prefix, does, _ := strings.Cut(rest, ": ")
			if !strings.HasPrefix(all, prefix) {
				continue
			}
			line, met = does, true
		} else if does, is := strings.CutPrefix(line, "else: "); is {
			if met {
				continue
			}
			line = does
		}
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "print":
			result.Stdout += r.Print(fill.Replace(rest) + "\n").Stdout
		case "err":
			if _, err := r.Stderr.Write([]byte(fill.Replace(rest) + "\n")); err != nil {
				return result, err
			}
		case "write":
			name, text, _ := strings.Cut(rest, " ")
			if err := put(r.Dir, fill.Replace(name), fill.Replace(text)+"\n"); err != nil {
				return result, err
			}
		case "fill":
			times, text, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(times)
			if err != nil {
				return result, err
			}
			result.Stdout += r.Print(strings.Repeat(fill.Replace(text), n)).Stdout
		case "spin":
			return sandbox.Result{Stop: sandbox.OverCPU, CPU: r.Limits.CPU + time.Second}, nil
		case "exit":
			result.ExitCode, err = strconv.Atoi(fill.Replace(rest))
			return result, err
		default:
			return result, fmt.Errorf("unknown line %q", line)
		}
	}
	return result, nil
}

// script returns the lines that a run plays, and its arguments. They are those of the main file, or else of another
// file of the program.
func script(r sandboxtest.Run) (lines, args []string, err error) {
	dir, main := "", ""
	for _, m := range r.Spec.Mounts {
		if strings.HasPrefix(m.Source, os.TempDir()) && dir == "" { // in the cache
			dir = m.Source
		}
	}
	for i, arg := range r.Args[1:] {
		if main == "" {
			main, args = path.Base(arg), r.Args[i+2:]
		}
	}
	var files []string
	err = filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, at)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(files, func(a, b string) int {
		is := func(at string) int {
			if filepath.Base(at) == main {
				return 0
			}
			return 1
		}
		return is(a) - is(b)
	})
	for _, at := range files {
		text, err := os.ReadFile(at)
		if err != nil {
			return nil, nil, err
		}
		for line := range strings.Lines(string(text)) {
			if _, says, is := strings.Cut(line, "play: "); is {
				lines = append(lines, strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(says), "*/"), " "))
			}
		}
		if lines != nil {
			break
		}
	}
	return lines, args, nil
}

// sum returns the sum of the numbers in a text.
func sum(text string) int {
	all := 0
	for _, word := range strings.Fields(text) {
		n, _ := strconv.Atoi(word)
		all += n
	}
	return all
}

// put writes a file below dir, and the folders around it.
func put(dir, name, text string) error {
	at := filepath.Join(dir, filepath.FromSlash(name))
	return errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644))
}

// unpackInto writes the files of a package below dir. A file in a "folder" whose name ends with .zip goes into an
// archive of that name; "name -> target" is a symbolic link, and a name that ends with a slash a folder.
func unpackInto(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	archives := map[string]map[string][]byte{}
	for name, data := range files {
		var err error
		at := filepath.Join(dir, filepath.FromSlash(name))
		switch archive, inside, zipped := strings.Cut(name, ".zip/"); {
		case zipped:
			if archive += ".zip"; archives[archive] == nil {
				archives[archive] = map[string][]byte{}
			}
			archives[archive][inside] = data
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(at, 0o755)
		default:
			if from, to, is := strings.Cut(name, " -> "); is {
				at = filepath.Join(dir, filepath.FromSlash(from))
				err = errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(to, at))
			} else {
				err = put(dir, name, string(data))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for archive, inside := range archives {
		var b strings.Builder
		w := zip.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(inside)) {
			f, err := w.Create(name)
			if err == nil {
				_, err = f.Write(inside[name])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), put(dir, archive, b.String())); err != nil {
			t.Fatal(err)
		}
	}
}
