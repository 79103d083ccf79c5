package pisek

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/crypto/blake2b"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
)

// testcases is a test of pisek: a group of inputs that has its points together.
type testcases struct {
	number   int
	points   float64
	globs    []string // of its own inputs
	on       []int    // numbers of the tests whose inputs are its inputs, too
	inputs   []*pisekInput
	from     value    // its points
	complete []string // globs, with those of the tests that it depends on
}

// pisekInput is an input, in the package or made by the generator.
type pisekInput struct {
	name   string // of the file, without folders
	rel    string
	answer string
	sort   string // inputs are in this order
	seed   string // in hexadecimal; "-" without one
	static bool
	tested bool // a test has it
}

// made is the folder of the inputs that the generator makes.
const made = ".made/in"

// list reads the sections of tests.
func (r *reader) list() error {
	for _, section := range r.sections() {
		m := test().FindStringSubmatch(section)
		if m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[1])
		t := &testcases{number: number}
		in := []string{section, "tests"}
		if number == 0 {
			in = in[:1]
		}
		var err error
		if t.points, t.from, err = r.number("points", in...); err != nil {
			return err
		}
		if t.points < 0 {
			return r.wrong(t.from, "write a number", "[%s] has points=X", section)
		}
		globs := r.get("in_globs", in...)
		if err := r.Tree.Spend(file, 16*len(globs.text)); err != nil {
			return err
		}
		for _, glob := range strings.Fields(globs.text) {
			if glob == "@ith" {
				glob = fmt.Sprintf("%02d*.in", number)
			}
			if !strings.HasSuffix(glob, ".in") {
				return r.wrong(globs, "write "+glob+".in", "the pattern %s does not end in .in", quote.Name(glob))
			}
			t.globs = append(t.globs, glob)
		}
		before := r.get("predecessors", in...)
		for _, word := range strings.Fields(before.text) {
			on, err := strconv.Atoi(word)
			if word == "@previous" {
				if on, err = number-1, nil; number <= 1 {
					continue
				}
			}
			if err != nil || on < 0 {
				return r.wrong(before, "write numbers of tests", "%s is no number of a test", quote.Name(word))
			}
			t.on = append(t.on, on)
		}
		r.tests = append(r.tests, t)
	}
	slices.SortFunc(r.tests, func(a, b *testcases) int { return cmp.Compare(a.number, b.number) })
	for i, t := range r.tests {
		if t.number != i {
			return r.Tree.Errorf(file, 0, "number the tests from 01", "there is no section [test%02d], but [test%02d]", i, t.number)
		}
	}
	return r.depend()
}

// depend finds the globs of all tests that each test depends on.
func (r *reader) depend() error {
	for _, t := range r.tests {
		seen := map[int]bool{}
		var visit func(number int) error
		visit = func(number int) error {
			if number >= len(r.tests) {
				return r.Tree.Errorf(file, t.from.line, "", "[test%02d] depends on test %d, which does not exist", t.number, number)
			}
			if seen[number] {
				return nil
			}
			seen[number] = true
			if err := r.Tree.Spend(file, 16*(1+len(r.tests[number].globs)+len(r.tests[number].on))); err != nil {
				return err
			}
			t.complete = append(t.complete, r.tests[number].globs...)
			for _, on := range r.tests[number].on {
				if on == t.number {
					return r.Tree.Errorf(file, t.from.line, "", "[test%02d] depends on itself", t.number)
				}
				if err := visit(on); err != nil {
					return err
				}
			}
			return nil
		}
		if err := visit(t.number); err != nil {
			return err
		}
	}
	return nil
}

