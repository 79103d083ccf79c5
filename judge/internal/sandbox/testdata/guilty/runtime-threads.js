// verdict: AC
// why: an ordinary JavaScript program with 8 workers meets no limit that a C program would not
// limits: cpu=20s, wall=60s, memory=256MiB, processes=256
const { Worker } = require("worker_threads");
let left = 8;
for (let i = 0; i < 8; i++) {
  new Worker("require('worker_threads').parentPort.postMessage(1)", { eval: true }).on("exit", () => {
    if (--left === 0) console.log("held");
  });
}
