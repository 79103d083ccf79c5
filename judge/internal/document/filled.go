package document

import (
	"encoding"
	"encoding/json"
	"reflect"
)

// filled returns v with an empty list in the place of each nil one in it. What it changes
// is a copy; what says itself how it is written is left alone.
func filled(v any) any {
	if v == nil {
		return nil
	}
	return fill(reflect.ValueOf(v)).Interface()
}

var (
	jsonType = reflect.TypeFor[json.Marshaler]()
	textType = reflect.TypeFor[encoding.TextMarshaler]()
)

func fill(v reflect.Value) reflect.Value {
	t := v.Type()
	if t.Implements(jsonType) || t.Implements(textType) {
		return v
	}
	switch t.Kind() {
	case reflect.Slice:
		list := reflect.MakeSlice(t, v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(fill(v.Index(i)))
		}
		return list
	case reflect.Struct:
		whole := reflect.New(t).Elem()
		whole.Set(v)
		fillFields(whole)
		return whole
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		to := reflect.New(t.Elem())
		to.Elem().Set(fill(v.Elem()))
		return to
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return fill(v.Elem())
	}
	return v
}

// fillFields fills the fields of a struct, which is the caller's own. Those of a struct that
// is embedded are written with the others, whatever its type is called.
func fillFields(whole reflect.Value) {
	t := whole.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Tag.Get("json") == "-":
		case f.IsExported():
			whole.Field(i).Set(fill(whole.Field(i)))
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			fillFields(whole.Field(i))
		}
	}
}
