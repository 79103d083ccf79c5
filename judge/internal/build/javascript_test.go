package build

import (
	"errors"
	"strings"
	"testing"
)

// TestReadsAllScripts checks that a syntax error is a compile error in every JavaScript file,
// whichever kind of module it is.
func TestReadsAllScripts(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	b := newBuilder(t, Options{})
	for _, tt := range []struct {
		why   string
		files map[string]string
		says  string // "" if it can be read
	}{
		{"a script may return and ask for others", map[string]string{"main.js": "#!/usr/bin/env node\nrequire('fs');\nreturn;"}, ""},
		{"a module by its ending", map[string]string{"main.mjs": "import 'fs'; await 1;"}, ""},
		{"a module by what is in it", map[string]string{"main.js": "import { f } from './f.js'; f();", "f.js": "export function f() {}"}, ""},
		{"a script that cannot be read", map[string]string{"main.js": "f(;"}, "main.js:1"},
		{"a module that cannot be read", map[string]string{"main.js": "import 'fs';\nf(;"}, "main.js:2"},
		{"a file that another needs", map[string]string{"main.js": "require('./f')", "f.js": "\n\nf(;"}, "f.js:3"},
		{"a module that nobody needs", map[string]string{"main.js": "f()", "f.js": "import function f() {}"}, "f.js:1"},
		{"a script is no module", map[string]string{"main.cjs": "import 'fs'"}, "main.cjs:1"},
	} {
		p, err := b.Build(t.Context(), mustOpen(t, b, "", tt.files))
		if err == nil {
			p.Close()
		}
		compile, faulty := errors.AsType[*CompileError](err)
		if faulty != (tt.says != "") || faulty && !strings.HasPrefix(compile.Output, tt.says) || err != nil && !faulty {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		}
	}
}
