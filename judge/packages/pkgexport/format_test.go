package pkgexport

import (
	"testing"

	"tribunal/judge/internal/problem"
)

// TestCarried checks that each protocol of validators of our problems has a row in carried, and no other:
// whoever adds a protocol decides how each format has its programs.
func TestCarried(t *testing.T) {
	t.Parallel()
	for _, protocol := range problem.Protocols() {
		rules := protocol.Rules()
		if _, has := carried[protocol]; has != (rules.Ours == protocol) {
			t.Errorf("%s: it has a row: %v, but validators of our problems have it: %v", protocol, has, !has)
		}
	}
	p := &plan{Job: &Job{Problem: &problem.Problem{ID: "p", Validator: &problem.Validator{Protocol: problem.Rime}}}, layout: Kattis.layout()}
	if err := p.checkProtocols(); err == nil {
		t.Error("a validator of another protocol is exported")
	}
}

// TestLayouts checks that each format is described and planned, and has its own name.
func TestLayouts(t *testing.T) {
	t.Parallel()
	names := map[Format]bool{}
	for _, l := range layouts() {
		if l.Name == "" || names[l.Name] || l.title == "" || l.plan == nil || l.latest && l.validators == "" {
			t.Errorf("%q: a column is empty, or the name is taken", l.Name)
		}
		names[l.Name] = true
	}
}
