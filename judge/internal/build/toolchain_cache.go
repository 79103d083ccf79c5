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

// The answers of toolchains about themselves are stored in the cache, because some take a second to
// answer, and a judge whose results are all cached should start no program. The times of a tool's
// file decide only whether the tool is asked again; they are part of no other key.

// version returns the output of the language's version command.
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
		shimInputs(h, real) // a script that chooses a version
	}
	lists(h, l.Version[1:], l.Env)
	return b.answer(h.Key(), false, func() (string, error) {
		return hostOutput(ctx, tool, l.Version[1:], l.Env)
	})
}

// root returns the folder that the language's root command prints, run with the program at ask, if
// tool was found as a shim.
func (b *Builder) root(ctx context.Context, ask, tool string, l Language) (string, error) {
	question := func() (string, error) {
		out, err := hostOutput(ctx, ask, l.Root[1:], l.Env)
		return strings.TrimSpace(out), err
	}
	// Version managers with a folder named shims choose by known inputs. Others, such as rustup,
	// are asked every time.
	if !filepath.IsAbs(ask) || filepath.Base(filepath.Dir(ask)) != "shims" {
		return question()
	}
	h := cache.NewHasher("root 1")
	h.Text(ask, identity(ask))
	shimInputs(h, ask)
	lists(h, l.Root[1:], l.Env)
	root, err := b.answer(h.Key(), false, question)
	if err == nil && !executable(filepath.Join(root, "bin", tool)) {
		return b.answer(h.Key(), true, question) // the version may have been removed
	}
	return root, err
}

// identity returns a text that changes whenever the file does.
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

// shimInputs adds to h everything by which a shim chooses a version: the environment, the files
// where asdf, pyenv, goenv and the like keep the version in use, and the installed versions. Shims
// run in the root folder, so that no other files count.
func shimInputs(h *cache.Hasher, shim string) {
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

// answer returns the answer that is stored under the key. If there is none, or anew is set, it
// calls ask and stores the answer.
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
