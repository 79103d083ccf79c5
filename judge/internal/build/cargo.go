package build

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// cargoFile is the name of the file that makes a folder a package of Cargo.
const cargoFile = "Cargo.toml"

// cargoAside reports whether a source is a program of a package of Cargo that is not handed in for a
// problem: its build script, an example or a benchmark.
func (s *Source) cargoAside(file string) bool {
	if s.Language != "rust" {
		return false
	}
	at := s.cargo(file)
	if at == "" {
		return false
	}
	first, _, below := strings.Cut(strings.TrimPrefix(file, strings.TrimPrefix(path.Dir(at)+"/", "./")), "/")
	return !below && first == "build.rs" || below && (first == "examples" || first == "benches")
}

// cargo returns the Cargo.toml of the package that a file is in; "" if there is none.
func (s *Source) cargo(file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if at := path.Join(dir, cargoFile); s.files[at] != nil {
			return at
		}
		if dir == "." {
			return ""
		}
	}
}

var (
	// cargoName matches the names in a Cargo.toml that a package and its library may have.
	cargoName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*(?:package\.|lib\.)?name[ \t]*=[ \t]*["']([^"'\n]*)["']`)
	})
	cargoEdition = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*(?:package\.)?edition[ \t]*=[ \t]*["'](\d+)["']`)
	})
	// cargoPath matches a dependency on a package in another folder.
	cargoPath = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*([\w-]+)[ \t]*=[ \t]*\{[^}\n]*\bpath[ \t]*=`)
	})
	cargoValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\benv!\s*\(\s*"(CARGO\w*|OUT_DIR)"`) })
	rustCrate  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:use|extern\s+crate)\s+(?:::\s*)?(?:r#)?([a-z_]\w*)`)
	})
	rustUse    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\buse\s[^;]*;`) })
	rustPath   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^.\w:])([a-z_]\w*)\s*::\s*[\w{*]`) })
	rustWord   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w+`) })
	rustModule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bmod\s+(?:r#)?(\w+)`) })
)

// rustRoots lists the first words of paths in Rust that are no crates that Cargo makes.
var rustRoots = strings.Fields(`alloc core crate proc_macro self std super test
	bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize`)

// needsCargo returns an error if only Cargo can build the program in Rust: rustc gets its main file alone.
// Crates of others are no reason, because the judge has none.
func (s *Source) needsCargo() error {
	libraries := map[string]string{} // file by the name of the crate
	unnamed := ""                    // a library without a Cargo.toml
	for file, text := range s.files {
		switch dir := path.Dir(file); {
		case path.Base(file) == cargoFile:
			for _, name := range cargoName().FindAllSubmatch(text, -1) {
				if lib := path.Join(dir, "src/lib.rs"); s.files[lib] != nil || strings.Contains(string(text), "[lib]") {
					libraries[crateOf(name[1])] = file
				}
			}
			for _, name := range cargoPath().FindAllSubmatch(text, -1) {
				libraries[crateOf(name[1])] = file
			}
		case path.Base(file) == "lib.rs" && file != s.main && s.cargo(file) == "":
			unnamed = file
		}
	}
	program := []string{s.main}
	modules := slices.Clone(rustRoots)
	for i := 0; i < len(program); i++ {
		for _, m := range rustModule().FindAllStringSubmatch(codeOnly("rust", s.files[program[i]]), -1) {
			modules = append(modules, m[1])
		}
		for file := range s.files {
			if path.Ext(file) == ".rs" && !slices.Contains(program, file) && s.namesIn(program[i]).Names(file) {
				program = append(program, file)
			}
		}
	}
	slices.Sort(program)
	for _, file := range program {
		if value := cargoValue().FindSubmatch(s.files[file]); value != nil {
			return s.unclear("%s needs %s of Cargo, which the judge does not run (hint: hand in a program that rustc compiles)", file, value[1])
		}
		code := codeOnly("rust", s.files[file])
		local := append(rustWord().FindAllString(strings.Join(rustUse().FindAllString(code, -1), ""), -1), modules...)
		uses := func(crate string, names []string) error {
			lib, where := libraries[crate], "of"
			if lib == "" {
				lib, where = unnamed, "which may be"
			}
			if lib == "" || slices.Contains(names, crate) {
				return nil
			}
			return s.unclear("%s uses the crate %s, %s %s, and the judge does not run Cargo (hint: declare the modules in the main file, by mod)", file, crate, where, lib)
		}
		for _, crate := range rustCrate().FindAllStringSubmatch(code, -1) {
			if err := uses(crate[1], modules); err != nil {
				return err
			}
		}
		for _, crate := range rustPath().FindAllStringSubmatch(code, -1) {
			if err := uses(crate[1], local); err != nil {
				return err
			}
		}
	}
	return nil
}

// crateOf returns the name that sources have for a package.
func crateOf(name []byte) string { return strings.ReplaceAll(string(name), "-", "_") }

// otherEdition returns an error if err is that of a compiler, and the package of a program in Rust asks for
// another edition of the language than the command has.
func (s *Source) otherEdition(l Language, err error) error {
	if _, wrong := errors.AsType[*CompileError](err); !wrong || s.Language != "rust" {
		return nil
	}
	at := s.cargo(s.main)
	flag := slices.Index(l.Build, "--edition")
	if at == "" || flag < 0 || flag+1 == len(l.Build) {
		return nil
	}
	if found := cargoEdition().FindSubmatch(s.files[at]); found != nil && string(found[1]) != l.Build[flag+1] {
		return s.unclear("it does not compile in edition %s of Rust, and %s asks for %s (hint: runner.yaml has the command)", l.Build[flag+1], at, found[1])
	}
	return nil
}
