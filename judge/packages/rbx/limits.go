package rbx

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

func (r *reader) timeLimit(n yamlloose.Node) error {
	ms, err := n.Number(1)
	if err == nil {
		r.Time.Limit = draft.Milliseconds(ms)
		r.Time.From = fmt.Sprintf("%s:%d", file, n.Line())
	}
	return err
}

// modifiers reads the limits of single languages.
func (r *reader) modifiers(n yamlloose.Node) error {
	list, err := n.Pairs()
	if err != nil {
		return err
	}
	if len(list) > draft.MaxLanguages {
		return n.Errorf("", "more than %d languages", draft.MaxLanguages)
	}
	for _, k := range list {
		e, factor := problem.Exception{Language: language(k.Key)}, 1.0
		if !slices.Contains(draft.LanguageCodes, e.Language) {
			n.Doc.Notef(k.Line, "unknown language %s: its limits count if a language of the judge has this name", quote.Name(k.Key))
		}
		keys := map[string]func(yamlloose.Node) error{
			"time": func(n yamlloose.Node) error {
				ms, err := n.Number(1)
				e.CPU = draft.Milliseconds(ms)
				return err
			},
			"timeMultiplier": yamlloose.NumberInto(&factor, 0.001),
			"memory":         yamlloose.MemoryInto(&e.Memory),
		}
		if err := n.Read(k, func(n yamlloose.Node) error { return n.Each(keys) }); err != nil {
			return err
		}
		if factor != 1 && e.CPU == 0 {
			e.CPU = r.Time.Limit
		}
		if e.CPU > 0 { // rbx drops the rest of a millisecond
			e.CPU = max(draft.Milliseconds(math.Floor(float64(e.CPU.Milliseconds())*factor)), time.Millisecond)
		}
		r.AddException(e)
	}
	return nil
}

// language returns the code of a language, given by its name in rbx.
func language(name string) string {
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
