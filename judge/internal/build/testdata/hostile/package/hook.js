process.stderr.write("hook-" + "ran");
