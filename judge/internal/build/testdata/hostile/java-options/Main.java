// verdict: CE
// why: a file name that javac would read as a file of options
// says: @Main.java: compilers read options from a file

public class Main {
    public static void main(String[] args) { System.out.println("ok"); }
}
