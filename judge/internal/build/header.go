package build

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
)

// Most programs in C++ that are written for contests begin with #include <bits/stdc++.h>, and reading that takes GCC
// four times as long as the rest. GCC reads a header from a compiled form, if a folder that it searches first has one,
// which was made by the same compiler with the same options, and if no token comes before the line
// (https://gcc.gnu.org/onlinedocs/gcc/Precompiled-Headers.html). The judge makes that form in the jail from the one line
// and keeps it in the cache. The compiler makes the same program from it, so it is part of no key.
//
// For javac the form is an archive of its own classes, without which it takes half as long again. It is made while javac
// compiles the hello program, and holds nothing of that.
const (
	archiveName  = "javac" // in the place of a header's name
	headerSource = "everything.h"
	headerStamps = "headers" // in the entry: size and time of each header of which the form was made
	headerForms  = "forms"   // in the entry: the folder that GCC searches for forms
	// headerMost is the size of the smallest cache that keeps forms, which have up to 120 MiB, and headerRoom the least
	// room on the disk for one.
	headerMost = limits.GiB
	headerRoom = 256 * limits.MiB
	// headerSaves and headerTime are more memory and CPU time than a form can save a compilation. What comes so near to
	// a limit is compiled without: a program that only compiles with the form must not compile. The limits themselves
	// stay, because a program can make the assembler read them in /proc. So much is also enough to make a form.
	headerSaves = 512 * limits.MiB
	headerTime  = 10 * time.Second
	// headerPause is the time after which a form that could not be made is tried again.
	headerPause = 10 * time.Minute
)

// headerFirst matches the beginning of a source whose first token includes a header of which there are forms: others
// take GCC less time. No comment may have a backslash, which would join lines.
var headerFirst = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\s|//[^\\\n]*\n|/\*[^*\\]*\*+(?:[^*/\\][^*\\]*\*+)*/)*#[ \t]*include[ \t]*<(bits/stdc\+\+\.h|iostream)>[ \t\r]*(?://[^\\\n]*)?\n`)
})

// headerSeen matches words with which a source could notice how it is compiled: by what the preprocessor finds, or by
// what the assembler reads, which gets text of the source from asm, and from the names in attributes. No name can be put
// together from parts without ##. joined matches the end of a line that belongs to the next one.
var (
	headerSeen = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b_*asm_*\b|attribute|\b_*gnu_*\b|##|%:|\?\?|has_include|embed|dependency|include_next|COUNTER|INCLUDE_LEVEL|pch|gch`)
	})
	joined = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[ \t\r\f\v\x00]*\n`) })
)

// headerFlag matches the arguments that neither make GCC refuse the form nor name files or folders, in which the header
// would find others: <vector> beside the source.
var headerFlag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\{\w+\}|-o|-[DUOlmw]\S+|-W(?:l,\S+|[\w=-]+)|-std=\S+|-f(?:lto|no-|omit|strict|unroll|wrapv|stack|concepts|char8_t)\S*|-pipe|-static|-pthread|-s|-w)$`)
})

// headerFolder returns a folder for forms in the jail. No source knows its name, also not one that makes the assembler
// read a file, by a macro of a system header. Below it, a form lies in a folder with the name of its header, under a
// name that no source knows either: __has_include, which such a macro can spell, finds no folders.
func headerFolder() string { return "/pch" + rand.Text() }

// precompilable returns the header whose compiled form can make no difference to the program but the time, or "".
func (s *Source) precompilable(l Language, t *toolchain) string {
	if s.Language == "java" && len(l.Build) > 0 && l.Build[0] == "javac" {
		return archiveName
	}
	if s.Language != "cpp" || len(l.Build) == 0 || l.Build[0] != "g++" || !strings.Contains(t.Version, "Free Software Foundation") ||
		slices.ContainsFunc(l.Build[1:], func(arg string) bool { return !headerFlag().MatchString(arg) }) {
		return ""
	}
	if len(l.Env) > 0 || s.terms.options != nil || s.hasIncludes() { // options would need a form each; the others may name folders that come before those of the compiler
		return ""
	}
	sources := s.inOrder(l)
	if len(sources) != 1 {
		return ""
	}
	first := headerFirst().FindSubmatch(s.files[sources[0]])
	if first == nil {
		return ""
	}
	for _, text := range s.files { // any of them may be included
		if headerSeen().Match(joined().ReplaceAll(text, nil)) {
			return ""
		}
	}
	return string(first[1])
}

