package course

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tribunal/judge/judged/internal/ledger"
)

// Write returns a course as a course.yaml that [Read] reads, without the fields that are not set.
func Write(c *ledger.Course) []byte {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(node(reflect.ValueOf(*c))), e.Close()); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// Field is a key of a course.yaml.
type Field struct{ Key, Doc, Values string }

// Fields returns the keys of a course.yaml, in their order. Those of problems begin with "problems: ".
func Fields() []Field {
	return append(fields("", ledger.Course{}), fields("problems: ", ledger.CourseProblem{})...)
}

func fields(prefix string, of any) (list []Field) {
	for f := range reflect.TypeOf(of).Fields() {
		list = append(list, Field{prefix + key(f), f.Tag.Get("doc"), strings.ReplaceAll(f.Tag.Get("enum"), ",", ", ")})
	}
	return list
}

func key(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}

// node returns the YAML of a value. Problems and groups stand in a line each.
func node(v reflect.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch x := v.Interface().(type) {
	case time.Time:
		n.Value = x.Format(time.RFC3339Nano)
		return n
	case time.Duration:
		n.Value = x.String()
		return n
	}
	switch v.Kind() {
	case reflect.Struct:
		n.Kind = yaml.MappingNode
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key(v.Type().Field(i))}, node(v.Field(i)))
			}
		}
		if v.Type() != reflect.TypeFor[ledger.Course]() {
			n.Style = yaml.FlowStyle
		}
	case reflect.Slice:
		n.Kind = yaml.SequenceNode
		for i := range v.Len() {
			n.Content = append(n.Content, node(v.Index(i)))
		}
		if v.Type().Elem().Kind() == reflect.String {
			n.Style = yaml.FlowStyle
		}
	case reflect.Map:
		n.Kind = yaml.MappingNode
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			n.Content = append(n.Content, node(name), node(v.MapIndex(name)))
		}
	case reflect.String:
		n.SetString(v.String())
	default:
		_ = n.Encode(v.Interface())
	}
	return n
}
