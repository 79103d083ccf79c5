package table

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read reads a table with this text.
func read(t *testing.T, text string) (*Table, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Read(name, "write one")
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"commas", "a, b \n1,2\n\n , \n\"3\n4\",\"x,\"\"y\"\n", `["a" "b"] ["1" "2"] ["3\n4" "x,\"y"]`},
		{"semicolons, with a comma in a name", "a;b,c;d\n1;2;3\n", `["a" "b,c" "d"] ["1" "2" "3"]`},
		{"tabs", "a\tb\n1\t2\n", `["a" "b"] ["1" "2"]`},
		{"a separator in quotes", "\"a;;;\",b\n1,2\n", `["a;;;" "b"] ["1" "2"]`},
		{"Latin-1", "name\nM\xfcller\n", `["name"] ["Müller"]`},
		{"UTF-16, as Blackboard writes it", "\xff\xfea\x00\t\x00b\x00\n\x00\xe9\x00\t\x002\x00", `["a" "b"] ["é" "2"]`},
		{"UTF-16 of the other order", "\xfe\xff\x00a\x00,\x00b", `["a" "b"]`},
		{"the separator in a line of its own", "\ufeffsep=;\r\na;b,c,d\r\n1;2\r\n", `["a" "b,c,d"] ["1" "2"]`},
		{"a column that is called so", "sep=,name\n1,2\n", `["sep=" "name"] ["1" "2"]`},
		{"lines that end as Macintosh had it", "a,b\r1,2\r", `["a" "b"] ["1" "2"]`},
		{"a row with a field too many", "sep=,\na,b\n1,2\n1,2,3\n", `t.csv:4: number of fields: 3, but 2 in the header (hint: every row has all columns; a field with a separator stands in quotes)`},
		{"a row with a field too few", "a,b\n1\n", `t.csv:2: number of fields: 1, but 2 in the header (hint: every row has all columns; a field with a separator stands in quotes)`},
		{"a quote too few", "a,b\n\"1,2\n", `t.csv:2: extraneous or missing " in quoted-field (hint: CSV as of RFC 4180: fields with separators or quotes stand in quotes)`},
		{"a workbook of Excel", "PK\x03\x04…", `t.csv: a workbook, not a table in CSV (hint: save its sheet as CSV)`},
		{"one of an older Excel", "\xd0\xcf\x11\xe0…", `t.csv: a workbook, not a table in CSV (hint: save its sheet as CSV)`},
		{"blanks that are part of fields", "a, b\n 1, 2\n", `["a" "b"] [" 1" " 2"]`},
		{"blanks before quotes", "a, b\n1, \"2,3\"\n", `["a" "b"] ["1" "2,3"]`},
		{"nothing", "\n", `t.csv: the table is empty (hint: write one)`},
	} {
		table, err := read(t, tt.text)
		got := ""
		if err != nil {
			got = err.Error()[strings.LastIndex(strings.SplitN(err.Error(), "t.csv", 2)[0], "/")+1:]
		} else {
			got = fmt.Sprintf("%q", table.Header)
			for _, row := range table.Rows {
				got += fmt.Sprintf(" %q", row)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestReadLarge(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "t.csv")
	if err := errors.Join(os.WriteFile(name, nil, 0o644), os.Truncate(name, maxTable)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name, ""); err == nil || err.Error() != name+": a table of 64 MiB or more (hint: name a table of students)" {
		t.Error(err)
	}
}

// TestWrite checks that a table is written as it was read.
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		bom       bool
		add, want string // a text for the first field; "" for want is the text that was read
	}{
		{"commas and newlines", "a,b\n1,\"x,y\"\n", false, "", ""},
		{"blanks", "a,b\n\" 1\",\"  \n x \"\n", false, "", ""},
		{"semicolons and CRLF, with newlines in a field", "a;b\r\n1;\"x\ny\"\r\n", false, "", ""},
		{"tabs and a byte order mark", "\ufeffa\tb\r\n1\t2\r\n", false, "", ""},
		{"the line with the separator", "\ufeffsep=;\r\na;b\r\n1;2\r\n", false, "", ""},
		{"Latin-1", "a;b\r\nM\xfcller;\x80\r\n", false, "", ""},
		{"UTF-16", "\xff\xfea\x00,\x00b\x00\n\x00\xe9\x00,\x002\x00\n\x00", false, "", ""},
		{"UTF-16 has its byte order mark", "\xfe\xff\x00a\x00\n", true, "", ""},
		{"a byte order mark that is asked for", "a,b\n1,2\n", true, "", "\ufeffa,b\n1,2\n"},
		{"one for Latin-1", "a\n\xe9\n", true, "", "\ufeffa\né\n"},
		{"a letter that Latin-1 lacks", "a\n\xe9\n", false, "字", "\ufeff字\né\n"},
	} {
		table, err := read(t, tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		rows := append([][]string{table.Header}, table.Rows...)
		if tt.add != "" {
			rows[0][0] = tt.add
		}
		want := tt.want
		if want == "" {
			want = tt.text
		}
		var b bytes.Buffer
		if err := table.Write(&b, tt.bom, rows); err != nil || b.String() != want {
			t.Errorf("%s: %q, want %q, %v", tt.why, b.String(), want, err)
		}
	}
	var b bytes.Buffer
	if err := new(Table).Write(&b, false, [][]string{{"a", "b"}}); err != nil || b.String() != "a,b\r\n" {
		t.Errorf("a table that was not read: %q, %v", b.String(), err)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		points    []int
		want      string
	}{
		{"a point", "a;b\n1.5;2\n", nil, "7.5"},
		{"decimal commas", "a;b\n1,5;2\n", nil, "7,5"},
		{"both: the commas are something else", "a;b\n1,5;2.5\n", nil, "7.5"},
		{"no number with either", "a;b\n1;2\n", nil, "7.5"},
		{"groups, in a table with commas", "a,b\n\"1,2\",2\n", nil, "7.5"},
		{"points, in a table with commas", "a,b\n\"1,2\",\"2,5\"\n", []int{1}, "7,5"},
		{"no points are known", "a,b\n\"1,2\",\"2,5\"\n", []int{}, "7.5"},
	} {
		table, err := read(t, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if table.Points(tt.points...); table.Format(7.5) != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, table.Format(7.5), tt.want)
		}
	}
	for text, want := range map[string]bool{"": false, " ": false, "No": false, "00:00:00": false, "-": false, "false": false, "yes": true, "x": true, "1": true, "26:05:00": true} {
		if Yes(text) != want {
			t.Errorf("Yes(%q) = %v", text, !want)
		}
	}
	for text, want := range map[string]string{"7,5": "7.5 true", " 100.00 ": "100 true", "NaN": "NaN false", "": "0 false", "1,2,3": "0 false"} {
		if n, is := Parse(text); fmt.Sprint(n, is) != want {
			t.Errorf("Parse(%q) = %v, %v, want %s", text, n, is, want)
		}
	}
}
