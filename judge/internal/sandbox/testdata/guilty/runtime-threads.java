// verdict: AC
// why: an ordinary Java program with 64 threads meets no limit that a C program would not
// limits: cpu=20s, wall=60s, memory=256MiB, processes=256
class Threads {
    public static void main(String[] args) throws Exception {
        var up = new java.util.concurrent.CyclicBarrier(64);
        Thread[] threads = new Thread[64];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    up.await();
                } catch (Exception e) {
                    throw new RuntimeException(e);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println("held");
    }
}
