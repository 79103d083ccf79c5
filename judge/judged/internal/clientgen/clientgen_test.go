package clientgen

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGenerate compares what is generated from a small document with a file.
func TestGenerate(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile(filepath.Join("testdata", "small.json"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Generate(spec, "small", "hidden")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "small.golden")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(got) != string(want) {
		t.Errorf("%v, got\n%s", err, got)
	}
}

// TestUnknown checks that the generator fails on what it does not know, instead of leaving it out.
func TestUnknown(t *testing.T) {
	t.Parallel()
	operation := func(rest string) string {
		return `{"paths":{"/a":{"get":{"operationId":"a","summary":"A",` + rest + `}}}}`
	}
	for _, tt := range []struct{ why, spec, want string }{
		{"no JSON", "{", "the OpenAPI document"},
		{"a type", `{"components":{"schemas":{"A":{"properties":{"b":{"type":"null"}}}}}}`, "A.b: a schema that the generator does not know"},
		{"a list of anything", `{"components":{"schemas":{"A":{"properties":{"b":{"type":"array"}}}}}}`, "A.b: a schema"},
		{"a cookie", operation(`"parameters":[{"name":"c","in":"cookie","schema":{"type":"string"}}]`), "a: a parameter in cookie"},
		{"a parameter", operation(`"parameters":[{"name":"c","in":"query","schema":{"type":"null"}}]`), "a: c: a schema"},
		{"a body", operation(`"requestBody":{"content":{"text/csv":{}}}`), "a: no body"},
		{"no answer", operation(`"responses":{"301":{}}`), "a: no answer"},
		{"no id", `{"paths":{"/a":{"get":{"summary":"A"}}}}`, "GET /a has no operationId"},
	} {
		if _, err := Generate([]byte(tt.spec), "p"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}
