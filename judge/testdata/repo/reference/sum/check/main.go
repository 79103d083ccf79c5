// Check accepts the sum also with zeros in front: check input answer feedback < output.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	answer, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	want, err := strconv.ParseInt(strings.TrimSpace(string(answer)), 10, 64)
	if err != nil {
		panic(err)
	}
	var word string
	fmt.Scan(&word)
	got, err := strconv.ParseInt(word, 10, 64)
	if err == nil && got == want {
		os.Exit(42)
	}
	words := fmt.Sprintf("the sum is %d, not %s\n", want, word)
	if err := os.WriteFile(filepath.Join(os.Args[3], "judgemessage.txt"), []byte(words), 0o644); err != nil {
		panic(err)
	}
	os.Exit(43)
}
