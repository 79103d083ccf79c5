package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/listen"
)

// companionPort is a port to which the extension Competitive Companion posts problems.
const companionPort = 10043

type listenOptions struct {
	*cli.App
	port     int
	once     bool
	language string
}

func ListenCommand(o *cli.App) *cobra.Command {
	l := &listenOptions{App: o}
	cmd := &cobra.Command{
		Use:   "listen [DIR]",
		Short: "Save the problems that a browser extension posts",
		Long: `Save the problems that the browser extension Competitive Companion posts, each as a
package in a new folder of DIR (default: the working folder), with its samples and
limits, and a source file to begin with: a copy of the file template.* of DIR or of the
working folder, or else a built-in one. judge grade, judge watch and judge import take
such packages.

Only programs on this machine can post, and no web pages. Nothing is replaced.`,
		Example: "  judge listen contest\n  judge watch contest/watermelon contest/watermelon/sol.cpp\n  judge import contest/watermelon watermelon --reference solution.cpp",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usage(errors.New("listen takes one folder (hint: judge listen contest)"))
			}
			if l.port < 0 || l.port > 65535 {
				return cli.Usage(fmt.Errorf("--port %d: want a number from 0 to 65535, 0 for any free port", l.port))
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return l.run(cmd.Context(), dir)
		},
	}
	cmd.Flags().IntVar(&l.port, "port", companionPort, "`number` of the port, which the extension must know; 0 for any free one")
	cmd.Flags().BoolVar(&l.once, "once", false, "end after the first problem, or the first whole contest")
	cmd.Flags().StringVar(&l.language, "lang", "cpp", "`language` of the source file if there is no template: cpp or python3")
	return cmd
}

func (l *listenOptions) run(ctx context.Context, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return &yamlstrict.Error{File: dir, Msg: "is no folder", Hint: "name the folder for the problems"}
	}
	source := func() (listen.Source, error) { return listen.Template(l.language, dir, ".") }
	if _, err := source(); err != nil { // before anything is posted
		return cli.Usage(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return yamlstrict.FileError(dir, err)
	}
	socket, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(l.port)))
	if err != nil {
		if e, ok := errors.AsType[*os.SyscallError](err); ok {
			err = e.Err
		}
		return cli.Usage(fmt.Errorf("--port %d: %w (hint: choose another one, and add it to the ports of the extension)", l.port, err))
	}
	defer socket.Close()
	done := make(chan struct{}, 1)
	port := socket.Addr().(*net.TCPAddr).Port
	server := &http.Server{
		Handler: &listen.Server{
			Dir: dir, Port: port, Source: source,
			Done: l.saved,
			Fail: func(err error) { l.Std.Note("refused: %s", err) },
			Last: func() {
				if l.once {
					select {
					case done <- struct{}{}:
					default:
					}
				}
			},
		},
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // about connections that end early
	}
	l.Std.Note("listening on http://127.0.0.1:%d", port)
	served := make(chan error, 1)
	go func() { served <- server.Serve(socket) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return errors.Join(ctx.Err(), server.Close())
	case <-done: // answer the request first
		return server.Shutdown(ctx)
	}
}

// saved prints the folder of a problem, and what to type next.
func (l *listenOptions) saved(s listen.Saved) {
	again, from := "", ""
	if s.Again {
		again = ", already there"
	}
	if s.URL != "" {
		from = ", " + s.URL
	}
	folder := s.Folder
	if filepath.IsLocal(folder) { // else it could be the id of a problem
		folder = "." + string(filepath.Separator) + folder
	}
	_ = l.Std.Print("%s: %s%s%s\nnext: %s\n", s.Folder, layout.Count(s.Samples, "sample"), from, again, report.Shell([]string{"judge", "watch", folder, s.Source}))
	for _, note := range s.Notes {
		l.Std.Note("note: %s: %s", s.Folder, note)
	}
}
