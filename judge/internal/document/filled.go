package document

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
)

// filled returns v with an empty list in place of each nil list. It copies the values that it
// changes, and does not change values that marshal themselves.
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
	if !holdsLists(t) {
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

// lists remembers the result of holdsLists by type, because a report has tens of thousands of values.
var lists sync.Map

// holdsLists reports whether values of a type may hold lists that fill can change.
func holdsLists(t reflect.Type) bool {
	if known, ok := lists.Load(t); ok {
		return known.(bool)
	}
	lists.Store(t, true) // for a type that holds itself
	holds := !t.Implements(jsonType) && !t.Implements(textType)
	if holds {
		switch t.Kind() {
		case reflect.Slice, reflect.Interface:
		case reflect.Pointer:
			holds = holdsLists(t.Elem())
		case reflect.Struct:
			holds = false
			for f := range t.Fields() {
				holds = holds || f.Tag.Get("json") != "-" && (f.IsExported() || f.Anonymous) && holdsLists(f.Type)
			}
		default:
			holds = false
		}
	}
	lists.Store(t, holds)
	return holds
}

// fillFields fills the fields of a struct that the caller owns. The fields of an embedded struct
// count as its own, even if the embedded type is not exported.
func fillFields(whole reflect.Value) {
	t := whole.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case !holdsLists(f.Type):
		case f.Tag.Get("json") == "-":
		case f.IsExported():
			whole.Field(i).Set(fill(whole.Field(i)))
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			fillFields(whole.Field(i))
		}
	}
}
