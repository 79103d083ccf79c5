// verdict: AC
// why: a Java program that produces much garbage and keeps little stays below its limit
// limits: cpu=20s, wall=120s, memory=64MiB
class Garbage {
    public static void main(String[] args) {
        byte[][] ring = new byte[4096][];
        long sum = 0;
        for (int i = 0; i < 1 << 20; i++) {
            ring[i & 4095] = new byte[1024];
            sum += ring[i * 31 & 4095] == null ? 1 : 0;
        }
        System.out.println(sum < 0 ? "broke" : "held");
    }
}
