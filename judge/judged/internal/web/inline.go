package web

import (
	"tribunal/judge/judged/internal/inline"
	"tribunal/judge/judged/internal/service"
)

// inline adds the tests of a submission to its request.
func (w *Web) inline(r *service.Request, tests []Test) (err error) {
	list, size := make([]inline.Test, len(tests)), int64(0)
	for i, t := range tests {
		list[i] = inline.Test{Input: t.Input, Output: t.Output}
		size += int64(len(t.Input) + len(t.Output))
	}
	if len(list) == 0 {
		return wrong("tests", "want at least one test")
	}
	if size > int64(w.o.Bounds.Source) {
		return wrong("tests", "tests have at most %v", w.o.Bounds.Source)
	}
	r.Package, err = inline.Pack(list)
	return err
}
