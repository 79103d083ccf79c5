package casedata

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
)

// Fingerprint returns a key of all that decides about a submission's result on prepared cases, besides
// the submission, its limits and the judge: the cases, the programs of the problem that judge outputs,
// and the rules for points. It reads all data, and builds these programs.
func (p *Provider) Fingerprint(ctx context.Context, list []cases.Case) (cache.Key, error) {
	h := cache.NewHasher("problem 1")
	q := p.Problem
	h.Text(spelled(q.ID, q.Format, q.Dialect, q.InFile, q.OutFile, q.ReadOnly, q.Compare, q.Exceptions, q.Validator, q.Grader, q.Groups, q.Scoring))
	for v := q.Validator; v != nil; v = v.Then {
		if err := p.programKey(ctx, h, v.Program); err != nil {
			return "", err
		}
	}
	if q.Grader != nil {
		if err := p.programKey(ctx, h, q.Grader.Program); err != nil {
			return "", err
		}
	}
	for i := range list {
		data, err := p.Load(ctx, &list[i])
		if err != nil {
			return "", err
		}
		h.Text(spelled(data.Name, data.Args, data.Flags, data.Asked, data.Compare, data.Files, list[i].Points, list[i].Submitted))
		if err := h.Content(data.Input); err != nil {
			return "", err
		}
		if err := h.Content(data.Want); err != nil {
			return "", err
		}
	}
	return h.Key(), nil
}

func (p *Provider) programKey(ctx context.Context, h *cache.Hasher, path string) error {
	program, err := p.Program(ctx, path)
	if err == nil {
		h.Text(string(program.Key))
	}
	return err
}

// spelled returns a text of values that is the same for values with the same content, and no others:
// unlike that of package fmt it has the content behind pointers, instead of their addresses. It leaves
// out functions.
func spelled(values ...any) string {
	var b strings.Builder
	for _, v := range values {
		spell(&b, reflect.ValueOf(v))
	}
	return b.String()
}

func spell(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid, reflect.Func:
		b.WriteString("nil,")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil,")
			return
		}
		b.WriteString(v.Elem().Type().String())
		spell(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			spell(b, v.Field(i))
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			spell(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Map:
		var entries []string
		for _, key := range v.MapKeys() {
			var entry strings.Builder
			spell(&entry, key)
			spell(&entry, v.MapIndex(key))
			entries = append(entries, entry.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(b, "%q,", entries)
	case reflect.String:
		fmt.Fprintf(b, "%q,", v.String())
	default: // a number or a bool, which fmt prints even if its field is not exported
		fmt.Fprintf(b, "%v,", v)
	}
}
