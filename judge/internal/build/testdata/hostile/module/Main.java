// verdict: AC
// why: a module that imports the compiler's own parts
// says: ok

public class Main {
    public static void main(String[] args) { System.out.println("ok"); }
}
