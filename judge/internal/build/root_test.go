package build

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// lookers holds programs that print which of some paths exist, one to a line. A list of the paths
// replaces PATHS in their text. The programs use enough of their language's library to fail if a
// part of it is not mounted.
var lookers = map[string]string{
	"main.c": `#include <stdio.h>
#include <math.h>
#include <locale.h>
#include <unistd.h>
int main(void) {
    const char *paths[] = {PATHS};
    if (!setlocale(LC_ALL, "C.UTF-8")) puts("no locale");
    for (int i = 0; i < (int)(sizeof paths / sizeof *paths); i++) if (access(paths[i], F_OK) == 0) puts(paths[i]);
    return sqrt(sizeof paths) < 0;
}`,
	"main.cpp": `#include <iostream>
#include <locale>
#include <thread>
#include <unistd.h>
int main() {
    std::locale::global(std::locale("C.UTF-8"));
    std::thread([] { for (auto path : {PATHS}) if (access(path, F_OK) == 0) std::cout << path << std::endl; }).join();
}`,
	"main.go": `package main

import (
	"fmt"
	"os"
)

func main() {
	for _, path := range []string{PATHS} {
		if _, err := os.Stat(path); err == nil {
			fmt.Println(path)
		}
	}
}`,
	"Main.java": `import java.math.*; import java.nio.charset.*; import java.nio.file.*; import java.util.*; import java.util.regex.*; import java.util.stream.*;
public class Main {
    public static void main(String[] args) throws Exception {
        if (!Pattern.matches("2,5", String.format(Locale.ENGLISH, "%.1f", new BigDecimal("2.5")).replace('.', ','))) System.out.println("no numbers");
        Charset.forName("windows-1252"); TimeZone.getTimeZone("Europe/Berlin"); new Scanner(System.in);
        String[] paths = {PATHS};
        Arrays.stream(paths).filter(p -> Files.exists(Paths.get(p))).collect(Collectors.toList()).forEach(System.out::println);
    }
}`,
	"main.js": `const fs = require("fs"); require("crypto").createHash("sha256"); require("zlib"); require("worker_threads");
if (new Intl.NumberFormat("en").format(1000) !== "1,000") console.log("no numbers");
for (const path of [PATHS]) if (fs.existsSync(path)) console.log(path);`,
	"main.py": `import bisect, collections, ctypes, decimal, fractions, functools, heapq, itertools, json, math, multiprocessing, os, random, re, sqlite3, string, sys, threading, zlib
for path in [PATHS]:
    if os.path.exists(path): print(path)
if os.path.dirname(os.__file__) not in sys.path: print("no library")`,
	"main.lua": `for _, path in ipairs({PATHS}) do
  local file = io.open(path)
  if file then print(path) end
end`,
	"main.pl": `use strict; use List::Util qw(sum); use POSIX; use Math::BigInt; use Time::HiRes; use Encode;
print "$_\n" for grep { -e } (PATHS);`,
	"main.rb": `require "set"; require "bigdecimal"; require "prime" rescue puts "no library"; require "json"; require "digest"
puts [PATHS].select { |path| File.exist?(path) }`,
	"main.rs": `use std::path::Path;
fn main() {
    std::thread::spawn(|| for path in [PATHS] { if Path::new(path).exists() { println!("{}", path) } }).join().unwrap();
}`,
}

