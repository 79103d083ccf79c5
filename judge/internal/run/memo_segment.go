package run

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/sandbox"
)

// segmentHead begins the stored form of a segment. encoding/gob would be shorter here, but its tables
// are built at each start of the judge, and it takes several times as long as this.
const segmentHead = "runs of the judge, form 3\n"

// encode returns the stored form of a segment with these records. It holds equal outputs only once,
// because many runs print the same.
func encode(records []record) []byte {
	var which []int // for each record, the index of its output in outputs
	var outputs [][]byte
	known := map[cache.Key]int{}
	for _, r := range records {
		key := outputKey(r.Output)
		at, seen := known[key]
		if !seen {
			at = len(outputs)
			known[key], outputs = at, append(outputs, r.Output)
		}
		which = append(which, at)
	}
	c := &codec{text: []byte(segmentHead)}
	c.segment(&records, &which, &outputs)
	return c.text
}

// decode reads the stored form of a segment. ok is false if encode has not written it.
func decode(text []byte) (records []record, ok bool) {
	text, ok = bytes.CutPrefix(text, []byte(segmentHead))
	c := &codec{text: text, reading: true, failed: !ok}
	var which []int
	var outputs [][]byte
	c.segment(&records, &which, &outputs)
	if c.failed || len(c.text) > 0 {
		return nil, false
	}
	for i, at := range which {
		if at < 0 || at >= len(outputs) {
			return nil, false
		}
		records[i].Output = outputs[at]
	}
	return records, true
}

// A codec writes values to the end of text, or reads them from its beginning. So a method for a type
// lists its fields once for both. What is read does not share memory with text. After failed, which
// means that encode has not written the text, all values that are read are arbitrary.
type codec struct {
	text            []byte
	reading, failed bool
}

func (c *codec) segment(records *[]record, which *[]int, outputs *[][]byte) {
	list(c, outputs, func(o *[]byte) { blob(c, o) })
	list(c, which, func(i *int) { number(c, i) })
	if c.reading {
		*records = make([]record, len(*which))
	}
	for i := range *records {
		c.record(&(*records)[i])
	}
}

// record codes all fields but Output.
func (c *codec) record(r *record) {
	blob(c, &r.Input)
	c.flags(&r.Forgotten, &r.Once, &r.Alone, &r.Truncated, &r.Race)
	c.result(&r.Result)
	blob(c, &r.Stderr)
	c.files(&r.Copies)
	talked := r.Talk != nil
	if c.flags(&talked); !talked || c.failed {
		return
	}
	if c.reading {
		r.Talk = &talk{}
	}
	t := r.Talk
	c.result(&t.Interactor)
	blob(c, &t.Stderr)
	c.flags(&t.Truncated, &t.Stalled, &t.Decided)
	number(c, &t.First)
	number(c, &t.Ended[0])
	number(c, &t.Ended[1])
	c.files(&t.Left)
}

func (c *codec) result(r *sandbox.Result) {
	number(c, &r.Stop)
	number(c, &r.ExitCode)
	number(c, &r.Signal)
	blob(c, &r.Denied)
	number(c, &r.CPU)
	number(c, &r.Wall)
	number(c, &r.Memory)
	number(c, &r.Stdout)
	number(c, &r.Stderr)
	c.flags(&r.StackOverflow, &r.FolderFull)
	number(c, &r.CPUWait)
}

func (c *codec) files(m *map[string][]byte) {
	var names []string
	if *m != nil {
		names = slices.AppendSeq([]string{}, maps.Keys(*m))
		slices.Sort(names)
	}
	list(c, &names, func(name *string) { blob(c, name) })
	if c.reading && names != nil {
		*m = make(map[string][]byte, len(names))
	}
	for _, name := range names {
		text := (*m)[name]
		blob(c, &text)
		(*m)[name] = text
	}
}

// flags codes at most 8 flags as a byte.
func (c *codec) flags(list ...*bool) {
	var bits uint8
	for i, f := range list {
		if *f {
			bits |= 1 << i
		}
	}
	number(c, &bits)
	for i, f := range list {
		*f = bits&(1<<i) != 0
	}
}

func number[T ~int | ~int32 | ~int64 | ~uint8](c *codec, n *T) {
	if !c.reading {
		c.text = binary.AppendVarint(c.text, int64(*n))
		return
	}
	value, size := binary.Varint(c.text)
	if size <= 0 || int64(T(value)) != value {
		c.failed, c.text = true, nil
		return
	}
	*n, c.text = T(value), c.text[size:]
}

// length codes a length, which is -1 for nil. Each element of what is that long takes at least a byte.
func (c *codec) length(n *int) {
	if number(c, n); c.reading && (*n < -1 || *n > len(c.text)) {
		c.failed, c.text, *n = true, nil, -1
	}
}

// blob codes a text. One that is empty is read as nil.
func blob[T ~string | ~[]byte](c *codec, s *T) {
	n := len(*s)
	c.length(&n)
	if !c.reading {
		c.text = append(c.text, *s...)
	} else if n > 0 {
		*s, c.text = T(bytes.Clone(c.text[:n])), c.text[n:]
	}
}

// list codes a list, by a function that codes an element.
func list[T any](c *codec, l *[]T, element func(*T)) {
	n := len(*l)
	if *l == nil {
		n = -1
	}
	if c.length(&n); c.reading && n >= 0 {
		*l = make([]T, n)
	}
	for i := range *l {
		element(&(*l)[i])
	}
}
