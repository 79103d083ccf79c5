package sinol

import (
	"path"

	"tribunal/judge/internal/limits"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// maxScripted is the total size in bytes of the files that a generator script gets, and maxGiven that
// of an input among them: small ones may be templates, large ones are results.
const (
	maxScripted = 64 << 20
	maxGiven    = 64 << 10
)

// inCopies begins the script that starts a generator: the folders that the judge gave are not writable.
const inCopies = `#!/bin/sh
set -e
for dir in prog in; do
	mkdir own
	if [ -d $dir ]; then cp -R $dir/. own; mv $dir given.$dir; fi
	mv own $dir
done
chmod +x prog/*.sh
cd in
`

// script completes the step of a generator that is a shell script. Such scripts compile programs of
// prog/, into hidden folders or beside these, and write inputs into in/, where they start. So they get
// a copy of these folders that they may change. The system decides by their first lines which
// shell runs them.
func (r *reader) script(step draft.Step) (draft.Step, error) {
	p := r.p
	step.Files, step.LeftFrom = map[string]string{}, "in"
	p.Describe(step.Program).Script = inCopies + "exec " + draft.ShellQuoted("../"+step.Program) + "\n"
	total := int64(0)
	add := func(rel string, e *tree.Entry) (bool, error) {
		if e.Dir {
			return true, nil
		}
		size, err := p.Tree.Size(path.Dir(rel), e)
		if err != nil || path.Dir(rel) == "in" && size > maxGiven {
			return false, err
		}
		if total += size; total > maxScripted {
			return false, p.Tree.Errorf("prog", 0, "remove programs that were compiled", "more than %v of files for the generator", limits.Bytes(maxScripted))
		}
		step.Files[rel] = rel
		return true, nil
	}
	for _, dir := range []string{"prog", "in"} {
		if err := p.Tree.Walk(dir, add); err != nil {
			return step, err
		}
	}
	if config, _, err := p.Tree.Kind(sinolFile); err != nil {
		return step, err
	} else if config {
		step.Files[sinolFile] = sinolFile
	}
	return step, nil
}
