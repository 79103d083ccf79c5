package commands

import (
	"fmt"

	"tribunal/judge/internal/yamlstrict"
)

// A documentKind is a kind of YAML document that people write.
type documentKind struct {
	file    string // where it is
	about   string
	Example string
}

// Documents lists the kinds by the names that judge schema has for them.
var Documents = map[string]documentKind{
	"runner": {"runner.yaml", "The settings of a machine: how many programs run at a time, how they are confined, and the languages of\n" +
		"submissions. Every key may be left out, and so may the file.", `slots: 2
sandbox: {mode: auto, grace: 300ms}
build: {timeout: 30s}
languages:
  zig:
    match: [.zig]
    build: [zig, build-exe, -O, ReleaseFast, "-femit-bin={exe}", "{main}"]
    version: [zig, version]
`},
	"problem": {"problems/ID.yaml", "What a contestant may know about a problem.", `id: two
title: Two
source: an example
authors: [Ann Ahn]
license: cc by-sa
limits: {cpu: 1s, memory: 64MiB, output: 64KiB}
bounds: {a: [0, 1000000000000], b: [0, 1000000000000]}
samples: [sample/statement]
statement: |
  Add two numbers.
input: |
  A line with two numbers $a$ and $b$, $0 \le a, b \le 10^{12}$.
output: |
  A line with their sum.
rulings:
  - The sum may be larger than $2^{32}$.
`},
	"cases": {"cases/ID/GROUP.yaml", "The test cases of one group. The reference solver writes the outputs that are missing.\n" +
		"The last line of the file is `...`, which keeps editors from trimming the last output; regen adds it to a new file.", `note: Extremes.
cases:
  - name: least
    note: Nothing to add.
    input: |
      0 0

  - name: equal
    note: The same number twice.
    generate: [equal, -max=1000]
    seed: 1

  - name: checked-by-hand
    input: |
      999999999 1
    pinned: true
    output: |
      1000000000

...
`},
	"mutants": {"cases/ID/mutants.yaml", "Mutants of the reference that no case can kill, with the reason (see [judge mutants](../mutants.md)).", `equivalent:
  - in: main.go:read
    reason: A valid input has two numbers, whose order does not matter.
`},
}

// documentPage returns the page about a kind of document, given its schema: an example, and all keys.
func documentPage(kind string, schema []byte) ([]byte, error) {
	keys, err := yamlstrict.Reference(schema)
	if err != nil {
		return nil, err
	}
	d := Documents[kind]
	return fmt.Appendf(nil, "# %s\n\n%s\n\n`judge schema %s` prints the JSON Schema, for [editors](../editors.md); with `--markdown` it wrote this page.\n\n"+
		"```yaml\n%s```\n\n## All keys\n\n%s", d.file, d.about, kind, d.Example, keys), nil
}
