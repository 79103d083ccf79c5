// verdict: CE
// why: C compiler and linker options in Go comments
// says: no Go source files|build constraints exclude all Go files
// never: root:

package main

// #cgo CFLAGS: -fplugin=/build/evil.so -include /etc/passwd
// #cgo LDFLAGS: -Wl,-T/etc/passwd
// int f(void) { return 0; }
import "C"

func main() { C.f() }
