// verdict: RTE
// why: the report of an uncaught exception in Java quotes its message
// limits: cpu=10s, memory=256MiB
// message: java.lang.IllegalStateException: the sky is falling
class Crash {
    public static void main(String[] args) {
        throw new IllegalStateException("the sky is falling");
    }
}
