package verify

import (
	"context"
	"errors"
	"fmt"
	"path"

	"tribunal/judge/internal/checktestdata"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/yamlstrict"
)

// maxFormat is how large a program in Checktestdata may be made by constants; that it is
// then too large is for its parser to say.
const maxFormat = 16 << 20

// format reads a validator that is a program in Checktestdata. What is wrong with
// it is a finding, and the program nil.
func (s *parcel) format(rel string) (*checktestdata.Program, error) {
	text, err := s.Bytes(rel)
	if err != nil {
		return nil, err
	}
	text, ok := s.Fill(text, maxFormat)
	if !ok {
		s.at(s.Show(rel), "", "constants make it larger than %d MiB", maxFormat>>20)
		return nil, nil
	}
	p, err := checktestdata.Parse(s.Show(rel), text)
	if broken, ok := errors.AsType[*checktestdata.Error](err); ok {
		s.find(&yamlstrict.Error{File: broken.File, Line: broken.Line, Msg: fmt.Sprintf("column %d: %s", broken.Column, broken.Msg), Hint: broken.Hint})
		return nil, nil
	}
	return p, err
}

// describe asks those of some validators that are in Checktestdata about a file of each
// case, if it has one; of tells that, and the arguments for validators. The first few, so
// many as are valid, have to be accepted; what is refused is marked. It returns how many
// validators there are that can be asked.
func (s *parcel) describe(ctx context.Context, validators []string, all []*pkgformat.Case, of func(*pkgformat.Case) (string, pkgformat.InputArgs), valid int, refused []bool) (int, error) {
	asked := 0
	for _, rel := range validators {
		if path.Ext(rel) != ".ctd" {
			continue
		}
		p, err := s.format(rel)
		if err != nil {
			return asked, err
		}
		if p == nil {
			continue
		}
		asked++
		for i, c := range all {
			file, args := of(c)
			if file == "" {
				continue
			}
			if len(args.Of(rel)) > 0 {
				s.note("not used: arguments for %s", s.Show(rel))
			}
			err := s.match(ctx, p, file)
			if ctx.Err() != nil {
				return asked, ctx.Err()
			}
			located, judged := errors.AsType[*yamlstrict.Error](err)
			if err != nil && !judged {
				return asked, err
			}
			refused[i] = refused[i] || err != nil
			// What is not valid must be refused, and not looked at for ever.
			if err != nil && (i < valid || located.Hint != "") {
				s.find(located)
			}
		}
	}
	return asked, nil
}

// match returns nil if a program accepts a file, else why not, located in the file; or,
// where the program cannot go on, in the program.
func (s *parcel) match(ctx context.Context, p *checktestdata.Program, file string) error {
	text, err := s.Bytes(file)
	if err != nil {
		return err
	}
	wall := 2 * s.Validate.CPU
	limited, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	err = p.Check(limited, text)
	if m, ok := errors.AsType[*checktestdata.Mismatch](err); ok {
		return &yamlstrict.Error{File: s.Show(file), Line: m.Line, Msg: fmt.Sprintf("column %d: %s: %s", m.Column, m.Command, m.Msg)}
	}
	if e, ok := errors.AsType[*checktestdata.Error](err); ok {
		return &yamlstrict.Error{File: e.File, Line: e.Line, Msg: fmt.Sprintf("column %d: on %s: %s", e.Column, file, e.Msg)}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &yamlstrict.Error{File: s.Show(file), Msg: fmt.Sprintf("%s takes longer than %v", path.Base(p.Name()), wall), Hint: "does a loop of it never end?"}
	}
	return err
}
