package pkgformat

import (
	"path"

	"tribunal/judge/internal/limits"
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
func (r *sinolReader) script(step Step) (Step, error) {
	p := r.p
	step.Files, step.LeftFrom = map[string]string{}, "in"
	p.program(step.Program).script = inCopies + "exec " + shellQuoted("../"+step.Program) + "\n"
	total := int64(0)
	add := func(rel string, e *entry) (bool, error) {
		if e.dir {
			return true, nil
		}
		size, err := p.files.size(path.Dir(rel), e)
		if err != nil || path.Dir(rel) == "in" && size > maxGiven {
			return false, err
		}
		if total += size; total > maxScripted {
			return false, p.files.errorf("prog", 0, "remove programs that were compiled", "more than %v of files for the generator", limits.Bytes(maxScripted))
		}
		step.Files[rel] = rel
		return true, nil
	}
	for _, dir := range []string{"prog", "in"} {
		if err := p.files.walk(dir, add); err != nil {
			return step, err
		}
	}
	if config, _, err := p.files.kind(sinolFile); err != nil {
		return step, err
	} else if config {
		step.Files[sinolFile] = sinolFile
	}
	return step, nil
}
