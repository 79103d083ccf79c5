package pkgimport

import (
	"strings"
	"testing"

	"tribunal/judge/internal/pkgformat"
)

// arranged returns the names that cases of these names get, and the notes about it.
func arranged(t *testing.T, names ...string) (list []string, notes string) {
	t.Helper()
	k := &pkgformat.Package{}
	for _, n := range names {
		group := "tests"
		if i := strings.LastIndexByte(n, '/'); i >= 0 {
			group = n[:i]
		}
		k.Cases = append(k.Cases, &pkgformat.Case{Name: n, Group: group})
	}
	p := &plan{Job: &Job{Package: k}}
	if err := p.arrange(); err != nil {
		t.Fatal(err)
	}
	for _, c := range p.cases {
		list = append(list, c.Name)
	}
	return list, strings.Join(p.summary.Notes, "; ")
}

// TestArrange gives each case a name of its own, in the order of the package.
func TestArrange(t *testing.T) {
	t.Parallel()
	const numbered = "groups of cases are numbered to keep their order"
	for _, tt := range []struct{ why, names, want, notes string }{
		{"fit names stay", "sample/1 secret/01 secret/2-max", "sample/1 secret/01 secret/2-max", ""},
		{"groups within secret", "sample/1 secret/a/1 secret/b/1", "sample/1 a/1 b/1", ""},
		{"letters and dashes", "secret/Max_N..5", "secret/max-n-5", "a name of a case is not valid here: secret/Max_N..5 is now secret/max-n-5 (see its note)"},
		{"nothing is left", "secret/__", "secret/case", "a name of a case is not valid here: secret/__ is now secret/case (see its note)"},
		{"names that play with terminals", "secret/\x1b[2J\u202e", "secret/2j", "a name of a case is not valid here: secret/·[2J· is now secret/2j (see its note)"},
		{"two that come out the same", "secret/A secret/a", "secret/a secret/a-2", "some names of cases are not valid here: secret/A is now secret/a, and 1 more (see their notes)"},
		{"one that has the name already", "secret/A secret/a-2 secret/a", "secret/a secret/a-2 secret/a-3", "some names of cases are not valid here: secret/A is now secret/a, and 1 more (see their notes)"},
		{"files that are no groups", "secret/lock/1 secret/mutants/1", "lock-2/1 mutants-2/1", ""},
		{"another sample", "sample/1 secret/sample/1", "sample/1 sample-2/1", ""},
		{"a group in pieces", "secret/a secret/b/1 secret/c", "1-secret/a 2-b/1 3-secret-2/c", numbered},
		{"numbers of groups", "2/1 10/1", "1-2/1 2-10/1", numbered},
		{"a sample that comes later", "a/1 sample/1", "1-a/1 2-sample/1", numbered},
	} {
		got, notes := arranged(t, strings.Fields(tt.names)...)
		if strings.Join(got, " ") != tt.want || notes != tt.notes {
			t.Errorf("%s: %v, %q", tt.why, got, notes)
		}
	}
}

// FuzzArrange wants different names that problems may have, whatever the package has.
func FuzzArrange(f *testing.F) {
	f.Add("sample/1\nsecret/A\nsecret/a\nsecret/g/a-2")
	f.Add("a/b/c\na\n\xff/é\nlock/1")
	f.Fuzz(func(t *testing.T, names string) {
		got, _ := arranged(t, strings.Split(names, "\n")...)
		taken := map[string]bool{}
		last := ""
		for _, name := range got {
			group, short, _ := strings.Cut(name, "/")
			if taken[name] || !fit.MatchString(group) || !fit.MatchString(short) || group == "lock" || group == "mutants" {
				t.Fatalf("%q of %q", name, names)
			}
			if taken[name] = true; last != "" && last != group && !inOrder([]string{last, group}) {
				t.Fatalf("%s after %s of %q", group, last, names)
			}
			last = group
		}
	})
}
