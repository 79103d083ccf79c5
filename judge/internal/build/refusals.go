package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
)

// RememberRefusals makes the builder store compile errors in the cache. Once a source has failed
// twice with the same messages, the builder returns the error without compiling: a lack of memory
// or disk space on the host rarely causes the same messages twice. It is meant for checks of
// programs that do not change; a contestant's program is always compiled. If fresh is set, the
// builder stores compile errors but uses none. Call RememberRefusals before Build.
func (b *Builder) RememberRefusals(fresh bool) { b.remember, b.fresh = true, fresh }

// messageName is the file that contains the compiler's output in the cache entry of a refusal.
const messageName = "words"

// refusalKeys returns the cache keys under which a source's first and second refusal are stored.
// Besides everything that the program depends on, they cover the limits of the compiler, and the
// times of the toolchain's folders, because the source may compile after a library is installed.
func (b *Builder) refusalKeys(s *Source, key cache.Key, t *toolchain) (once, twice cache.Key) {
	h := cache.NewHasher("refusal 1")
	h.Text(string(key), fmt.Sprintf("%+v", b.compiler(s)), b.options.Output.String())
	paths := append(slices.Concat(t.Mounts(), t.Roots), t.Tools[firstWord(b.language(s.Language).Build)])
	for _, path := range paths {
		stamp(h, path)
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if e.IsDir() {
				stamp(h, filepath.Join(path, e.Name()))
			}
		}
	}
	all := h.Key()
	keyOf := func(times string) cache.Key {
		h := cache.NewHasher("refused " + times)
		h.Text(string(all))
		return h.Key()
	}
	return keyOf("once"), keyOf("twice")
}

// stamp adds the size and time of a file or folder to h.
func stamp(h *cache.Hasher, path string) {
	if info, err := os.Stat(path); err == nil {
		h.Text(path, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
	}
}

func firstWord(command []string) string { return strings.Join(command[:min(len(command), 1)], "") }

// knownRefusal returns the error of a source that has been refused twice, and otherwise nil.
func (b *Builder) knownRefusal(s *Source, key cache.Key, t *toolchain) *CompileError {
	if !b.remember || b.fresh {
		return nil
	}
	_, twice := b.refusalKeys(s, key, t)
	words, ok := b.readRefusal(twice)
	if !ok {
		return nil
	}
	return &CompileError{Output: words, repeatable: true}
}

func (b *Builder) readRefusal(key cache.Key) (string, bool) {
	entry, err := b.options.Cache.Get(key)
	if err != nil || entry == nil {
		return "", false
	}
	defer entry.Close()
	text, err := entry.Read(messageName)
	return string(text), err == nil
}

// recordRefusal stores a refusal. It ignores errors, because they only cost another compilation.
func (b *Builder) recordRefusal(s *Source, key cache.Key, t *toolchain, refused *CompileError) {
	if !b.remember || !refused.repeatable {
		return
	}
	once, twice := b.refusalKeys(s, key, t)
	at := once
	if words, ok := b.readRefusal(once); ok && words == refused.Output {
		at = twice
	} else {
		b.options.Cache.Drop(twice)
	}
	entry, err := b.options.Cache.Replace(at, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, messageName), []byte(refused.Output), 0o600)
	})
	if err == nil {
		entry.Close()
	}
}