// header returns the compiled header for a source, or nil if there is none that it may use. It makes it for the second
// program that could use it; other programs do not wait for that, and compile without. The caller must close the entry.
func (b *Builder) header(ctx context.Context, s *Source, l Language, t *toolchain) *cache.Entry {
	bounds := b.compiler(s)
	if cap := b.options.Cache.Cap(); cap > 0 && cap < headerMost ||
		min(b.options.Memory, bounds.Memory) < 2*headerSaves || min(b.options.Timeout, bounds.CPU) < 2*headerTime {
		return nil
	}
	name := s.precompilable(l, t)
	if name == "" {
		return nil
	}
	h := cache.NewHasher("header 2")
	h.Text(t.Version, name)
	lists(h, l.Build, l.Env, l.mountPatterns())
	key := h.Key()
	h.Text("wanted")
	wanted := h.Key()
	entry, err := b.options.Cache.Get(key)
	if err != nil || entry != nil && sameHeaders(entry) {
		return entry
	}
	if entry != nil { // of headers that were updated
		entry.Close()
		b.options.Cache.Drop(key)
	}
	if first, err := b.options.Cache.Get(wanted); err != nil {
		return nil
	} else if first == nil {
		if first, err = b.options.Cache.Put(wanted, func(string) error { return nil }); err == nil {
			first.Close()
		}
		return nil
	} else {
		first.Close()
	}
	if !b.headers.TryLock() {
		return nil
	}
	defer b.headers.Unlock()
	if time.Since(b.headerless[key]) < headerPause {
		return nil
	}
	entry, err = b.options.Cache.Put(key, func(dir string) error { return b.makeHeader(ctx, name, l, t, dir) })
	if err != nil {
		if ctx.Err() == nil { // a full disk, or a compiler that cannot: it would fail each time
			b.headerless[key] = time.Now()
		}
		return nil
	}
	return entry
}

// headerMatters reports whether a compilation with a form might have exceeded its limits without.
func headerMatters(r sandbox.Result, bounds limits.Limits) bool {
	return r.CPU > bounds.CPU-headerTime || r.Memory > bounds.Memory-headerSaves
}

// headerArguments returns the arguments with which a compiler finds the form that lies in a folder.
func headerArguments(form *cache.Entry, folder string) []string {
	name := strings.TrimPrefix(form.Names()[0], headerForms+"/")
	if strings.HasPrefix(name, archiveName) {
		return []string{"-J-XX:SharedArchiveFile=" + sandbox.Anywhere.Path(folder+"/"+name)}
	}
	return []string{"-isystem", sandbox.Anywhere.Path(folder)}
}

// makeHeader compiles the header in the jail, and stores its form in dir.
func (b *Builder) makeHeader(ctx context.Context, name string, l Language, t *toolchain, dir string) error {
	if free, err := system.Free(dir); err != nil || limits.Bytes(free) < headerRoom {
		return errors.Join(err, syscall.ENOSPC)
	}
	bounds := limits.Limits{CPU: b.options.Timeout, Wall: wallFactor * b.options.Timeout, Memory: b.options.Memory, Output: compilerOutput, Processes: 512}
	flags, out := []string{"-MD", "-MF", headerStamps, "-x", "c++-header", headerSource}, []runner.CopyOut{{Name: exeName, Most: maxResult}}
	source := &Source{files: map[string][]byte{headerSource: []byte("#include <" + name + ">\n")}}
	if name == archiveName { // the virtual machine itself refuses one of other classes
		hello, err := Hello("java")
		if err != nil {
			return err
		}
		flags = []string{"-J-XX:ArchiveClassesAtExit=" + exeName, "Hello.java"}
		source.files = map[string][]byte{"Hello.java": hello}
	} else {
		out = append(out, runner.CopyOut{Name: headerStamps, Most: limits.MiB})
	}
	reply, err := b.options.Runner.Run(ctx, runner.Request{Fresh: true, Program: runner.Program{
		Box: sandbox.Spec{
			Mounts: t.mounts(l.Build), Dir: buildDir, Temp: bounds.Memory,
			Folder: sandbox.Folder{Path: buildDir, Size: maxResult, Mode: 0o777},
		},
		Args: expand(l.Build, t, map[string][]string{"{src}": flags, "{exe}": {exeName}, "{dir}": {"."}}),
		Env:  forTools(t.environment(l), sandbox.Anywhere.Path(buildDir)),
		In:   source.buildFiles(), Out: out, Limits: bounds, Merged: true,
	}}, io.Discard)
	if err != nil {
		return err
	}
	defer reply.Copies.Close()
	made := reply.Copies.Get(exeName)
	if reply.Result.Stop != sandbox.Exited || reply.Result.ExitCode != 0 || made.Err != nil {
		return errors.Join(errors.New("the header was not compiled"), made.Err)
	}
	var list []byte
	if len(out) > 1 {
		rules := reply.Copies.Get(headerStamps)
		if err = rules.Err; err == nil {
			list, err = io.ReadAll(rules.Content.Reader())
		}
		if err != nil {
			return err
		}
	}
	folder := filepath.Join(dir, headerForms, name+".gch")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for shown := folder; len(shown) >= len(dir); shown = filepath.Dir(shown) { // whatever the umask
		if err := os.Chmod(shown, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, headerStamps), []byte(stampHeaders(string(list))), 0o600); err != nil {
		return err
	}
	to, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	return errors.Join(keepFile(to, runner.File{Name: rand.Text(), Content: made.Content}, 0o644), to.Close())
}

// stampHeaders returns a line with size, time and path for each header that a rule of make names.
func stampHeaders(rule string) string {
	var b strings.Builder
	for _, file := range strings.Fields(rule) {
		if filepath.IsAbs(file) {
			b.WriteString(headerStamp(file))
		}
	}
	return b.String()
}

func headerStamp(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "gone " + file + "\n"
	}
	return fmt.Sprintln(info.Size(), info.ModTime().UnixNano(), file)
}

// sameHeaders reports whether the headers of which an entry was made are as they were.
func sameHeaders(e *cache.Entry) bool {
	text, err := e.Read(headerStamps)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if line != headerStamp(line[strings.Index(line, "/"):len(line)-1]) {
			return false
		}
	}
	return true
}
