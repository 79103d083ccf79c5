package enrol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"tribunal/judge/class/table"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// Most is the largest number of people in a list.
const Most = 20_000

// MaxFile is the size of the largest list in bytes.
const MaxFile = 8 << 20

// Faults are all that is wrong with a list, each at a line of its file.
type Faults []*yamlstrict.Error

// Error returns a line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, each := range f {
		lines[i] = each.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the first fault, so that the list counts as a located error.
func (f Faults) Unwrap() error { return f[0] }

// field is a column of a list.
type field string

const (
	fullName  field = "name"
	firstName field = "first name"
	lastName  field = "last name"
	login     field = "login"
	group     field = "group"
	email     field = "e-mail"
	role      field = "role"
)

// headers are the names of columns in lower case, as learning platforms, spreadsheets and contest systems have them.
var headers = map[field][]string{
	fullName:  {"name", "full name", "fullname", "student", "student name", "display name", "display_name", "team name", "vollständiger name", "nom complet", "nombre completo"},
	firstName: {"first name", "firstname", "first_name", "given name", "vorname", "prénom", "nombre"},
	lastName:  {"last name", "lastname", "last_name", "surname", "family name", "nachname", "nom", "apellido(s)", "apellidos"},
	login:     {"login", "login id", "sis login id", "username", "user name", "user", "account", "handle", "benutzername", "anmeldename", "kennung", "nom d'utilisateur", "nombre de usuario", "usuario", "github_username"},
	group:     {"group", "groups", "section", "team", "category", "gruppe", "gruppen", "groupe", "grupo", "équipe", "equipo"},
	email:     {"e-mail", "email", "mail", "e-mail address", "email address", "e-mail-adresse", "mailadresse", "adresse de courriel", "courriel", "correo", "correo electrónico", "dirección de correo"},
	role:      {"role", "roles", "type", "rolle", "rôle", "rol"},
}

// roles are the words for roles, in lower case.
var roles = map[string]ledger.Role{
	"participant": ledger.Participant, "student": ledger.Participant, "learner": ledger.Participant, "team": ledger.Participant, "contestant": ledger.Participant,
	"teilnehmer": ledger.Participant, "teilnehmer/in": ledger.Participant, "étudiant": ledger.Participant, "estudiante": ledger.Participant,
	"observer": ledger.Observer, "guest": ledger.Observer, "analyst": ledger.Observer, "staff": ledger.Observer, "beobachter": ledger.Observer,
	"teacher": ledger.Teacher, "jury": ledger.Teacher, "judge": ledger.Teacher, "admin": ledger.Teacher, "instructor": ledger.Teacher, "lecturer": ledger.Teacher,
	"tutor": ledger.Teacher, "ta": ledger.Teacher, "lehrer": ledger.Teacher, "enseignant": ledger.Teacher, "profesor": ledger.Teacher,
}

const hint = "a column is called name, or two are called first name and last name; others are login, group, e-mail and role"

// File is a file with its name, for messages.
type File struct {
	Name string
	Data []byte
}

// Parse reads lists of people: a table in CSV as package table reads it, or teams, accounts and groups as the CCS
// specification and DOMjudge have them (teams.tsv, accounts.tsv, groups.tsv, and their forms in JSON and YAML). An
// account gets the name and the group of its team, and a group its name, if they are in one of the files. Logins that
// are missing are made by [PlanFor]; passwords, organizations, and accounts of coaches and for balloons are passed over.
// If the lists have faults the error is [Faults], with the first thousand of them.
func Parse(files ...File) ([]ledger.Person, error) {
	l := &list{seen: map[string]int{}, groups: map[string]string{}, teams: map[string]int{}, of: map[int]string{}}
	for _, f := range files {
		l.file = f.Name
		if len(f.Data) > MaxFile {
			return nil, Faults{{File: f.Name, Msg: fmt.Sprintf("a list of more than %d MiB", MaxFile>>20), Hint: "import it in parts"}}
		}
		l.read(f.Data)
	}
	if len(l.faults) == 0 {
		l.join()
	}
	switch {
	case len(l.faults) > 0:
		return nil, l.faults
	case len(l.people) == 0 && l.others:
		return nil, Faults{{File: l.file, Msg: "the list has no people, but groups, organizations or accounts of other types", Hint: "judged people import groups.json teams.json accounts.yaml"}}
	case len(l.people) == 0:
		return nil, Faults{{File: l.file, Msg: "the list has no people", Hint: hint}}
	case len(l.people) > Most:
		return nil, Faults{{File: l.file, Msg: fmt.Sprintf("%d people; a list has at most %d", len(l.people), Most), Hint: "import it in parts"}}
	}
	return l.people, nil
}

