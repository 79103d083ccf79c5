package pages

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// beat is the time between signs of life of a stream.
const beat = 15 * time.Second

// stream is an answer of server-sent events.
type stream struct {
	http.ResponseWriter
	control *http.ResponseController
	zipped  bool // the answer is gzip, in blocks that do not depend on each other
}

// gzipHead is the header of a gzip file without a name and a time (RFC 1952).
const gzipHead = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// stream begins a stream. With zip it is gzip, if the browser takes that. The error may be errNoBody.
func (q *request) stream(zip bool) (*stream, error) {
	s := &stream{q.ResponseWriter, http.NewResponseController(q.ResponseWriter), zip && takesGzip(q.Request)}
	_ = s.control.SetReadDeadline(time.Time{})
	if s.zipped {
		s.Header().Set("Content-Encoding", "gzip")
	}
	if zip {
		s.Header().Set("Vary", "Accept-Encoding")
	}
	s.Header().Set("Content-Type", "text/event-stream")
	s.Header().Set("X-Accel-Buffering", "no")
	s.WriteHeader(http.StatusOK)
	switch {
	case q.Method == http.MethodHead:
		return nil, errNoBody
	case s.zipped:
		return s, s.write([]byte(gzipHead))
	}
	return s, s.control.Flush()
}

func takesGzip(r *http.Request) bool {
	for one := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		if name == "gzip" && strings.Trim(weight, "q=.0") != "" || name == "gzip" && weight == "" {
			return true
		}
	}
	return false
}

func (s *stream) write(data []byte) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(answerTime))
	if _, err := s.Write(data); err != nil {
		return err
	}
	return s.control.Flush()
}

// lineEnds replaces every line end of server-sent events by a newline.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func eventOf(name, data string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\n", name)
	for l := range strings.SplitSeq(lineEnds.Replace(data), "\n") {
		fmt.Fprintf(&b, "data: %s\n", l)
	}
	b.WriteString("\n")
	return b.Bytes()
}

// send sends an event.
func (s *stream) send(name, data string) error {
	text := eventOf(name, data)
	if s.zipped {
		text = stored(text)
	}
	return s.write(text)
}

// piece is a piece of HTML that many see.
type piece struct {
	html   []byte
	zipped []byte // an event with it, as blocks of deflate
}

// sendPiece sends an event with a piece, which is zipped once for all.
func (s *stream) sendPiece(name string, p piece) error {
	if s.zipped && p.zipped != nil {
		return s.write(p.zipped)
	}
	return s.send(name, string(p.html))
}

// newPiece zips an event. The blocks begin and end at a byte, and refer to nothing before them, so that they can follow
// any others (RFC 1951, 3.2.3 and zlib's Z_SYNC_FLUSH).
func newPiece(name string, html []byte) (piece, error) {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = z.Write(eventOf(name, string(html)))
	}
	if err == nil {
		err = z.Flush()
	}
	return piece{html, b.Bytes()}, err
}

// stored returns data as blocks of deflate without compression (RFC 1951, 3.2.4). The last one is empty, at which readers
// pass on what they have.
func stored(data []byte) []byte {
	const most = 1<<16 - 1
	var blocks []byte
	for {
		n := min(len(data), most)
		blocks = binary.LittleEndian.AppendUint16(append(blocks, 0), uint16(n))
		blocks = append(binary.LittleEndian.AppendUint16(blocks, ^uint16(n)), data[:n]...)
		if n == 0 {
			return blocks
		}
		data = data[n:]
	}
}
