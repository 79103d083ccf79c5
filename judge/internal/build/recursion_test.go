package build

import (
	"bytes"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// TestEndlessRecursion checks that endless recursion is a run-time error and not MLE, whatever the memory
// limit is, in languages whose stack has a limit of its own. See [TestJavaRecursion].
func TestEndlessRecursion(t *testing.T) {
	t.Parallel()
	tier.T3(t, "endless recursion in each language")
	b := newBuilder(t, Options{})
	for _, tt := range []struct{ language, file, text string }{
		{"c", "a.c", "#include <stdio.h>\nstatic volatile int one = 1;\nstatic int f(int n) { volatile int here = n; return f(n + one) + here; }\nint main(void) { printf(\"%d\\n\", f(0)); }\n"},
		{"javascript", "a.js", "function f(n) { return f(n + 1) + 1 }\nconsole.log(f(0))\n"},
		{"lua", "a.lua", "local function f(n) return f(n + 1) + 1 end\nprint(f(0))\n"},
		{"pypy3", "a.py", "#!/usr/bin/pypy3\ndef f(n): return f(n + 1) + 1\nprint(f(0))\n"},
		{"python3", "a.py", "def f(n): return f(n + 1) + 1\nprint(f(0))\n"},
		{"ruby", "a.rb", "def f(n) f(n + 1) + 1 end\nputs f(0)\n"},
		{"typescript", "a.ts", "function f(n: number): number { return f(n + 1) + 1 }\nconsole.log(f(0))\n"},
	} {
		t.Run(tt.language, func(t *testing.T) {
			t.Parallel()
			needsLanguage(t, b, tt.language)
			p := mustBuild(t, b, mustOpen(t, b, tt.file, map[string]string{tt.file: tt.text}))
			box, err := hostOf(b).NewBox(p.Spec())
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			for _, memory := range []limits.Bytes{64, 128, 256, 512} {
				if tt.language == "lua" && memory < 128 {
					continue // the stack of Lua has no setting, and takes more
				}
				l := limits.Limits{CPU: 30 * time.Second, Wall: 5 * time.Minute, Memory: memory * limits.MiB, Output: limits.MiB, Processes: 256}
				var out, errs bytes.Buffer
				cmd, err := p.Command(box, l)
				if err != nil {
					t.Fatal(err)
				}
				cmd.Stdout, cmd.Stderr = &out, &errs
				r, err := box.Run(t.Context(), cmd)
				if err != nil || r.OK(l) || r.Stop != sandbox.Exited && r.Stop != sandbox.Signalled {
					t.Errorf("%d MiB: %v with status %d and %v, %v, %.200q", memory, r.Stop, r.ExitCode, r.Memory, err, errs.String())
				}
			}
		})
	}
}