// list collects people and faults while files are read.
type list struct {
	file   string
	people []ledger.Person
	faults Faults
	seen   map[string]int    // by login: the number of its entry, from 1
	lines  []int             // of the entries; 0 if an entry has none
	groups map[string]string // names by id
	teams  map[string]int    // by id: the index of an entry that is a team
	of     map[int]string    // by index of an entry that is an account of a team: the id of the team
	others bool              // there were groups or organizations
}

// read reads a file.
func (l *list) read(data []byte) {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	kind, version, tabbed := strings.Cut(strings.TrimSpace(string(first)), "\t")
	end := strings.ToLower(path.Ext(l.file)) // a list in YAML may begin with a comment, and a broken one with anything
	switch {
	case bytes.HasPrefix(text, []byte("[")), end == ".json":
		l.document(exactJSON, text)
	case bytes.HasPrefix(text, []byte("- ")), bytes.HasPrefix(text, []byte("---")), end == ".yaml", end == ".yml":
		l.document(yaml.Unmarshal, text)
	case tabbed && !strings.Contains(version, "\t") && slices.Contains([]string{"accounts", "teams", "groups", "File_Version"}, kind):
		l.tabbed(string(data))
	default:
		l.table(data)
	}
}

// The bounds of what a list costs to read: its faults, and the lines and commas of a document.
const (
	mostFaults = 1000
	mostParts  = 20 * Most
)

