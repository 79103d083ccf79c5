package eval

import (
	"encoding/binary"
	"strings"
	"testing"
)

// long returns a text behind an instruction with its size in 4 or 8 bytes.
func long(op byte, text string) string {
	size := binary.LittleEndian.AppendUint64([]byte{op}, uint64(len(text)))
	if op == opText {
		size = size[:5]
	}
	return string(size) + text
}

func TestPickledText(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 70_000)
	for _, tt := range []struct{ why, pickle, want, wrong string }{
		{"protocol 1", "X\x03\x00\x00\x00n\xc3\xa9q\x00.", "né", ""},
		{"protocols 2 and 3", "\x80\x03X\x03\x00\x00\x00n\xc3\xa9q\x00.", "né", ""},
		{"protocol 4", "\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00\x8c\x03n\xc3\xa9\x94.", "né", ""},
		{"a large text, outside of frames", "\x80\x04" + long(opText, large) + "\x94.", large, ""},
		{"a very large text", "\x80\x05" + long(opLongText, large) + "\x94.", large, ""},
		{"a large number in the memo", "\x80\x02" + long(opText, "x") + "r\x00\x01\x00\x00.", "x", ""},
		{"an empty text", "\x80\x04\x8c\x00\x94.", "", ""},

		{"a call of os.system", "\x80\x03cos\nsystem\nq\x00X\x02\x00\x00\x00idq\x01\x85q\x02R.", "", "instruction 0x63 of a pickle at byte 3"},
		{"protocol 0", "Vn\np0\n.", "", "instruction 0x56 of a pickle at byte 1"},
		{"bytes", "\x80\x03C\x01x.", "", "instruction 0x43 of a pickle at byte 3"},
		{"two texts", "\x80\x04\x8c\x01a\x8c\x01b.", "", "a pickle of several texts"},
		{"no text", "\x80\x04.", "", "a pickle without a text, or with more after it"},
		{"more after the end", "\x80\x04\x8c\x01a..", "", "a pickle without a text, or with more after it"},
		{"an unknown version", "\x80\x09\x8c\x01a.", "", "version 9 of pickles is not known"},
		{"no end", "\x80\x04\x8c\x01a", "", "a pickle that ends too early"},
		{"cut in a size", "\x80\x04X\x01\x00", "", "a pickle that ends too early"},
		{"cut in the text", "\x80\x04\x8c\x05a.", "", "a pickle that ends too early"},
		{"a size that overflows", "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.", "", "a pickle that ends too early"},
		{"nothing", "", "", "a pickle that ends too early"},
	} {
		got, err := pickledText([]byte(tt.pickle))
		if tt.wrong == "" && (err != nil || string(got) != tt.want) || tt.wrong != "" && (err == nil || err.Error() != tt.wrong) {
			t.Errorf("%s: %.40q, %v", tt.why, got, err)
		}
	}
}

// FuzzPickledText reads any bytes. A text that is found lies in them.
func FuzzPickledText(f *testing.F) {
	f.Add([]byte("\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00\x8c\x03n\xc3\xa9\x94."))
	f.Add([]byte("\x80\x02X\x01\x00\x00\x00xr\x00\x01\x00\x00."))
	f.Fuzz(func(t *testing.T, pickle []byte) {
		text, err := pickledText(pickle)
		if err == nil && !strings.Contains(string(pickle), string(text)) {
			t.Errorf("%q has %q", pickle, text)
		}
	})
}
