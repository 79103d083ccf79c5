package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/web"
	"tribunal/judge/packages/parcel"
)

// contestants are tokens with the scope submit: every token is one, of the owner with its name.
type contestants struct{}

func (contestants) Verify(_ context.Context, token string) (access.Identity, error) {
	return access.Identity{Token: token, Owner: token, Scopes: []access.Scope{access.Submit}}, nil
}
func (contestants) Issue(context.Context, access.Grant) (string, access.Entry, error) {
	panic("not in tests")
}
func (contestants) Revoke(context.Context, string) error         { panic("not in tests") }
func (contestants) List(context.Context) ([]access.Entry, error) { panic("not in tests") }

// The programs tell what they read in every way that a program has, and ask the compiler for a case.
const (
	tells = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void) {
	char in[100] = {0};
	int n = fread(in, 1, 99, stdin), sum = 0;
	for (int i = 0; i < n; i++) sum += in[i];
	printf("%s", in);
	fprintf(stderr, "%s", in);
	memset(malloc(sum << 10), 1, sum << 10);
	while (clock() < sum * (CLOCKS_PER_SEC / 100000)) {}
	return 100 + sum % 100;
}
`
	asks = `#include "cases/sum/carry.yaml"
#include "carry.yaml"
int main(void) { return 0; }
`
)

// secrets are the inputs of the cases of the problem that are no samples, as the programs could write them.
var secrets = []string{"999999999", "0 0", "-5 3"}

// TestNothingLeaks hands in guilty programs with a token of the scope submit, and reads every answer about them.
// docs/threat-model.md lists what may come back.
func TestNothingLeaks(t *testing.T) {
	tier.T2(t, "guilty programs for a service that judges")
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	var archive bytes.Buffer
	if err := parcel.Pack(filepath.Join("..", "testdata", "repo"), "sum", &archive); err != nil {
		t.Fatal(err)
	}
	svc := serve(t, openStore(t), service.Options{}, 2)
	v, _, err := svc.Upload(t.Context(), service.Upload{ID: "sum", Archive: archive.Bytes(), Quick: true})
	if err == nil {
		v, err = svc.AwaitCheck(t.Context(), "sum", v.ID)
	}
	if err != nil || !v.Usable {
		t.Fatal(v.Findings, err)
	}
	server := httptest.NewServer(web.New(web.Options{Service: svc, Tokens: contestants{}, Languages: []web.Language{{ID: "c", Extensions: []string{".c"}}}}))
	defer server.Close()
	ask := func(method, path string, body any) string {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer ann")
		r.Header.Set("Content-Type", "application/json")
		resp, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if text, err = io.ReadAll(resp.Body); err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, tt := range []struct{ name, source, want string }{
		{"tells.c", tells, "1 2"}, // the sample
		{"asks.c", asks, "No such file"},
	} {
		var j web.Judging
		created := ask("POST", "/v1/judgings", web.Submission{Problem: "sum", Name: tt.name, Source: &tt.source, All: true})
		if err := json.Unmarshal([]byte(created), &j); err != nil || j.ID == "" {
			t.Fatal(created, err)
		}
		answers := map[string]string{"events": ask("GET", j.Links.Events, nil)} // until it has ended
		for _, path := range []string{j.Links.Self, "/v1/judgings", j.Links.Self + "/result", "/submissions/" + j.ID, "/v1/problems/sum"} {
			answers[path] = ask("GET", path, nil)
		}
		result := answers[j.Links.Self+"/result"]
		if !strings.Contains(result, tt.want) {
			t.Errorf("%s: no %q in %s", tt.name, tt.want, result)
		}
		for path, text := range answers {
			for _, s := range secrets {
				if strings.Contains(text, s) {
					t.Errorf("%s: %s tells %q: %s", tt.name, path, s, text)
				}
			}
		}
		outlines(t, result)
	}
}

// outlines checks that the cases of a result that are no samples have what is listed in docs/threat-model.md, in
// steps that tell little.
func outlines(t *testing.T, result string) {
	t.Helper()
	var r struct{ Cases []map[string]any }
	if err := json.Unmarshal([]byte(result), &r); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Cases {
		if c["name"] == "sample/small" {
			continue
		}
		want := "cpu_ns index limits memory_bytes name verdict wall_ns withheld"
		if got := strings.Join(slices.Sorted(maps.Keys(c)), " "); got != want {
			t.Errorf("%v has %s, want %s", c["name"], got, want)
		}
		for field, step := range map[string]int{"cpu_ns": int(10 * time.Millisecond), "wall_ns": int(10 * time.Millisecond), "memory_bytes": int(limits.MiB)} {
			if n, ok := c[field].(float64); !ok || int(n)%step != 0 || n == 0 {
				t.Errorf("%v: %s is %v", c["name"], field, c[field])
			}
		}
	}
}
