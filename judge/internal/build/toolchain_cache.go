package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/system"
)

// The outputs of version and root commands are stored in the cache, because some take a second to
// print, and a judge whose results are all cached should start no program. The size and times of a
// tool's file are part only of these keys, so that a touched file costs one run of the command.

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
	if !isProgram(real) {
		shimInputs(h, real) // a script that may choose among versions
	}
	lists(h, l.Version[1:], l.Env)
	return b.answer(h.Key(), false, func() (string, error) {
		return hostOutput(ctx, tool, l.Version[1:], l.Env)
	})
}

// root returns the folder that the language's root command prints. program is the path or name of
// the command's program; tool is the tool to find in the folder.
func (b *Builder) root(ctx context.Context, program, tool string, l Language) (string, error) {
	command := func() (string, error) {
		out, err := hostOutput(ctx, program, l.Root[1:], l.Env)
		return strings.TrimSpace(out), err
	}
	// shimInputs covers version managers with a folder named shims. Others, such as rustup, run
	// every time.
	if !filepath.IsAbs(program) || filepath.Base(filepath.Dir(program)) != "shims" {
		return command()
	}
	h := cache.NewHasher("root 1")
	h.Text(program, identity(program))
	shimInputs(h, program)
	lists(h, l.Root[1:], l.Env)
	root, err := b.answer(h.Key(), false, command)
	if err == nil && !executable(filepath.Join(root, "bin", tool)) {
		return b.answer(h.Key(), true, command) // that version may have been removed
	}
	return root, err
}

// identity returns a text that changes whenever the file does; "" if there is no such file.
func identity(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	return fmt.Sprint(system.IdentityOf(info))
}

// shimInputs adds everything by which a shim chooses a version to h: the environment, the files in
// which asdf, pyenv, goenv and the like keep the version in use, and the installed versions. Shims
// run in /, so that no other files count.
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

// answer returns the output that is stored under the key. If there is none, or fresh is set, it
// calls command and stores its output.
func (b *Builder) answer(key cache.Key, fresh bool, command func() (string, error)) (string, error) {
	put := b.options.Cache.Put
	if fresh {
		put = b.options.Cache.Replace
	} else if entry, err := b.options.Cache.Get(key); err != nil {
		return "", err
	} else if entry != nil {
		defer entry.Close()
		output, err := entry.Read(answerName)
		return string(output), err
	}
	output, err := command()
	if err != nil {
		return "", err
	}
	entry, err := put(key, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, answerName), []byte(output), 0o600)
	})
	if err != nil {
		return "", err
	}
	return output, entry.Close()
}

const answerName = "answer"
