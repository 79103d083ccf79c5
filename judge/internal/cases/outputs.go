package cases

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/internal/yamltext"
)

// SetOutputs returns the case file src with the outputs of the cases in outputs, by short name,
// replaced by the given texts; nil removes an output. An end marker that is missing is added. All
// other bytes stay as they are, see [yamltext.Splice]. SetOutputs reads the result again to check
// that it has the cases of src with these outputs. Errors name file.
//
// Every failure is a [*yamlstrict.Error]: a src that Load would refuse, an unknown name, a text
// that is not UTF-8 (which only the lock can hold), or a layout that cannot be edited. src is not
// changed.
func SetOutputs(file string, src []byte, outputs map[string]*string) ([]byte, error) {
	list, err := parse(file, src)
	if err != nil {
		return nil, err
	}
	src = withEnd(file, src)
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Short()
	}
	var edits []yamltext.Edit
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		i := slices.Index(names, name)
		if i < 0 {
			e := &yamlstrict.Error{File: file, Msg: "no case " + name}
			if near := yamlstrict.Nearest(name, names); near != "" {
				e.Hint = fmt.Sprintf("did you mean %s?", near)
			}
			return nil, e
		}
		if same(list[i].Output, outputs[name]) {
			continue // keep the form in which a person wrote the text
		}
		edits = append(edits, yamltext.Edit{In: "/cases/" + strconv.Itoa(i), Key: "output", Text: outputs[name]})
	}
	if len(edits) == 0 {
		return slices.Clone(src), nil
	}
	out, err := yamltext.Splice(src, edits)
	if err != nil {
		return nil, located(file, err)
	}
	if _, err := parse(file, out); err != nil {
		return nil, err // for example, a pinned case lost its output
	}
	return out, nil
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func located(file string, err error) error {
	e := &yamlstrict.Error{File: file, Msg: err.Error(), Hint: "edit the output by hand, as the last key of its case"}
	if at, ok := errors.AsType[*yamltext.Error](err); ok {
		e.Line, e.Msg = at.Line, at.Msg
	}
	if errors.Is(err, yamltext.ErrInvalidUTF8) {
		e.Hint = "leave the output out of the file; the lock has its hash"
	}
	return e
}
