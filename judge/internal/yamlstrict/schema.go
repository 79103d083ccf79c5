package yamlstrict

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"tribunal/judge/internal/limits"
)

// Schema returns a JSON Schema (draft 2020-12) of the documents that [Decode] parses into a struct
// like v, so that editors can complete and check them. Values that are set in v, except in maps,
// become the defaults. The result depends only on v and title, and ends in a line end.
//
// The schema says less than Decode checks: bounds of quantities with units are only in
// descriptions, because no keyword expresses them, and everything about bytes and layout is left
// out. An error means that Decode does not know a type in v. The types must not be recursive.
func Schema(v any, title string) ([]byte, error) {
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Struct {
		return nil, fmt.Errorf("schema of %T, which is not a struct", v)
	}
	body, err := schemaOf(value, &rules{})
	if err != nil {
		return nil, err
	}
	head := object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}}
	compact, err := encode(append(head, body...))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, part := range []any{m.key, m.value} {
			if j > 0 {
				b.WriteByte(':')
			}
			text, err := encode(part)
			if err != nil {
				return nil, err
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes JSON without escaping <, > and &, which occur in hints.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// schemaOf returns the schema of a value's type, with the value as default.
func schemaOf(v reflect.Value, r *rules) (object, error) {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Pointer:
		if v.IsNil() {
			return schemaOf(reflect.Zero(t.Elem()), r)
		}
		return schemaOf(v.Elem(), r)
	case t.Implements(orderedType):
		f, _ := t.Elem().FieldByName("Value")
		return collection("object", "additionalProperties", "minProperties", f.Type, r)
	case t == durationType:
		return withDefault(object{{"type", "string"}, {"pattern", `^([0-9]+(\.[0-9]*)?(ns|us|ms|s|m|h))+$`}}, v), nil
	case t == reflect.TypeFor[limits.Bytes]():
		return withDefault(object{{"type", "string"}, {"pattern", `^[0-9]+(\.[0-9]+)?(B|KiB|MiB|GiB)$`}}, v), nil
	case reflect.PointerTo(t).Implements(textType):
		return withDefault(textSchema(r, true), v), nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return recordSchema(v)
	case reflect.Slice:
		s, err := collection("array", "items", "minItems", t.Elem(), r)
		return withDefault(s, v), err
	case reflect.Array:
		s, err := collection("array", "items", "", t.Elem(), r)
		s.add("minItems", t.Len())
		s.add("maxItems", t.Len())
		return withDefault(s, v), err
	case reflect.Map:
		return collection("object", "additionalProperties", "minProperties", t.Elem(), r)
	case reflect.String:
		return withDefault(textSchema(r, r.word), v), nil
	case reflect.Bool:
		return withDefault(object{{"type", "boolean"}}, v), nil
	case reflect.Int, reflect.Int64, reflect.Uint64:
		s := object{{"type", "integer"}}
		if r.min != "" {
			s.add("minimum", json.Number(r.min))
		} else if t.Kind() == reflect.Uint64 {
			s.add("minimum", 0)
		}
		if r.max != "" {
			s.add("maximum", json.Number(r.max))
		}
		return withDefault(s, v), nil
	case reflect.Float64:
		s := object{{"type", "number"}}
		if r.min != "" {
			s.add("minimum", json.Number(r.min))
		}
		if r.max != "" {
			s.add("maximum", json.Number(r.max))
		}
		return withDefault(s, v), nil
	default:
		return nil, fmt.Errorf("schema of %v, which no document holds", t)
	}
}

// textSchema describes a text. A word may be any scalar, because a plain 12 is a word.
func textSchema(r *rules, word bool) object {
	if r.enum != nil {
		return object{{"enum", r.enum}}
	}
	s := object{{"type", "string"}}
	if word {
		s = object{{"type", []string{"string", "number", "boolean"}}}
	}
	if r.shape != "" {
		s.add("pattern", "^("+r.shape+")$")
	}
	if r.nonempty {
		s.add("minLength", 1)
	}
	return s
}

// collection describes a list or a mapping whose values have one type.
func collection(kind, items, least string, item reflect.Type, r *rules) (object, error) {
	inner, err := schemaOf(reflect.Zero(item), r.items())
	s := object{{"type", kind}, {items, inner}}
	if r.nonempty && least != "" {
		s.add(least, 1)
	}
	return s, err
}

func recordSchema(v reflect.Value) (object, error) {
	l := layoutOf(v.Type())
	var properties, dependent object
	var required, groups []string
	members := map[string][]any{} // by oneof group
	for i := range l.fields {
		r := &l.fields[i]
		s, err := schemaOf(v.Field(r.index), r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.key, err)
		}
		if d := description(r, v.Field(r.index).Type()); d != "" {
			s = append(object{{"description", d}}, s...)
		}
		properties.add(r.key, s)
		if r.required {
			required = append(required, r.key)
		}
		if r.needs != nil {
			dependent.add(r.key, r.needs)
		}
		if r.oneof != "" {
			if members[r.oneof] == nil {
				groups = append(groups, r.oneof)
			}
			members[r.oneof] = append(members[r.oneof], object{{"required", []string{r.key}}})
		}
	}
	s := object{{"type", "object"}, {"additionalProperties", false}, {"properties", properties}}
	if required != nil {
		s.add("required", required)
	}
	if dependent != nil {
		s.add("dependentRequired", dependent)
	}
	if groups != nil {
		var all []any
		for _, g := range groups {
			all = append(all, object{{"oneOf", members[g]}})
		}
		s.add("allOf", all)
	}
	return s, nil
}

// description returns what a field of this type means. It names the bounds of quantities with units.
func description(r *rules, t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	bounds := ""
	switch {
	case t != durationType && t != reflect.TypeFor[limits.Bytes]():
	case r.min != "" && r.max != "":
		bounds = "from " + r.min + " to " + r.max
	case r.min != "":
		bounds = "at least " + r.min
	case r.max != "":
		bounds = "at most " + r.max
	}
	if r.doc != "" && bounds != "" {
		return r.doc + "; " + bounds
	}
	return r.doc + bounds
}

// withDefault adds the value of v as the default, in the form of a document. Lists of mappings get
// none: it would repeat the whole schema in another form.
func withDefault(s object, v reflect.Value) object {
	if s == nil || v.IsZero() || v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct {
		return s
	}
	s.add("default", plainValue(v))
	return s
}

func plainValue(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		return shortDuration(x)
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return fmt.Sprint(x)
		}
		return string(text)
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plainValue(v.Index(i))
		}
		return list
	default:
		return v.Interface()
	}
}

// shortDuration writes 60s and 2m where the standard library writes 1m0s and 2m0s.
func shortDuration(d time.Duration) string {
	switch {
	case d%time.Minute == 0 && d >= 2*time.Minute:
		return strconv.FormatInt(int64(d/time.Minute), 10) + "m"
	case d%time.Second == 0:
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	default:
		return d.String()
	}
}
