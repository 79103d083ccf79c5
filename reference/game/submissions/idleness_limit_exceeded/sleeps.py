"""Verdict: idleness limit exceeded. Sleeps for a minute before it answers."""

import time

time.sleep(60)
print("Impossible")
