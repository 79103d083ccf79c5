package layouttest

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/version"
)

// update is the flag of tests that write golden files.
var update = flag.Bool("update", false, "write the golden files anew")

// Golden compares got with the file testdata/NAME, in which ^[ denotes the escape character.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "\x1b", "^[")
	got = strings.ReplaceAll(got, version.Build(), "BUILD")
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (hint: go test -update)", err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

// Documentation returns the text of a page in docs/.
func Documentation(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// DocumentedNames returns the names that the tables and lists of a text explain, in their order. An item of a
// list may explain several: "- `begin.cpus`, `begin.slots`: as above".
func DocumentedNames(text string) (names []string) {
	for _, m := range explains.FindAllStringSubmatch(text, -1) {
		for _, name := range quoted.FindAllStringSubmatch(m[1]+m[2], -1) {
			names = append(names, name[1])
		}
	}
	return names
}

var (
	explains = regexp.MustCompile("(?m)^(?:\\| (`[a-z_.\\[\\]]+`) \\||- (`[a-z_.\\[\\]]+`(?:,\\s+`[a-z_.\\[\\]]+`)*):)")
	quoted   = regexp.MustCompile("`([^`]+)`")
)

// Agree checks that the tables and lists of a text explain exactly these fields.
func Agree(t *testing.T, text string, fields []string) {
	t.Helper()
	documented := DocumentedNames(text)
	slices.Sort(documented)
	slices.Sort(fields)
	if d := cmp.Diff(documented, fields); d != "" {
		t.Errorf("documented (-) and written (+) fields:\n%s", d)
	}
}

// Fields appends the paths of a type's JSON fields to fields, such as cases[].name. It does not
// descend into the types in elsewhere, which another section describes.
func Fields(t reflect.Type, path string, fields *[]string, elsewhere ...reflect.Type) {
	switch {
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
	case t.Kind() == reflect.Pointer:
		Fields(t.Elem(), path, fields, elsewhere...)
	case t.Kind() == reflect.Slice:
		Fields(t.Elem(), path+"[]", fields, elsewhere...)
	case t.Kind() == reflect.Struct && !slices.Contains(elsewhere, t):
		for _, embedded := range []bool{false, true} { // outer fields hide embedded ones of the same name
			for f := range t.Fields() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				at := strings.TrimPrefix(path+"."+name, ".")
				switch {
				case embedded != (f.Anonymous && name == "") || name == "-" || !f.Anonymous && !f.IsExported():
				case embedded:
					Fields(f.Type, path, fields, elsewhere...)
				case !slices.Contains(*fields, at):
					*fields = append(*fields, at)
					Fields(f.Type, at, fields, elsewhere...)
				}
			}
		}
	}
}

// NoFieldTwice checks that no object on a line has the same field twice.
func NoFieldTwice(t *testing.T, line []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	var names []map[string]bool // the fields of the enclosing objects; nil for a list
	isName := false
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch token {
		case json.Delim('{'):
			names, isName = append(names, map[string]bool{}), true
			continue
		case json.Delim('['):
			names = append(names, nil)
			continue
		case json.Delim('}'), json.Delim(']'):
			names = names[:len(names)-1]
		default:
			if name, text := token.(string); text && isName && names[len(names)-1] != nil {
				if names[len(names)-1][name] {
					t.Errorf("%s is there twice: %s", name, line)
				}
				names[len(names)-1][name], isName = true, false
				continue
			}
		}
		isName = len(names) > 0 && names[len(names)-1] != nil
	}
}
