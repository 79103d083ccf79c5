package mutate

import (
	"fmt"
	"strings"
)

// helperFile is the name of the file that a schema adds to its program.
const helperFile = "tribunal_mutant.go"

// The guard of a site must cost next to nothing, because most runs are of mutants of other sites.
// So each site has a code: no code contains all bits of another. The guard tests with one
// instruction whether the variable Off lacks all bits of the site's code. Off is all ones for the
// unchanged program; all ones except for the bits of its site's code for a mutant; and zero to
// record the reached sites, so that every guard calls Hit.
//
// Off is set only by its initializer, which runs before any code that reads it.
const helperText = `package main

import (
	P_atomic "sync/atomic"
	P_os "os"
	P_strconv "strconv"
)

var POff = PStart()

var PVariant int

// PNumber is an open-addressed hash table from the code of a site to its number plus 1. It is nil
// unless the sites passed are recorded.
var PNumber []int

var PPassed [len(PSites) + 1]uint32

func POn(code uint32) bool { return POff&code == 0 && PHit(code) }

//go:noinline
func PHit(code uint32) bool {
	if PNumber == nil {
		return true
	}
	if i := PNumber[PPlace(code)] - 1; P_atomic.LoadUint32(&PPassed[i]) == 0 {
		P_atomic.StoreUint32(&PPassed[i], 1)
	}
	return false
}

// PPlace returns the index of a code in PNumber, or of the free entry for it.
func PPlace(code uint32) uint32 {
	last := uint32(len(PNumber) - 1)
	for i := code * 0x9e3779b1 >> 7 & last; ; i = (i + 1) & last {
		if n := PNumber[i]; n == 0 || PSites[n-1] == code {
			return i
		}
	}
}

func PStart() uint32 {
	value := P_os.Getenv("VARIABLE")
	if value == "" {
		return 1<<32 - 1
	}
	if value == "SITES" {
		size := 1
		for size < 4*len(PSites) {
			size *= 2
		}
		PNumber = make([]int, size)
		for i, code := range PSites {
			PNumber[PPlace(code)] = i + 1
		}
		return 0
	}
	id, err := P_strconv.Atoi(value)
	if err != nil || id < 0 || id > len(PMutants) {
		panic("no mutant " + value)
	}
	if id == 0 {
		return 1<<32 - 1
	}
	PVariant = PMutants[id-1][1]
	return ^PSites[PMutants[id-1][0]]
}

func PEnd() {
	if PNumber == nil {
		return
	}
	const digits = "0123456789abcdef"
	line := []byte("MARK")
	for i := 0; i < len(PSites); i += 8 {
		set := 0
		for j := 0; j < 8; j++ {
			if i+j < len(PSites) && P_atomic.LoadUint32(&PPassed[i+j]) != 0 {
				set |= 1 << j
			}
		}
		line = append(line, digits[set>>4], digits[set&15])
	}
	P_os.Stderr.Write(append(line, '\n'))
}

func PExit(status int) {
	PEnd()
	P_os.Exit(status)
}

func main() {
	PMain()
	PEnd()
}
`

// helpers returns the text of the helper file. p is the prefix of its names.
func helpers(p string, sites []*site, mutants [][2]int) string {
	text := strings.NewReplacer("VARIABLE", Variable, "SITES", Sites, "MARK", SitesMark).Replace(helperText)
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		// A P that begins a word stands for the prefix.
		if text[i] == 'P' && !isLetter(text[i-1]) {
			b.WriteString(p)
			continue
		}
		b.WriteByte(text[i])
	}
	fmt.Fprintf(&b, "\n// The codes of the sites.\nvar %sSites = [...]uint32{", p)
	for _, s := range sites {
		fmt.Fprintf(&b, "%#x, ", s.code)
	}
	fmt.Fprintf(&b, "}\n\n// The site and the variant of each mutant.\nvar %sMutants = [...][2]int{", p)
	for _, m := range mutants {
		fmt.Fprintf(&b, "{%d, %d}, ", m[0], m[1])
	}
	b.WriteString("}\n")
	return b.String()
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' }
