package draft

import (
	"bytes"
	"regexp"
	"sync"
)

var (
	// constantUse matches {{name}}, and {{name.key}} for one of several values of a constant.
	constantUse = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)\}\}`)
	})
)

// Fill returns a text in which the values of constants replace {{name}}, or false if the result is
// larger than most bytes. In the formats, constants are filled into validators, files to include
// and the package's own submissions, but not into test data. Unknown names stay as they are, and so
// do names in values. A text without any {{name}} is returned itself, not copied.
func (p *Draft) Fill(text []byte, most int) ([]byte, bool) {
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
