package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/judged/internal/access"
)

// adminFile is the file of the data folder with the token that can make other tokens.
const adminFile = "admin.token"

// administer makes the first token of a service, which may do everything, and writes it to a file of the data
// folder that only the owner of the folder can read. The log says where. A service without a folder gets its first
// token from the command token.
func administer(ctx context.Context, tokens *access.Tokens, dir string, log *slog.Logger) error {
	if dir == "" {
		return nil
	}
	var made access.Entry
	file := filepath.Join(dir, adminFile)
	token, err := secret(file, func() (token string, err error) {
		token, made, err = tokens.Issue(ctx, access.Grant{Name: "first administrator", Owner: "admin", Scopes: access.Scopes()})
		return token, err
	})
	if err != nil && made.ID != "" {
		err = errors.Join(err, tokens.Delete(ctx, made.ID))
	}
	if err != nil {
		return err
	}
	if made.ID == "" {
		_, wrong := tokens.Verify(ctx, token)
		if _, refused := errors.AsType[access.Refusal](wrong); refused {
			log.Warn("the token of the administrator does not work here (hint: remove the file, and the next start makes another)", "file", file, "error", wrong)
			return nil
		}
	}
	log.Info("the token of the administrator", "file", file)
	return nil
}

type tokenOptions struct {
	*options
	place place
}

func tokenCommand(o *options) *cobra.Command {
	t := &tokenOptions{options: o}
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke the tokens of clients",
		Long: `Make, list and revoke the tokens by which clients use the API. The command works on the
data folder of a service that does not run, or on the NATS servers of a cluster, as the
user of its services. A service that runs takes POST /v1/tokens, with the token in
admin.token in its data folder.

Scopes:
  submit    run programs, hand in, and read the own judgings
  read      read everybody's judgings
  problems  upload versions of problems
  rejudge   judge again, cancel and release everybody's judgings
  admin     tokens, erasure`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(t.create(), t.list(), t.revoke())
	return cmd
}

// tokenTime is how long a command about tokens may take. Servers of a cluster that have no majority do not
// answer at all.
const tokenTime = time.Minute

// with calls work with the tokens of the service, and with a context that ends after tokenTime. With create, there
// need not be a service yet.
func (t *tokenOptions) with(ctx context.Context, create bool, work func(context.Context, *access.Tokens) error) (err error) {
	ctx, stop := context.WithTimeout(ctx, tokenTime)
	defer stop()
	defer func() {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w (hint: are most of the NATS servers there, and is the user that of judged serve?)", err)
		}
	}()
	if err := t.place.check(); err != nil {
		return err
	}
	log, err := t.logger()
	if err != nil {
		return err
	}
	records, shutdown, err := t.place.tokens(ctx, log, create)
	if err != nil {
		return err
	}
	defer shutdown()
	entries, err := access.NewLogStore(ctx, records, log)
	if err != nil {
		return err
	}
	return work(ctx, access.New(entries, access.Options{}))
}

func (t *tokenOptions) create() *cobra.Command {
	var name, owner, scopes string
	var valid time.Duration
	cmd := &cobra.Command{
		Use:     "create --owner OWNER --scopes SCOPE,…",
		Short:   "Make a token and print it, which is possible only now",
		Example: "  judged token create --data data --owner course-1 --scopes submit,problems --name 'web site' --valid 4000h",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := access.ParseScopes(scopes)
			if err != nil {
				return usage(fmt.Errorf("--scopes: %w", err))
			}
			if owner == "" {
				return usage(errors.New("--owner is missing: it says who uses the token (hint: --owner course-1)"))
			}
			g := access.Grant{Name: name, Owner: owner, Scopes: list}
			if g.Name == "" {
				g.Name = owner
			}
			if valid < 0 {
				return usage(fmt.Errorf("--valid %v: want a time from now on", valid))
			}
			if valid > 0 {
				g.Expires = time.Now().Add(valid)
			}
			return t.with(cmd.Context(), true, func(ctx context.Context, tokens *access.Tokens) error {
				token, _, err := tokens.Issue(ctx, g)
				if err != nil {
					return usage(err)
				}
				_, err = fmt.Fprintln(t.out, token)
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "what the token is used for (default: the owner)")
	f.StringVar(&owner, "owner", "", "who uses the token, such as a person or a course")
	f.StringVar(&scopes, "scopes", "", "what it may do, separated by commas")
	f.DurationVar(&valid, "valid", 0, "`time` for which it is valid (default: for ever)")
	t.place.flags(cmd)
	return cmd
}

func (t *tokenOptions) list() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return t.with(cmd.Context(), false, func(ctx context.Context, tokens *access.Tokens) error {
				list, err := tokens.List(ctx)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "id\towner\tname\tscopes\tcreated\tstate")
				for _, e := range list {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, e.Owner, e.Name, scopeNames(e.Scopes), e.Created.Format(time.DateOnly), state(e))
				}
				return w.Flush()
			})
		},
	}
	t.place.flags(cmd)
	return cmd
}

func scopeNames(list []access.Scope) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = string(s)
	}
	return strings.Join(names, ",")
}

func state(e access.Entry) string {
	switch {
	case !e.Revoked.IsZero():
		return "revoked " + e.Revoked.Format(time.DateOnly)
	case e.Expires.IsZero():
		return "valid"
	case time.Now().Before(e.Expires):
		return "valid until " + e.Expires.Format(time.DateOnly)
	}
	return "expired " + e.Expires.Format(time.DateOnly)
}

func (t *tokenOptions) revoke() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "revoke ID…",
		Short:   "Revoke tokens, for ever",
		Example: "  judged token revoke --data data 3f9k2m",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("revoke needs the id of a token (hint: judged token list)"))
			}
			return t.with(cmd.Context(), false, func(ctx context.Context, tokens *access.Tokens) error {
				for _, id := range args {
					if err := tokens.Revoke(ctx, id); err != nil {
						return usage(fmt.Errorf("%w (hint: judged token list)", err))
					}
				}
				return nil
			})
		},
	}
	t.place.flags(cmd)
	return cmd
}
