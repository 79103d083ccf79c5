package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/cache"
)

// Compiling Go's standard library takes far longer than compiling a submission, so all builds share
// the compiled packages. A submission must not be able to write them, because it could change later
// programs. So before a build, the trusted toolchain compiles the standard packages that the
// submission imports, from the toolchain's own sources and outside the jail. The jail mounts them
// read-only; the go command there works without adding to them.

const (
	goFolder    = "go-build" // the folder in the cache that holds the compiled packages
	warmTimeout = 10 * time.Minute
	// warmLasts is the time after which compiled packages are renewed by a run of the go command
	// outside the jail. The go command deletes packages that it has not used for five days, and it
	// cannot record uses through the read-only mount.
	warmLasts = 24 * time.Hour
)

// warmGo compiles the standard packages that s imports, unless they are compiled already, and
// returns the folder that holds them. The caller must close the folder.
func (b *Builder) warmGo(ctx context.Context, s *Source, l Language, t *toolchain) (*cache.Folder, error) {
	f, err := b.options.Cache.Folder(goFolder)
	if err != nil {
		return nil, err
	}
	if err = b.warm(ctx, f, l, t, standardImports(s, t)); err != nil && ctx.Err() == nil {
		// The submission may import a package that cannot be compiled here, such as syscall/js; the
		// compiler in the jail will report that.
		err = b.warm(ctx, f, l, t, []string{"runtime"})
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// warm compiles packages of the standard library into a folder, unless it did so recently and they
// are undamaged. It checks their content because the go command checks only their size.
func (b *Builder) warm(ctx context.Context, f *cache.Folder, l Language, t *toolchain, packages []string) error {
	args := warmArguments(l.Build, packages)
	h := cache.NewHasher("warm 1")
	h.Text(t.Version)
	h.Text(l.Env...)
	h.Text(args...)
	list := "tribunal-" + string(h.Key())
	warm := func() bool {
		info, err := os.Stat(filepath.Join(f.Dir, list))
		return err == nil && time.Since(info.ModTime()) < warmLasts && f.Sound(list, soundPackage)
	}
	if warm() {
		return nil
	}
	release, err := f.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	if warm() {
		return nil // another judge has compiled them meanwhile
	}
	for range 3 {
		if err := b.compileLibrary(ctx, f.Dir, l, t, args); err != nil {
			return err
		}
		if sealed, err := f.Seal(list, soundPackage); sealed || err != nil {
			return err
		}
	}
	return fmt.Errorf("compiling Go's standard library: %s does not return the bytes that were written to it", f.Dir)
}

// soundPackage reports whether a file in the go command's cache is undamaged: the name of a result
// is its SHA-256. Other files, which the go command may rewrite, count as sound.
func soundPackage(name string, sum [sha256.Size]byte) bool {
	hash, result := strings.CutSuffix(filepath.Base(name), "-d")
	return !result || hash == hex.EncodeToString(sum[:])
}

// compileLibrary runs the go command to compile the packages that dir lacks.
func (b *Builder) compileLibrary(ctx context.Context, dir string, l Language, t *toolchain, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, warmTimeout)
	defer cancel()
	home, err := os.MkdirTemp(b.options.Temp, "go-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	cmd := hostCommand(ctx, t.Tools[l.Build[0]], args...)
	// Not /tmp: outside the jail, every user can write there.
	cmd.Env = append(t.environment(l), "GOCACHE="+dir, "HOME="+home, "TMPDIR="+home, "GOTMPDIR="+home)
	cmd.Env = append(cmd.Env, goSettings(t)...)
	cmd.Dir = "/" // a go.mod above the cache could select another version of Go
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling Go's standard library: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// goSettings returns an environment in which the go command reads no settings from files. A file
// below HOME could name another toolchain, and every user can write it if HOME is /tmp. The
// environment also turns off the index of a module's packages, which needs a writable cache.
func goSettings(t *toolchain) []string {
	list := []string{"GOENV=off", "GOWORK=off", "GODEBUG=goindex=0"}
	if info, err := os.Stat(filepath.Join(t.Root, "src", "runtime")); t.Root != "" && err == nil && info.IsDir() {
		list = append(list, "GOROOT="+t.Root)
	}
	return list
}

// standardImports returns runtime and the packages of the standard library that the sources import,
// sorted. Sources that do not parse are skipped; the compiler will report them.
func standardImports(s *Source, t *toolchain) []string {
	root := t.Root
	if root == "" {
		root = filepath.Dir(filepath.Dir(t.Tools["go"]))
	}
	found := map[string]bool{"runtime": true}
	for name, text := range s.files {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, i := range file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil || path == "C" || path == "unsafe" || !filepath.IsLocal(path) || filepath.Clean(path) != path {
				continue
			}
			// A submission chooses this text, so accept only public packages of the toolchain.
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "internal" || first == "cmd" {
				continue
			}
			if info, err := os.Stat(filepath.Join(root, "src", filepath.FromSlash(path))); err == nil && info.IsDir() {
				found[path] = true
			}
		}
	}
	list := make([]string, 0, len(found))
	for path := range found {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// warmArguments returns the arguments of a go command that compiles packages with the flags of the
// build command, but without an output file.
func warmArguments(command, packages []string) []string {
	var args []string
	for i, arg := range command {
		if i == 0 || arg == "-o" || strings.Contains(arg, "{") {
			continue
		}
		args = append(args, arg)
	}
	return append(append(args, "--"), packages...)
}
