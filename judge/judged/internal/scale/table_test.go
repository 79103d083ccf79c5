package scale

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tribunal/internal/chart/charttest"
)

var update = flag.Bool("update", false, "write what comes out into testdata")

// curve is a curve with all that a table can show.
func curve() *Curve {
	s := Usual(cheap())
	idle := func(shares map[string]float64) (list []Busy) {
		for _, name := range Stations {
			b := Busy{Station: name, Share: shares[name]}
			if b.Share > 0 {
				b.Carries = 100 / b.Share
			}
			list = append(list, b)
		}
		return list
	}
	return &Curve{s, []Point{
		{Workers: 1, Offered: 0.64, Verdicts: 0.6432, Taken: 119 * time.Microsecond, Judged: 12 * time.Second, Stations: idle(map[string]float64{"slots": 0.8, "ledger": 0.001, "cpu": 0.0001})},
		{Workers: 10, Offered: 6.4, Verdicts: 6.4, Taken: 120 * time.Microsecond, Judged: 3400 * time.Millisecond, Fetched: 90 * time.Millisecond, Stations: idle(map[string]float64{"slots": 0.8, "ledger": 0.01, "cpu": 0.001, "link": 0.0004})},
		{Workers: 1000, Offered: 640, Verdicts: 512.3, Grows: true, Taken: 2 * time.Second, Judged: time.Minute, Fetched: 30 * time.Second, Stations: idle(map[string]float64{"slots": 0.64, "ledger": 1, "cpu": 0.1, "link": 0.0004})},
	}}
}

// TestTable compares tables with the reviewed ones in testdata: of a service with a hot problem, of one
// without, and of one with more workers than it carries.
func TestTable(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	hot, cold := curve(), curve()
	for i := range cold.Points {
		cold.Points[i].Fetched = 0
	}
	overloaded := &Curve{cold.Setup, cold.Points[2:]}
	for _, c := range []*Curve{hot, cold, overloaded} {
		if err := c.WriteTable(&b); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
	}
	file := filepath.Join("testdata", "table.txt")
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || b.String() != string(want) {
		t.Errorf("%s is not what it was (hint: go test -update): %v\n%s", file, err, &b)
	}
}

// TestPictures reads the pictures back.
func TestPictures(t *testing.T) {
	t.Parallel()
	real, err := Draw(t.Context(), Usual(Measured()), []int{1, 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why    string
		curve  *Curve
		points map[string]int
	}{
		{"everything", curve(), map[string]int{"verdicts": 3, "busy": 3 + 3 + 3 + 2, "times": 2 + 3 + 2}},
		{"simulated", real, map[string]int{"verdicts": 2, "busy": 12, "times": 4}},
	} {
		for _, p := range tt.curve.Pictures() {
			charttest.Check(t, p.SVG, tt.why+": "+p.Name, tt.points[p.Name])
			delete(tt.points, p.Name)
		}
		if len(tt.points) > 0 {
			t.Errorf("%s: not drawn: %v", tt.why, tt.points)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		want      []int
		err       string
	}{
		{"one", "7", []int{7}, ""},
		{"a list, in any order", "8,1,8", []int{1, 8}, ""},
		{"a range", "1..100", []int{1, 2, 5, 10, 20, 50, 100}, ""},
		{"a range with other ends", "3..60", []int{3, 5, 10, 20, 50, 60}, ""},
		{"a range of one", "4..4", []int{4}, ""},
		{"nothing", "", nil, `"": want a number from 1 to 100000 (hint: 1..1000, or 1,8,64)`},
		{"zero", "0..5", nil, `"0": want a number from 1 to 100000`},
		{"too many", "100001", nil, `"100001": want a number from 1 to 100000`},
		{"backwards", "9..1", nil, "9..1: the first number is the larger one (hint: 1..9)"},
		{"a range in a list", "1,2..3", nil, `"1,2": want a number`},
	} {
		got, err := Numbers(tt.text)
		if !reflect.DeepEqual(got, tt.want) && tt.err == "" || (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%s: %v, %v, want %v, %s", tt.why, got, err, tt.want, tt.err)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, old, new, err string }{
		{"as it is", "", "", ""},
		{"another document", "tribunal/constants/1", "tribunal/grade/1", `schema "tribunal/grade/1": want "tribunal/constants/1" (hint: simulate --measure writes constants)`},
		{"an unknown field", `"cores"`, `"kernels"`, `not constants: json: unknown field "kernels"`},
		{"no cores", `"cores": 2`, `"cores": 0`, "cores 0: want at least 1"},
		{"a negative time", `"each_ns": `, `"each_ns": -`, "single.submit: times of"},
		{"a long time", `"each_ns": `, `"each_ns": 9999999`, "single.submit: a time of 16m"},
		{"a wild spread", `"spread": 0.`, `"spread": 10.`, "single.append: spread 10."},
		{"nothing", "{", "", "not constants: "},
		{"two of them", `"schema"`, `"schema": "tribunal/constants/1"}, {"schema"`, "not constants: more follows"},
	} {
		text := strings.ReplaceAll(string(measured), tt.old, tt.new)
		if tt.old == "" {
			text = string(measured)
		}
		c, err := Read(strings.NewReader(text))
		switch {
		case tt.err == "" && (err != nil || c.Cores != 2):
			t.Errorf("%s: %v", tt.why, err)
		case tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)):
			t.Errorf("%s: %v, want %s", tt.why, err, tt.err)
		}
	}
}
