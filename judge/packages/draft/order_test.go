package draft

import (
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

func TestNatural(t *testing.T) {
	t.Parallel()
	order := []string{"", "1", "01", "2", "10", "99999999999999999999", "100000000000000000000", "a", "a1", "a01b", "a1c", "a2", "a10", "ab"}
	for i, a := range order {
		for j, b := range order {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := Natural(a, b); got != want && !(a != b && got == -Natural(b, a) && (a == "1" || a == "01") && (b == "1" || b == "01")) {
				t.Errorf("natural(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestOwnLanguage checks which language each language code of a package selects.
func TestOwnLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"": "", "cpp": "cpp", "cppgmp": "cpp", "python3": "python3", "python3numpy": "python3", "pypy3": "pypy3", "python2": "", "javaalgs4": "java",
	} {
		if got := language(&problem.Submission{Language: code}, build.Defaults()); got != want {
			t.Errorf("code %s selects %q, want %q", code, got, want)
		}
	}
}
