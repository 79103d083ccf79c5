package cache

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"tribunal/judge/internal/content"
)

// Value adds values by their content: values of a type have the same parts if and only if they are
// equal, with the content behind pointers instead of their addresses, and with all fields, so that a new
// one counts, too. Functions count as nil. It fails only if a [content.Content] cannot be read.
func (h *Hasher) Value(values ...any) error {
	for _, v := range values {
		if err := h.value(reflect.ValueOf(v)); err != nil {
			return err
		}
	}
	return nil
}

func (h *Hasher) value(v reflect.Value) error {
	if v.IsValid() && v.CanInterface() {
		switch v := v.Interface().(type) {
		case content.Content:
			return h.Content(v)
		case time.Time:
			h.Text(v.UTC().Format(time.RFC3339Nano))
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Invalid, reflect.Func:
		h.Text("nil")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			h.Text("nil")
			return nil
		}
		h.Text(v.Elem().Type().String())
		return h.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if err := h.value(v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			h.Bytes(v.Bytes())
			return nil
		}
		h.Text(fmt.Sprint(v.Len()))
		for i := range v.Len() {
			if err := h.value(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		h.Text(fmt.Sprint(v.Len()))
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, key := range keys {
			h.Text(fmt.Sprint(key))
			if err := h.value(v.MapIndex(key)); err != nil {
				return err
			}
		}
	default: // a text, a number or a bool, which fmt prints even if its field is not exported
		h.Text(fmt.Sprint(v))
	}
	return nil
}
