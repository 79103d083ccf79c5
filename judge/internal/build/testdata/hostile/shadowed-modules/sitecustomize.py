import sys
sys.stderr.write("module-" + "ran")
