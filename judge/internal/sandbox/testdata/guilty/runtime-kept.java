// verdict: AC
// why: a Java program may keep 128 MiB of 384 and produce garbage besides
// limits: cpu=30s, wall=120s, memory=384MiB
class Kept {
    public static void main(String[] args) {
        byte[][] ring = new byte[2048][];
        long sum = 0;
        for (int i = 0; i < 5 * ring.length; i++) {
            ring[i % ring.length] = new byte[(64 << 10) - 32];
            sum += ring[i * 31 % ring.length] == null ? 1 : 0;
        }
        System.out.println(sum < 0 ? "broke" : "held");
    }
}
