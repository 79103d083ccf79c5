package eval

import "encoding/binary"

// pickledText returns the text in a pickle that holds one text and nothing else, in UTF-8. Of the
// instructions of a pickle it knows only those that such a pickle has in the protocols 2 to 5, by
// Lib/pickletools.py of Python: none of them can make another object or call a function, for which a
// pickle of unknown origin is dangerous.
func pickledText(pickle []byte) (text []byte, err error) {
	found := false
	for at := 0; at < len(pickle); {
		op := pickle[at]
		operand, known := pickleOperands[op]
		if !known {
			return nil, wrongf("only a pickle of a text is read", "instruction 0x%02x of a pickle at byte %d", op, at+1)
		}
		at++
		if len(pickle)-at < operand {
			break
		}
		number := make([]byte, 8)
		copy(number, pickle[at:at+operand])
		at += operand
		size := binary.LittleEndian.Uint64(number)
		switch op {
		case opProto:
			if size > 5 {
				return nil, wrongf("", "version %d of pickles is not known", size)
			}
		case opShortText, opText, opLongText:
			if found {
				return nil, wrongf("only a pickle of a text is read", "a pickle of several texts")
			}
			if size > uint64(len(pickle)-at) {
				return nil, wrongf("", "a pickle that ends too early")
			}
			text, found = pickle[at:at+int(size)], true
			at += int(size)
		case opStop:
			if !found || at < len(pickle) {
				return nil, wrongf("only a pickle of a text is read", "a pickle without a text, or with more after it")
			}
			return text, nil
		}
	}
	return nil, wrongf("", "a pickle that ends too early")
}

// The instructions of a pickle that are known.
const (
	opProto     = 0x80
	opFrame     = 0x95
	opShortText = 0x8c
	opText      = 'X'
	opLongText  = 0x8d
	opMemo      = 0x94
	opPut       = 'q'
	opLongPut   = 'r'
	opStop      = '.'
)

// pickleOperands holds the size in bytes of the number that follows each instruction.
var pickleOperands = map[byte]int{
	opProto: 1, opFrame: 8, opShortText: 1, opText: 4, opLongText: 8, opMemo: 0, opPut: 1, opLongPut: 4, opStop: 0,
}
