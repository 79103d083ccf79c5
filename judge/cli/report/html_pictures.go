package report

import (
	"encoding/base64"
	"html/template"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
)

// A gradedPicture is the drawing of a failing case.
type gradedPicture struct {
	Picture template.URL // its address
	Drawn   string       // the id of the failure that has the same picture; "" if there is none before
	Undrawn string       // why there is no picture; "" if there should be none
}

// gradedPictures holds for each picture of a page the id of the first failure that has it, so that
// many submissions with the same mistake do not repeat it.
type gradedPictures map[string]string

// draw adds the drawing of a case to its failure, and the commands about it. The drawing becomes an
// image of its own, not a part of the page: browsers run no scripts in it and load nothing for it, its
// names and styles are apart from those of the page, and its animations run.
func (f *gradedFailure) draw(known gradedPictures, x *account.Execution, s *account.Submission, c *account.Case) {
	how := commandsFor(x, s, c)
	f.Command, f.Undrawn = how.again, layout.Word(c.Undrawn)
	if c.Picture != nil || c.Undrawn != "" {
		f.Draw = how.draw
	}
	switch first, again := known[string(c.Picture)]; {
	case c.Picture == nil:
	case again:
		f.Drawn = first
	default:
		known[string(c.Picture)] = f.ID
		f.Picture = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(c.Picture))
	}
}
