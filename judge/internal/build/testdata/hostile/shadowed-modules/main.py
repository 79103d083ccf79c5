# verdict: CE
# why: files named like the modules that the check uses
# says: SyntaxError|invalid syntax
# never: module-ran

def f(:
