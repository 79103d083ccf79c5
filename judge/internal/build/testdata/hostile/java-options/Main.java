// verdict: CE
// why: a file whose name stands for a file of options
// says: @Main.java: compilers read options from a file

public class Main {
    public static void main(String[] args) { System.out.println("ok"); }
}
