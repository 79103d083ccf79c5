package main

import (
	"bytes"
	"testing"

	"tribunal/judge/cli/client"
	"tribunal/judge/judged/internal/enrol"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/web"
)

// TestEnrolled checks that a preview prints the notes that the import prints.
func TestEnrolled(t *testing.T) {
	t.Parallel()
	list := &web.EnrolledList{People: []enrol.Member{
		{Person: ledger.Person{Login: "ann", Name: "Ann"}, State: enrol.New, Note: "has an account already"},
		{Person: ledger.Person{Login: "bob", Name: "Bob"}, State: enrol.Same, Note: "keeps that account"},
		{Person: ledger.Person{Login: "cy", Name: "Cy"}, State: enrol.New},
	}}
	const notes = "judged: note: ann has an account already\njudged: note: bob keeps that account\njudged: 2 new, 0 changed, 1 as they were\n"
	for _, tt := range []struct {
		why     string
		preview bool
		out     string
	}{
		{"a preview", true, "login,name,change\nann,Ann,new\ncy,Cy,new\n"},
		{"an import", false, "login,name,link\n"},
	} {
		var out, err bytes.Buffer
		r := &remote{options: &options{out: &out, err: &err}}
		if e := r.enrolled(&client.Client{URL: "http://x"}, list, tt.preview); e != nil {
			t.Fatal(e)
		}
		if out.String() != tt.out || err.String() != notes {
			t.Errorf("%s: %q and %q, want %q and %q", tt.why, out.String(), err.String(), tt.out, notes)
		}
	}
}
