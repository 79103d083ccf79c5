package pisek

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
)

// file describes a task of pisek, as Python's configparser reads it.
const file = "config"

// config is a file of settings.
type config struct {
	rel      string // path as messages show it; "" for pisek's own defaults
	sections []string
	values   map[string]map[string]value // by section and key
}

// value is the value of a key.
type value struct {
	text string
	rel  string // the file, as messages show it; "" for a default
	line int
}

// parsePisek parses a file of settings. bad returns an error about a line.
func parsePisek(rel, text string, bad func(line int, hint, format string, args ...any) error) (*config, error) {
	c := &config{rel: rel, values: map[string]map[string]value{}}
	section, key, indent := "", "", 0
	var lines []string // of the current value
	end := func() {
		if v, ok := c.values[section][key]; ok && len(lines) > 1 {
			v.text = strings.TrimSpace(strings.Join(lines, "\n"))
			c.values[section][key] = v
		}
		lines = nil
	}
	for i, line := range strings.Split(text, "\n") {
		number := i + 1
		word := strings.TrimSpace(line)
		width := len(line) - len(strings.TrimLeft(line, " \t\r"))
		switch {
		case word == "" || word[0] == '#' || word[0] == ';':
			continue
		case key != "" && width > indent: // the value goes on
			lines = append(lines, word)
			continue
		}
		end()
		if name, ok := strings.CutPrefix(word, "["); ok {
			name, _, ok = strings.Cut(name, "]")
			switch {
			case !ok || name == "":
				return nil, bad(number, "write [task]", "%s is no name of a section", quote.Name(word))
			case c.values[name] != nil:
				return nil, bad(number, "", "the section [%s] occurs twice", name)
			}
			section, key = name, ""
			c.section(name)
			continue
		}
		at := strings.IndexAny(word, "=:")
		if at <= 0 {
			return nil, bad(number, "write key=value", "%s is no setting", quote.Name(word))
		}
		key, indent = strings.ToLower(strings.TrimSpace(word[:at])), width
		if section == "" {
			return nil, bad(number, "write [task] above it", "%s is in no section", quote.Name(key))
		}
		if _, known := c.values[section][key]; known {
			return nil, bad(number, "", "%s occurs twice in [%s]", quote.Name(key), section)
		}
		lines = []string{strings.TrimSpace(word[at+1:])}
		c.values[section][key] = value{lines[0], rel, number}
	}
	end()
	return c, nil
}

// section adds a section, unless there is one of that name.
func (c *config) section(name string) {
	if c.values[name] == nil {
		c.values[name] = map[string]value{}
		c.sections = append(c.sections, name)
	}
}

// move gives a setting another section or name.
func (c *config) move(section, key, toSection, toKey string) {
	if v, ok := c.values[section][key]; ok {
		delete(c.values[section], key)
		c.section(toSection)
		c.values[toSection][toKey] = v
	}
}

// text returns the value of a setting; "" if it is missing.
func (c *config) text(section, key string) string { return c.values[section][key].text }

