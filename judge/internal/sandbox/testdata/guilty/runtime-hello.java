// verdict: AC
// why: an ordinary Java program fits into 64 MiB
// limits: cpu=10s
class Hello {
    public static void main(String[] args) {
        System.out.println("held");
    }
}
