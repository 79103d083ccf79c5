// verdict: RTE
// why: an exception in Java that nobody catches is told in its own words
// limits: cpu=10s, memory=256MiB
// says: java.lang.IllegalStateException: the sky is falling
class Crash {
    public static void main(String[] args) {
        throw new IllegalStateException("the sky is falling");
    }
}
