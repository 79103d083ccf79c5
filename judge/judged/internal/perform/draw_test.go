//go:build linux

package perform

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// drawn is a problem with a draw program, as a parcel.
var drawn = map[string]string{
	"problems/double.yaml":          "id: double\ntitle: Double\nsource: a test\nlimits: {cpu: 1s, memory: 64MiB, output: 1MiB}\nsamples: [sample/1]\nstatement: Double it.\ninput: A number.\noutput: Its double.\n",
	"cases/double/sample.yaml":      pinned([2]string{"1", "2"}),
	"cases/double/edge.yaml":        pinned([2]string{"21", "42"}, [2]string{"-3", "-6"}),
	"reference/double/main.py":      "print(2 * int(input()))\n",
	"reference/double/draw/draw.py": "import sys\nprint('<svg xmlns=\"http://www.w3.org/2000/svg\"><text>' + ' '.join(open(f).read().strip() for f in sys.argv[1:]) + '</text></svg>')\n",
}

// pinned returns a file of cases, each an input and its expected output.
func pinned(list ...[2]string) string {
	var b strings.Builder
	b.WriteString("cases:\n")
	for i, c := range list {
		fmt.Fprintf(&b, "  - name: %q\n    input: |\n      %s\n    pinned: true\n    output: |\n      %s\n", fmt.Sprint(i+1), c[0], c[1])
	}
	return b.String() + "\n...\n"
}

// TestDrawing draws the case that decided, whole and in parts, and nothing else.
func TestDrawing(t *testing.T) {
	tier.T2(t, "a draw program in the jail")
	tier.Needs(t, "a draw program in the jail", "python3")
	p := start(t)
	before := drawTime
	t.Cleanup(func() { drawTime = before })
	const draws = "reference/double/draw/draw.py"
	for _, tt := range []struct {
		why, code, draw string
		want            verdict.Verdict
		at, svg, err    string // parts of what there is
	}{
		{"accepted", "print(2 * int(input()))\n", "", verdict.AC, "", "", ""},
		{"the last case is wrong", "print(2 * abs(int(input())))\n", "", verdict.WA, "edge/2", "<text>-3 -6 6</text>", ""},
		{"all are wrong", "print(int(input()))\n", "", verdict.WA, "sample/1", "<text>1 2 1</text>", ""},
		{"no output", "pass\n", "", verdict.NO, "sample/1", "<text>1 2 </text>", ""},
		{"an output that is no text in a picture", "print('<script>')\n", "", verdict.WA, "sample/1", "", "draw"},
		{"a long output", "print('1' * 70000)\n", "", verdict.WA, "sample/1", "", "long"},
		{"a large picture", "print(1)\n", "print('<svg xmlns=\"http://www.w3.org/2000/svg\">' + ' ' * 70000 + '</svg>')\n", verdict.WA, "sample/1", "", "larger than 64KiB"},
		{"a draw program that fails", "print(1)\n", "1 / 0\n", verdict.WA, "sample/1", "", "exit"},
		{"it does not compile", "print(\n", "", verdict.CE, "", "", ""},
	} {
		files := drawn
		if tt.draw != "" {
			files = with(drawn, map[string]string{draws: tt.draw})
		}
		archive, source := stowed(t, p, packed(t, files)), stowed(t, p, []byte(tt.code))
		perform := func(t0 task.Task) *task.Answer {
			t0.Problem, t0.Archive, t0.Name, t0.Source = "double", archive, "a.py", source
			a, err := p.Perform(t.Context(), &t0, func(any) {})
			if err != nil {
				t.Fatalf("%s: %v", tt.why, err)
			}
			return a
		}
		var parts []store.Ref
		for i, r := range []ledger.Range{{From: 0, To: 1}, {From: 1, To: 3}} {
			parts = append(parts, perform(task.Task{Part: i, Cases: r}).Result)
		}
		for what, a := range map[string]*task.Answer{"whole": perform(task.Task{Part: task.Whole}), "in parts": perform(task.Task{Part: task.Join, Parts: parts})} {
			text, err := store.Fetch(t.Context(), p.blobs, a.Result)
			var r task.Result
			if err == nil {
				err = json.Unmarshal(text, &r)
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Done.Verdict != tt.want {
				t.Errorf("%s, %s: %s, want %s", tt.why, what, r.Done.Verdict, tt.want)
			}
			d := r.Drawing
			if d == nil {
				d = &task.Drawing{}
			}
			if d.Case != tt.at || !strings.Contains(d.SVG, tt.svg) || (d.SVG == "") != (tt.svg == "") || !strings.Contains(d.Error, tt.err) || (d.Error == "") != (tt.err == "") {
				t.Errorf("%s, %s: %+v, want %s %s %s", tt.why, what, *d, tt.at, tt.svg, tt.err)
			}
		}
	}
	drawTime = 200 * time.Millisecond
	archive, source := stowed(t, p, packed(t, with(drawn, map[string]string{draws: "while True: pass\n"}))), stowed(t, p, []byte("print(1)\n"))
	for i, want := range []string{"takes too long", "takes too long", "takes too long", "took too long on other"} {
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Whole, Problem: "double", Archive: archive, Name: "a.py", Source: source}, func(any) {})
		if err != nil {
			t.Fatal(err)
		}
		text, err := store.Fetch(t.Context(), p.blobs, a.Result)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("a draw program that does not end, %d: no %q in %s, %v", i, want, text, err)
		}
	}
}