// TestProgramsSeeLittle runs a program of every language that this machine has. It must work, and
// see no files of the host except those of its language.
func TestProgramsSeeLittle(t *testing.T) {
	t.Parallel()
	tier.T2(t, "what programs see of the host")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	hidden := []string{
		"/etc/passwd", "/etc/shadow", "/etc/hostname", "/usr/bin/gcc", "/usr/bin/sh", "/bin/sh", "/usr/bin/env", "/usr/sbin", "/sbin", "/usr/include",
		"/usr/lib/gcc", "/usr/libexec/gcc", "/usr/bin/ld", "/usr/bin/as", "/usr/local", "/usr/local/bin", "/usr/share", "/home", "/root", "/opt", "/var", "/sys", "/run", "/boot", secret,
	}
	b := newBuilder(t, Options{})
	if hostOf(b).Mechanisms().Mode != sandbox.Container {
		t.Skip("not checked: what programs see of the host (no containers here)")
	}
	for file, text := range lookers {
		s := mustOpen(t, b, file, map[string]string{file: strings.ReplaceAll(text, "PATHS", `"`+strings.Join(hidden, `", "`)+`"`)})
		t.Run(s.Language, func(t *testing.T) {
			if !slices.Contains([]string{"c", "go", "python3"}, s.Language) {
				tier.T3(t, "what programs in "+s.Language+" see of the host")
			}
			l := b.Languages()[s.Language]
			tools, err := b.resolve(t.Context(), s.Language)
			if missing := (*MissingError)(nil); errors.As(err, &missing) {
				t.Skipf("not checked: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			p := mustBuild(t, b, s)
			// The files of the language's interpreter may be in any of these folders.
			var own []string
			if len(l.Run) > 0 {
				for _, m := range tools.mounts(l.Run) {
					own = append(own, m.Source)
				}
			}
			for line := range strings.Lines(output(t, hostOf(b), p, limits.Limits{})) {
				line = strings.TrimSpace(line)
				if !slices.ContainsFunc(own, func(path string) bool { return strings.HasPrefix(path, line+"/") }) {
					t.Errorf("a %s program sees %s", s.Language, line)
				}
			}
		})
	}
}

// TestMounts checks that programs see all of /usr, /bin and /lib if their language's Mounts are
// nil, and otherwise only the paths of the list.
func TestMounts(t *testing.T) {
	t.Parallel()
	host := newHost(t)
	if host.Mechanisms().Mode != sandbox.Container {
		t.Skip("not checked: what programs see of the host (no containers here)")
	}
	for _, tt := range []struct {
		why    string
		mounts []string
		want   string
	}{
		{"nil: all that is installed", nil, "usr bin env\n"},
		{"an empty list: the tool alone", []string{}, "\n"},
		{"a list: the tool and the listed files", []string{"/usr/bin/env"}, "env\n"},
	} {
		l := Language{Match: []string{".x"}, Run: []string{"sh", "{dir}/{main}"}, Mounts: tt.mounts}
		b := newBuilder(t, Options{Languages: map[string]Language{"x": l}, Runner: runnerOn(host)})
		s := mustOpen(t, b, "a.x", map[string]string{"a.x": `
[ -e /usr/include ] || [ -e /usr/share ] && printf 'usr '
[ -e /bin/ls ] && printf 'bin '
[ -e /usr/bin/env ] && printf 'env'
echo; exit 0`})
		if got := output(t, host, mustBuild(t, b, s), limits.Limits{}); got != tt.want {
			t.Errorf("%s: the program sees %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestOtherLibraries links a program to a library that needs another one. Both are in a folder that
// the loader searches but that no container mounts.
func TestOtherLibraries(t *testing.T) {
	t.Parallel()
	needs(t, "gcc")
	dir := write(t, "lib", map[string]string{
		"one.c": "int one(void) { return 1; }", "two.c": "int one(void); int two(void) { return one() + 1; }",
		"main.c": "int two(void); int main(void) { return two() - 2; }",
	})
	for _, args := range [][]string{
		{"-shared", "-fPIC", "-o", "libone.so", "one.c"}, {"-shared", "-fPIC", "-o", "libtwo.so", "two.c", "-L.", "-lone"},
		{"-o", "program", "main.c", "-L.", "-ltwo", "-Wl,-rpath-link,."},
	} {
		cmd := exec.Command("gcc", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("not checked: libraries in folders of their own: %v: %s", err, out)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct {
		why     string
		folders []string
		want    []string
	}{
		{"libraries that every container mounts are omitted", libraryFolders(), nil},
		{"the library, and the one that it needs", append([]string{dir}, libraryFolders()...), []string{at("libtwo.so"), at("libone.so")}},
		{"no folders: no library is found", nil, nil},
	} {
		if got := otherLibraries(at("program"), tt.folders); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestNamesOfLibraries checks that a program cannot get other files of the host by listing them as
// libraries.
func TestNamesOfLibraries(t *testing.T) {
	t.Parallel()
	dir := write(t, "lib", map[string]string{"libone.so": "", "folder/libtwo.so": ""})
	for _, tt := range []struct{ why, name, want string }{
		{"a library", "libone.so", filepath.Join(dir, "libone.so")},
		{"a file elsewhere", "../../../../../../../../etc/passwd", ""},
		{"a file in a subfolder", "folder/libtwo.so", ""},
		{"an absolute path", "/etc/passwd", ""},
		{"a folder", "folder", ""},
		{"the folder above", "..", ""},
		{"the folder itself", ".", ""},
		{"nothing", "", ""},
	} {
		exe := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(exe, crafted{machine: machine(t), kind: elf.ET_EXEC, needed: []string{tt.name}}.bytes(), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(otherLibraries(exe, []string{dir}), " "); got != tt.want {
			t.Errorf("%s: a program that needs %q gets %q, want %q", tt.why, tt.name, got, tt.want)
		}
	}
	many := crafted{machine: machine(t), kind: elf.ET_EXEC, needed: make([]string, maxNames)}
	f, err := readELF(bytes.NewReader(many.bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if names, err := importedLibraries(f); err == nil {
		t.Errorf("importedLibraries returns %d names, want an error: too many", len(names))
	}
}
