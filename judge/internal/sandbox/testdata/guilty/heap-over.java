// verdict: MLE
// why: a Java heap exceeds the limit: Java's own bound must not come first
// limits: cpu=20s, wall=120s, memory=512MiB
import java.util.ArrayList;

class Heap {
    public static void main(String[] args) {
        ArrayList<byte[]> list = new ArrayList<>();
        for (int i = 0; i < 768; i++) {
            list.add(new byte[1 << 20]);
        }
        System.out.println("broke: 768 MiB " + list.size());
    }
}
