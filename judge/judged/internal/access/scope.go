package access

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is a permission that a token gives. No scope includes another.
type Scope string

const (
	Submit   Scope = "submit"   // run programs, create judgings, and read those of the same owner
	Read     Scope = "read"     // read the judgings of all owners
	Problems Scope = "problems" // list problems and upload them
	Rejudge  Scope = "rejudge"  // preview and apply rejudgings, and release results that are held back
	Admin    Scope = "admin"    // manage tokens, erase data, read the audit log and protected measurements
)

// Scopes returns all scopes, in the order in which lists have them.
func Scopes() []Scope { return []Scope{Submit, Read, Problems, Rejudge, Admin} }

// ParseScopes parses a list such as "submit,read". It returns each scope once, in the order of Scopes.
// An unknown scope and an empty list are errors.
func ParseScopes(text string) ([]Scope, error) {
	var list []Scope
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, Scope(name))
		}
	}
	return tidy(list)
}

// tidy returns each scope of a list once, in the order of Scopes. Unknown scopes and an empty list are errors.
func tidy(list []Scope) ([]Scope, error) {
	all := Scopes()
	for _, s := range list {
		if !slices.Contains(all, s) {
			return nil, fmt.Errorf("unknown scope %q (hint: the scopes are %v)", string(s), all)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no scope (hint: the scopes are %v)", all)
	}
	return slices.DeleteFunc(all, func(s Scope) bool { return !slices.Contains(list, s) }), nil
}

// Identity is the sender of a request, according to its token. The zero Identity is an anonymous sender without
// scopes.
type Identity struct {
	Token  string  // the id of the token, which is not secret
	Owner  string  // who the token was issued to
	Scopes []Scope // must not be changed
}

func (i Identity) May(s Scope) bool { return slices.Contains(i.Scopes, s) }
