import java.util.Set;
import javax.annotation.processing.*;
import javax.lang.model.element.TypeElement;

public class Evil extends AbstractProcessor {
    public Evil() { throw new Error("processor-ran"); }
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) { return false; }
}
