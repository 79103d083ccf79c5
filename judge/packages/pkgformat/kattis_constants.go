package pkgformat

import (
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
)

var constantName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// readConstants reads a mapping from names to values. A name may have several values: n: {value: 5,
// tex: $5$} defines n and n.tex.
func (p *kattisReader) readConstants(n node) error {
	keys, err := n.pairs()
	if err != nil || len(keys) == 0 {
		return err
	}
	p.Constants = map[string]string{}
	for _, k := range keys {
		if !constantName().MatchString(k.key) {
			k.value.d.notef(k.line, "constant %s is never filled in: a name has letters, digits and _, and no digit first", quote.Name(k.key))
			continue
		}
		if k.value.kind() != yaml.MappingNode {
			if p.Constants[k.key], err = k.value.text(); err != nil {
				return err
			}
			continue
		}
		values, err := k.value.pairs()
		if err != nil {
			return err
		}
		for _, v := range values {
			name := k.key + "." + v.key
			if v.key == "value" {
				name = k.key
			}
			if p.Constants[name], err = v.value.text(); err != nil {
				return err
			}
		}
	}
	return nil
}
