package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// Words returns the words of a command with its first argument and those of the named flags that the
// user set.
func Words(cmd *cobra.Command, argument string, flags ...string) []string {
	return append(append(strings.Fields(cmd.CommandPath()), argument), SetFlags(cmd, flags...)...)
}

// SetFlags returns the words of those of the named flags that the user set.
func SetFlags(cmd *cobra.Command, names ...string) []string {
	list := []string{}
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			list = append(list, "--"+name+"="+f.Value.String())
		}
	}
	return list
}
