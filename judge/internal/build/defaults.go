package build

import "slices"

// linker lists the files needed to link object files into an executable. A C compiler consists of
// several programs, and other compilers call it to link.
var linker = []string{
	"/usr/bin/as", "/usr/bin/ld", "/usr/bin/ld.*", "/usr/include", "/usr/lib/gcc", "/usr/libexec/gcc",
	"/usr/local/include", "/usr/local/lib/gcc", "/usr/local/lib64", "/usr/local/libexec/gcc",
}

// gcc lists the files for compilers that call gcc to link, and shell those for tools that are
// scripts.
var (
	gcc   = append([]string{"/usr/bin/cc", "/usr/bin/gcc"}, linker...)
	shell = []string{"/bin/sh", "/usr/bin/env", "/usr/bin/bash"}
)

// virtualMachine is the command that starts a Java or Kotlin program, up to the class path.
//
// Java and Node.js have a heap limit of their own. It is set well above the memory limit, so that
// the kernel enforces the memory limit. Other options make Java return unused memory, instead of
// filling its heap before it collects garbage. Its stack must fit into the memory limit, because
// otherwise endless recursion runs out of memory before it ends with a StackOverflowError. Reserved
// stack pages are off, because with them a StackOverflowError needs several times the memory of the
// stack.
var virtualMachine = []string{
	"java", "-Xmx{heap}m", "-Xms16m", "-XX:MinHeapFreeRatio=20", "-XX:MaxHeapFreeRatio=40", "-Xss{stack}m",
	"-XX:+IgnoreUnrecognizedVMOptions", "-XX:StackReservedPages=0", // Java 8 has no reserved stack pages
	"-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp",
}

// Defaults returns the languages that need no configuration. The caller owns the map.
func Defaults() map[string]Language {
	all := map[string]Language{}
	for _, some := range []map[string]Language{compiled(), managed(), scripting()} {
		for name, l := range some {
			all[name] = l
		}
	}
	for name, patterns := range options() {
		l := all[name]
		l.Options = patterns
		all[name] = l
	}
	withDebug(all)
	return all
}

// options returns the options that submissions may bring.
func options() map[string][]string {
	gcc := []string{
		`-O[0-3sg]?`, `-Ofast`, `-g[0-3]?`, `-w`, `-W[a-z0-9+-]+(=[a-z0-9-]+)?`, `-pedantic(-errors)?`, `-ansi`, `-std=[a-z0-9+:]+`,
		`-D[A-Za-z_]\w*(=[ -~]*)?`, `-U[A-Za-z_]\w*`, `-lm`, `-pthread`, `-static`, `-m(no-)?(avx2?|bmi2?|fma|lzcnt|popcnt|sse4\.[12])`,
		`-f(no-)?(char8_t|concepts|exceptions|fast-math|inline|omit-frame-pointer|rtti|signed-char|strict-aliasing|strict-overflow|trapv|unroll-loops|unsigned-char|wrapv)`,
	}
	return map[string][]string{
		"c": gcc, "cpp": slices.Clone(gcc),
		"java": {`-g`, `-nowarn`, `-parameters`, `-Xlint(:[a-z,-]+)?`},
		"rust": {`-C(debug-assertions|overflow-checks)(=(yes|no|on|off))?`, `-[AW][a-z_-]+`},
	}
}

