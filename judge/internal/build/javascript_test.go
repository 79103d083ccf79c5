package build

import (
	"errors"
	"strings"
	"testing"
)

// TestChecksAllScripts checks that a syntax error in any JavaScript file is a compile error,
// whichever kind of module the file is.
func TestChecksAllScripts(t *testing.T) {
	t.Parallel()
	needs(t, "node")
	b := newBuilder(t, Options{})
	for _, tt := range []struct {
		why     string
		files   map[string]string
		wantErr string // beginning of the compile error; "" if there is none
	}{
		{"a script with return and require", map[string]string{"main.js": "#!/usr/bin/env node\nrequire('fs');\nreturn;"}, ""},
		{"a module by its extension", map[string]string{"main.mjs": "import 'fs'; await 1;"}, ""},
		{"a module by its import and export", map[string]string{"main.js": "import { f } from './f.js'; f();", "f.js": "export function f() {}"}, ""},
		{"a syntax error in a script", map[string]string{"main.js": "f(;"}, "main.js:1"},
		{"a syntax error in a module", map[string]string{"main.js": "import 'fs';\nf(;"}, "main.js:2"},
		{"a syntax error in a file that another requires", map[string]string{"main.js": "require('./f')", "f.js": "\n\nf(;"}, "f.js:3"},
		{"a syntax error in a module that no file imports", map[string]string{"main.js": "f()", "f.js": "import function f() {}"}, "f.js:1"},
		{"an import in a .cjs file", map[string]string{"main.cjs": "import 'fs'"}, "main.cjs:1"},
	} {
		p, err := b.Build(t.Context(), mustOpen(t, b, "", tt.files))
		if err == nil {
			p.Close()
		}
		compile, faulty := errors.AsType[*CompileError](err)
		if faulty != (tt.wantErr != "") || faulty && !strings.HasPrefix(compile.Output, tt.wantErr) || err != nil && !faulty {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
		}
	}
}
