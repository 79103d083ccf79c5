package diff

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// corpus returns comparisons of small random texts that are often nearly equal, in all modes and
// with various options.
func corpus() []sample {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		" ", "\n", "\n", "\t", "\r\n", "a", "b", "1", "2", "1.5", "1.50", "-3e2", "é", "·", `\`, "r", "\x00", "\xff", "\n\n",
		"x1", "A", "B", "É", "1.5E0", "K", "\u212a", "@", "`", "\v", "\f", strings.Repeat("long ", 5), strings.Repeat("9", 40), "\u0301", "…",
	}
	text := func(n int) []string {
		var s []string
		for range rng.IntN(n + 1) {
			s = append(s, pieces[rng.IntN(len(pieces))])
		}
		return s
	}
	var all []sample
	for i := range 2500 {
		want := text([]int{4, 20, 200}[i%3])
		got := slices.Clone(want)
		for range rng.IntN(4) {
			at := rng.IntN(len(got) + 1)
			got = slices.Replace(got, at, min(len(got), at+rng.IntN(3)), text(3)...)
		}
		for range rng.IntN(3) {
			// Equal except for case, digits or white space.
			if at := rng.IntN(len(got) + 1); at < len(got) {
				got[at] = other(rng, got[at])
			}
		}
		all = append(all, sample{
			want: []byte(strings.Join(want, "")),
			got:  []byte(strings.Join(got, "")),
			o: Options{
				Mode:     []Mode{Exact, Tokens, Float, Lines}[rng.IntN(4)],
				FoldCase: rng.IntN(2) == 0,
				Spaces:   rng.IntN(3) == 0,
				Abs:      []float64{0, 0.5, 100}[rng.IntN(3)],
				Rel:      []float64{0, 0.1}[rng.IntN(2)],
				Lines:    []int{0, 1, 2, 3, 7}[rng.IntN(5)],
				Bytes:    []int{0, 1, 30, 100, 400}[rng.IntN(5)],
			},
		})
	}
	return all
}

// other returns a piece that is equal to the given one under some options.
func other(rng *rand.Rand, piece string) string {
	switch {
	case strings.TrimSpace(piece) == "":
		return []string{" ", "\n", "\t", "  ", "\v", "\r\n"}[rng.IntN(6)]
	case piece == "1.5", piece == "1.50", piece == "1.5E0":
		return []string{"1.5", "1.50", "1.5E0", "15e-1", "1.6"}[rng.IntN(5)]
	}
	return strings.ToUpper(piece)
}

func TestAgainstModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	equal := 0
	for _, x := range corpus() {
		most := 1 + rng.IntN(9)
		check(t, x, func(int) int { return rng.IntN(most + 1) })
		if t.Failed() {
			t.Fatalf("options %+v", x.o)
		}
		if ok, _, _ := model(x); ok {
			equal++
		}
	}
	if n := len(corpus()); equal < n/20 || equal > n/2 {
		t.Errorf("%d of %d samples are equal: too few or too many", equal, n)
	}
}

// TestSplits writes outputs that are longer than the kept part in two pieces, split at every
// position near an end of that part.
func TestSplits(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("same line\n", 2000)
	wide := strings.Repeat("wide ", 5000)
	few := Options{Bytes: 100}
	reach := few.withDefaults().reach()
	far := strings.Repeat("x", reach)
	for _, x := range []sample{
		// Lines that are equal as far as they are kept, and differ after that.
		{want: []byte("a\n" + far + "1\n"), got: []byte("b\n" + far + "2\n"), o: few},
		{want: []byte("q " + strings.Repeat(" ", reach) + "1\n"), got: []byte("q 2\n1\n"), o: Options{Mode: Tokens, Bytes: few.Bytes}},
		{want: []byte(filler + "a\nb\n" + filler), got: []byte(filler + "b\n" + filler)},
		{want: []byte(wide + "1\n" + wide), got: []byte(wide + "2\n" + wide)},
		{want: []byte(wide + "1\n" + wide), got: []byte(strings.ReplaceAll(wide, " ", "\n") + "2\n" + wide), o: Options{Mode: Tokens}},
		{want: []byte(wide + "1.5\n" + wide), got: []byte(wide + "1.6\n" + wide), o: Options{Mode: Float, Abs: 0.01}},
		{want: []byte(wide + "1.5\n" + wide), got: []byte(wide + "1.6\n"), o: Options{Mode: Float, Abs: 0.11}},
		{want: []byte(wide + "1.5\n" + wide), got: []byte(wide + "1.6\v" + wide), o: Options{Mode: Float, Abs: 0.11, Spaces: true}},
		{want: []byte(wide + "1.5\n" + wide), got: []byte(wide + "1.6" + wide), o: Options{Mode: Float, Abs: 0.11, Spaces: true}},
		{want: []byte(wide + "Ab\n" + wide), got: []byte(strings.ToUpper(wide) + "ac\n" + wide), o: Options{Mode: Tokens, FoldCase: true}},
		{want: []byte(wide + "Ab\n" + wide), got: []byte(strings.ToUpper(wide) + "aB \n" + wide), o: Options{Mode: Tokens, FoldCase: true, Spaces: true}},
		{want: []byte("1" + strings.Repeat("0", 3000)), got: []byte("2" + strings.Repeat("0", 3000)), o: Options{Mode: Float}},
	} {
		_, at, _ := model(x)
		for _, n := range []int{1, 7, 4095, 4096, 4097, at - 1, at, at + 1, at + 2} {
			check(t, x, func(int) int { return max(1, n) })
		}
	}
}

func TestNotesAreClosedAndOrdered(t *testing.T) {
	t.Parallel()
	for _, x := range corpus() {
		m := Compare(x.want, x.got, x.o)
		if m == nil {
			continue
		}
		at := -1
		for _, n := range m.Notes {
			i := slices.Index(Notes(), n)
			if i <= at {
				t.Errorf("%q for %q: notes %q are not in the order of Notes", x.got, x.want, m.Notes)
			}
			at = i
		}
	}
}

func FuzzCompare(f *testing.F) {
	for i, x := range corpus() {
		if i%100 == 0 {
			f.Add(x.want, x.got, string(x.o.Mode), x.o.FoldCase, x.o.Spaces, x.o.Abs, x.o.Rel, x.o.Lines, x.o.Bytes, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, want, got []byte, mode string, fold, spaces bool, abs, rel float64, lines, size int, seed uint64) {
		m, err := ParseMode(mode)
		if err != nil {
			t.Skip()
		}
		// Larger bounds would take longer and find nothing more.
		x := sample{want, got, Options{Mode: m, FoldCase: fold, Spaces: spaces, Abs: abs, Rel: rel, Lines: min(lines, 100), Bytes: min(size, 1<<16)}}
		rng := rand.New(rand.NewPCG(seed, 0))
		check(t, x, func(left int) int { return rng.IntN(left + 1) })
	})
}