// upgrade turns settings of the versions 1 and 2 into those of version 3, and returns an error if the
// version is another one. exists reports whether there is a program of a name.
func (c *config) upgrade(exists func(name string) bool, bad func(line int, hint, format string, args ...any) error) error {
	version := c.values["task"]["version"]
	switch version.text {
	case "v3":
		return nil
	case "", "v1":
		c.upgradeFirst(exists)
	case "v2":
	default:
		return bad(version.line, "the versions are v1, v2 and v3", "unknown version %s", quote.Name(version.text))
	}
	contest := c.values["task"]["contest_type"]
	if contest.text == "" {
		contest.text = "kasiopea"
	}
	if contest.text != "kasiopea" && contest.text != "cms" {
		return bad(contest.line, "write kasiopea or cms", "unknown contest_type %s", quote.Name(contest.text))
	}
	c.section("task")
	c.values["task"]["use"] = value{"@" + contest.text, contest.rel, contest.line}
	kind := c.values["task"]["task_type"]
	if contest.text == "cms" && c.text("tests", "out_check") == "judge" {
		judge := "cms-batch"
		if kind.text == "communication" {
			judge = "cms-communication"
		}
		c.section("tests")
		c.values["tests"]["judge_type"] = value{text: judge}
	}
	if kind.text == "communication" {
		kind.text = "interactive"
		c.values["task"]["task_type"] = kind
	}
	for _, m := range [][4]string{
		{"tests", "checker", "tests", "validator"}, {"tests", "stub", "solutions", "stub"}, {"tests", "headers", "solutions", "headers"},
		{"task", "static_subdir", "tests", "static_subdir"}, {"task", "name", "cms", "name"}, {"task", "solutions_subdir", "run_solution", "subdir"},
		{"limits", "solve_time_limit", "run_solution", "time_limit"}, {"limits", "solve_mem_limit", "run_solution", "mem_limit"},
		{"limits", "sec_solve_time_limit", "run_secondary_solution", "time_limit"}, {"limits", "sec_solve_mem_limit", "run_secondary_solution", "mem_limit"},
		{"all_tests", "name", "tests", "name"}, {"all_tests", "in_globs", "tests", "in_globs"}, {"all_tests", "predecessors", "tests", "predecessors"},
	} {
		c.move(m[0], m[1], m[2], m[3])
	}
	for _, name := range slices.Clone(c.sections) {
		if strings.HasPrefix(name, "solution_") {
			c.move(name, "subtasks", name, "tests")
			c.move(name, "source", name, "run")
			c.move(name, "points_above", name, "points_min")
			c.move(name, "points_below", name, "points_max")
		}
	}
	return nil
}

