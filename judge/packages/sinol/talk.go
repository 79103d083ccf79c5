package sinol

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
