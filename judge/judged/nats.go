package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"
)

func natsCommand(o *options) *cobra.Command {
	var p place
	cmd := &cobra.Command{
		Use:   "nats --data DIR",
		Short: "Run the NATS server of a data folder, and nothing else",
		Long: `Run the NATS server of a data folder while the service does not run, to restore a backup
into it, or to look at it. Its user admin may do everything; the password is in
nats-admin.token in the data folder.`,
		Example: "  judged nats --data data\n  nats -s nats://admin:$(cat data/nats-admin.token)@127.0.0.1:4222 backup restore stream backup/ledger",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.data == "" {
				return usage(errors.New("--data is missing: it names the folder of the service's files (hint: --data data)"))
			}
			if err := p.check(); err != nil {
				return err
			}
			log, err := o.logger()
			if err != nil {
				return err
			}
			server, unlock, err := p.start(log)
			if err != nil {
				return err
			}
			log.Info("the NATS server is ready", "nats", server.URL(), "user", "admin", "token", filepath.Join(p.data, rootFile))
			<-cmd.Context().Done()
			log.Info("ending")
			server.Shutdown()
			return unlock()
		},
	}
	p.dataFlag(cmd)
	cmd.Flags().StringVar(&p.listen, "nats-listen", "127.0.0.1:4222", "`address` of the server")
	p.prefixFlag(cmd)
	return cmd
}
