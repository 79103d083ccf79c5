# Does what its input says, as actor.c, as far as it goes.
import sys
import time

for line in sys.stdin:
    word, n, us = line.split()
    if word == "until":
        while time.process_time() < int(us) / 1e6:
            pass
    else:
        time.sleep(int(us) / 1e6)
print("done")
