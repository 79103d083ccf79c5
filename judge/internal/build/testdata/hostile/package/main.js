// verdict: AC
// why: package settings that would load code before the program
// says: ok
// never: hook-ran

console.log("ok");
