// verdict: AC
// why: an annotation processor of the submission's own
// says: ok
// never: processor-ran

public class Main {
    public static void main(String[] args) { System.out.println("ok"); }
}
