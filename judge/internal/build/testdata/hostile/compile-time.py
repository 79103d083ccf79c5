# verdict: CE
# why: what stands at the top of a file is not run to check it
# says: SyntaxError|invalid syntax
# never: compile-ran

import sys
sys.stderr.write("compile-" + "ran")
open("/build/left", "w").write("x")
def f(:
