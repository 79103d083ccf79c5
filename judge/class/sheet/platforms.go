package sheet

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"tribunal/judge/class/table"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// named returns the reader of a layout in which each name has the student.
func named(of func(it item) (handIn, bool)) func(*reader, []item) ([]handIn, []item, error) {
	return func(_ *reader, items []item) (hands []handIn, rest []item, err error) {
		for _, it := range items {
			if h, is := of(it); is {
				hands = append(hands, h)
			} else {
				rest = append(rest, it)
			}
		}
		return hands, rest, nil
	}
}

// moodleName matches the full name, the number of the participant in the assignment and the type of submission of a
// folder, or of a file with its own name behind them.
var moodleName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(.+?)(?:_(\d+))?_assignsubmission_([a-z0-9]+)(?:_(.*))?$`)
})

func moodle(it item) (handIn, bool) {
	m := moodleName().FindStringSubmatch(it.name)
	if m == nil {
		return handIn{}, false
	}
	if it.name = m[4]; it.name == "" {
		it.name = m[3]
	}
	return handIn{student: m[1], id: m[2], items: []item{it}}, true
}

// canvasName matches the names that Canvas gives files: of the student, perhaps LATE, the numbers of student and file,
// and the name that the file had; without the last two for texts and links.
var canvasName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:(.+?)(_LATE)?_(\d{3,})|(LATE_)?(anon)_(\w{5}))_(?:(\d{3,})_(.+)|((?:text|link)\.html))$`)
})

// again matches what Canvas adds to the name of a file that is handed in again.
var again = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-\d+(\.\w+)?$`) })

func canvas(r *reader, items []item) (hands []handIn, rest []item, err error) {
	type file struct{ student, name string }
	numbers := map[file]int{}
	at := map[file]int{}
	for _, it := range items {
		m := canvasName().FindStringSubmatch(it.name)
		if m == nil {
			rest = append(rest, it)
			continue
		}
		it.name = m[8] + m[9]
		if stem := strings.TrimSuffix(it.name, filepath.Ext(it.name)); r.named(stem) == "" {
			it.name = again().ReplaceAllString(it.name, "$1")
		}
		h := handIn{student: m[1], id: m[3], late: m[2]+m[4] != "", items: []item{it}}
		if m[5] != "" {
			h.student, h.id = m[5]+" "+m[6], m[6]
		}
		of := file{h.student + h.id, strings.ToLower(it.name)}
		number, _ := strconv.Atoi(m[7])
		old, is := numbers[of]
		if is && (number < old) != (r.attempts == First) {
			r.note(it.path, "replaced by another attempt: "+hands[at[of]].items[0].path)
			continue
		}
		if numbers[of] = number; is {
			r.note(hands[at[of]].items[0].path, "replaced by another attempt: "+it.path)
			hands[at[of]] = h
			continue
		}
		at[of] = len(hands)
		hands = append(hands, h)
	}
	r.lateness = r.lateness || len(hands) > 0
	return hands, rest, nil
}

// find removes the item of a name, and returns its path, "" if there is none.
func find(items *[]item, name string) (path string) {
	*items = slices.DeleteFunc(*items, func(it item) bool {
		if it.name == name {
			path = it.path
		}
		return it.name == name
	})
	return path
}

func gradescope(r *reader, items []item) (hands []handIn, rest []item, err error) {
	file := find(&items, "submission_metadata.yml")
	if file == "" {
		return nil, items, nil
	}
	data, err := yamlstrict.Read(file)
	if err != nil {
		return nil, nil, err
	}
	var about map[string]struct {
		Submitters []struct {
			Name  string `yaml:":name"`
			ID    string `yaml:":sid"`
			Email string `yaml:":email"`
		} `yaml:":submitters"`
		Created string `yaml:":created_at"`
	}
	if err := yaml.Unmarshal(data, &about); err != nil {
		return nil, nil, r.damaged(file, err, "export the submissions of Gradescope again")
	}
	for _, it := range items {
		one, known := about[it.name]
		if !known {
			rest = append(rest, it)
		}
		for _, s := range one.Submitters {
			id := first(s.ID, s.Email)
			hands = append(hands, handIn{student: s.Name, id: id, time: parseTime(one.Created), items: []item{it}})
		}
	}
	return hands, rest, nil
}

// damaged is the error of a file in which a platform describes the others.
func (r *reader) damaged(file string, err error, hint string) error {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return &yamlstrict.Error{File: r.show(file), Msg: msg, Hint: hint}
}

// blackboardName matches the assignment and the user name, the time of the attempt, and the name that the file had; a
// receipt has none.
var blackboardName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(.*_[^_]+)_attempt_(\d{4}(?:-\d\d){5})(?:_(.+)|\.txt)$`)
})

// receiptName matches the line of a receipt with the names of the student.
var receiptName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[^:\n]+: *(.+?) \(([^()\n]+)\)\s*$`) })

// blackboard takes from receipts where the name of the assignment ends and that of the user begins: both may have
// underscores. Without any, the user's has none.
func blackboard(_ *reader, items []item) (hands []handIn, rest []item, err error) {
	names := map[string]string{} // by user name
	var assignments []string
	for _, it := range items {
		m := blackboardName().FindStringSubmatch(it.name)
		if m == nil || m[3] != "" {
			continue
		}
		if line := receiptName().FindSubmatch(regular.Head(it.path, 4<<10)); line != nil {
			if assignment, is := strings.CutSuffix(m[1], "_"+string(line[2])); is {
				names[string(line[2])] = string(line[1])
				assignments = append(assignments, assignment+"_")
			}
		}
	}
	for _, it := range items {
		m := blackboardName().FindStringSubmatch(it.name)
		if m == nil {
			rest = append(rest, it)
			continue
		}
		user := m[1][strings.LastIndex(m[1], "_")+1:]
		for _, assignment := range assignments {
			if one, is := strings.CutPrefix(m[1], assignment); is && (names[user] == "" || names[one] != "") {
				user = one
			}
		}
		h := handIn{student: first(names[user], user), id: user, time: parseTime(m[2])}
		if it.name = m[3]; it.name != "" {
			h.items = []item{it}
		}
		hands = append(hands, h)
	}
	return hands, rest, nil
}

// classroom recognizes repositories by their folders of git or GitHub. The name of the assignment is the beginning
// that all their names have.
func classroom(r *reader, items []item) (hands []handIn, rest []item, err error) {
	var prefix string
	repos := 0
	for _, it := range items {
		if !it.dir || !exists(filepath.Join(it.from, ".git")) && !exists(filepath.Join(it.from, ".github")) {
			continue
		}
		if repos++; repos == 1 {
			prefix = it.name
		}
		for !strings.HasPrefix(it.name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	prefix = prefix[:strings.LastIndex(prefix, "-")+1]
	for _, it := range items {
		student, problem := strings.TrimPrefix(it.name, prefix), ""
		for _, p := range r.problems {
			if len(it.name) > len(p)+1 && strings.EqualFold(it.name[:len(p)+1], p+"-") && len(p) > len(problem) {
				student, problem = it.name[len(p)+1:], p
			}
		}
		if repos == 0 || !it.dir || student == it.name {
			rest = append(rest, it)
			continue
		}
		hands = append(hands, handIn{student: student, problem: problem, items: []item{it}})
	}
	return hands, rest, nil
}

// text is a text or a number of JSON.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	*t = text(bytes.Trim(data, `"`))
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	return nil
}

// object is an object of a contest package, of any endpoint.
type object struct {
	ID      text   `json:"id"`
	Name    string `json:"name"`
	Display string `json:"display_name"`
	Short   string `json:"short_name"`
	Label   string `json:"label"`
	Problem text   `json:"problem_id"`
	Team    text   `json:"team_id"`
	Time    string `json:"time"`
}

