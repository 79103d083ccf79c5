package yamlstrict

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/limits"
)

// decoder decodes nodes into values. The argument key of its methods is the nearest key above the
// value, which errors name.
type decoder struct{ file string }

func (d *decoder) fail(n *yaml.Node, key, hint, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if key != "" {
		msg = key + ": " + msg
	}
	return &Error{File: d.file, Line: n.Line, Msg: msg, Hint: hint}
}

func (d *decoder) value(n *yaml.Node, v reflect.Value, r *rules, key string) error {
	if v.Kind() == reflect.Pointer {
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		v = p.Elem()
	}
	if isNull(n) {
		hint := "write the value or leave the key out"
		if v.Kind() == reflect.String {
			hint = `write "" for an empty text, or leave the key out`
		}
		return d.fail(n, key, hint, "no value")
	}
	t := v.Type()
	switch {
	case t == durationType || reflect.PointerTo(t).Implements(textType):
		return d.scalar(n, v, r, key, "a quantity")
	case t.Implements(orderedType):
		return d.ordered(n, v, r, key)
	}
	switch t.Kind() {
	case reflect.Struct:
		return d.record(n, v, key)
	case reflect.Slice, reflect.Array:
		return d.list(n, v, r, key)
	case reflect.Map:
		return d.mapping(n, v, r, key)
	case reflect.String:
		return d.text(n, v, r, key)
	case reflect.Bool:
		return d.scalar(n, v, r, key, "true or false")
	case reflect.Float64:
		return d.scalar(n, v, r, key, "a number")
	default:
		return d.scalar(n, v, r, key, "a whole number")
	}
}

func (d *decoder) wantKind(n *yaml.Node, kind yaml.Kind, key, what string) error {
	if n.Kind != kind {
		return d.fail(n, key, "", "want %s, found %s", what, describe(n))
	}
	return nil
}

// record decodes a mapping into a struct.
func (d *decoder) record(n *yaml.Node, v reflect.Value, key string) error {
	if err := d.wantKind(n, yaml.MappingNode, key, "a mapping"); err != nil {
		return err
	}
	l := layoutOf(v.Type())
	place := Place{file: d.file, line: n.Line, flow: n.Style&yaml.FlowStyle != 0, keys: make([]keyLine, 0, len(n.Content)/2)}
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if err := d.addKey(name, &place, key); err != nil {
			return err
		}
		f := slices.Index(l.keys, name.Value)
		if f < 0 {
			return d.fail(name, key, suggest(name.Value, l.keys, "the fields are "), "unknown field %s", quote(name.Value))
		}
		r := &l.fields[f]
		if err := d.value(value, v.Field(r.index), r, name.Value); err != nil {
			return err
		}
	}
	if l.place >= 0 {
		v.Field(l.place).Set(reflect.ValueOf(place))
	}
	return d.checkPresence(n, l, place, key)
}

// addKey checks a key of a mapping and adds it to the place.
func (d *decoder) addKey(n *yaml.Node, p *Place, key string) error {
	if err := d.wantKind(n, yaml.ScalarNode, key, "a word as key"); err != nil {
		return err
	}
	if isNull(n) {
		return d.fail(n, key, "put it in quotes if it is a name", "want a word as key, found nothing")
	}
	for _, k := range p.keys {
		if k.key == n.Value {
			return d.fail(n, key, fmt.Sprintf("the first is on line %d", k.line), "duplicate key %s", quote(n.Value))
		}
	}
	p.keys = append(p.keys, keyLine{n.Value, n.Line})
	return nil
}

