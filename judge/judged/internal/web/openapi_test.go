package web

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"tribunal/judge/cli/client"
)

var update = flag.Bool("update", false, "write the golden files")

// described is a Web without a service, for tests of what it says about itself.
func described() *Web { return New(Options{Languages: languages}) }

// golden compares a text with a file, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("%s is out of date (hint: go test ./judge/judged/internal/web -update)", name)
	}
}

// conforms checks answers against the document of the API.
var conforms = sync.OnceValue(func() func(*http.Request, *http.Response) []string {
	document, err := libopenapi.NewDocument(described().OpenAPI())
	if err != nil {
		panic(err)
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		panic(errs[0])
	}
	var mu sync.Mutex
	return func(r *http.Request, resp *http.Response) (list []string) {
		mu.Lock()
		defer mu.Unlock()
		_, faults := v.ValidateHttpResponse(r, resp)
		for _, f := range faults {
			list = append(list, f.Message+": "+f.Reason)
			for _, s := range f.SchemaValidationErrors {
				list = append(list, s.FieldPath+": "+s.Reason)
			}
		}
		return list
	}
})

// repository is the folder of this repository.
var repository = filepath.Join("..", "..", "..", "..")

// TestOpenAPI checks the document of the API against the specification of OpenAPI 3.1.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	spec := described().OpenAPI()
	document, err := libopenapi.NewDocument(spec)
	if err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if ok, faults := v.ValidateDocument(); !ok {
		for _, f := range faults {
			t.Errorf("%s: %s", f.Message, f.Reason)
			for _, s := range f.SchemaValidationErrors {
				t.Errorf("  %s: %s", s.FieldPath, s.Reason)
			}
		}
	}
	golden(t, filepath.Join(repository, "docs", "openapi.json"), spec)
}

// TestClient checks that the document has the operations and the fields that the judge's client has.
func TestClient(t *testing.T) {
	t.Parallel()
	var document struct {
		Paths      map[string]map[string]any
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(described().OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	for _, o := range []struct{ method, path string }{
		{"post", "/v1/judgings"}, {"get", "/v1/judgings/{id}"}, {"post", "/v1/judgings/{id}/cancel"}, {"get", "/v1/judgings/{id}/result"}, {"get", "/v1/problems/{id}"},
	} {
		if document.Paths[o.path][o.method] == nil {
			t.Errorf("there is no %s %s", o.method, o.path)
		}
	}
	for _, v := range []any{client.Problem{}, client.Fault{}, client.Submission{}, client.Judging{}, client.ProblemInfo{}, client.VersionInfo{}} {
		kind := reflect.TypeOf(v)
		for f := range kind.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); document.Components.Schemas[kind.Name()].Properties[name] == nil {
				t.Errorf("%s has no %s", kind.Name(), name)
			}
		}
	}
}
