package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli/client"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/web"
)

func courseCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "course",
		Short: "Set, list and export the courses of a running service",
		Long: `Set, list and export the courses of a running service: classes and contests, which people see in a
browser. The token needs the scope admin.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(courseSet(o), courseList(o), courseExport(o))
	return cmd
}

// coursePath returns the path of a course in the API, or of something of it.
func coursePath(id string, of ...string) string {
	path := "/v1/courses/" + url.PathEscape(id)
	for _, part := range of {
		path += "/" + url.PathEscape(part)
	}
	return path
}

func courseSet(o *options) *cobra.Command {
	r := &remote{options: o}
	var id string
	cmd := &cobra.Command{
		Use:   "set FILE [PROBLEMS…]",
		Short: "Set a course as its file says, whole",
		Long: `Set a course as a course.yaml says, whole. Its id is that of --id, or else the name of the
file, or of its folder if the file is called course.yaml.

The file can also be a contest.yaml or contest.json as the CCS specification and DOMjudge have
it, with problems.yaml or problemset.yaml in a file of their own. It has its id itself.`,
		Example: "  judged course set algorithms.yaml --token-file data/admin.token\n  judged course set course.yaml --id algorithms\n  judged course set contest.yaml problems.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("set needs a file (hint: judged course set algorithms.yaml)"))
			}
			var files []course.File
			for _, name := range args {
				data, err := yamlstrict.Read(name)
				if err != nil {
					return err
				}
				files = append(files, course.File{Name: name, Data: data})
			}
			c, contest, err := course.Read(args[0], files[0].Data, files[1:]...)
			if err != nil {
				return err
			}
			if contest != nil {
				id = cmp.Or(id, contest.ID)
				if len(c.Problems) == 0 {
					fmt.Fprintf(o.err, "judged: note: %s: no problems (hint: judged course set %s problems.yaml)\n", args[0], args[0])
				}
				if len(contest.Left) > 0 {
					fmt.Fprintf(o.err, "judged: note: %s: without effect: %s\n", args[0], strings.Join(contest.Left, ", "))
				}
			}
			if id == "" {
				if id, err = idOf(args[0]); err != nil {
					return err
				}
			}
			return r.ask(func(to *client.Client) error {
				set, err := client.Send[web.CourseInfo](cmd.Context(), to, http.MethodPut, coursePath(id), c)
				if err != nil {
					return err
				}
				if err := r.noteUnjudged(cmd.Context(), to, set.Problems); err != nil {
					return err
				}
				return r.write(set, func(w io.Writer) { fmt.Fprintf(w, "%s: %s\n", set.ID, set.Title) })
			})
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "`id` of the course (default: by the file)")
	r.flags(cmd, "write the course as the API has it")
	return cmd
}

// noteUnjudged names those problems of a course that the service cannot judge.
func (r *remote) noteUnjudged(ctx context.Context, to *client.Client, problems []ledger.CourseProblem) error {
	known, err := client.Ask[web.ProblemList](ctx, to, http.MethodGet, "/v1/problems", nil)
	if err != nil {
		return err
	}
	for _, p := range problems {
		if !slices.ContainsFunc(known.Problems, func(k web.ProblemInfo) bool { return k.ID == p.Problem && k.Newest != "" }) {
			fmt.Fprintf(r.err, "judged: note: the service cannot judge %s (hint: upload a version of it that its check finds usable)\n", p.Problem)
		}
	}
	return nil
}

// idOf returns the id of a course by the name of its file.
func idOf(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	name := filepath.Base(path)
	if name == "course.yaml" {
		return filepath.Base(filepath.Dir(path)), nil
	}
	return strings.TrimSuffix(name, filepath.Ext(name)), nil
}

func courseList(o *options) *cobra.Command {
	r := &remote{options: o}
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the courses, the one that was set last first",
		Example: "  judged course list --token-file data/admin.token",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.ask(func(c *client.Client) error {
				list, err := client.Ask[web.CourseList](cmd.Context(), c, http.MethodGet, "/v1/courses", nil)
				if err != nil {
					return err
				}
				return r.write(list, func(w io.Writer) {
					row(w, "id", "title", "problems", "open", "due", "set by", "at")
					for _, one := range list.Courses {
						row(w, one.ID, one.Title, strconv.Itoa(len(one.Problems)), moment(one.Open), moment(one.Due), one.By, moment(one.At))
					}
				})
			})
		},
	}
	r.flags(cmd, "write the courses as GET /v1/courses has them")
	return cmd
}

func courseExport(o *options) *cobra.Command {
	r := &remote{options: o}
	var id string
	cmd := &cobra.Command{
		Use:   "export FILE --course ID",
		Short: "Write the results of a course for other contest systems",
		Long: `Write the results of a course on standard output as the CCS specification has them. FILE is
results.tsv, scoreboard.json, awards.json or teams.json. Teams are participants, by their logins.`,
		Example: "  judged course export results.tsv --course finals --token-file data/admin.token >results.tsv",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(fmt.Errorf("export needs a file (hint: %s)", strings.Join(course.Exports, ", ")))
			}
			return r.inCourse(cmd.Context(), id, func(ctx context.Context, c *client.Client) error {
				text, err := c.File(ctx, coursePath(id, "results", args[0]))
				if err != nil {
					return err
				}
				_, err = o.out.Write(text)
				return err
			})
		},
	}
	courseFlag(cmd, &id)
	r.flags(cmd, "")
	return cmd
}

// courseFlag adds the flag --course, which a command needs.
func courseFlag(cmd *cobra.Command, id *string) {
	cmd.Flags().StringVar(id, "course", "", "`id` of the course")
}

// inCourse calls work with a client for the service, unless --course is missing.
func (r *remote) inCourse(ctx context.Context, id string, work func(context.Context, *client.Client) error) error {
	if id == "" {
		return usage(errors.New("--course is missing (hint: judged course list has the ids)"))
	}
	return r.ask(func(c *client.Client) error {
		err := work(ctx, c)
		if e, answered := errors.AsType[*client.Error](err); answered && e.Status == http.StatusNotFound && !e.Foreign && !strings.Contains(e.Detail, "(hint: ") {
			return fmt.Errorf("%w (hint: judged course list and judged people list have what there is)", err)
		}
		return err
	})
}
