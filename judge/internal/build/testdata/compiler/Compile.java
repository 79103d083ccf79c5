import java.io.*;
import javax.tools.*;

/** Compiles in one process what would take one each. A line of the input is a folder and its sources, with tabs between; that of what was compiled is printed. */
public class Compile {
	public static void main(String[] args) throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		for (String line; (line = in.readLine()) != null; ) {
			String[] words = line.split("\t");
			String[] options = new String[words.length + 4];
			System.arraycopy(new String[] {"-proc:none", "-encoding", "UTF-8", "-d", words[0]}, 0, options, 0, 5);
			for (int i = 1; i < words.length; i++) options[4 + i] = words[0] + "/" + words[i];
			OutputStream nobody = new ByteArrayOutputStream();
			if (compiler.run(null, nobody, nobody, options) == 0) System.out.println(words[0]);
		}
	}
}
