# Verdict: compile error. Written for Python 2, where print was a statement. Shown before
# any case.
import sys

rows = sys.stdin.read().split()
board, pattern = rows[:4], rows[4:]
if len(set(''.join(board))) == 1:
    print 0
else:
    print 'Impossible'