// inputs finds the inputs in the package and makes those of the generator.
func (r *reader) inputs() error {
	dir := path.Clean(r.get("static_subdir", "tests").text)
	list, err := r.ListSkipping(dir)
	if err != nil {
		return err
	}
	var all []*pisekInput
	for _, e := range list {
		base, is := strings.CutSuffix(e.Name, ".in")
		if e.Dir || !is {
			continue
		}
		i := &pisekInput{name: e.Name, rel: path.Join(dir, e.Name), answer: path.Join(dir, base+".out"), sort: base, seed: "-", static: true}
		all = append(all, i)
	}
	made, err := r.generated()
	if err != nil {
		return err
	}
	given := map[string]bool{}
	for _, i := range all {
		given[i.name] = true
	}
	for _, i := range made {
		if !given[i.name] {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b *pisekInput) int {
		return cmp.Or(strings.Compare(a.sort, b.sort), strings.Compare(a.name, b.name))
	})
	for _, t := range r.tests {
		if err := r.Tree.Spend(file, 16*len(all)*(1+len(strings.Join(t.complete, " ")))); err != nil {
			return err
		}
		for _, i := range all {
			if slices.ContainsFunc(t.complete, func(glob string) bool { return draft.Fnmatch(glob, i.name) }) {
				t.inputs = append(t.inputs, i)
			}
		}
		if t.inputs == nil && t.number > 0 {
			return r.Tree.Errorf(file, t.from.line, quote.Name("in_globs="+strings.Join(t.globs, " "))+" match none", "no inputs for [test%02d]", t.number)
		}
	}
	return nil
}

// generated makes the inputs of the generator, if there is one.
func (r *reader) generated() ([]*pisekInput, error) {
	in, kind := r.get("in_gen", "tests"), r.get("gen_type", "tests")
	if in.text == "" {
		return nil, nil
	}
	rel, args, err := r.program(in, in.text, "run_gen_"+in.text, "run_gen")
	if err != nil {
		return nil, err
	}
	from := fmt.Sprintf("%s:%d", file, in.line)
	call := func(more ...string) draft.Step {
		return draft.Step{Program: rel, Args: slices.Concat(args, more), From: from}
	}
	var list []*pisekInput
	var steps []draft.Step
	add := func(name, seed, argument string) {
		i := &pisekInput{name: name + ".in", sort: name, seed: "-"}
		step := call(argument)
		if seed != "" {
			i.name, i.seed = name+"_"+seed+".in", seed
			step = call(argument, seed)
		}
		i.rel = path.Join(made, i.name)
		step.Stdout = i.rel
		list, steps = append(list, i), append(steps, step)
	}
	switch kind.text {
	case "opendata-v1":
		for _, t := range r.tests {
			if name := fmt.Sprintf("%02d", t.number); t.number > 0 {
				add(name, seed(0, name), strconv.Itoa(t.number))
			}
		}
	case "pisek-v1":
		const listed = ".made/inputs"
		step := call()
		step.Stdout = listed
		if err := r.Make([]draft.Step{step}); err != nil {
			return nil, err
		}
		text, err := r.MadeList(listed, rel)
		if err != nil {
			return nil, err
		}
		made, err := r.listed(rel, string(text))
		if err != nil {
			return nil, err
		}
		for _, m := range made {
			if !m.seeded {
				add(m.name, "", m.name)
			}
			for i := 0; m.seeded && i < m.repeat; i++ {
				add(m.name, seed(i, m.name), m.name)
			}
		}
	case "cms-old":
		step := call(".")
		step.LeftIn = made
		steps = []draft.Step{step}
	default:
		return nil, r.wrong(kind, "write pisek-v1, opendata-v1 or cms-old", "unknown gen_type %s", quote.Name(kind.text))
	}
	if err := r.Make(steps); err != nil {
		return nil, err
	}
	for _, rel := range r.Made() {
		name, is := strings.CutPrefix(rel, made+"/")
		if base, input := strings.CutSuffix(name, ".in"); kind.text == "cms-old" && is && input && !strings.Contains(name, "/") {
			list = append(list, &pisekInput{name: name, rel: rel, sort: base, seed: "-"})
		}
	}
	for _, i := range list {
		i.answer = strings.TrimSuffix(".made/out/"+i.name, ".in") + ".out"
	}
	return list, nil
}

