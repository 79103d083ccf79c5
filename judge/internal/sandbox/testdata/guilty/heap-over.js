// verdict: MLE
// why: a JavaScript heap exceeds the limit: the bound of Node.js must not come first
// limits: cpu=20s, wall=60s, memory=128MiB
const list = [];
for (let i = 0; i < 32 << 20; i++) list.push({ i });
console.log("broke: 1 GiB", list.length);
