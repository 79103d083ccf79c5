// verdict: MLE
// why: a Java heap exceeds the limit with small objects, which give the collector the most work
// limits: cpu=60s, wall=120s, memory=128MiB
import java.util.ArrayList;

class Heap {
    public static void main(String[] args) {
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 0; i < 32 << 20; i++) {
            list.add(i);
        }
        System.out.println("broke: 640 MiB " + list.size());
    }
}