func (l *list) fault(line int, hint, format string, args ...any) {
	if len(l.faults) >= mostFaults {
		return
	}
	l.faults = append(l.faults, &yamlstrict.Error{File: l.file, Line: line, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

func (l *list) table(data []byte) {
	t, err := table.Decode(l.file, data, hint)
	if err != nil {
		e, _ := err.(*yamlstrict.Error)
		if e == nil {
			e = &yamlstrict.Error{File: l.file, Msg: err.Error()}
		}
		l.faults = Faults{e}
		return
	}
	column, seen := map[field]int{}, map[string]bool{}
	for _, name := range t.Header {
		name = strings.ToLower(strings.TrimSpace(name))
		if seen[name] && t.Column(name) >= 0 && name != "" {
			l.fault(1, "a list has one column of each kind", "two columns are called %.40q", name)
			return
		}
		seen[name] = true
	}
	for f, names := range headers {
		column[f] = t.Column(names...)
	}
	if name := column[fullName]; name >= 0 && column[firstName] >= 0 && column[lastName] < 0 && strings.EqualFold(t.Header[name], "name") {
		column[fullName], column[lastName] = -1, name // as beside Vorname
	}
	if column[fullName] < 0 && (column[firstName] < 0 || column[lastName] < 0) {
		l.fault(1, hint, "no column with names")
		return
	}
	for i, row := range t.Rows {
		fields := map[field]string{}
		for f, at := range column {
			if at >= 0 {
				fields[f] = row[at]
			}
		}
		l.add(t.Line(i), "", fields, false)
	}
}

// tabbed reads accounts.tsv (type, name, login, password), teams.tsv (number, external id, group, name, and more) and
// groups.tsv (id, name). Under the heading File_Version the fields show what a line is.
func (l *list) tabbed(text string) {
	kind := ""
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimRight(line, "\r")
		f := strings.Split(line, "\t")
		is := func(one string, fields int) bool {
			return len(f) >= fields && (kind == one || kind == "File_Version" && (one == "groups") == (len(f) == 2) && (one == "accounts") == (roles[f[0]] != "" || f[0] == "balloon"))
		}
		switch {
		case strings.TrimSpace(line) == "":
		case kind == "":
			kind = f[0]
		case is("accounts", 3):
			l.account(i+1, "", "", map[field]string{role: f[0], fullName: f[1], login: f[2]})
		case is("teams", 4):
			l.team(i+1, "", f[0], map[field]string{group: f[2], fullName: f[3]})
		case is("groups", 2):
			l.group(i+1, f[0], f[1])
		default:
			l.fault(i+1, "accounts have type, name, login and password; teams have number, id, group and name", "%d fields", len(f))
		}
	}
}

// group keeps the name of a group.
func (l *list) group(at int, id, name string) {
	if l.others = true; !line(name) {
		l.fault(at, "", "group %.40q: want a name of at most %d printable characters", id, maxName)
	}
	l.groups[id] = name
}

// team adds a team.
func (l *list) team(line int, at, id string, f map[field]string) {
	f[login] = teamLogin(id)
	if _, twice := l.teams[id]; twice {
		l.fault(line, "every team is there once", "%sthe team %.40q is there twice", at, id)
	} else if l.add(line, at, f, true) {
		l.teams[id] = len(l.people) - 1
	}
}

// account adds an account; those of coaches and for balloons are passed over, because no role here sees so little. That
// of a team without an id has the number of the team in its login, perhaps after zeros.
func (l *list) account(line int, at, team string, f map[field]string) {
	if slices.Contains([]string{"coach", "balloon"}, f[role]) {
		l.others = true
		return
	}
	if !l.add(line, at, f, false) {
		return
	}
	if is := l.people[len(l.people)-1].Role; is != "" && is != ledger.Participant {
		return
	}
	if team == "" {
		isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
		team = strings.TrimFunc(f[login], func(r rune) bool { return !isDigit(r) })
		team = strings.TrimLeft(team, "0")
	}
	l.of[len(l.people)-1] = team
}

// join gives accounts the names of their teams, and groups theirs, and leaves out teams that have an account.
func (l *list) join() {
	merged := map[int]bool{}
	for account, id := range l.of {
		if team, known := l.teams[id]; known {
			l.people[account].Name, l.people[account].Group = l.people[team].Name, l.people[team].Group
			merged[team] = true
		}
	}
	teams := map[int]bool{}
	for _, i := range l.teams {
		teams[i] = true
	}
	var people []ledger.Person
	for i, p := range l.people {
		if name := l.groups[p.Group]; name != "" {
			p.Group = name
		}
		if merged[i] {
			continue
		}
		if teams[i] && l.seen[p.Login] > 0 {
			l.fault(l.lines[i], "every login is there once", "the login %s of a team is that of %s, too", p.Login, l.people[l.seen[p.Login]-1].Name)
		}
		people = append(people, p)
	}
	l.people = people
}

// document reads a list of accounts or teams in JSON or YAML.
func (l *list) document(unmarshal func([]byte, any) error, text []byte) {
	if bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte(",")) > mostParts {
		l.fault(0, "import it in parts", "a document of more than %d lines and commas", mostParts)
		return
	}
	var entries []map[string]any
	if err := unmarshal(text, &entries); err != nil {
		text := strings.Join(strings.Fields(err.Error()), " ")
		if strings.Contains(text, "cannot unmarshal") {
			text = "not such a list" // the rest names types of Go
		}
		l.fault(0, "accounts and teams are a list of objects", "%s", text)
		return
	}
	for i, e := range entries {
		word := func(key string) string {
			switch v := e[key].(type) {
			case nil:
				return ""
			case []any:
				if len(v) == 0 {
					return ""
				}
				return fmt.Sprint(v[0])
			default:
				return fmt.Sprint(v)
			}
		}
		has := func(keys ...string) bool {
			return slices.ContainsFunc(keys, func(key string) bool { _, is := e[key]; return is })
		}
		at, name := fmt.Sprintf("entry %d: ", i+1), cmp.Or(word("display_name"), word("name"))
		base := strings.ToLower(path.Base(l.file))
		switch {
		case has("username"):
			l.account(0, at, word("team_id"), map[field]string{fullName: cmp.Or(name, word("username")), login: word("username"), role: word("type"), email: word("email")})
		case has("group_ids", "organization_id", "label", "display_name"): // no group or organization has one
			l.team(0, at, word("id"), map[field]string{fullName: name, group: word("group_ids"), email: word("email")})
		case strings.Contains(base, "organizations"), has("formal_name", "country", "country_flag"):
			l.others = true
		case strings.Contains(base, "groups"), has("sortorder", "hidden", "type"):
			l.group(0, word("id"), name)
		default:
			l.team(0, at, word("id"), map[field]string{fullName: name, email: word("email")})
		}
	}
}

// exactJSON reads JSON with its numbers as they are written.
func exactJSON(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

// teamLogin returns the login of a team, which lists of teams do not have: team and its number.
func teamLogin(id string) string {
	if id != "" && strings.Trim(id, "0123456789") == "" {
		return "team" + id
	}
	return id
}

// add adds an entry, or what is wrong with it. The login of a team gives way to that of its account.
func (l *list) add(line int, at string, f map[field]string, team bool) bool {
	for k, v := range f {
		f[k] = strings.Join(strings.Fields(v), " ")
	}
	p := ledger.Person{Name: f[fullName], Login: strings.ToLower(f[login]), Group: f[group], Email: f[email]}
	if p.Name == "" {
		p.Name = strings.TrimSpace(f[firstName] + " " + f[lastName])
	}
	if family, given, is := strings.Cut(p.Name, ", "); is && f[fullName] != "" { // as Canvas writes names
		p.Name = given + " " + family
	}
	word := strings.ToLower(f[role])
	if p.Role = roles[word]; p.Role == "" && word != "" {
		l.fault(line, "participant, observer or teacher", "%sunknown role %.40q", at, f[role])
		return false
	}
	if fault, hint := check(&p); fault != "" {
		l.fault(line, hint, "%s%s", at, fault)
		return false
	}
	l.people, l.lines = append(l.people, p), append(l.lines, line)
	if p.Login == "" || team {
		return true
	}
	if other := l.seen[p.Login]; other > 0 {
		where := fmt.Sprintf("entry %d", other)
		if l.lines[other-1] > 0 {
			where = fmt.Sprintf("line %d", l.lines[other-1])
		}
		l.fault(line, "every login is there once", "%sthe login %s is that of %s, too", at, p.Login, where)
		return false
	}
	l.seen[p.Login] = len(l.people)
	return true
}

// maxName bounds names, groups and addresses in characters.
const maxName = 200

// check returns what is wrong with an entry of a list, "" if nothing is.
func check(p *ledger.Person) (fault, hint string) {
	switch {
	case p.Name == "":
		return "no name", "every row names a person"
	case !line(p.Name), !line(p.Group), !line(p.Email):
		return fmt.Sprintf("name, group or e-mail of %.40q: want at most %d printable characters", p.Name, maxName), ""
	case p.Login != "" && !service.ValidLogin(p.Login):
		return fmt.Sprintf("the login %.80q is not valid", p.Login), "up to 63 lower-case letters, digits and ._@+-"
	case p.Email != "" && !address(p.Email):
		return fmt.Sprintf("the e-mail address %.80q is not valid", p.Email), "such as ann@example.org"
	}
	return "", ""
}

// Check returns the first thing that is wrong with a person whom a form or a request describes; nil if nothing is.
func Check(p *ledger.Person) error {
	fault, hint := check(p)
	switch {
	case fault != "" && hint != "":
		return fmt.Errorf("%s (hint: %s)", fault, hint)
	case fault != "":
		return fmt.Errorf("%s", fault)
	case p.Role != "" && p.Role != ledger.Participant && p.Role != ledger.Observer && p.Role != ledger.Teacher:
		return fmt.Errorf("unknown role %.40q (hint: participant, observer or teacher)", p.Role)
	}
	return nil
}

func line(s string) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= maxName && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func address(s string) bool {
	before, after, ok := strings.Cut(s, "@")
	return ok && before != "" && strings.Contains(after, ".") && !strings.ContainsAny(s, " ,;<>\"") && !strings.Contains(after, "@")
}
