package pkgformat

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
)

func (r *rbxReader) timeLimit(n node) error {
	ms, err := n.number(1)
	if err == nil {
		r.p.Time.Limit = milliseconds(ms)
		r.p.Time.From = fmt.Sprintf("%s:%d", rbxFile, n.line())
	}
	return err
}

// modifiers reads the limits of single languages.
func (r *rbxReader) modifiers(n node) error {
	list, err := n.pairs()
	if err != nil {
		return err
	}
	if len(list) > maxLanguages {
		return n.errorf("", "more than %d languages", maxLanguages)
	}
	for _, k := range list {
		e, factor := problem.Exception{Language: rbxLanguage(k.key)}, 1.0
		if !slices.Contains(languageCodes, e.Language) {
			n.d.notef(k.line, "unknown language %s: its limits count if a language of the judge has this name", quote.Name(k.key))
		}
		keys := map[string]func(node) error{
			"time": func(n node) error {
				ms, err := n.number(1)
				e.CPU = milliseconds(ms)
				return err
			},
			"timeMultiplier": numberInto(&factor, 0.001),
			"memory":         memoryInto(&e.Memory),
		}
		if err := n.read(k, func(n node) error { return n.each(keys) }); err != nil {
			return err
		}
		if factor != 1 && e.CPU == 0 {
			e.CPU = r.p.Time.Limit
		}
		if e.CPU > 0 { // rbx drops the rest of a millisecond
			e.CPU = max(milliseconds(math.Floor(float64(e.CPU.Milliseconds())*factor)), time.Millisecond)
		}
		r.p.except(e)
	}
	return nil
}

// rbxLanguage returns the code of a language, given by its name in rbx.
func rbxLanguage(name string) string {
	switch name {
	case "py", "python":
		return "python3"
	case "kt":
		return "kotlin"
	case "cc":
		return "cpp"
	}
	return name
}
