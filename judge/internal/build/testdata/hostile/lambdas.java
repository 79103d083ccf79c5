// verdict: CE
// why: types that javac needs exponential time to infer
// says: CPU time|memory limit|StackOverflow|error

import java.util.function.*;
public class Main {
    static <T> T f(Function<T, T> a) { return null; }
    static <T> T f(BiFunction<T, T, T> a) { return null; }
    static <T> T f(Supplier<T> a) { return null; }
    public static void main(String[] args) {
        Object o = f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> f(a -> a))))))))))))))))))))))))))))))))))))))));
    }
}
