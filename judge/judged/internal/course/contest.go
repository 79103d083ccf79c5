package course

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/ledger"
)

// Contest has the parts of a contest.yaml that a course has no place for.
type Contest struct {
	ID   string   // that a course can have; "" if there is none
	Left []string // keys that have no effect here, sorted
}

// The keys of a contest.yaml and of its problems, as the CCS specification has had them since 2011, and DOMjudge. A
// dash in a key counts as an underline. The value is the field, and "" means that it has no effect here.
var (
	contestKeys = map[string]string{
		"id": "id", "short_name": "id", "shortname": "id", "name": "name", "formal_name": "formal", "warning_message": "about",
		"start_time": "start", "duration": "duration", "end_time": "end",
		"scoreboard_freeze_duration": "frozen", "scoreboard_freeze_length": "frozen",
		"scoreboard_freeze_time": "freeze", "scoreboard_freeze": "freeze", "freeze": "freeze",
		"scoreboard_thaw_time": "thaw", "scoreboard_unfreeze_time": "thaw",
		"scoreboard_type": "type", "penalty_time": "penalty", "penalty": "penalty", "public": "public",
		"problems": "problems", "problemset": "problems",
		"activate_time": "", "activation_time": "", "deactivate_time": "", "deactivation_time": "", "finalize_time": "", "banner": "", "logo": "",
		"countdown_pause_time": "", "location": "", "main_scoreboard_group_id": "", "medals": "", "process_balloons": "", "shadow": "",
	}
	contestProblemKeys = map[string]string{
		"id": "problem", "short_name": "problem", "label": "label", "letter": "label", "rgb": "rgb", "color": "colour", "ordinal": "ordinal",
		"points": "points", "max_score": "points",
		"name": "", "uuid": "", "time_limit": "", "memory_limit": "", "output_limit": "", "code_limit": "", "test_data_count": "",
		"package": "", "statement": "", "attachments": "", "allow_submit": "", "allow_judge": "", "lazy_eval_results": "",
	}
)

// File is a file with its name, for messages.
type File struct {
	Name string
	Data []byte
}

