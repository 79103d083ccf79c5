module m { requires jdk.compiler; }