func contestPackage(r *reader, items []item) (hands []handIn, rest []item, err error) {
	folder := find(&items, "submissions")
	if folder == "" || !slices.ContainsFunc(items, func(it item) bool { return it.name == "submissions.json" }) {
		return nil, items, nil
	}
	var submissions []object
	named := map[string]map[text]object{}
	for _, endpoint := range []string{"submissions", "teams", "problems"} {
		var list []object
		if file := find(&items, endpoint+".json"); file != "" {
			data, err := yamlstrict.Read(file)
			if err == nil {
				if wrong := json.Unmarshal(data, &list); wrong != nil {
					err = r.damaged(file, wrong, "its form is that of https://ccs-specs.icpc.io")
				}
			}
			if err != nil {
				return nil, nil, err
			}
		}
		if named[endpoint] = map[text]object{}; endpoint == "submissions" {
			submissions = list
		}
		for _, o := range list {
			named[endpoint][o.ID] = o
		}
	}
	for _, s := range submissions {
		team := named["teams"][s.Team]
		h := handIn{student: first(team.Display, team.Name, string(s.Team)), id: string(s.Team), problem: string(s.Problem), attempt: string(s.ID), time: parseTime(s.Time)}
		problem := named["problems"][s.Problem]
		for _, name := range []string{string(s.Problem), problem.Short, problem.Name, problem.Label} {
			if r.named(name) != "" {
				h.problem = r.named(name)
			}
		}
		if path := filepath.Join(folder, string(s.ID)); s.ID != "" && isFolder(path) {
			h.items = []item{{path: path, from: path, dir: true}}
		} else {
			r.note(path, lacking)
		}
		if h.student != "" {
			hands = append(hands, h)
		}
	}
	return hands, r.others(folder, items, hands), nil
}

const lacking = "no such folder, but the submission is listed"

// others notes what is beside submissions that a table lists: the other items, and folders that it does not list.
func (r *reader) others(folder string, items []item, hands []handIn) (none []item) {
	entries, links, _ := visible(folder) // has been read
	for _, e := range entries {
		items = append(items, item{path: filepath.Join(folder, e.Name())})
	}
	for _, path := range links {
		items = append(items, item{path: path})
	}
	for _, it := range items {
		if !slices.ContainsFunc(hands, func(h handIn) bool { return len(h.items) > 0 && h.items[0].path == it.path }) {
			r.note(it.path, "belongs to no submission that is listed")
		}
	}
	return nil
}

func first(names ...string) string {
	return append(slices.DeleteFunc(names, func(name string) bool { return strings.TrimSpace(name) == "" }), "")[0]
}

// kattis reads folders that are called by the numbers of submissions, beside a table in CSV that lists them.
func kattis(r *reader, items []item) (hands []handIn, rest []item, err error) {
	at := slices.IndexFunc(items, func(it item) bool { return strings.EqualFold(filepath.Ext(it.name), ".csv") })
	if at < 0 {
		return nil, items, nil
	}
	t, err := table.Read(items[at].path, "")
	if err != nil {
		return nil, items, nil
	}
	column := func(row []string, names ...string) string {
		if i := t.Column(names...); i >= 0 {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	var lack []string
	folders := map[string]item{}
	for _, it := range items {
		folders[it.name] = it
	}
	for _, row := range t.Rows {
		id := column(row, "submission", "submission id", "submission_id", "id")
		h := handIn{student: column(row, "user", "username", "author", "student", "name"), problem: column(row, "problem", "problem id", "problem_id"), attempt: id, time: parseTime(column(row, "time", "date", "submission time", "submission_time"))}
		if _, err := strconv.Atoi(id); err != nil || h.student == "" || h.problem == "" {
			continue
		}
		if it, is := folders[id]; is {
			h.items = []item{it}
		} else {
			lack = append(lack, filepath.Join(filepath.Dir(items[at].path), id))
		}
		hands = append(hands, h)
	}
	if !slices.ContainsFunc(hands, func(h handIn) bool { return len(h.items) > 0 }) {
		return nil, items, nil
	}
	for _, path := range lack {
		r.note(path, lacking)
	}
	items = slices.Delete(items, at, at+1)
	return hands, slices.DeleteFunc(items, func(it item) bool {
		return slices.ContainsFunc(hands, func(h handIn) bool { return len(h.items) > 0 && h.items[0].path == it.path })
	}), nil
}

// times are the forms in which platforms write times.
var times = []string{time.RFC3339, "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02-15-04-05", "2006-01-02_15-04-05", "2006-01-02-15-04", "20060102150405", "20060102-150405", "20060102_150405", "2006-01-02"}

// parseTime returns the time that a text says, without a zone in UTC; zero if it is none.
func parseTime(text string) time.Time {
	for _, form := range times {
		if at, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return at.UTC()
		}
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) == 10 {
		return time.Unix(seconds, 0).UTC()
	}
	return time.Time{}
}
