"""Use a service as Judge0's official Python SDK does, and print the token of the last submission.

Arguments: the URL of the service, a token, and a URL that the service may call.
"""

import json
import os
import sys

url, token, callback = sys.argv[1:]
headers = {"X-Auth-Token": token}
os.environ["JUDGE0_CE_ENDPOINT"] = url
os.environ["JUDGE0_CE_AUTH_HEADERS"] = json.dumps(headers)
os.environ["JUDGE0_EXTRA_CE_ENDPOINT"] = url + "/extra"
os.environ["JUDGE0_EXTRA_CE_AUTH_HEADERS"] = json.dumps(headers)

import judge0  # noqa: E402  it reads the environment
from judge0 import File, Filesystem, Status, Submission, TestCase  # noqa: E402


def check(why, got, want):
    if got != want:
        sys.exit(f"{why}: got {got!r}, want {want!r}")


def refused(why, code, word, call):
    try:
        call()
    except Exception as e:
        response = getattr(e, "response", None)
        if response is None or response.status_code != code or word not in response.text:
            sys.exit(f"{why}: {e!r} {response and response.text}")
        return
    sys.exit(f"{why}: nothing was refused")


client = judge0.Client(url, headers=dict(headers))
check("the version", client.version, "1.14.0")
check("a language by its alias", client.get_language(client.get_language_id(judge0.PYTHON)).name, "Python (3)")
check("the statuses", len(client.get_statuses()), 14)
check("the largest batch", client.config.max_submission_batch_size, 20)
for alias in (judge0.C, judge0.CPP, judge0.PYTHON):
    check(f"{alias!r} is there", client.is_language_supported(alias), True)

r = judge0.run(client=client, source_code="print('hello, world')", language=judge0.PYTHON)
check("a run", (r.stdout, r.status), ("hello, world\n", Status.ACCEPTED))
r = judge0.run(source_code="print('hello, world')")
check("the language that the SDK takes if none is named", (r.stdout, r.status), ("hello, world\n", Status.ACCEPTED))
r = judge0.run(client=client, source_code="print(input())", stdin="Ann", language=judge0.PYTHON)
check("an input", r.stdout, "Ann\n")
r = judge0.run(client=client, source_code="import sys; print(sys.argv[1:])", command_line_arguments="a b", language=judge0.PYTHON)
check("arguments", r.stdout, "['a', 'b']\n")

echo = Submission(source_code="print(f'Hello, {input()}')", language=judge0.PYTHON)
r = judge0.run(client=client, submissions=echo, test_cases=[TestCase("Bob", "Hello, Bob"), ("Cat", "Hello, Dog"), {"input": "Eve", "expected_output": "Hello, Eve"}])
check("test cases", [s.status for s in r], [Status.ACCEPTED, Status.WRONG_ANSWER, Status.ACCEPTED])
r = judge0.run(client=client, submissions=[echo, Submission(source_code="x", language=judge0.PYTHON)], test_cases=("Bob", "Hello, Bob"))
check("submissions with a test case", [s.status for s in r], [Status.ACCEPTED, Status.RUNTIME_ERROR_NZEC])

sent = judge0.async_run(client=client, submissions=[Submission(source_code=f"print({i})", language=judge0.PYTHON) for i in range(22)])
check("more than a batch", [s.stdout for s in judge0.wait(client=client, submissions=sent)], [f"{i}\n" for i in range(22)])

r = judge0.run(client=client, source_code="int main(void) { return 0 }", language=judge0.C)
check("an error of the compiler", (r.status, "error" in r.compile_output), (Status.COMPILATION_ERROR, True))
r = judge0.run(client=client, source_code="#include <stdlib.h>\nint main(void) { abort(); }", language=judge0.C)
check("a signal", (r.status, r.exit_signal), (Status.RUNTIME_ERROR_SIGABRT, 6))
r = judge0.run(client=client, source_code="while True: pass", cpu_time_limit=0.5, language=judge0.PYTHON)
check("the time limit", r.status, Status.TIME_LIMIT_EXCEEDED)
r = judge0.run(client=client, source_code="print('é', end='')", language=judge0.PYTHON)
check("another letter", r.stdout, "é")

files = Filesystem(content=[File(name="my_file.txt", content="hello, file"), File(name="./dir1/dir2/deep.txt", content="deep"), File(name="helper.py", content="def f():\n    return 'helped'\n")])
source = "import helper\nprint(open('my_file.txt').read(), open('dir1/dir2/deep.txt').read(), helper.f())"
r = judge0.run(client=client, source_code=source, additional_files=files, language=judge0.PYTHON)
check("files", (r.stdout, r.stderr), ("hello, file deep helped\n", None))
check("the source beside files", r.source_code, source)
c = '#include <stdio.h>\n#include "lib/twice.h"\nint main(void) { printf("%d\\n", twice(21)); }'
files = Filesystem(content=[File(name="lib/twice.h", content="int twice(int x);"), File(name="lib/twice.c", content='#include "twice.h"\nint twice(int x) { return 2 * x; }')])
r = judge0.run(client=client, source_code=c, additional_files=files, language=judge0.C)
check("a program of several files", (r.stdout, r.compile_output), ("42\n", None))

source = '#include <stdio.h>\nint main(int n, char **a) { printf("%d %s %d\\n", X, a[1], n); }'
r = judge0.run(client=client, source_code=source, compiler_options="-O3 -Wall '-DX=1 + 2'", command_line_arguments="'a b' c", language=judge0.C)
check("options of the compiler, and words in quotes", (r.stdout, r.compile_output), ("3 a b 3\n", None))
for options in ("-fplugin=x", "-I/etc", "@/etc/passwd", "-B."):
    refused(f"the compiler option {options}", 422, "compiler_options", lambda: judge0.run(client=client, source_code=source, compiler_options=options, language=judge0.C))
files = Filesystem(content=[
    File(name="compile", content="gcc -o prog src/main.c && echo built > note"),
    File(name="run", content="./prog; cat note; cat"),
    File(name="src/main.c", content='#include <stdio.h>\nint main(void) { puts("ran"); }'),
])
r = judge0.run(client=client, submissions=Submission(source_code="", additional_files=files, stdin="in", expected_output="ran\nbuilt\nin", language=judge0.MULTI_FILE))
check("a program with scripts of its own", (r.stdout, r.status), ("ran\nbuilt\nin", Status.ACCEPTED))
files = Filesystem(content=[File(name="compile.sh", content="echo no; exit 3"), File(name="run.sh", content="true")])
r = judge0.run(client=client, submissions=Submission(source_code="", additional_files=files, language=judge0.MULTI_FILE))
check("a script that fails to compile", (r.status, r.compile_output), (Status.COMPILATION_ERROR, "no"))
refused("options of an interpreter", 422, "compiler_options", lambda: judge0.run(client=client, source_code="print(1)", compiler_options="-O3", language=judge0.PYTHON))
refused("no archive", 422, "additional_files", lambda: judge0.run(client=client, source_code="print(1)", additional_files="no zip", language=judge0.PYTHON))
refused("a callback", 422, "callback_url", lambda: judge0.run(client=client, source_code="print(1)", callback_url="http://example.org/", language=judge0.PYTHON))

r = judge0.run(client=client, source_code="print('called', end='')", callback_url=callback, language=judge0.PYTHON)
check("a run with a callback", r.stdout, "called")
print(r.token)
