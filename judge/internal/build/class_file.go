package build

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
)

// class is the part of a Java class file that decides where a program starts. Chapter 4 of the Java
// Virtual Machine Specification defines the format.
type class struct {
	name     string // full name with dots, such as java.lang.String
	super    string // name of the class that it extends
	source   string // name of its source file; "" if unknown
	version  int    // version of the format, such as 61 for Java 17
	nested   bool   // declared in another class
	abstract bool   // cannot be instantiated
	starts   start  // how it can start: by its own main method, or one that inherit found
	gives    start  // how subclasses can start by its main method
}

// start ranks how a Java virtual machine can start a class.
type start int

const (
	noMain        start = iota
	inheritedMain       // the class extends one with a main method
	instanceMain        // a main method that Java 25 and later accept: not static, not public, or without arguments
	classicMain         // public static void main(String[])
)

// Access flags of classes and methods.
const (
	accPublic   = 0x0001
	accPrivate  = 0x0002
	accStatic   = 0x0008
	accAbstract = 0x0400
)

var errClassFile = errors.New("not a class file")

// readClass reads a class file. If the file is damaged, it returns errClassFile.
func readClass(data []byte) (c class, err error) {
	r := &classReader{data: data}
	defer func() {
		if recover() != nil { // reading past the end of a damaged file
			err = errClassFile
		}
	}()
	if r.u4() != 0xcafebabe {
		return c, errClassFile
	}
	r.u2()
	c.version = r.u2()
	r.constants()
	flags := r.u2()
	c.abstract = flags&accAbstract != 0
	this := r.u2()
	c.name, c.super = r.className(this), r.className(r.u2())
	for range r.u2() {
		r.u2() // interfaces
	}
	for range r.u2() {
		r.member()
	}
	for range r.u2() {
		m := r.member()
		how := m.starts()
		c.gives = max(c.gives, how)
		if m.flags&accStatic != 0 || !c.abstract {
			c.starts = max(c.starts, how)
		}
	}
	for range r.u2() {
		name, body := r.attribute()
		switch name {
		case "SourceFile":
			c.source = r.text(body.u2())
		case "InnerClasses":
			for range body.u2() {
				inner := body.u2()
				c.nested = c.nested || r.className(inner) == c.name
				body.skip(6)
			}
		}
	}
	return c, nil
}

// method is a method or a field of a class.
type method struct {
	flags      int
	name, kind string
}

// starts ranks how a virtual machine can start a class with the method m.
func (m method) starts() start {
	const arguments, none = "([Ljava/lang/String;)V", "()V"
	switch {
	case m.name != "main" || m.flags&accPrivate != 0 || m.kind != arguments && m.kind != none:
		return noMain
	case m.kind == arguments && m.flags&accPublic != 0 && m.flags&accStatic != 0:
		return classicMain
	}
	return instanceMain
}

// classReader reads the parts of a class file. It panics if the file ends too early.
type classReader struct {
	data []byte
	pool [][]byte // constants by index: for a text its bytes, for a class the index of its name
}

func (r *classReader) skip(n int) []byte {
	part := r.data[:n]
	r.data = r.data[n:]
	return part
}

func (r *classReader) u2() int { return int(binary.BigEndian.Uint16(r.skip(2))) }
func (r *classReader) u4() int { return int(binary.BigEndian.Uint32(r.skip(4))) }

func (r *classReader) constants() {
	n := r.u2()
	r.pool = make([][]byte, n)
	for i := 1; i < n; i++ {
		switch tag := r.skip(1)[0]; tag {
		case 1: // text
			r.pool[i] = r.skip(r.u2())
		case 7: // a class
			r.pool[i] = r.skip(2)
		case 8, 16, 19, 20: // a string, a method type, a module, a package
			r.skip(2)
		case 15: // a method handle
			r.skip(3)
		case 3, 4, 9, 10, 11, 12, 17, 18: // numbers of 4 bytes, and pairs of constants
			r.skip(4)
		case 5, 6: // numbers of 8 bytes, which take two indices
			r.skip(8)
			i++
		default:
			panic(errClassFile)
		}
	}
}

func (r *classReader) member() method {
	m := method{flags: r.u2(), name: r.text(r.u2()), kind: r.text(r.u2())}
	for range r.u2() {
		r.attribute()
	}
	return m
}

func (r *classReader) attribute() (name string, body *classReader) {
	name = r.text(r.u2())
	return name, &classReader{data: r.skip(r.u4()), pool: r.pool}
}

// className returns the name of the class at index i; "" for index 0, the superclass of Object.
func (r *classReader) className(i int) string {
	if i == 0 {
		return ""
	}
	return strings.ReplaceAll(r.text(int(binary.BigEndian.Uint16(r.pool[i]))), "/", ".")
}

// text returns the text constant at index i. Class files encode the two halves of a surrogate pair
// separately.
func (r *classReader) text(i int) string {
	var units []uint16
	for b := r.pool[i]; len(b) > 0; {
		switch {
		case b[0] < 0x80:
			units, b = append(units, uint16(b[0])), b[1:]
		case b[0] < 0xe0:
			units, b = append(units, uint16(b[0]&0x1f)<<6|uint16(b[1]&0x3f)), b[2:]
		default:
			units, b = append(units, uint16(b[0]&0xf)<<12|uint16(b[1]&0x3f)<<6|uint16(b[2]&0x3f)), b[3:]
		}
	}
	return string(utf16.Decode(units))
}
