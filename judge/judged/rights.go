package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tribunal/judge/judged/internal/broker"
)

func rightsCommand(o *options) *cobra.Command {
	var c connection
	cmd := &cobra.Command{
		Use:   "rights serve|worker",
		Short: "Print the rights that a user of NATS servers needs",
		Long: `Print the rights that a user of NATS servers needs, in the form of their configuration:
what judged serve needs, or the much narrower rights of judged worker. They are those of
this version of judged; print them again when you have installed another one.`,
		Example: "  judged rights worker >worker.rights   # in nats.conf: permissions: {include worker.rights}",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains([]broker.Role{broker.Service, broker.Worker}, broker.Role(args[0])) {
				return usage(fmt.Errorf("want serve or worker, got %q (hint: judged rights worker)", args))
			}
			if err := c.check(); err != nil {
				return err
			}
			_, err := fmt.Fprint(o.out, broker.RightsOf(c.prefix, broker.Role(args[0])))
			return err
		},
	}
	c.prefixFlag(cmd)
	return cmd
}
