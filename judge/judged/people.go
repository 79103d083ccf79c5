package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/client"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/enrol"
	"tribunal/judge/judged/internal/web"
)

func peopleCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Import, list and erase the people of a course",
		Long: `Import, list and erase the people of a course of a running service. The token needs the
scope admin.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(peopleImport(o), peopleList(o), peopleErase(o))
	return cmd
}

func peopleImport(o *options) *cobra.Command {
	r := &remote{options: o}
	var course string
	var preview bool
	cmd := &cobra.Command{
		Use:   "import FILE… --course ID",
		Short: "Make the people of a list members of a course, and print links for their passwords",
		Long: `Make the people of a list members of a course. The list is a table in CSV with any separator
and a header: name, or first name and last name; if there are, login, group, e-mail and role
(participant, observer or teacher). It can also be teams, accounts and groups, in files of their
own, as the CCS specification and DOMjudge have them (TSV, JSON or YAML). If a list has
faults, they are printed, and nothing changes.

Who has no login gets one, such as ann.lee. Fields that are empty stay as they are. Who has
no password gets a link by which to set one, once, within 14 days; members of other courses
get none. The links are printed as CSV: login, name, link.`,
		Example: "  judged people import class.csv --course algorithms --token-file data/admin.token >links.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("import needs a list (hint: judged people import class.csv --course ID)"))
			}
			var files []enrol.File
			for _, name := range args {
				data, err := regular.ReadAny(name)
				if err != nil {
					return yamlstrict.FileError(name, err)
				}
				files = append(files, enrol.File{Name: name, Data: data})
			}
			people, err := enrol.Parse(files...)
			if err != nil {
				return err
			}
			q := web.Enrolment{People: people, Preview: preview}
			return r.inCourse(cmd.Context(), course, func(ctx context.Context, c *client.Client) error {
				list, err := client.Send[web.EnrolledList](ctx, c, http.MethodPost, coursePath(course, "people"), q)
				if err != nil {
					return err
				}
				return r.enrolled(c, list, preview)
			})
		},
	}
	courseFlag(cmd, &course)
	cmd.Flags().BoolVar(&preview, "preview", false, "print what would change, and change nothing")
	r.flags(cmd, "write what became of each person as the API has it")
	return cmd
}

// enrolled writes the invitations, or with preview the changes, and on standard error a summary.
func (r *remote) enrolled(c *client.Client, list *web.EnrolledList, preview bool) error {
	counts := map[enrol.State]int{}
	rows := [][]string{{"login", "name", "link"}}
	if preview {
		rows = [][]string{{"login", "name", "change"}}
	}
	for _, p := range list.People {
		counts[p.State]++
		if p.Note != "" {
			fmt.Fprintf(r.err, "judged: note: %s %s\n", p.Login, p.Note)
		}
		switch {
		case preview && p.State != enrol.Same:
			rows = append(rows, []string{layout.CellText(p.Login), layout.CellText(p.Name), string(p.State)})
		case p.Invitation != "":
			rows = append(rows, []string{layout.CellText(p.Login), layout.CellText(p.Name), c.URL + "/join/" + p.Invitation})
		}
	}
	fmt.Fprintf(r.err, "judged: %d new, %d changed, %d as they were\n", counts[enrol.New], counts[enrol.Changed], counts[enrol.Same])
	if r.json {
		return r.write(list, nil)
	}
	return csv.NewWriter(r.out).WriteAll(rows)
}

func peopleList(o *options) *cobra.Command {
	r := &remote{options: o}
	var course string
	cmd := &cobra.Command{
		Use:     "list --course ID",
		Short:   "List the members of a course",
		Example: "  judged people list --course algorithms --token-file data/admin.token",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.inCourse(cmd.Context(), course, func(ctx context.Context, c *client.Client) error {
				list, err := client.Ask[web.CourseMembers](ctx, c, http.MethodGet, coursePath(course, "people"), nil)
				if err != nil {
					return err
				}
				return r.write(list, func(w io.Writer) {
					row(w, "login", "name", "group", "e-mail", "role", "since", "password")
					for _, p := range list.People {
						row(w, p.Login, p.Name, p.Group, p.Email, string(p.Role), moment(p.Since), map[bool]string{true: "set"}[p.Password])
					}
				})
			})
		},
	}
	courseFlag(cmd, &course)
	r.flags(cmd, "write the members as the API has them")
	return cmd
}

func peopleErase(o *options) *cobra.Command {
	r := &remote{options: o}
	var course string
	cmd := &cobra.Command{
		Use:   "erase LOGIN --course ID",
		Short: "Erase a member of a course with everything handed in, for ever",
		Long: `Erase a member of a course with everything that was handed in there, for ever. The account
goes, too, if its login is in no other course.`,
		Example: "  judged people erase ann.lee --course algorithms --token-file data/admin.token",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("erase needs a login (hint: judged people list)"))
			}
			return r.inCourse(cmd.Context(), course, func(ctx context.Context, c *client.Client) error {
				gone, err := client.Ask[web.Erased](ctx, c, http.MethodDelete, coursePath(course, "people", args[0]), nil)
				if err != nil {
					return err
				}
				return r.write(gone, func(w io.Writer) { fmt.Fprintf(w, "%d submissions erased\n", gone.Erased) })
			})
		},
	}
	courseFlag(cmd, &course)
	r.flags(cmd, "write how many submissions were erased as the API has it")
	return cmd
}
