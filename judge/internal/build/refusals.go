package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
)

// RememberRefusals makes the builder compile a source that fails once more, and store its error in the
// cache if the messages are the same: a lack of memory or disk space on the host rarely causes the same
// messages twice. The builder then returns the error without compiling. It is meant for checks of
// programs that do not change; a contestant's program is always compiled. If fresh is set, the builder
// stores compile errors but uses none. Call RememberRefusals before Build.
func (b *Builder) RememberRefusals(fresh bool) { b.remember, b.fresh = true, fresh }

// messageName is the file that contains the compiler's output in the cache entry of a refusal.
const messageName = "words"

// refusalKey returns the cache key under which the refusal of a source is stored. Besides everything
// that the program depends on, it covers the limits of the compiler, and the times of the toolchain's
// folders, because the source may compile after a library is installed.
func (b *Builder) refusalKey(s *Source, key cache.Key, t *toolchain) cache.Key {
	h := cache.NewHasher("refusal 2")
	h.Text(string(key), fmt.Sprintf("%+v", b.compiler(s)), b.options.Output.String())
	stampAll(h, append(slices.Concat(t.Mounts(), t.Roots), t.Tools[firstWord(b.language(s.Language).Build)]))
	return h.Key()
}

// modules matches, below the folders of an interpreter, what package managers install for all programs, and packages
// lists the files in which those of Linux keep what is installed.
var (
	modules  = []string{"*-packages/*", "python*/*-packages/*", "lib/python*/*-packages/*", "lib/node_modules/*", "lib/ruby/gems/*/gems/*"}
	packages = []string{"/var/lib/dpkg/status", "/var/lib/rpm/rpmdb.sqlite", "/lib/apk/db/installed", "/var/lib/pacman/local"}
)

// stampAll adds the sizes and times of files and folders, of the folders and modules in them, and of the lists of
// installed packages. Some of these files are the same on all machines that share an image, and so are their stamps.
func stampAll(h *cache.Hasher, paths []string) {
	for _, path := range slices.Concat(packages, paths) {
		stamp(h, path)
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if e.IsDir() {
				stamp(h, filepath.Join(path, e.Name()))
			}
		}
		for _, pattern := range modules {
			found, _ := fs.Glob(os.DirFS(path), pattern) // the patterns are well-formed
			for _, name := range found {
				if filepath.Base(name) != "__pycache__" {
					stamp(h, filepath.Join(path, name))
				}
			}
		}
	}
}

// stamp adds the size and time of a file or folder to h.
func stamp(h *cache.Hasher, path string) {
	if info, err := os.Stat(path); err == nil {
		h.Text(path, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
	}
}

func firstWord(command []string) string { return strings.Join(command[:min(len(command), 1)], "") }

// knownRefusal returns the stored error of a source, and otherwise nil.
func (b *Builder) knownRefusal(s *Source, key cache.Key, t *toolchain) *CompileError {
	if !b.remember || b.fresh {
		return nil
	}
	entry, err := b.options.Cache.Get(b.refusalKey(s, key, t))
	if err != nil || entry == nil {
		return nil
	}
	defer entry.Close()
	words, err := entry.Read(messageName)
	if err != nil {
		return nil
	}
	return &CompileError{Output: string(words), repeatable: true}
}

// recordRefusal compiles a refused source again, and stores the refusal if it is the same. It ignores
// errors, because they only cost another compilation.
func (b *Builder) recordRefusal(ctx context.Context, s *Source, l Language, t *toolchain, key cache.Key, refused *CompileError) {
	if !b.remember || !refused.repeatable {
		return
	}
	dir, err := os.MkdirTemp(b.options.Temp, "refused-")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	again, ok := errors.AsType[*CompileError](b.compile(ctx, s, l, t, dir))
	at := b.refusalKey(s, key, t)
	if !ok || again.Output != refused.Output {
		b.options.Cache.Drop(at)
		return
	}
	entry, err := b.options.Cache.Replace(at, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, messageName), []byte(refused.Output), 0o600)
	})
	if err == nil {
		entry.Close()
	}
}