// oldSolution matches a solution of version 1 that says what points it gets, such as solve_4b.
var oldSolution = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*?)_([0-9]{1,3}|X)b$`) })

// upgradeFirst turns settings of version 1 into those of version 2: it lists its solutions in one key,
// and tests have inputs without predecessors.
func (c *config) upgradeFirst(exists func(name string) bool) {
	c.move("task", "samples_subdir", "task", "static_subdir")
	c.move("tests", "solution_manager", "tests", "stub")
	given := c.values["task"]["solutions"]
	for i, name := range strings.Fields(given.text) {
		source, points := name, ""
		if m := oldSolution().FindStringSubmatch(name); m != nil {
			if points = m[2]; !exists(path.Join(c.text("task", "solutions_subdir"), name)) {
				source = m[1]
			}
		}
		section := "solution_" + name
		c.section(section)
		set := func(key, text string) { c.values[section][key] = value{text, given.rel, given.line} }
		set("source", source)
		if points != "" {
			set("points", points)
		}
		if i == 0 {
			set("primary", "yes")
		} else if points == "" {
			set("subtasks", "@all")
		}
	}
	globs := false
	for _, name := range c.sections {
		_, given := c.values[name]["in_globs"]
		globs = globs || given && test().MatchString(name)
	}
	if !globs {
		return
	}
	for _, name := range c.sections {
		m := test().FindStringSubmatch(name)
		if m == nil {
			continue
		}
		v, given := c.values[name]["in_globs"]
		switch v.text = strings.ReplaceAll(v.text, "_*", "*"); {
		case given:
		case m[1] == "00":
			v.text = "sample*.in"
		default:
			for i := 1; fmt.Sprintf("%02d", i-1) != m[1]; i++ {
				v.text += fmt.Sprintf(" %02d*.in", i)
			}
		}
		c.values[name]["in_globs"] = v
		c.values[name]["predecessors"] = value{}
	}
}

// test matches the section of a test, and solution that of a solution.
var (
	test     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^test([0-9]{2})$`) })
	solution = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^solution_(.+)$`) })
)

// defaults returns the settings of pisek itself, those of a kind of contests or, for "", of all.
func defaults(contest string) *config {
	c := &config{values: map[string]map[string]value{}}
	set := func(section, key, text string) {
		c.section(section)
		c.values[section][key] = value{text: text}
	}
	switch contest {
	case "kasiopea":
		set("tests", "gen_type", "opendata-v1")
		set("tests", "judge_type", "opendata-v1")
		set("tests", "predecessors", "")
	case "cms":
		set("tests", "gen_type", "cms-old")
		set("tests", "predecessors", "@previous")
	default:
		set("task", "task_type", "batch")
		set("task", "score_precision", "0")
		for _, key := range []string{"validator", "in_gen", "tokens_float_rel_error", "tokens_float_abs_error", "predecessors"} {
			set("tests", key, "")
		}
		for _, key := range []string{"tokens_ignore_newlines", "tokens_ignore_case", "shuffle_ignore_case"} {
			set("tests", key, "0")
		}
		set("tests", "judge_needs_in", "1")
		set("tests", "judge_needs_out", "1")
		set("tests", "static_subdir", ".")
		set("tests", "name", "@auto")
		set("tests", "in_globs", "@ith")
		set("test00", "points", "0")
		set("test00", "in_globs", "sample*.in")
		set("test00", "predecessors", "")
		for key, text := range map[string]string{"run": "@auto", "primary": "no", "points": "X", "points_min": "X", "points_max": "X", "tests": "@auto", "stub": "", "headers": ""} {
			set("solutions", key, text)
		}
		for key, text := range map[string]string{"exec": "@auto", "time_limit": "360", "mem_limit": "0", "args": "", "subdir": ""} {
			set("run", key, text)
		}
		set("cms", "name", "")
		set("cms", "title", "@name")
	}
	return c
}

// keys lists the keys that pisek knows, by the beginning of the names of sections; those that do not
// matter for judging included.
var keys = []struct {
	section string
	keys    []string
}{
	{"task", []string{"version", "use", "task_type", "score_precision", "contest_type", "tests", "name", "data_subdir", "solutions"}},
	{"tests", []string{
		"in_gen", "gen_type", "in_format", "out_format", "validator", "out_check", "out_judge", "judge_type", "judge_needs_in",
		"judge_needs_out", "tokens_ignore_newlines", "tokens_ignore_case", "tokens_float_rel_error", "tokens_float_abs_error",
		"shuffle_mode", "shuffle_ignore_case", "static_subdir", "name", "points", "in_globs", "predecessors", "in_mode", "out_mode", "online_validity",
	}},
	{"test", []string{"name", "points", "in_globs", "predecessors", "file_name"}},
	{"solutions", []string{"run", "primary", "points", "points_min", "points_max", "tests", "stub", "headers"}},
	{"solution_", []string{"run", "primary", "points", "points_min", "points_max", "tests", "subtasks"}},
	{"run", []string{"exec", "args", "subdir", "time_limit", "clock_mul", "clock_min", "mem_limit", "process_limit"}},
	{"limits", nil}, {"checks", nil}, {"cms", nil}, {"all_tests", nil},
}

// unknown calls note for each section and key that pisek does not know.
func (c *config) unknown(note func(line int, format string, args ...any)) {
	for _, name := range c.sections {
		i := slices.IndexFunc(keys, func(k struct {
			section string
			keys    []string
		}) bool {
			return name == k.section || strings.HasPrefix(name, k.section) && (k.section == "solution_" || k.section == "run" && strings.HasPrefix(name, "run_") || k.section == "test" && test().MatchString(name))
		})
		for _, key := range draft.SortedKeys(c.values[name]) {
			v := c.values[name][key]
			switch {
			case i < 0:
				note(v.line, "unknown section [%s]", name)
			case keys[i].keys != nil && !slices.Contains(keys[i].keys, key):
				note(v.line, "unknown key %s", quote.Name(key))
			default:
				continue
			}
			if i < 0 {
				break
			}
		}
	}
}
