package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/judged/internal/store"
)

// upgrades turn events of older builds into those of this one: upgrades[i] turns an event of schema
// i+1, decoded from JSON, into one of schema i+2; nil if it is one already. Records are never rewritten.
var upgrades = []func(event map[string]any) error{nil}

// Decode returns the event of a record. The error names the record, and says if only a newer build
// can read it.
func Decode(r store.Record) (Event, error) {
	e, err := decode(r.Data, Schema, upgrades)
	if err != nil {
		return e, fmt.Errorf("record %d of the ledger (%s): %w", r.Sequence, r.Subject, err)
	}
	return e, nil
}

func decode(data []byte, schema int, upgrades []func(map[string]any) error) (e Event, err error) {
	defer func() {
		// Members handed in as COURSE/LOGIN, under that very name, before courses had names that no owner of a token has.
		if in := e.Submitted; in != nil && in.Submitter == e.By && CourseOf(e.By) == "" && strings.Contains(e.By, "/") {
			in.Submitter = "/" + in.Submitter
		}
	}()
	// Nearly always nothing is to be upgraded, and then it is read only once.
	if e, err = strict(data); err == nil && 1 <= e.Schema && e.Schema <= schema && same(upgrades[e.Schema-1:schema-1]) {
		return e, e.check()
	}
	var head struct {
		Schema int `json:"v"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return e, fmt.Errorf("not an event: %w", err)
	}
	switch {
	case head.Schema > schema:
		return e, fmt.Errorf("an event of schema %d, and this build reads up to %d (hint: start a judged of the newer version)", head.Schema, schema)
	case head.Schema < 1:
		return e, fmt.Errorf("an event without a schema (hint: something else writes into this stream)")
	case head.Schema < schema:
		if data, err = upgrade(data, schema, upgrades[head.Schema-1:schema-1]); err != nil {
			return e, fmt.Errorf("an event of schema %d: %w", head.Schema, err)
		}
	}
	if e, err = strict(data); err != nil {
		return e, fmt.Errorf("not an event: %w", err)
	}
	return e, e.check()
}

// same reports whether steps change nothing.
func same(steps []func(map[string]any) error) bool {
	return !slices.ContainsFunc(steps, func(step func(map[string]any) error) bool { return step != nil })
}

// strict decodes an event, and refuses fields that this build does not know: it would ignore them, and compute a
// wrong state.
func strict(data []byte) (e Event, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err = d.Decode(&e); err == nil && d.InputOffset() < int64(len(data)) {
		err = errors.New("more follows")
	}
	return e, err
}

// check returns an error unless one part of an event is set.
func (e *Event) check() error {
	if n := e.parts(); n != 1 {
		return fmt.Errorf("an event with %d parts instead of one", n)
	}
	return nil
}

// upgrade takes an event through the steps to the schema to.
func upgrade(data []byte, to int, steps []func(map[string]any) error) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var event map[string]any
	if err := d.Decode(&event); err != nil {
		return nil, err
	}
	for _, step := range steps {
		if step == nil {
			continue
		}
		if err := step(event); err != nil {
			return nil, err
		}
	}
	event["v"] = to
	return json.Marshal(event)
}

// parts counts the parts of an event that are set.
func (e *Event) parts() (n int) {
	for _, set := range []bool{
		e.Submitted != nil, e.Rejudged != nil, e.Split != nil, e.Part != nil, e.Ended != nil, e.Failed != nil,
		e.Released != nil, e.Cancelled != nil, e.Erased != nil, e.Uploaded != nil, e.Checked != nil, e.Applied != nil, e.Began != nil,
		e.Ruled != nil, e.Course != nil, e.Person != nil, e.Question != nil,
	} {
		if set {
			n++
		}
	}
	return n
}
