package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/cache"
)

// What toolchains say of themselves is remembered in the cache, for some take a
// second and a judge that has nothing to do should start no program. The times of a
// file decide only whether it is asked again; they are part of no other key.

// version returns what the language's version command prints.
func (b *Builder) version(ctx context.Context, tool string, l Language) (string, error) {
	real, err := filepath.EvalSymlinks(tool)
	if err != nil {
		return "", err
	}
	if slices.Equal(l.Version[1:], []string{"version"}) && slices.Contains(l.Env, "GOTOOLCHAIN=local") {
		if d, ok := readDistribution(real); ok {
			return fmt.Sprintf("go version %s %s\n", d.version, d.platform), nil
		}
	}
	h := cache.NewHasher("version 3")
	h.Text(tool, identity(real))
	if !isELF(real) {
		surroundings(h, real) // a script that chooses among others
	}
	lists(h, l.Version[1:], l.Env)
	return b.answer(h.Key(), false, func() (string, error) {
		return hostOutput(ctx, tool, l.Version[1:], l.Env)
	})
}

// root returns the folder that the language's root command prints, asked of the
// program at ask, when tool has been found as a shim.
func (b *Builder) root(ctx context.Context, ask, tool string, l Language) (string, error) {
	question := func() (string, error) {
		out, err := hostOutput(ctx, ask, l.Root[1:], l.Env)
		return strings.TrimSpace(out), err
	}
	// Of the version managers, it is known for those with a folder of shims what they
	// choose by. The others, such as rustup, are asked every time.
	if !filepath.IsAbs(ask) || filepath.Base(filepath.Dir(ask)) != "shims" {
		return question()
	}
	h := cache.NewHasher("root 1")
	h.Text(ask, identity(ask))
	surroundings(h, ask)
	lists(h, l.Root[1:], l.Env)
	root, err := b.answer(h.Key(), false, question)
	if err == nil && !executable(filepath.Join(root, "bin", tool)) {
		return b.answer(h.Key(), true, question) // it may have been removed
	}
	return root, err
}

// identity changes whenever a file does.
func identity(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	id := fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		id += fmt.Sprint(" ", s.Dev, s.Ino, s.Ctim.Nano())
	}
	return id
}

// surroundings adds to h what a shim chooses a version by: the environment, the file
// where pyenv, goenv and their like keep the version in use, the one of asdf, and what
// versions are installed. The shim is asked in the root folder, so that no other
// files count.
func surroundings(h *cache.Hasher, shim string) {
	environment := os.Environ()
	slices.Sort(environment)
	h.Text(environment...)
	manager := filepath.Dir(filepath.Dir(shim))
	home, _ := os.UserHomeDir()
	for _, file := range []string{
		filepath.Join(manager, "version"), filepath.Join(home, ".tool-versions"),
		filepath.Join(manager, "versions"),
	} {
		h.Text(file, identity(file))
	}
}

// answer returns what was said under the key before, unless anew is set, or asks.
func (b *Builder) answer(key cache.Key, anew bool, ask func() (string, error)) (string, error) {
	put := b.options.Cache.Put
	if anew {
		put = b.options.Cache.Replace
	} else if entry, err := b.options.Cache.Get(key); err != nil {
		return "", err
	} else if entry != nil {
		defer entry.Close()
		said, err := entry.Read(answerName)
		return string(said), err
	}
	said, err := ask()
	if err != nil {
		return "", err
	}
	entry, err := put(key, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, answerName), []byte(said), 0o600)
	})
	if err != nil {
		return "", err
	}
	return said, entry.Close()
}

const answerName = "answer"
