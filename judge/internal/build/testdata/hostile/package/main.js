// verdict: AC
// why: settings of a package that would load code first
// says: ok
// never: hook-ran

console.log("ok");
