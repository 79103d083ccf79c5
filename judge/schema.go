package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/problem"
)

var schemas = map[string]func() ([]byte, error){
	"runner":  config.Schema,
	"problem": problem.Schema,
	"cases":   cases.Schema,
}

func schemaCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:       "schema runner|problem|cases",
		Short:     "Print the JSON Schema of a document, for editors",
		ValidArgs: []string{"runner", "problem", "cases"},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || schemas[args[0]] == nil {
				return usage(fmt.Errorf("schema wants one of runner, problem, cases (hint: judge schema problem)"))
			}
			text, err := schemas[args[0]]()
			if err != nil {
				return err
			}
			_, err = o.std.out.Write(text)
			return err
		},
	}
}
