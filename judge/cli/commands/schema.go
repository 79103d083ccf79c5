package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/repo"
	"tribunal/judge/lab/mutate"
)

// Schemas has the schema of each kind of document.
var Schemas = map[string]func() ([]byte, error){
	"runner":  config.Schema,
	"problem": repo.Schema,
	"cases":   cases.Schema,
	"mutants": mutate.RulesSchema,
}

func SchemaCommand(o *cli.App) *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "schema runner|problem|cases|mutants",
		Short: "Print the JSON Schema of a YAML document",
		Long: `Print the JSON Schema of a YAML document, for editors that complete and check YAML:

  runner   runner.yaml
  problem  problems/PROBLEM.yaml
  cases    cases/PROBLEM/GROUP.yaml
  mutants  cases/PROBLEM/mutants.yaml`,
		Example:   "  judge schema problem > problem.schema.json",
		ValidArgs: []string{"runner", "problem", "cases", "mutants"},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || Schemas[args[0]] == nil {
				return cli.Usage(fmt.Errorf("schema needs one of runner, problem, cases, mutants (hint: judge schema problem)"))
			}
			text, err := Schemas[args[0]]()
			if err == nil && markdown {
				text, err = documentPage(args[0], text)
			}
			if err != nil {
				return err
			}
			_, err = o.Std.Out.Write(text)
			return err
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print a list of all keys in Markdown instead")
	return cmd
}
