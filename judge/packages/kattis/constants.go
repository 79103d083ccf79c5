package kattis

import (
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/yamlloose"
)

var constantName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// readConstants reads a mapping from names to values. A name may have several values: n: {value: 5,
// tex: $5$} defines n and n.tex.
func (p *reader) readConstants(n yamlloose.Node) error {
	keys, err := n.Pairs()
	if err != nil || len(keys) == 0 {
		return err
	}
	p.Constants = map[string]string{}
	for _, k := range keys {
		if !constantName().MatchString(k.Key) {
			k.Value.Doc.Notef(k.Line, "constant %s is never filled in: a name has letters, digits and _, and no digit first", quote.Name(k.Key))
			continue
		}
		if k.Value.Kind() != yaml.MappingNode {
			if p.Constants[k.Key], err = k.Value.Text(); err != nil {
				return err
			}
			continue
		}
		values, err := k.Value.Pairs()
		if err != nil {
			return err
		}
		for _, v := range values {
			name := k.Key + "." + v.Key
			if v.Key == "value" {
				name = k.Key
			}
			if p.Constants[name], err = v.Value.Text(); err != nil {
				return err
			}
		}
	}
	return nil
}
