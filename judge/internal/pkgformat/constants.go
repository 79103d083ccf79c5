package pkgformat

import (
	"bytes"
	"regexp"

	"gopkg.in/yaml.v3"
)

// constantName is what a constant may be called; one of several values that a constant
// has is called by both names, with a dot between them.
var (
	constantName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	constantUse  = regexp.MustCompile(`\{\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)\}\}`)
)

// readConstants reads values by name. Instead of a value there may be several by names
// of their own, as in n: {value: 5, tex: $5$}, which are those of n and n.tex.
func (p *Package) readConstants(n node) error {
	keys, err := n.pairs()
	if err != nil || len(keys) == 0 {
		return err
	}
	p.Constants = map[string]string{}
	for _, k := range keys {
		if !constantName.MatchString(k.key) {
			k.value.d.notef(k.line, "constant %s is put in no place: such names have letters, digits and _", show(k.key))
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

// Fill returns a text with the constants in the places of {{name}}, and false if it
// becomes larger than so many bytes. The formats want that of validators, of files to
// include and of the package's own submissions, but of no data. A name that no constant
// has is left as it is, and so is what looks like one in a value. A text in which nothing
// changes is returned itself.
func (p *Package) Fill(text []byte, most int) ([]byte, bool) {
	if len(p.Constants) == 0 || !bytes.Contains(text, []byte("{{")) {
		return text, true
	}
	var filled []byte
	for {
		at := constantUse.FindSubmatchIndex(text)
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
