# verdict: CE
# why: statements at the top of a file, which the syntax check must not run
# says: SyntaxError|invalid syntax
# never: compile-ran

import sys
sys.stderr.write("compile-" + "ran")
open("/build/left", "w").write("x")
def f(:
