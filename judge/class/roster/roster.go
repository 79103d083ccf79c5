// Package roster gives a row to everybody in a list of a class, whatever they handed in.
package roster

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tribunal/judge/class/table"
	"tribunal/judge/internal/yamlstrict"
)

// A Roster is the list of a class, as a table that a learning platform or a spreadsheet has written.
type Roster struct {
	*table.Table
	Students []Student        // in the order of the table
	known    map[string]int   // by key: the student whose row has it; -1 if several have
	groups   map[string][]int // by key of a group: its students
	possible []string         // Canvas' row with the points of assignments; nil if there is none
}

// A Student is a row of a roster.
type Student struct {
	Name   string // differs from that of any other
	Values []string
	group  int // those who share submissions have the same number
}

// The names of columns, in languages whose spreadsheets and platforms write them.
var (
	nameColumns  = []string{"student", "name", "full name", "fullname", "student name", "vollständiger name", "nom complet", "nombre completo"}
	firstColumns = []string{"first name", "firstname", "first_name", "given name", "vorname", "prénom", "nombre"}
	lastColumns  = []string{"last name", "lastname", "last_name", "surname", "family name", "nachname", "nom", "apellido(s)", "apellidos"}
	groupColumns = []string{"group", "groups", "team", "gruppe", "gruppen", "groupe", "equipo", "équipe"}
	// as Moodle calls the column with Participant 77
	numberColumns = []string{"identifier", "id", "identifiant", "identificador", "identificativo", "идентификатор", "标识符", "識別碼"}
	participant   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\pL[^\d]*(\d+)$`) })
	posting       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(muted|manual posting.*)$`) }) // in a row of Canvas that is no student
	partners      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^partners?[ _]*\d*$`) })
)

// identifying are words in the headers of columns that identify students.
var identifying = []string{
	"name", "student", "surname", "vorname", "nachname", "nom", "prénom", "nombre", "apellidos", "id", "number", "nummer", "nr", "matr", "matnr", "matrikel", "matrikelnr", "matrikelnummer", "numéro", "número",
	"identifier", "participant", "kennung", "sis", "sid", "login", "user", "username", "github", "account", "mail", "email", "courriel", "correo",
}

// identifies reports whether the fields of a column identify students.
func identifies(header string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(header), func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return slices.Contains(identifying, word)
	})
}

const columnHint = "a column is called student, name or full name, or two are called first name and last name"

// maxTeam is the size of the largest group that is taken to have worked together. Platforms also export groups that
// have a tutorial together.
const maxTeam = 8

// Read reads a roster. Its columns with names are found by their headers, a column group or team has the name of a
// group, and columns partner, partner 2 and so on name other students of it. Students of a group of more than maxTeam
// share only what was handed in under its name. Rows of Canvas about assignments are no students. An error of the user is a [*yamlstrict.Error].
func Read(file string) (*Roster, error) {
	t, err := table.Read(file, columnHint)
	if err != nil {
		return nil, err
	}
	name, first, last := t.Column(nameColumns...), t.Column(firstColumns...), t.Column(lastColumns...)
	if name >= 0 && first >= 0 && last < 0 && strings.EqualFold(t.Header[name], "name") { // as beside Vorname
		name, last = -1, name
	}
	if name < 0 && (first < 0 || last < 0) {
		name = max(worksheet(t), t.Column("github_username")) // of anonymous participants, and the grades of GitHub Classroom
	}
	if name < 0 && (first < 0 || last < 0) {
		return nil, t.Error(-1, "no column with names", columnHint)
	}
	r := &Roster{Table: t, known: map[string]int{}, groups: map[string][]int{}}
	seen := map[string]int{}
	for i, row := range t.Rows {
		s := Student{Values: row, group: i}
		if name >= 0 {
			s.Name = clean(row[name])
		} else {
			s.Name = clean(row[first] + " " + row[last])
		}
		switch {
		case strings.HasPrefix(s.Name, "Points Possible"):
			r.possible = row
			continue
		case !slices.ContainsFunc(row, func(f string) bool { return clean(f) != "" && !posting().MatchString(clean(f)) }):
			continue
		case s.Name == "":
			if at := slices.IndexFunc(t.Header, func(h string) bool { return identifies(h) && clean(row[slices.Index(t.Header, h)]) != "" }); at >= 0 {
				s.Name = clean(row[at]) // as in GitHub Classroom, where many have set no name
				break
			}
			return nil, t.Error(i, "no name", "every row names a student")
		}
		k, plain := len(r.Students), s.Name
		if s.Name = r.distinct(s.Name, row, seen); s.Name == "" {
			return nil, t.Error(i, "the row is there twice", "leave out one of them")
		}
		seen[key(s.Name)] = k
		s.group = k
		r.Students = append(r.Students, s)
		r.learn(k, plain)
		if first >= 0 && last >= 0 {
			for _, form := range []string{row[first] + " " + row[last], row[last] + " " + row[first], row[last] + ", " + row[first], row[last] + row[first]} {
				r.know(form, k)
			}
		}
	}
	if len(r.Students) == 0 {
		return nil, &yamlstrict.Error{File: file, Msg: "the roster has no students", Hint: "each row below the header is a student"}
	}
	return r, r.join()
}

// know makes a value a key of a student, unless another has it, too.
func (r *Roster) know(value string, student int) {
	k := key(value)
	if k == "" {
		return
	}
	if other, is := r.known[k]; is && other != student {
		student = -1
	}
	r.known[k] = student
}

// join makes groups of the students whom the columns for groups and partners put together.
func (r *Roster) join() error {
	if group := r.Column(groupColumns...); group >= 0 {
		for i, s := range r.Students {
			if name := key(s.Values[group]); name != "" {
				r.groups[name] = append(r.groups[name], i)
			}
		}
	}
	for name, members := range r.groups {
		if len(members) <= maxTeam {
			for _, i := range members {
				r.unite(members[0], i)
			}
		}
		if _, own := r.known[name]; own { // the name or number of a student comes before that of a group
			delete(r.groups, name)
		} else {
			r.known[name] = members[0]
		}
	}
	for i := range r.Students {
		s := &r.Students[i]
		for column, header := range r.Header {
			if partner := s.Values[column]; partners().MatchString(header) && clean(partner) != "" {
				other := r.find(partner)
				if other < 0 {
					return r.Error(slices.IndexFunc(r.Rows, func(row []string) bool { return &row[0] == &s.Values[0] }), fmt.Sprintf("the partner %q is not in the roster, or there several times", partner), "name a partner as in another row, or by a number or address of that row")
				}
				r.unite(i, other)
			}
		}
	}
	return nil
}

// unite makes one group of those of two students.
func (r *Roster) unite(a, b int) {
	from, to := r.Students[b].group, r.Students[a].group
	for i := range r.Students {
		if r.Students[i].group == from {
			r.Students[i].group = to
		}
	}
}

// clean normalises a name.
func clean(name string) string { return strings.Join(strings.Fields(norm.NFC.String(name)), " ") }

// key returns what names have in common that differ only in capitals, blanks or the form of their letters.
func key(name string) string { return strings.ToLower(clean(norm.NFKC.String(name))) }

// distinct returns a name that no other row has, made of that of a row and, if another has it, of a value in which they
// differ, or else a number. It returns "" if an equal row has been seen.
func (r *Roster) distinct(name string, row []string, seen map[string]int) string {
	unique := name
	for n := 2; ; n++ {
		other, twice := seen[key(unique)]
		if !twice {
			return unique
		}
		values := r.Students[other].Values
		if slices.Equal(row, values) {
			return ""
		}
		unique = fmt.Sprintf("%s (%d)", name, n)
		for i, value := range row {
			if n == 2 && clean(value) != "" && clean(value) != clean(values[i]) {
				unique = name + " (" + clean(value) + ")"
				break
			}
		}
	}
}

// learn makes the fields that identify a student keys, and the forms of the name, which others may have, too.
func (r *Roster) learn(student int, name string) {
	group := r.Column(groupColumns...)
	for column, value := range r.Students[student].Values {
		if column == group || !identifies(r.Header[column]) {
			continue
		}
		r.know(value, student)
		if slices.ContainsFunc(numberColumns, func(name string) bool { return strings.EqualFold(name, r.Header[column]) }) {
			r.know(participant().ReplaceAllString(value, "Participant $1"), student)
		}
		if mailbox, _, is := strings.Cut(value, "@"); is {
			r.know(mailbox, student)
		}
	}
	if a, b, is := strings.Cut(name, ","); is { // Canvas has "Müller, Anna", and files named muelleranna
		r.know(b+" "+a, student)
		r.know(a+strings.TrimSpace(b), student)
	}
}
