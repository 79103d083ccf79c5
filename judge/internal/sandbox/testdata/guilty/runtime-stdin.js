// verdict: AC
// why: JavaScript programs can read their input as /dev/stdin, as most do
// limits: cpu=10s
// stdin: "held\n"
process.stdout.write(require("fs").readFileSync("/dev/stdin"));
