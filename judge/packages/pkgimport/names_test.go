package pkgimport

import (
	"strings"
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

// nameCases returns the names that cases with the given names get, and the notes about them.
func nameCases(t *testing.T, names ...string) (list []string, notes string) {
	t.Helper()
	k := &draft.Draft{}
	for _, n := range names {
		group := "tests"
		if i := strings.LastIndexByte(n, '/'); i >= 0 {
			group = n[:i]
		}
		k.Cases = append(k.Cases, &draft.Case{Name: n, Group: group})
	}
	p := &plan{Job: &Job{Package: k, Problem: &problem.Problem{}}}
	if err := p.nameCases(); err != nil {
		t.Fatal(err)
	}
	for _, c := range p.cases {
		list = append(list, c.Name)
	}
	return list, strings.Join(p.summary.Notes, "; ")
}

// TestNameCases checks that cases get unique valid names that keep their order.
func TestNameCases(t *testing.T) {
	t.Parallel()
	const numbered = "groups of cases are numbered to keep their order"
	for _, tt := range []struct{ why, names, want, notes string }{
		{"valid names stay", "sample/1 secret/01 secret/2-max", "sample/1 secret/01 secret/2-max", ""},
		{"groups within secret", "sample/1 secret/a/1 secret/b/1", "sample/1 a/1 b/1", ""},
		{"invalid characters", "secret/Max_N..5", "secret/max-n-5", "a case is renamed, because its name is not valid here: secret/Max_N..5 is now secret/max-n-5 (see its note)"},
		{"only invalid characters", "secret/__", "secret/case", "a case is renamed, because its name is not valid here: secret/__ is now secret/case (see its note)"},
		{"control characters", "secret/\x1b[2J\u202e", "secret/2j", "a case is renamed, because its name is not valid here: secret/·[2J· is now secret/2j (see its note)"},
		{"two names that become the same", "secret/A secret/a", "secret/a secret/a-2", "some cases are renamed, because their names are not valid here: secret/A is now secret/a, and 1 more (see their notes)"},
		{"a name that is already taken", "secret/A secret/a-2 secret/a", "secret/a secret/a-2 secret/a-3", "some cases are renamed, because their names are not valid here: secret/A is now secret/a, and 1 more (see their notes)"},
		{"groups named like other files of the folder", "secret/lock/1 secret/mutants/1", "lock-2/1 mutants-2/1", ""},
		{"a group called sample within secret", "sample/1 secret/sample/1", "sample/1 sample-2/1", ""},
		{"a group whose cases are not consecutive", "secret/a secret/b/1 secret/c", "1-secret/a 2-b/1 3-secret-2/c", numbered},
		{"groups with numbers as names", "2/1 10/1", "1-2/1 2-10/1", numbered},
		{"a sample group that is not first", "a/1 sample/1", "1-a/1 2-sample/1", numbered},
	} {
		got, notes := nameCases(t, strings.Fields(tt.names)...)
		if strings.Join(got, " ") != tt.want || notes != tt.notes {
			t.Errorf("%s: %v, %q", tt.why, got, notes)
		}
	}
}

// FuzzNameCases checks that any names become unique and valid ones, with the groups in order.
func FuzzNameCases(f *testing.F) {
	f.Add("sample/1\nsecret/A\nsecret/a\nsecret/g/a-2")
	f.Add("a/b/c\na\n\xff/é\nlock/1")
	f.Fuzz(func(t *testing.T, names string) {
		got, _ := nameCases(t, strings.Split(names, "\n")...)
		taken := map[string]bool{}
		last := ""
		for _, name := range got {
			group, short, _ := strings.Cut(name, "/")
			if taken[name] || !validName().MatchString(group) || !validName().MatchString(short) || group == "lock" || group == "mutants" {
				t.Fatalf("invalid or duplicate name %q for %q", name, names)
			}
			if taken[name] = true; last != "" && last != group && !inOrder([]string{last, group}) {
				t.Fatalf("group %s is not in order after %s for %q", group, last, names)
			}
			last = group
		}
	})
}
