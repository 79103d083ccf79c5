// verdict: AC
// why: most programs in JavaScript read their input by this name
// limits: cpu=10s
// stdin: "held\n"
process.stdout.write(require("fs").readFileSync("/dev/stdin"));
