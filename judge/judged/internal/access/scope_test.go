package access

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestMay checks what each role may do, and that it may do nothing else.
func TestMay(t *testing.T) {
	t.Parallel()
	roles := map[string][]Scope{
		"anonymous": nil,
		"a teacher": {Submit, Read, Rejudge},
		"everybody": Scopes(),
	}
	for _, s := range Scopes() {
		roles["only "+string(s)] = []Scope{s}
	}
	for role, scopes := range roles {
		for _, s := range append(Scopes(), "", "super") {
			if got, want := (Identity{Scopes: scopes}).May(s), slices.Contains(scopes, s); got != want {
				t.Errorf("%s: may %s: %v, want %v", role, s, got, want)
			}
		}
	}
	if (Identity{}).May(Admin) || !(Identity{Scopes: []Scope{Admin}}).May(Admin) || (Identity{Scopes: []Scope{Admin}}).May(Read) {
		t.Error("admin is a scope like any other")
	}
}

// TestParseScopes checks lists of scopes.
func TestParseScopes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"one", "read", "[read] <nil>"},
		{"several, in their order", "rejudge, submit,read", "[submit read rejudge] <nil>"},
		{"twice", "read,read", "[read] <nil>"},
		{"all", "admin,rejudge,problems,read,submit", "[submit read problems rejudge admin] <nil>"},
		{"none", " ,", "[] no scope (hint: the scopes are [submit read problems rejudge admin])"},
		{"unknown", "read,Admin", `[] unknown scope "Admin" (hint: the scopes are [submit read problems rejudge admin])`},
	} {
		list, err := ParseScopes(tt.text)
		if got := fmt.Sprint(list, " ", err); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}
