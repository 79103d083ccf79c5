package enrol

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// Parse reads a list of people: a table in CSV as package table reads it, or teams and accounts as the CCS
// specification has them (teams.tsv, accounts.tsv, and their forms in JSON and YAML). Logins that are missing are made
// by [PlanFor]; passwords are passed over. If the list has faults the error is [Faults], with all of them.
func Parse(file string, data []byte) ([]ledger.Person, error) {
	if len(data) > MaxFile {
		return nil, Faults{{File: file, Msg: fmt.Sprintf("a list of more than %d MiB", MaxFile>>20), Hint: "import it in parts"}}
	}
	l := &list{file: file, seen: map[string]int{}}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	kind, version, tabbed := strings.Cut(strings.TrimSpace(string(first)), "\t")
	switch {
	case bytes.HasPrefix(text, []byte("[")):
		l.document(exactJSON, text)
	case bytes.HasPrefix(text, []byte("- ")), bytes.HasPrefix(text, []byte("---")):
		l.document(yaml.Unmarshal, text)
	case tabbed && !strings.Contains(version, "\t") && slices.Contains([]string{"accounts", "teams", "File_Version"}, kind):
		l.tabbed(string(data))
	default:
		l.table(data)
	}
	switch {
	case len(l.faults) > 0:
		return nil, l.faults
	case len(l.people) == 0:
		return nil, Faults{{File: file, Msg: "the list has no people", Hint: hint}}
	case len(l.people) > Most:
		return nil, Faults{{File: file, Msg: fmt.Sprintf("%d people; a list has at most %d", len(l.people), Most), Hint: "import it in parts"}}
	}
	return l.people, nil
}

// list is a list that is being read.
type list struct {
	file   string
	people []ledger.Person
	faults Faults
	seen   map[string]int // by login: the number of its entry, from 1
	lines  []int          // of the entries; 0 if an entry has none
}

func (l *list) fault(line int, hint, format string, args ...any) {
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
		l.add(t.Line(i), "", fields)
	}
}

// tabbed reads accounts.tsv (type, name, login, password) and teams.tsv (number, external id, group, name, and more).
func (l *list) tabbed(text string) {
	kind := ""
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimRight(line, "\r")
		f := strings.Split(line, "\t")
		switch {
		case strings.TrimSpace(line) == "":
		case kind == "":
			if kind = f[0]; kind == "File_Version" {
				kind = "teams"
			}
		case kind == "accounts" && len(f) >= 3:
			l.add(i+1, "", map[field]string{role: f[0], fullName: f[1], login: f[2]})
		case kind == "teams" && len(f) >= 4:
			l.add(i+1, "", map[field]string{login: teamLogin(f[0]), group: f[2], fullName: f[3]})
		default:
			l.fault(i+1, "accounts have type, name, login and password; teams have number, id, group and name", "%d fields", len(f))
		}
	}
}

// document reads a list of accounts or teams in JSON or YAML.
func (l *list) document(unmarshal func([]byte, any) error, text []byte) {
	var entries []map[string]any
	if err := unmarshal(text, &entries); err != nil {
		l.fault(0, "accounts and teams are a list of objects", "%s", strings.Join(strings.Fields(err.Error()), " "))
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
		fields := map[field]string{fullName: word("name"), login: word("username"), role: word("type"), email: word("email"), group: word("group_ids")}
		if word("display_name") != "" {
			fields[fullName] = word("display_name")
		}
		if _, account := e["username"]; account && fields[fullName] == "" {
			fields[fullName] = word("username")
		} else if !account {
			fields[login] = teamLogin(word("id"))
		}
		l.add(0, fmt.Sprintf("entry %d: ", i+1), fields)
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

// add adds an entry, or what is wrong with it.
func (l *list) add(line int, at string, f map[field]string) {
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
		return
	}
	if fault, hint := check(&p); fault != "" {
		l.fault(line, hint, "%s%s", at, fault)
		return
	}
	l.people, l.lines = append(l.people, p), append(l.lines, line)
	if p.Login == "" {
		return
	}
	if other := l.seen[p.Login]; other > 0 {
		where := fmt.Sprintf("entry %d", other)
		if l.lines[other-1] > 0 {
			where = fmt.Sprintf("line %d", l.lines[other-1])
		}
		l.fault(line, "every login is there once", "%sthe login %s is that of %s, too", at, p.Login, where)
		return
	}
	l.seen[p.Login] = len(l.people)
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
