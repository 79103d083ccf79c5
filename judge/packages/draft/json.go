package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"tribunal/judge/internal/quote"
)

// ReadJSON reads a file of at most most bytes into doc. The hint is that of an error in the file.
func (p *Draft) ReadJSON(rel string, most int64, hint string, doc any) error {
	data, err := p.Tree.Read(rel, most)
	if err == nil {
		data, err = p.Tree.Text(rel, data)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, doc); err != nil {
		return p.Tree.Errorf(rel, lineOfJSON(data, err), hint, "%s", wrongJSON(err))
	}
	return nil
}

// wrongJSON returns an error of package json for people.
func wrongJSON(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s: it does not take a %s", quote.Name(e.Field), e.Value)
	}
	return err.Error()
}

// lineOfJSON returns the line to which an error of package json belongs; 0 if that is unknown.
func lineOfJSON(data []byte, err error) int {
	offset := int64(-1)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = e.Offset
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = e.Offset
	}
	if offset < 0 {
		return 0
	}
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}
