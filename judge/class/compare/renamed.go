package compare

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// fold returns a name as it is compared with other forms of it.
func fold(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// pathSign begins the path of a submission among names, which are on one line.
const pathSign = "\n"

// identities returns what each submission in r may be called in another judging: its name in any form, the
// fields of the student in the roster, and its path within the folder of all submissions.
func (r *Results) identities() map[Name][]string {
	of, folder := map[Name][]string{}, ""
	for i, n := range r.names {
		p := cmp.Or(r.path[n], n.Submission)
		if i == 0 {
			folder = path.Dir(p) + "/"
		}
		for !strings.HasPrefix(p, folder) && folder != "" {
			folder = folder[:strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')+1]
		}
	}
	for _, n := range r.names {
		of[n] = []string{fold(n.Submission), pathSign + strings.TrimPrefix(cmp.Or(r.path[n], n.Submission), folder)}
		for _, field := range r.field[n] {
			if field = fold(field); field != "" {
				of[n] = append(of[n], field)
			}
		}
	}
	return of
}

// renamed returns for submissions of newer that r does not have under that name the one that it is called in
// r: one of the two names is an identity of the other, or their paths are the same. What may be several
// submissions is none of them.
func (r *Results) renamed(newer *Results) map[Name]Name {
	type identity struct{ problem, name string }
	gone := map[identity][]Name{}
	for n, names := range r.identities() {
		if _, known := newer.by[n]; !known {
			for _, name := range names {
				gone[identity{n.Problem, name}] = append(gone[identity{n.Problem, name}], n)
			}
		}
	}
	of, uses := map[Name]Name{}, map[Name]int{}
	for n, names := range newer.identities() {
		if _, known := r.by[n]; known {
			continue
		}
		var found []Name
		for _, name := range names {
			for _, was := range gone[identity{n.Problem, name}] {
				// A field that both have, such as the name of a group, says nothing.
				if name == fold(n.Submission) || name == fold(was.Submission) || strings.HasPrefix(name, pathSign) {
					found = append(found, was)
				}
			}
		}
		for _, was := range found {
			uses[was]++
		}
		if len(found) > 0 && !slices.ContainsFunc(found, func(was Name) bool { return was != found[0] }) {
			of[n] = found[0]
			uses[found[0]] -= len(found) - 1
		}
	}
	maps.DeleteFunc(of, func(_, was Name) bool { return uses[was] > 1 })
	return of
}
