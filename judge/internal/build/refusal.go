package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
)

// RememberRefusals makes the builder remember what compilers refuse, and believe it from the
// second time on: a host may lack memory or room at one moment, and hardly twice with the
// same words. That is for checks of programs that stay as they are; a contestant's program
// is always compiled. fresh takes nothing of what is known. It must be called before Build.
func (b *Builder) RememberRefusals(fresh bool) { b.remember, b.fresh = true, fresh }

// wordsName is the file of an entry for a refusal: what the compiler said.
const wordsName = "words"

// refusalKeys returns the keys of a source that was refused once and twice. Besides all that
// a program depends on they hold the limits of the compiler and the times of the
// toolchain's folders: a library that is installed later may make the source a right one.
func (b *Builder) refusalKeys(s *Source, key cache.Key, t *toolchain) (once, twice cache.Key) {
	h := cache.NewHasher("refusal 1")
	h.Text(string(key), fmt.Sprintf("%+v", b.compiler(s)), b.options.Output.String())
	paths := append(slices.Concat(t.Mounts, t.Roots), t.Tools[firstWord(b.language(s.Language).Build)])
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

// stamp adds to h what changes with the content of a file or folder.
func stamp(h *cache.Hasher, path string) {
	if info, err := os.Stat(path); err == nil {
		h.Text(path, fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
	}
}

func firstWord(command []string) string { return strings.Join(command[:min(len(command), 1)], "") }

// refused returns how a source was refused twice before, nil if it was not.
func (b *Builder) refused(s *Source, key cache.Key, t *toolchain) *CompileError {
	if !b.remember || b.fresh {
		return nil
	}
	_, twice := b.refusalKeys(s, key, t)
	words, ok := b.words(twice)
	if !ok {
		return nil
	}
	return &CompileError{Output: words, lasting: true}
}

func (b *Builder) words(key cache.Key) (string, bool) {
	entry, err := b.options.Cache.Get(key)
	if err != nil || entry == nil {
		return "", false
	}
	defer entry.Close()
	text, err := entry.Read(wordsName)
	return string(text), err == nil
}

// noteRefusal remembers a refusal. What cannot be written costs another compilation.
func (b *Builder) noteRefusal(s *Source, key cache.Key, t *toolchain, refused *CompileError) {
	if !b.remember || !refused.lasting {
		return
	}
	once, twice := b.refusalKeys(s, key, t)
	at := once
	if words, ok := b.words(once); ok && words == refused.Output {
		at = twice
	} else {
		b.options.Cache.Drop(twice)
	}
	entry, err := b.options.Cache.Replace(at, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, wordsName), []byte(refused.Output), 0o600)
	})
	if err == nil {
		entry.Close()
	}
}
