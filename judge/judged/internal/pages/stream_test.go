package pages

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestZipped reads what a stream sends, zipped for all and not, in any order and size.
func TestZipped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, accept := range []string{"gzip, br", "identity"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", accept)
		s, err := (&request{ResponseWriter: w, Request: r}).stream(true)
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for _, size := range []int{0, 1, 100, 1<<16 - 1, 1 << 16, 200_000, 3} {
			text := strings.Repeat("row\r\n", size/5) + strings.Repeat("x", size%5)
			for range 3 {
				if random.IntN(2) == 0 {
					err = s.send("board", text)
				} else {
					var p piece
					if p, err = newPiece("board", []byte(text)); err == nil {
						err = s.sendPiece("board", p)
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, eventOf("board", text)...)
			}
		}
		got := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(z); !errors.Is(err, io.ErrUnexpectedEOF) { // a stream has no end
				t.Error(err)
			}
		} else if accept != "identity" {
			t.Errorf("%s: not zipped", accept)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want %d", accept, len(got), len(want))
		}
	}
}

func TestTakesGzip(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "br, gzip;q=0.8": true, "gzip;q=0": false, "gzip; q=0.000, br": false, "x-gzip": false, "gzip;q=1": true,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", accept)
		if got := takesGzip(r); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
}
