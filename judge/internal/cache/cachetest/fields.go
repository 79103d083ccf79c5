package cachetest

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
)

// Fields checks that a key depends on every field of T, except those that without names: blank-separated lists,
// each under the reason why its fields do not count. base must have no values, because Fields sets one field at a
// time. A new field fails the test until the key has it or a reason says why not.
func Fields[T any](t *testing.T, base T, without map[string]string, key func(T) cache.Key) {
	t.Helper()
	reasons := map[string]string{}
	for reason, names := range without {
		for name := range strings.FieldsSeq(names) {
			if _, ok := reflect.TypeFor[T]().FieldByName(name); !ok || reasons[name] != "" {
				t.Errorf("%s: %q is no field, or has two reasons", name, reason)
			}
			reasons[name] = reason
		}
	}
	plain, n := key(base), 0
	seen := map[cache.Key]string{plain: "nothing"}
	for f := range reflect.TypeFor[T]().Fields() {
		changed := base
		filled := Fill(reflect.ValueOf(&changed).Elem().FieldByIndex(f.Index), &n)
		switch why := reasons[f.Name]; {
		case why == "" && !filled:
			t.Errorf("%s: the test cannot set a %s: say why the key does not depend on it", f.Name, f.Type)
		case why == "":
			k := key(changed)
			if same, ok := seen[k]; ok || k == "" {
				t.Errorf("%s gives the same key as %s: add it to the key, or to the test with a reason", f.Name, same)
			}
			seen[k] = f.Name
		case filled && key(changed) != plain:
			t.Errorf("%s changes the key, although %s", f.Name, why)
		}
	}
}

// Fill sets a value and all its parts that others can set to something else than zero, different for each
// n, which it counts up. It reports false if it cannot set the value.
func Fill(v reflect.Value, n *int) bool { return fill(v, n, 8) }

// fill is Fill down to a depth, because a tree has no end.
func fill(v reflect.Value, n *int, deep int) bool {
	*n++
	if !v.CanSet() {
		return false
	}
	switch v.Interface().(type) {
	case content.Content:
		v.Set(reflect.ValueOf(content.Of([]byte(strconv.Itoa(*n)))))
		return true
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(int64(*n), 0)))
		return true
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n) << 20)
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(uint64(*n%255 + 1))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 3)
	case reflect.String:
		v.SetString("text " + strconv.Itoa(*n))
	case reflect.Pointer:
		if deep < 0 {
			return true
		}
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), n, deep-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		return fill(v.Index(0), n, deep-1) && fill(v.Index(1), n, deep-1)
	case reflect.Array:
		for i := range v.Len() {
			if !fill(v.Index(i), n, deep-1) {
				return false
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if !fill(key, n, deep-1) || !fill(value, n, deep-1) {
				return false
			}
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		filled := false
		for _, part := range v.Fields() {
			filled = fill(part, n, deep-1) || filled
		}
		return filled
	default:
		return false
	}
	return true
}
