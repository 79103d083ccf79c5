// verdict: CE
// why: statements at the top of a file, which the syntax check must not run
// says: SyntaxError
// never: compile-ran

process.stderr.write("compile-" + "ran");
function f( {
