import sys
sys.stderr.write("codec-" + "ran")