// readContest reads a contest and the lists of problems in its files. It returns nil for a course.yaml.
func readContest(c *ledger.Course, files []File) (*Contest, error) {
	r := &reader{left: map[string]bool{}}
	var contest *Contest
	for _, f := range files {
		r.file = f.Name
		text := bytes.ReplaceAll(bytes.TrimPrefix(f.Data, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
		roots, err := yamlstrict.Nodes(f.Name, text, 3)
		if contest == nil && (err != nil || len(roots) == 0 || !isContest(roots[0])) {
			if len(files) > 1 {
				err = cmp.Or(err, error(&yamlstrict.Error{File: f.Name, Msg: "no contest.yaml, to which lists of problems belong", Hint: "the contest.yaml comes first; a course.yaml has its problems itself"}))
				return nil, err
			}
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if contest == nil {
			contest = &Contest{}
			if contest.ID, err = r.contest(roots[0], c); err != nil {
				return nil, err
			}
			roots = roots[1:]
		}
		for _, root := range roots {
			if len(c.Problems) > 0 {
				return nil, r.fail(root, "keep one of them", "the contest has a list of problems already")
			}
			if c.Problems, err = r.problems(root); err != nil {
				return nil, err
			}
		}
	}
	contest.Left = slices.Sorted(maps.Keys(r.left))
	return contest, nil
}

// isContest reports whether a document is a contest.yaml: no course.yaml has one of these keys.
func isContest(root *yaml.Node) bool {
	title, other := false, false
	for i := 0; root.Kind == yaml.MappingNode && i < len(root.Content); i += 2 {
		key := strings.ReplaceAll(root.Content[i].Value, "-", "_")
		title = title || key == "title"
		other = other || slices.Contains([]string{"duration", "start_time", "formal_name", "short_name"}, key)
	}
	return other && !title
}

// reader reads the documents of a contest.
type reader struct {
	file string
	left map[string]bool
}

func (r *reader) fail(n *yaml.Node, hint, format string, args ...any) error {
	return &yamlstrict.Error{File: r.file, Line: n.Line, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// fields returns the values of a mapping by field, without those that are null.
func (r *reader) fields(n *yaml.Node, keys map[string]string, of string) (map[string]*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, r.fail(n, "", "%s: want a mapping", strings.TrimSuffix(of, ": "))
	}
	fields, names := map[string]*yaml.Node{}, map[string]string{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		field, known := keys[strings.ReplaceAll(key.Value, "-", "_")]
		switch {
		case !known:
			hint := ""
			if near := yamlstrict.Nearest(key.Value, slices.Sorted(maps.Keys(keys))); near != "" {
				hint = "did you mean " + near + "?"
			}
			return nil, r.fail(key, hint, "%sunknown key %.80q", of, key.Value)
		case value.Tag == "!!null":
		case field == "":
			r.left[key.Value] = true
		case fields[field] != nil && fields[field].Value != value.Value && field != "id" && field != "problem":
			return nil, r.fail(key, "keep one of them", "%s%s contradicts %s", of, key.Value, names[field])
		case fields[field] == nil || key.Value == "id":
			fields[field], names[field] = value, key.Value
		}
	}
	return fields, nil
}

// contest makes a course of a contest.yaml, and returns the id that it could have.
func (r *reader) contest(root *yaml.Node, c *ledger.Course) (id string, err error) {
	f, err := r.fields(root, contestKeys, "")
	if err != nil {
		return "", err
	}
	text := func(field string) string {
		if f[field] == nil {
			return ""
		}
		return strings.TrimSpace(f[field].Value)
	}
	if f["start"] == nil || f["duration"] == nil {
		return "", r.fail(root, "a time with a zone, and a length such as 5:00:00", "a contest needs a start_time and a duration")
	}
	c.Title, c.About = cmp.Or(text("formal"), text("name"), text("id")), text("about")
	if c.Open, err = r.at(f["start"], time.Time{}); err != nil {
		return "", err
	}
	length, err := r.span(f["duration"])
	if err != nil {
		return "", err
	}
	c.Due = c.Open.Add(length)
	frozen, err := r.span(f["frozen"])
	switch {
	case err != nil:
		return "", err
	case frozen > length:
		return "", r.fail(f["frozen"], "", "the freeze is longer than the contest")
	case frozen > 0:
		c.Freeze = c.Due.Add(-frozen)
	}
	for _, each := range []struct {
		field string
		to    *time.Time
	}{{"end", &c.Due}, {"freeze", &c.Freeze}, {"thaw", &c.Thaw}} {
		n := f[each.field]
		if n == nil {
			continue
		}
		at, err := r.at(n, c.Open)
		if err != nil {
			return "", err
		}
		if !each.to.IsZero() && !each.to.Equal(at) {
			return "", r.fail(n, "keep one of them", "the end or the freeze is at %s by its length, and at %s by its time", stamp(*each.to), stamp(at))
		}
		*each.to = at
	}
	switch kind := text("type"); kind {
	case "", "pass-fail":
		c.Scoring = ledger.ICPC
		if f["penalty"] != nil {
			c.Penalty, err = r.penalty(f["penalty"])
		}
	case "score":
		c.Scoring = ledger.Points
	default:
		err = r.fail(f["type"], "pass-fail or score", "unknown scoreboard_type %.40q", kind)
	}
	if err != nil {
		return "", err
	}
	switch text("public") {
	case "true":
		c.Standings = ledger.Public
	case "", "false":
	default:
		return "", r.fail(f["public"], "", "public: want true or false")
	}
	if f["problems"] != nil {
		c.Problems, err = r.problems(f["problems"])
	}
	return idOf(text("id")), err
}

// idOf returns the id of a course that is nearest to the name of a contest.
func idOf(name string) string {
	id := regexp.MustCompile(`[^a-z0-9_-]+`).ReplaceAllString(strings.ToLower(name), "_")
	id = strings.Trim(id, "_-")
	return id[:min(len(id), 63)]
}

// problems reads a list of problems, or a problemset.yaml, which has one.
func (r *reader) problems(n *yaml.Node) ([]ledger.CourseProblem, error) {
	if n.Kind == yaml.MappingNode {
		f, err := r.fields(n, map[string]string{"problems": "problems", "name": "name"}, "problemset: ")
		if err != nil || f["problems"] == nil {
			return nil, err
		}
		n = f["problems"]
	}
	if n.Kind != yaml.SequenceNode {
		return nil, r.fail(n, "", "problems: want a list")
	}
	type numbered struct {
		ledger.CourseProblem
		ordinal int
	}
	var list []numbered
	for i, item := range n.Content {
		f, err := r.fields(item, contestProblemKeys, fmt.Sprintf("problem %d: ", i+1))
		if err != nil {
			return nil, err
		}
		p := numbered{ordinal: i}
		for field, to := range map[string]*string{"label": &p.Label, "problem": &p.Problem, "colour": &p.Colour, "rgb": &p.Colour} {
			if f[field] != nil && (field != "colour" || f["rgb"] == nil) {
				*to = f[field].Value
			}
		}
		if len(p.Colour) == 4 && p.Colour[0] == '#' { // #rgb
			p.Colour = fmt.Sprintf("#%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", p.Colour[1], p.Colour[2], p.Colour[3])
		}
		if !colour(p.Colour) {
			if p.Colour != "" && f["rgb"] != nil {
				return nil, r.fail(f["rgb"], "such as '#e03131', in quotes", "problem %d: rgb %.40q is no colour", i+1, p.Colour)
			}
			p.Colour = "" // a name, which is for the people with the balloons
		}
		if f["points"] != nil {
			if p.Points, err = strconv.ParseFloat(f["points"].Value, 64); err != nil {
				return nil, r.fail(f["points"], "", "problem %d: points: want a number", i+1)
			}
		}
		if f["ordinal"] != nil {
			if p.ordinal, err = strconv.Atoi(f["ordinal"].Value); err != nil {
				return nil, r.fail(f["ordinal"], "", "problem %d: ordinal: want a number", i+1)
			}
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b numbered) int { return cmp.Compare(a.ordinal, b.ordinal) })
	var problems []ledger.CourseProblem
	for _, p := range list {
		problems = append(problems, p.CourseProblem)
	}
	return problems, nil
}

// layouts are the forms of ISO 8601 that contests have. A fraction of a second may follow the seconds.
var layouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00"}

// at reads a time, or if there is a start, also the time that has passed since it.
func (r *reader) at(n *yaml.Node, start time.Time) (time.Time, error) {
	if d, err := relative(n.Value); err == nil && !start.IsZero() {
		return start.Add(d), nil
	}
	text := strings.Replace(strings.TrimSpace(n.Value), " ", "T", 1)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, r.fail(n, "such as 2026-12-01T09:00:00+01:00", "%.40q is no time with a zone", n.Value)
}

var relativeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([-+]?)(\d{1,5}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?$`)
})

// relative reads the time since the start of a contest: hours, minutes and perhaps seconds.
func relative(text string) (time.Duration, error) {
	m := relativeForm().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, fmt.Errorf("%.40q is no time", text)
	}
	return time.ParseDuration(m[1] + m[2] + "h" + m[3] + "m" + cmp.Or(m[4], "0") + "s")
}

// span reads a length, 0 if there is none. Two numbers are minutes and seconds, as DOMjudge has it.
func (r *reader) span(n *yaml.Node) (time.Duration, error) {
	if n == nil {
		return 0, nil
	}
	text := n.Value
	if strings.Count(text, ":") == 1 {
		text = "0:" + text
	}
	d, err := relative(text)
	if err != nil || d < 0 {
		return 0, r.fail(n, "such as 5:00:00, which is five hours", "%.40q is no length of time", n.Value)
	}
	return d, nil
}

// penalty reads a penalty: minutes, or since 2026 a length.
func (r *reader) penalty(n *yaml.Node) (time.Duration, error) {
	minutes, err := strconv.ParseUint(n.Value, 10, 16)
	d := time.Duration(minutes) * time.Minute
	if err != nil {
		if d, err = r.span(n); err != nil {
			return 0, r.fail(n, "such as 20", "penalty_time: want minutes, found %.40q", n.Value)
		}
	}
	if d == 0 {
		return 0, r.fail(n, "leave it out for 20 minutes", "penalty_time: a course cannot do without a penalty")
	}
	return d, nil
}
