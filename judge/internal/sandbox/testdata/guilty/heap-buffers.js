// verdict: MLE
// why: a JavaScript program exceeds the limit with memory outside of its heap
// limits: cpu=20s, wall=60s, memory=128MiB
const list = [];
for (let i = 0; i < 512; i++) list.push(Buffer.alloc(1 << 20, 1));
console.log("broke: 512 MiB", list.length);
