// verdict: CE
// why: what stands at the top of a file is not run to check it
// says: SyntaxError
// never: compile-ran

process.stderr.write("compile-" + "ran");
function f( {