// compiled returns the languages that compile to executables.
func compiled() map[string]Language {
	return map[string]Language{
		"c": {
			Match:   []string{".c"},
			Build:   []string{"gcc", "-O2", "-std=gnu17", "-DONLINE_JUDGE", "-o", "{exe}", "{src}", "-lm"},
			Version: []string{"gcc", "--version"},
			Mounts:  slices.Clone(linker),
			Package: "gcc",
		},
		"cpp": {
			Match:   []string{".cc", ".cpp", ".cxx", ".c++", ".C"},
			Build:   []string{"g++", "-O2", "-std=gnu++20", "-DONLINE_JUDGE", "-o", "{exe}", "{src}"},
			Version: []string{"g++", "--version"},
			Mounts:  slices.Clone(linker),
			Package: "g++",
		},
		"go": {
			Match:   []string{".go"},
			Build:   []string{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-buildid= -s", "-o", "{exe}", "{src}"},
			Version: []string{"go", "version"},
			Root:    []string{"go", "env", "GOROOT"},
			Mounts:  []string{"/usr/lib/go-*", "/usr/share/go-*"},
			Env:     []string{"CGO_ENABLED=0", "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=-mod=mod", "GOTELEMETRY=off", "GO111MODULE=on"},
			Package: "https://go.dev/dl/", // Debian's golang-go is too old for the programs of problems
		},
		"haskell": {
			Match:   []string{".hs", ".lhs"},
			Build:   []string{"ghc", "-O2", "-isrc", "-outputdir", "/tmp", "-o", "{exe}", "{main}"},
			Version: []string{"ghc", "--version"},
			Mounts:  slices.Concat([]string{"/usr/lib/ghc", "/var/lib/ghc", "/usr/bin/*-linux-*-gcc"}, gcc, shell),
			Package: "ghc",
		},
		"ocaml": {
			Match:   []string{".ml", ".mli"},
			Build:   []string{"ocamlopt", "-O3", "-w", "-a", "-I", "+unix", "-I", "+str", "unix.cmxa", "str.cmxa", "-o", "{exe}", "{src}"},
			Version: []string{"ocamlopt", "-version"},
			Mounts:  slices.Concat([]string{"/usr/lib/ocaml", "/usr/local/lib/ocaml", "/usr/bin/*-linux-*-gcc", "/usr/bin/*-linux-*-as"}, gcc, shell),
			Package: "ocaml-nox",
		},
		"pascal": {
			Match:   []string{".pas", ".pp", ".p"},
			Build:   []string{"fpc", "-O2", "-dONLINE_JUDGE", "-o{exe}", "{main}"},
			Version: []string{"fpc", "-iWD"},
			Mounts:  slices.Concat([]string{"/etc/fpc*.cfg", "/usr/bin/ppc*", "/usr/lib/fpc"}, linker),
			Package: "fp-compiler",
		},
		"rust": {
			Match:   []string{".rs"},
			Build:   []string{"rustc", "-O", "--edition", "2021", "--cfg", "online_judge", "-o", "{exe}", "{main}"},
			Version: []string{"rustc", "--version"},
			Root:    []string{"rustc", "--print", "sysroot"},
			Mounts:  append([]string{"/usr/lib/rustlib"}, gcc...),
			Package: "rustc",
		},
	}
}

// managed returns the languages that compile to code for a virtual machine or an interpreter.
func managed() map[string]Language {
	return map[string]Language{
		"csharp": {
			Match:   []string{".cs"},
			Build:   []string{"mcs", "-optimize+", "-define:ONLINE_JUDGE", "-r:System.Numerics", "-out:{exe}.exe", "{src}"},
			Run:     []string{"mono", "{exe}.exe"},
			Keep:    []string{"{exe}.exe"},
			Version: []string{"mcs", "--version"},
			Mounts:  slices.Concat([]string{"/etc/mono", "/usr/bin/mono*", "/usr/lib/mono", "/usr/lib/libmono*"}, shell),
			Package: "mono-mcs libmono-system-numerics4.0-cil",
		},
		"java": {
			Match: []string{".java"},
			// javac runs only briefly: without its virtual machine's optimising compiler it takes
			// half the time.
			Build:   []string{"javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-proc:none", "-encoding", "UTF-8", "-d", "{dir}", "{src}"},
			Run:     slices.Concat(virtualMachine, []string{"{dir}", "{main}"}),
			Keep:    []string{"*.class"},
			Version: []string{"javac", "-version"},
			Mounts:  []string{"/usr/lib/jvm", "/etc/java-*"},
			Package: "default-jdk-headless",
		},
		"kotlin": {
			Match:   []string{".kt"},
			Build:   []string{"kotlinc", "-nowarn", "-include-runtime", "-d", "{exe}.jar", "{src}"},
			Run:     slices.Concat(virtualMachine, []string{"{exe}.jar", "{main}"}),
			Keep:    []string{"{exe}.jar"},
			Version: []string{"kotlinc", "-version"},
			Mounts: slices.Concat([]string{
				"/usr/lib/jvm", "/etc/java-*", "/usr/bin/java", "/usr/share/java", "/usr/share/kotlin",
				"/usr/bin/basename", "/usr/bin/dirname", "/usr/bin/readlink", "/usr/bin/uname",
			}, shell),
			Env:     []string{"JAVA_OPTS=-Xmx1g -Xss16m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
			Package: "kotlin",
		},
		"typescript": {
			Match: []string{".ts"},
			Build: []string{
				"tsc", "--target", "es2020", "--module", "commonjs", "--types", "node", "--typeRoots",
				"/usr/share/nodejs/@types,/usr/lib/node_modules/@types,/usr/local/lib/node_modules/@types",
				"--noEmitOnError", "--rootDir", "{dir}", "--outDir", "{dir}", "{src}",
			},
			Run:     []string{"node", "--max-old-space-size={heap}", "--stack-size={stack}000", "{dir}/{stem}.js"},
			Keep:    []string{"*.js"},
			Version: []string{"tsc", "--version"},
			Mounts:  []string{"/usr/bin/env", "/usr/bin/node", "/usr/bin/nodejs", "/usr/share/nodejs", "/usr/lib/node_modules", "/usr/local/bin/node", "/usr/local/lib/node_modules"},
			Package: "nodejs npm, and npm install -g typescript @types/node",
		},
	}
}

// scripting returns the languages whose sources run as they are. Their build commands only check
// the syntax.
func scripting() map[string]Language {
	return map[string]Language{
		"awk": {
			Match:   []string{".awk"},
			Build:   []string{"gawk", "--pretty-print=/dev/null", "-f", "{main}"},
			Run:     []string{"gawk", "-f", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"gawk", "--version"},
			Mounts:  []string{"/usr/share/awk"},
			Env:     []string{"AWKPATH={dir}"},
			Package: "gawk",
		},
		"bash": {
			Match:   []string{".sh", ".bash"},
			Build:   []string{"bash", "-n", "{main}"},
			Run:     []string{"bash", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"bash", "--version"},
			// No mounts, because a shell script may call any installed program.
			Package: "bash",
		},
		"javascript": {
			Match: []string{".js", ".mjs", ".cjs"},
			// node --check takes only one file, and accepts every .js file that could be a module.
			Build: []string{
				"node", "--no-warnings", "--experimental-vm-modules", "-e",
				`const fs = require("fs"), vm = require("vm"); Error.stackTraceLimit = 1; ` +
					`for (const file of process.argv.slice(1)) { ` +
					`const text = fs.readFileSync(file, "utf8").replace(/^#!.*/, ""); ` +
					`const script = () => vm.compileFunction(text, ["exports", "require", "module", "__filename", "__dirname"], { filename: file }); ` +
					`const module = () => new vm.SourceTextModule(text, { identifier: file }); ` +
					`if (file.endsWith(".mjs")) module(); else if (file.endsWith(".cjs")) script(); ` +
					`else try { script() } catch (why) { if (!/import|export|await/.test(why.message)) throw why; module() } }`,
				"--", "{src}",
			},
			Run:     []string{"node", "--max-old-space-size={heap}", "--stack-size={stack}000", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"node", "--version"},
			Mounts:  []string{"/usr/share/nodejs"},
			Package: "nodejs",
		},
		"lua": {
			Match: []string{".lua"},
			// luac -p checks the syntax, too, but version 5.4.4 crashes on several files.
			Build: []string{
				"lua5.4|lua5.3|lua", "-e",
				`for _, file in ipairs(arg) do local read, why = loadfile(file, "t") if not read then io.stderr:write(why, "\n") os.exit(1) end end`,
				"/dev/null", "{src}",
			},
			Run:     []string{"lua5.4|lua5.3|lua", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"lua5.4|lua5.3|lua", "-v"},
			Mounts:  []string{"/usr/share/lua", "/usr/local/share/lua"},
			Env:     []string{"LUA_PATH={dir}/?.lua;{dir}/?/init.lua;;"},
			Package: "lua5.4",
		},
		"mawk": { // used only with --lang mawk, because its evaluation stack holds only 1,024 arguments
			Match:   []string{".awk"},
			Shebang: []string{"mawk"},
			Build:   []string{"mawk", "-Wdump", "-f", "{main}"},
			Run:     []string{"mawk", "-f", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"mawk", "-Wversion"},
			Mounts:  []string{},
			Package: "mawk",
		},
		"perl": {
			Match:   []string{".pl"},
			Build:   []string{"perl", "-I{dir}", "-c", "{main}"},
			Run:     []string{"perl", "-I{dir}", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"perl", "--version"},
			Mounts:  []string{"/etc/perl", "/usr/share/perl", "/usr/share/perl5", "/usr/local/lib/*/perl", "/usr/local/share/perl"},
			Package: "perl",
		},
		"pypy3": {
			Match:   []string{".py", ".py3"},
			Shebang: []string{"pypy3", "pypy"},
			Build:   []string{"pypy3", "-I", "-m", "py_compile", "{src}"},
			Run:     []string{"pypy3", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"pypy3", "--version"},
			Root:    []string{"pypy3", "-c", "import sys; print(sys.base_prefix)"},
			Mounts:  []string{"/usr/lib/pypy3*", "/usr/local/lib/pypy3*"},
			// Without PYPY_GC_NURSERY, PyPy reads the size of the CPU's cache, which the jail
			// hides, and prints a warning.
			Env:     []string{"PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8", "PYTHONNOUSERSITE=1", "PYPY_GC_NURSERY=4M"},
			Package: "pypy3",
		},
		"python3": {
			Match:   []string{".py", ".py3"},
			Build:   []string{"python3", "-I", "-m", "py_compile", "{src}"},
			Run:     []string{"python3", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"python3", "--version"},
			Root:    []string{"python3", "-c", "import sys; print(sys.base_prefix)"},
			Mounts:  []string{"/usr/lib/python3*", "/usr/local/lib/python3*", "/usr/local/lib/libpython3*"},
			Env:     []string{"PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8", "PYTHONNOUSERSITE=1"},
			Package: "python3",
		},
		"ruby": {
			Match:   []string{".rb"},
			Build:   []string{"ruby", "-c", "{main}"},
			Run:     []string{"ruby", "-I{dir}", "{dir}/{main}"},
			Keep:    []string{},
			Version: []string{"ruby", "--version"},
			Mounts:  []string{"/usr/lib/ruby", "/usr/share/rubygems-integration", "/var/lib/gems"},
			Env:     []string{"RUBY_THREAD_VM_STACK_SIZE={stack}000000"}, // bytes; only pages in use count as memory
			Package: "ruby",
		},
	}
}
