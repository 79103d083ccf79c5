// verdict: MLE
// why: and in Java, whose own limit on the heap must not come first
// limits: cpu=20s, wall=60s, memory=128MiB
import java.util.ArrayList;

class Heap {
    public static void main(String[] args) {
        ArrayList<byte[]> list = new ArrayList<>();
        for (int i = 0; i < 512; i++) {
            list.add(new byte[1 << 20]);
        }
        System.out.println("broke: 512 MiB " + list.size());
    }
}
