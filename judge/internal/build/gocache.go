package build

import (
	"context"
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

// Compiling Go's standard library takes far longer than a submission, so compiled
// packages are shared. A submission must not be able to write there: whoever can
// changes what later programs are made of. So the packages that it imports are
// compiled beforehand, by the trusted toolchain from its own sources and outside
// the jail, and the jail sees the result read-only. What the go command would
// like to add from inside is lost, which it takes well.

const (
	warmTimeout = 10 * time.Minute
	// The go command drops what it has not used for five days. It does not see
	// uses through the read-only mount, so they are renewed.
	warmLasts = 24 * time.Hour
)

// warmGo sees to it that the standard packages that s imports are compiled, and
// returns the folder that holds them.
func (b *Builder) warmGo(ctx context.Context, s *Source, l Language, t *toolchain) (string, error) {
	dir := filepath.Join(b.options.Cache.Dir(), "go-build")
	if err := b.warm(ctx, dir, l, t, standardImports(s, t)); err == nil || ctx.Err() != nil {
		return dir, err
	}
	// A submission chooses what it imports, and a package that cannot be compiled
	// here, such as syscall/js, is not the judge's failure: the compiler in the jail
	// will tell.
	return dir, b.warm(ctx, dir, l, t, []string{"runtime"})
}

// warm compiles packages of the standard library into dir, unless it did so lately.
func (b *Builder) warm(ctx context.Context, dir string, l Language, t *toolchain, packages []string) error {
	args := warmArguments(l.Build, packages)
	h := cache.NewHasher("warm 1")
	h.Text(t.Version)
	h.Text(l.Env...)
	h.Text(args...)
	marker := filepath.Join(dir, "tribunal-"+string(h.Key()))
	if info, err := os.Stat(marker); err == nil && time.Since(info.ModTime()) < warmLasts {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, warmTimeout)
	defer cancel()
	home, err := os.MkdirTemp(b.options.Host.Temp(), "go-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	cmd := hostCommand(ctx, t.Tools[l.Build[0]], args...)
	// Outside the jail, /tmp is everybody's.
	cmd.Env = append(t.environment(l), "GOCACHE="+dir, "HOME="+home, "TMPDIR="+home, "GOTMPDIR="+home)
	cmd.Env = append(cmd.Env, goSettings(t)...)
	cmd.Dir = "/" // above the cache may lie a go.mod that asks for another version
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling Go's standard library: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return os.WriteFile(marker, nil, 0o600)
}

// goSettings keeps the go command from looking for its settings in files: one below
// HOME, which anybody may write when that is /tmp, could name another toolchain. It
// also keeps no index of a module's packages, which it cannot do without a cache that
// it can write: it makes one of sources that are older than two seconds, no others.
func goSettings(t *toolchain) []string {
	list := []string{"GOENV=off", "GOWORK=off", "GODEBUG=goindex=0"}
	if info, err := os.Stat(filepath.Join(t.Root, "src", "runtime")); t.Root != "" && err == nil && info.IsDir() {
		list = append(list, "GOROOT="+t.Root)
	}
	return list
}

// standardImports returns the packages of the standard library that the sources
// import, sorted, and always runtime. Sources that do not parse have none; the
// compiler will say so.
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
			// Only plain packages of the toolchain: a submission chooses this text.
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

// warmArguments turns the build command into one that compiles packages with the
// same flags and keeps no result.
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
