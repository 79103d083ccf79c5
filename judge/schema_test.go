package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"tribunal/judge/cli/commands"
)

// TestSchemas checks with a validator of another author that what judge schema prints are JSON
// Schemas, which accept the documents of this repository and of a new one, and refuse others.
func TestSchemas(t *testing.T) {
	t.Parallel()
	fresh := t.TempDir()
	executeQuietly(t, "init", fresh, "--lang", "python")
	for kind := range commands.Schemas {
		text, err := jsonschema.UnmarshalJSON(strings.NewReader(executeQuietly(t, "schema", kind)))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("schema.json", text); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		s, err := c.Compile("schema.json")
		if err != nil {
			t.Errorf("%s is no JSON Schema: %v", kind, err)
			continue
		}
		if s.DraftVersion != 2020 {
			t.Errorf("%s: draft %d", kind, s.DraftVersion)
		}
		files := documentsOf(t, kind, repository, fresh)
		for _, file := range files {
			document := asJSON(t, file)
			if err := s.Validate(document); err != nil {
				t.Errorf("the schema %s refuses %s: %v", kind, file, err)
			}
			if m, ok := document.(map[string]any); ok {
				m["no such key"] = true
				if s.Validate(m) == nil {
					t.Errorf("the schema %s accepts an unknown key in %s", kind, file)
				}
			}
		}
		if s.Validate([]any{json.Number("1")}) == nil {
			t.Errorf("the schema %s accepts a list", kind)
		}
	}
}

// documentsOf returns the files of a kind in repositories, of which there must be some.
func documentsOf(t *testing.T, kind string, roots ...string) (files []string) {
	t.Helper()
	pattern := map[string]string{
		"runner": "runner.yaml", "problem": "problems/*.yaml", "cases": "cases/*/*.yaml", "mutants": "cases/*/mutants.yaml",
	}[kind]
	for _, root := range roots {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			if name := filepath.Base(file); kind != "cases" || name != "lock.yaml" && name != "mutants.yaml" {
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 {
		t.Errorf("no files of the kind %s", kind)
	}
	return files
}

// asJSON returns a YAML document as the values of JSON, as an editor sees them.
func asJSON(t *testing.T, file string) any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	value, err = jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return value
}