// seed returns the seed that pisek gives the generator for the repetition number of an input.
func seed(repetition int, name string) string {
	hash, _ := blake2b.New(8, nil) // fails only for other sizes
	fmt.Fprintf(hash, "0 %d %s", repetition, name)
	return fmt.Sprintf("%016x", hash.Sum(nil))
}

// listedInput is a line of what a generator of the type pisek-v1 lists.
type listedInput struct {
	name   string
	repeat int
	seeded bool
}

// listedName matches the names that inputs may have here.
var listedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_+=,@%][A-Za-z0-9_+=,@%.-]*$`)
})

// listed reads the list of a generator's inputs.
func (r *reader) listed(rel, text string) (list []listedInput, err error) {
	number, count := 0, 0
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		number++
		bad := func(what string) error {
			return r.Tree.Errorf(rel, 0, "write lines such as 01_tree repeat=10 seeded=true", "line %d of the list of its inputs, %s, %s", number, quote.Name(strings.TrimSpace(line)), what)
		}
		words := strings.Split(strings.TrimRight(line, "\r\n"), " ")
		i := listedInput{words[0], 1, true}
		if !listedName().MatchString(i.name) {
			return nil, bad("has no name of an input")
		}
		if known[i.name] {
			return nil, bad("is listed twice")
		}
		known[i.name] = true
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			switch {
			case key == "repeat":
				if i.repeat, err = strconv.Atoi(value); err != nil || i.repeat < 1 || i.repeat > draft.MaxListed {
					return nil, bad("does not say how often")
				}
			case key == "seeded" && (value == "true" || value == "false"):
				i.seeded = value == "true"
			default:
				return nil, bad("says " + quote.Name(word))
			}
		}
		if !i.seeded && i.repeat > 1 {
			return nil, bad("repeats an input without a seed")
		}
		if count += i.repeat; count > draft.MaxListed {
			return nil, bad(fmt.Sprintf("is one of more than %d", draft.MaxListed))
		}
		list = append(list, i)
	}
	return list, nil
}

// groupOf returns the name of the group of a test.
func (r *reader) groupOf(t *testcases) string {
	if t.number == 0 {
		return "sample"
	}
	return fmt.Sprintf("secret/%d", t.number)
}

// group arranges the cases into a group for each test, which has the points of its worst case. An input
// in several tests is a case in each.
func (r *reader) group() error {
	total := 0.0
	secret := &draft.Group{Name: "secret", Settings: draft.Settings{Aggregation: "sum", MaxScore: &total}}
	for _, t := range r.tests {
		g := &draft.Group{Name: r.groupOf(t)}
		switch {
		case t.number > 0:
			g.Settings = draft.Settings{Aggregation: "min", MaxScore: &t.points, Places: &r.places}
			secret.Groups = append(secret.Groups, g)
			total += t.points
		case t.points > 0:
			return r.wrong(t.from, "write points=0", "samples with points are not supported")
		case t.inputs != nil:
			r.Data.Groups = append(r.Data.Groups, g)
		}
		for _, i := range t.inputs {
			c := &draft.Case{Name: g.Name + "/" + strings.TrimSuffix(i.name, ".in"), Group: g.Name, Input: i.rel, Answer: i.answer}
			if r.Validation.Interactive {
				c.Answer = ""
			}
			c.OutputArgs = r.judging
			if r.seeded {
				c.OutputArgs = []string{strconv.Itoa(t.number), i.seed}
			}
			if t.number > 0 && (i.static || !i.tested) { // pisek validates what the generator makes for one test
				c.InputArgs.All = []string{strconv.Itoa(t.number)}
			}
			i.tested = true
			g.Cases, r.Cases = append(g.Cases, c), append(r.Cases, c)
			if len(r.Cases) > 10*draft.MaxListed {
				return r.Tree.Errorf(file, t.from.line, "", "more than %d inputs of all tests together", 10*draft.MaxListed)
			}
		}
	}
	r.Data.Groups = append(r.Data.Groups, secret)
	r.Scoring = total > 0
	return nil
}