// checkPresence checks which keys a mapping must have together.
func (d *decoder) checkPresence(n *yaml.Node, l *layout, p Place, key string) error {
	for i := range l.fields {
		r := &l.fields[i]
		has := p.Has(r.key)
		if r.required && !has {
			return d.fail(n, key, r.doc, "missing key %q", r.key)
		}
		for _, need := range r.needs {
			if has && !p.Has(need) {
				return &Error{File: d.file, Line: p.LineOf(r.key), Msg: fmt.Sprintf("%s without %s", r.key, need),
					Hint: fmt.Sprintf("add %s, or leave %s out", need, r.key)}
			}
		}
		if r.oneof == "" {
			continue
		}
		var group, present []string
		for _, f := range l.fields {
			if f.oneof == r.oneof {
				group = append(group, f.key)
				if p.Has(f.key) {
					present = append(present, f.key)
				}
			}
		}
		if len(present) == 0 {
			return d.fail(n, key, "", `missing key "%s"`, strings.Join(group, `" or "`))
		}
		if len(present) > 1 {
			return &Error{File: d.file, Line: p.LineOf(present[1]), Msg: "both " + strings.Join(present, " and "), Hint: "keep one of them"}
		}
	}
	return nil
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, r *rules, key string) error {
	if err := d.wantKind(n, yaml.SequenceNode, key, "a list"); err != nil {
		return err
	}
	items := len(n.Content)
	switch {
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), items, items))
	case items != v.Len():
		return d.fail(n, key, "", "want a list of %d, found one of %d", v.Len(), items)
	}
	if r.nonempty && items == 0 {
		return d.fail(n, key, "", "empty list")
	}
	of := r.items()
	for i, c := range n.Content {
		if err := d.value(c, v.Index(i), of, key); err != nil {
			return err
		}
	}
	return nil
}

// entries calls each for the keys and values of a mapping whose keys are not fields of a struct.
func (d *decoder) entries(n *yaml.Node, r *rules, key string, each func(name, value *yaml.Node) error) error {
	if err := d.wantKind(n, yaml.MappingNode, key, "a mapping"); err != nil {
		return err
	}
	if r.nonempty && len(n.Content) == 0 {
		return d.fail(n, key, "", "empty mapping")
	}
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i]
		if err := d.addKey(name, &Place{}, key); err != nil {
			return err
		}
		if line, ok := seen[name.Value]; ok {
			return d.fail(name, key, fmt.Sprintf("the first is on line %d", line), "duplicate key %s", quote(name.Value))
		}
		seen[name.Value] = name.Line
		if err := each(name, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value, r *rules, key string) error {
	v.Set(reflect.MakeMapWithSize(v.Type(), len(n.Content)/2))
	of := r.items()
	return d.entries(n, r, key, func(name, value *yaml.Node) error {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(value, item, of, name.Value); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(name.Value).Convert(v.Type().Key()), item)
		return nil
	})
}

func (d *decoder) ordered(n *yaml.Node, v reflect.Value, r *rules, key string) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, len(n.Content)/2))
	of := r.items()
	return d.entries(n, r, key, func(name, value *yaml.Node) error {
		item := reflect.New(v.Type().Elem()).Elem()
		item.FieldByName("Key").SetString(name.Value)
		item.FieldByName("Line").SetInt(int64(name.Line))
		if err := d.value(value, item.FieldByName("Value"), of, name.Value); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
		return nil
	})
}

func (d *decoder) text(n *yaml.Node, v reflect.Value, r *rules, key string) error {
	if err := d.wantKind(n, yaml.ScalarNode, key, "a text"); err != nil {
		return err
	}
	s := n.Value
	switch {
	case n.Tag != "!!str" && !r.word:
		return d.fail(n, key, fmt.Sprintf("write it as a block: %q, and below it, indented, %s and a line end", key+": |", s),
			"want a text, found %s; the bytes of a text must not depend on how YAML reads it", describe(n))
	case r.nonempty && s == "":
		return d.fail(n, key, r.doc, "empty text")
	case r.enum != nil && !slices.Contains(r.enum, s):
		return d.fail(n, key, suggest(s, r.enum, ""), "want one of %s, found %s", strings.Join(r.enum, ", "), quote(s))
	case r.pattern != nil && !r.pattern.MatchString(s):
		return d.fail(n, key, "it must match "+r.shape, "bad form %s", quote(s))
	}
	v.SetString(s)
	return nil
}

