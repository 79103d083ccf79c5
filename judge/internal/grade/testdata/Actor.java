import java.lang.management.ManagementFactory;
import java.util.Scanner;

/** Does what its input says, as actor.c, as far as it goes. */
public class Actor {
    static long used() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            String word = in.next();
            long n = in.nextLong(), us = in.nextLong();
            if (word.equals("until")) {
                while (used() < us * 1000) {
                    Math.sin(n);
                }
            } else {
                Thread.sleep(us / 1000);
            }
        }
        System.out.println("done");
    }
}
