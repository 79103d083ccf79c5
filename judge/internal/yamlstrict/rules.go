package yamlstrict

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// rules are the rules for a field's value, from its tags.
type rules struct {
	key      string
	index    int
	doc      string
	required bool
	word     bool
	nonempty bool
	enum     []string
	pattern  *regexp.Regexp // anchored at both ends
	shape    string         // the pattern as written
	min, max string
	oneof    string
	needs    []string
}

// items returns the rules for the items of a list or mapping: all but nonempty, which is about the
// collection.
func (r *rules) items() *rules {
	of := *r
	of.nonempty = false
	return &of
}

// layout describes a struct type to the decoder.
type layout struct {
	fields []rules
	keys   []string // keys of the fields, in the same order
	place  int      // index of the field of type Place, or -1
}

var (
	placeType    = reflect.TypeFor[Place]()
	durationType = reflect.TypeFor[time.Duration]()
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	orderedType  = reflect.TypeFor[interface{ ordered() }]()
)

var layouts sync.Map // reflect.Type → *layout

// layoutOf returns the layout of a struct type, whose tags it reads only once.
func layoutOf(t reflect.Type) *layout {
	if l, ok := layouts.Load(t); ok {
		return l.(*layout)
	}
	l := &layout{place: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == placeType {
			l.place = i
			continue
		}
		tag, ok := f.Tag.Lookup("yaml")
		if !ok {
			continue
		}
		r := readTag(t, f, tag)
		r.index = i
		l.fields = append(l.fields, r)
		l.keys = append(l.keys, r.key)
	}
	for _, f := range l.fields {
		for _, n := range f.needs {
			if !slices.Contains(l.keys, n) {
				panic(fmt.Sprintf("yamlstrict: %v: %s needs %s, which does not exist", t, f.key, n))
			}
		}
	}
	layouts.Store(t, l)
	return l
}

func readTag(t reflect.Type, f reflect.StructField, tag string) rules {
	key, options, _ := strings.Cut(tag, ",")
	r := rules{key: key, doc: f.Tag.Get("doc"), oneof: f.Tag.Get("oneof"), min: f.Tag.Get("min"), max: f.Tag.Get("max"), shape: f.Tag.Get("pattern")}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "required":
			r.required = true
		case "word":
			r.word = true
		case "nonempty":
			r.nonempty = true
		default:
			panic(fmt.Sprintf("yamlstrict: %v.%s: unknown option %q", t, f.Name, option))
		}
	}
	if r.shape != "" {
		r.pattern = regexp.MustCompile(`^(?:` + r.shape + `)$`)
	}
	if s := f.Tag.Get("enum"); s != "" {
		r.enum = strings.Split(s, ",")
	}
	if s := f.Tag.Get("needs"); s != "" {
		r.needs = strings.Split(s, ",")
	}
	return r
}
