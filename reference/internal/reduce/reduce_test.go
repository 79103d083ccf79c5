package reduce

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Offer([]byte("1 2\n"))
	w.Offer(nil)
	w.Offer([]byte("3:x,"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "4:1 2\n,0:,4:3:x,,"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	list, err := Offers(out.Bytes())
	if got := fmt.Sprintf("%q", list); err != nil || got != `["1 2\n" "" "3:x,"]` {
		t.Errorf("Offers: got %s, %v", got, err)
	}
}

func TestMalformedOffers(t *testing.T) {
	for _, text := range []string{"x", "1", "1:", "1:x", "1:x;", "2:x,", "-1:x,", "1:x,1", "99999999999999999999:x,"} {
		if list, err := Offers([]byte(text)); err == nil {
			t.Errorf("%q: got %q", text, list)
		}
	}
}

func TestWriterIsBounded(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	big := make([]byte, maxOutput/2-1)
	for i, want := range []bool{true, true, false} {
		if got := w.Offer(big); got != want {
			t.Errorf("offer %d: room for more: got %v, want %v", i, got, want)
		}
	}
	if err := w.Close(); err != nil || out.Len() > maxOutput+100 {
		t.Errorf("wrote %d bytes, %v", out.Len(), err)
	}
	if w.Offer(nil); out.Len() > maxOutput+100 {
		t.Error("Offer writes after it has reported that there is no more room")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriterReportsErrors(t *testing.T) {
	w := NewWriter(full{})
	w.Offer(make([]byte, 1<<20))
	if w.Close() == nil {
		t.Error("Close does not return the error of the underlying writer")
	}
}

func TestCuts(t *testing.T) {
	for n, want := range []string{"", "0-1", "0-2 0-1 1-2", "0-3 0-1 1-2 2-3", "0-4 0-2 2-4 0-1 1-2 2-3 3-4", "0-5 0-2 2-4 4-5 0-1 1-2 2-3 3-4 4-5"} {
		var got []byte
		for from, to := range Cuts(n) {
			got = fmt.Appendf(got, " %d-%d", from, to)
		}
		if string(bytes.TrimSpace(got)) != want {
			t.Errorf("Cuts(%d): got%s, want %s", n, got, want)
		}
	}
}

func TestWithout(t *testing.T) {
	list := []int{0, 1, 2, 3}
	if got := Without(list, 1, 3); !slices.Equal(got, []int{0, 3}) || list[1] != 1 {
		t.Errorf("got %v, left %v", got, list)
	}
}
