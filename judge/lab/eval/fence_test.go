package eval

import (
	"testing"

	"tribunal/judge/internal/build"
)

func TestExtract(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text, language string
		how                 Extract
		want                string // "" is the text
		fence               Fence
	}{
		{"a program", "print(1)\n", "python3", "", "", NoFence},
		{"a program in a fence", "```python\nprint(1)\n```", "python3", "", "print(1)\n", FenceTaken},
		{"words around", "Here it is:\n\n```python\nprint(1)\n```\nIt prints 1.\n", "python3", "", "print(1)\n", FenceTaken},
		{"no label", "Here it is:\n```\nprint(1)\n```\n", "python3", "", "print(1)\n", FenceTaken},
		{"another name, line ends of Windows", "```py\r\nprint(1)\r\n```\r\n", "python3", "", "print(1)\r\n", FenceTaken},
		{"PyPy", "```python\n1\n```", "pypy3", "", "1\n", FenceTaken},
		{"more after the label", "```cpp title=\"a.cpp\"\nint x;\n```", "cpp", "", "int x;\n", FenceTaken},
		{"C++ by its other name", "```c++\nint x;\n```", "cpp", "", "int x;\n", FenceTaken},
		{"the longest of its language", "```python\na = 1\nb = 2\n```\nfor example\n```python\nf()\n```\n```text\nlonger than any of these programs\n```", "python3", "", "a = 1\nb = 2\n", FenceTaken},
		{"a label before none", "```\na long text without any label\n```\n```python\n1\n```\n", "python3", "", "1\n", FenceTaken},
		{"only another language", "```java\nclass A {}\n```", "python3", "", "", FenceLeft},
		{"an answer that is cut", "```python\nprint(1)", "python3", "", "print(1)", FenceTaken},
		{"a longer fence around a shorter one", "````python\n'''\n```\n'''\n````\n", "python3", "", "'''\n```\n'''\n", FenceTaken},
		{"tildes", "~~~python\n1\n~~~\n", "python3", "", "1\n", FenceTaken},
		{"a fence in a text of the program", "def f():\n    \"\"\"\n```\n>>> f()\n```\n    \"\"\"\n", "python3", "", "", FenceLeft},
		{"the same, if the user insists", "x = '''\n```\n1\n```\n'''\n", "python3", ExtractFence, "1\n", FenceTaken},
		{"a fence in a comment", "/*\n```\nint\n```\n*/\nint main() {}\n", "cpp", "", "", FenceLeft},
		{"a fence in a text of Go", "package a\n\nvar x = `\n~~~\n1\n~~~\n`\n", "go", "", "", FenceLeft},
		{"not wanted", "```python\n1\n```", "python3", ExtractNone, "", FenceLeft},
		{"an empty fence", "```python\n```", "python3", "", "", FenceLeft},
		{"backticks within a line", "x = 1 # ```python\n", "python3", "", "", NoFence},
		{"a fence in a list of Markdown", "1. this:\n   ```python\n   print(1)\n   ```\n", "python3", "", "print(1)\n", FenceTaken},
		{"the same with a line that is less indented", "1. this:\n  ```python\n  if x:\n      y\n z\n  ```\n", "python3", "", "if x:\n    y\nz\n", FenceTaken},
		{"a label of Pandoc", "```{.python}\n1\n```", "python3", "", "1\n", FenceTaken},
		{"a longer draft in the thoughts", "<think>\n```python\nthe draft\n```\n</think>\n```python\n1\n```\n", "python3", "", "1\n", FenceTaken},
		{"thoughts that the prompt has begun, with a quote", "a ` b\n```\n</think>\n```python\n1\n```\n", "python3", "", "1\n", FenceTaken},
		{"a fence that the prompt has opened", "print(1)\n```\n", "python3", "", "print(1)\n", FenceTaken},
		{"the same, then words", "print(1)\n```\nDone.", "python3", "", "print(1)\n", FenceTaken},
		{"the same, then an example", "a = 1\nb = 2\n```\nUse it:\n```python\nf()\n```\n", "python3", "", "a = 1\nb = 2\n", FenceTaken},
		{"an answer without a label that is cut", "So:\n```\nprint(1)\n", "python3", "", "print(1)\n", FenceTaken},
		{"an unlabelled block, then another", "So:\n```\nprint(1)\n```\nor\n```\n1\n```\n", "python3", "", "print(1)\n", FenceTaken},
	} {
		got, fence := extract(tt.text, tt.language, tt.how, build.Defaults())
		if tt.want == "" {
			tt.want = tt.text
		}
		if got != tt.want || fence != tt.fence {
			t.Errorf("%s: %q, %v; want %q, %v", tt.why, got, fence, tt.want, tt.fence)
		}
	}
}
