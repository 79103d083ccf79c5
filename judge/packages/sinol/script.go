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
	step.Files, step.LeftFrom = map[string]string{}, "in"
	r.Describe(step.Program).Script = inCopies + "exec " + draft.ShellQuoted("../"+step.Program) + "\n"
	total := int64(0)
	add := func(rel string, e *tree.Entry) (bool, error) {
		if e.Dir {
			return true, nil
		}
		size, err := r.Tree.Size(path.Dir(rel), e)
		if err != nil || path.Dir(rel) == "in" && size > maxGiven {
			return false, err
		}
		if total += size; total > maxScripted {
			return false, r.Tree.Errorf("prog", 0, "remove programs that were compiled", "more than %v of files for the generator", limits.Bytes(maxScripted))
		}
		step.Files[rel] = rel
		return true, nil
	}
	for _, dir := range []string{"prog", "in"} {
		if err := r.Tree.Walk(dir, add); err != nil {
			return step, err
		}
	}
	if config, _, err := r.Tree.Kind(sinolFile); err != nil {
		return step, err
	} else if config {
		step.Files[sinolFile] = sinolFile
	}
	return step, nil
}

// talker is the script for an interactor of SIO2, which runs beside a submission:
//
//	interactor 1 from to < input
//
// The arguments are the number of processes and, for each, the descriptors of its output and its input,
// here the interactor's own ones. It answers as a checker of SIO2 does, on standard output, and only the
// answer counts, not the exit status. Without an answer the submission is to blame if it ended too early:
// then SIGPIPE kills the interactor, or it exits as if.
//
// The percentage is a number such as 50, 12.5 or 200/3. It is computed as a fraction with 8 digits.
const talker = `exec 3<&0 4>&1
program 1 3 4 <"$1" >answer.out 2>message.out
status=$?
exec 3<&- 4>&- </dev/null >/dev/null
word= message= percent=
head -c 65536 answer.out >first.out
{ read -r word; read -r message; read -r percent; } <first.out
if [ -z "$word" ]; then
	cat message.out >&2
	[ $status = 141 ] && echo "broken pipe" >&2
	[ $status = 0 ] && echo "writes no answer" >&2
	exit 1
fi
printf '%s\n' "$message" >"$3judgemessage.txt"
[ "$word" = OK ] || exit 43
wrong() { printf 'its percentage is no number: %.40s\n' "$percent" >&2; exit 1; }
scaled() { # the number $1 times 10000
	case $1 in
	''|*[!0-9.]*|*.*.*|.|????????????*) wrong ;;
	esac
	digits=${1#*.}0000
	[ "$1" = "${1#*.}" ] && digits=0000
	number=${1%%.*}$(printf %.4s "$digits")
	number=${number#"${number%%[!0]*}"}
	number=${number:-0}
	[ ${#number} -le 9 ] || wrong
}
percent=${percent:-100}
scaled "${percent%%/*}"
above=$number number=10000
case $percent in
*/*) scaled "${percent#*/}" ;;
esac
[ "$number" != 0 ] || wrong
part=$((above * 1000000 / number))
case $part in
0) exit 43 ;;
100000000) ;;
*) printf '%d.%08d' $((part / 100000000)) $((part % 100000000)) >"$3score_multiplier.txt" ;;
esac
exit 42
`
