package access

import (
	"strings"
	"testing"
)

// TestArgon checks hashes against a test vector of the reference implementation of Argon2.
func TestArgon(t *testing.T) {
	t.Parallel()
	h, err := parseHash("$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4")
	if err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]bool{"password": true, "Password": false, "": false} {
		if got := derive(argon).matches([]byte(secret), h); got != want {
			t.Errorf("%q matches: %v, want %v", secret, got, want)
		}
	}
}

// TestNewHash checks that hashes have the requested cost and salts of their own.
func TestNewHash(t *testing.T) {
	t.Parallel()
	cheap := Cost{MemoryKiB: 64, Passes: 3, Threads: 2}
	a, b := derive(argon).newHash(sampleSecret, cheap), derive(argon).newHash(sampleSecret, cheap)
	if a.String() == b.String() {
		t.Errorf("two hashes are %s", a)
	}
	if !strings.HasPrefix(a.String(), "$argon2id$v=19$m=64,t=3,p=2$") {
		t.Errorf("got %s", a)
	}
	if h, err := parseHash(a.String()); err != nil || !derive(argon).matches(sampleSecret, h) {
		t.Errorf("%s does not match its secret: %v", a, err)
	}
}

// TestParseHash checks what a stored hash may be.
func TestParseHash(t *testing.T) {
	t.Parallel()
	const good = "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for _, tt := range []struct{ why, old, new string }{
		{"another algorithm", "argon2id", "argon2i"},
		{"another version", "v=19", "v=16"},
		{"no version", "$v=19", ""},
		{"no memory", "m=64", "m=0"},
		{"less memory than Argon2 needs", "m=64", "m=7"},
		{"memory that the host may not have", "m=64", "m=1048577"},
		{"memory that overflows", "m=64", "m=4294967360"},
		{"no pass", "t=1", "t=0"},
		{"passes that take for ever", "t=1", "t=101"},
		{"no thread", "p=1", "p=0"},
		{"threads that overflow", "p=1", "p=257"},
		{"a sign", "m=64", "m=+64"},
		{"a leading zero", "m=64", "m=064"},
		{"another parameter", "p=1", "p=1,keyid=x"},
		{"another order", "m=64,t=1", "t=1,m=64"},
		{"a short salt", "c29tZXNhbHQ", "c29tZQ"},
		{"no salt", "c29tZXNhbHQ", ""},
		{"padding", "c29tZXNhbHQ", "c29tZXNhbHQ="},
		{"bits beyond the salt", "c29tZXNhbHQ", "c29tZXNhbHR"},
		{"a line end", "c29tZXNhbHQ", "c29tZX\nNhbHQ"},
		{"no key", "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", ""},
		{"a short key", "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "CTFhFdXPJO1aFaMaO6Mm"},
		{"a huge key", "CTFh", strings.Repeat("CTFh", 20)},
		{"another part", "GRPPc", "GRPPc$"},
		{"nothing", good, ""},
	} {
		text := strings.Replace(good, tt.old, tt.new, 1)
		if h, err := parseHash(text); err == nil || text == good {
			t.Errorf("%s: %s became %+v", tt.why, text, h)
		}
	}
	if _, err := parseHash(good); err != nil {
		t.Error(err)
	}
}

// FuzzParseHash checks that every accepted hash is written back as it was, and is one that Argon2 can
// compute.
func FuzzParseHash(f *testing.F) {
	f.Add("$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	f.Add("$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := parseHash(text)
		if err != nil {
			return
		}
		if h.String() != text {
			t.Errorf("%q became %q", text, h)
		}
		if h.cost.MemoryKiB < 1024 && h.cost.Passes < 4 {
			derive(argon).matches(sampleSecret, h)
		}
	})
}

// TestWeaker checks which costs call for a new hash: those of less work, so that servers with different
// settings agree.
func TestWeaker(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		c    Cost
		want bool
	}{
		{"the same", usual, false},
		{"less memory", Cost{MemoryKiB: 18 << 10, Passes: 2, Threads: 1}, true},
		{"fewer passes", Cost{MemoryKiB: 19 << 10, Passes: 1, Threads: 1}, true},
		{"more memory", Cost{MemoryKiB: 64 << 10, Passes: 2, Threads: 1}, false},
		{"other threads, the same work", Cost{MemoryKiB: 19 << 10, Passes: 2, Threads: 4}, false},
		{"as much work with more memory", Cost{MemoryKiB: 38 << 10, Passes: 1, Threads: 1}, false},
	} {
		if got := tt.c.weaker(usual); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}

// BenchmarkVerify measures what the first and each further verification of a token takes.
func BenchmarkVerify(b *testing.B) {
	tokens := New(memory(), Options{})
	token, _, err := tokens.Issue(b.Context(), grant)
	if err != nil {
		b.Fatal(err)
	}
	for name, forget := range map[string]bool{"first": true, "further": false} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if forget {
					tokens.verified = newVerified(1)
				}
				if _, err := tokens.Verify(b.Context(), token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
