package pkgformat

import (
	"bytes"
	"regexp"
	"sync"

	"tribunal/judge/internal/quote"

	"gopkg.in/yaml.v3"
)

var (
	constantName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })
	// constantUse matches {{name}}, and {{name.key}} for one of several values of a constant.
	constantUse = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)\}\}`)
	})
)

// readConstants reads a mapping from names to values. A name may have several values: n: {value: 5,
// tex: $5$} defines n and n.tex.
func (p *Package) readConstants(n node) error {
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

// Fill returns a text in which the values of constants replace {{name}}, or false if the result is
// larger than most bytes. In the formats, constants are filled into validators, files to include
// and the package's own submissions, but not into test data. Unknown names stay as they are, and so
// do names in values. A text without any {{name}} is returned itself, not copied.
func (p *Package) Fill(text []byte, most int) ([]byte, bool) {
	if len(p.Constants) == 0 || !bytes.Contains(text, []byte("{{")) {
		return text, true
	}
	var filled []byte
	for {
		at := constantUse().FindSubmatchIndex(text)
		if at == nil {
			break
		}
		value, known := p.Constants[string(text[at[2]:at[3]])]
		if !known {
			value = string(text[at[0]:at[1]])
		}
		filled = append(append(filled, text[:at[0]]...), value...)
		if text = text[at[1]:]; len(filled)+len(text) > most {
			return nil, false
		}
	}
	if filled == nil {
		return text, true
	}
	return append(filled, text...), true
}