// scalar decodes a value that is not a text, and checks its bounds.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, r *rules, key, what string) error {
	if err := d.wantKind(n, yaml.ScalarNode, key, what); err != nil {
		return err
	}
	plain := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if !plain && what != "a quantity" {
		return d.fail(n, key, "", "want %s, found %s", what, describe(n))
	}
	if err := parseScalar(n.Value, v, what); err != nil {
		msg, hint := splitHint(err.Error())
		return d.fail(n, key, hint, "%s", oneLine(msg))
	}
	for _, bound := range []struct {
		text, word string
		wrong      int
	}{{r.min, "least", -1}, {r.max, "most", 1}} {
		if bound.text == "" {
			continue
		}
		limit := reflect.New(v.Type()).Elem()
		if err := parseScalar(bound.text, limit, what); err != nil {
			panic(fmt.Sprintf("yamlstrict: bound of %s: %v", key, err))
		}
		if compare(v, limit) == bound.wrong {
			return d.fail(n, key, "", "want at %s %s, found %s", bound.word, bound.text, n.Value)
		}
	}
	return nil
}

var (
	wholeNumber   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`) })
	decimalNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`) })
)

// parseScalar parses text into v. The error may end in a hint.
func parseScalar(text string, v reflect.Value, what string) error {
	if v.Type() == durationType {
		q, err := limits.ParseDuration(text)
		v.SetInt(int64(q))
		return err
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		err := u.UnmarshalText([]byte(text))
		if _, isTime := u.(*time.Time); isTime && err != nil {
			return fmt.Errorf("%s is no time with a zone (hint: such as 2026-12-01T09:00:00+01:00)", quote(text))
		}
		return err
	}
	switch v.Kind() {
	case reflect.Bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("want true or false, found %s", quote(text))
		}
		v.SetBool(text == "true")
	case reflect.Int, reflect.Int64:
		i, err := strconv.ParseInt(text, 10, 64)
		if !wholeNumber().MatchString(text) || err != nil {
			return notWhole(text)
		}
		v.SetInt(i)
	case reflect.Uint64:
		u, err := strconv.ParseUint(text, 10, 64)
		if !wholeNumber().MatchString(text) || err != nil {
			return notWhole(text)
		}
		v.SetUint(u)
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if !decimalNumber().MatchString(text) || err != nil {
			return fmt.Errorf("want %s, found %s (hint: write it like 0.5 or 1e-6)", what, quote(text))
		}
		v.SetFloat(f)
	default:
		panic(fmt.Sprintf("yamlstrict: cannot decode into %v", v.Type()))
	}
	return nil
}

func notWhole(text string) error {
	if rest := strings.TrimLeft(text, "0"); rest != text && wholeNumber().MatchString(rest) {
		return fmt.Errorf("want a whole number, found %s (hint: write %s; a leading zero means octal to YAML)", quote(text), rest)
	}
	if wholeNumber().MatchString(text) {
		return fmt.Errorf("%s is out of range", text)
	}
	return fmt.Errorf("want a whole number, found %s (hint: write plain decimal digits)", quote(text))
}

func compare(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	default:
		return cmp.Compare(a.Float(), b.Float())
	}
}

// splitHint splits the text of an error that ends in a hint, as those of package limits do.
func splitHint(text string) (msg, hint string) {
	msg, hint, ok := strings.Cut(text, " (hint: ")
	if ok {
		hint = strings.TrimSuffix(hint, ")")
	}
	return msg, hint
}

// suggest returns a hint with the known word nearest to word. If none is near, the hint is lead and
// all known words, or "" if lead is "".
func suggest(word string, known []string, lead string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if lead == "" {
		return ""
	}
	return lead + strings.Join(known, ", ")
}

// describe names the kind of a node, for "found …".
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!int" || n.Tag == "!!float":
		return "the number " + oneLine(n.Value)
	case n.Tag == "!!bool":
		return "the truth value " + n.Value
	case n.Tag == "!!timestamp":
		return "the date " + oneLine(n.Value)
	default:
		return "the text " + quote(n.Value)
	}
}

// quote quotes a text from the document on one line, cut to a bounded length.
func quote(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.Quote(s)
}
