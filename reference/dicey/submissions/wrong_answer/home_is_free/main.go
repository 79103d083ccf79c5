// Verdict: wrong answer. The start square can be entered whatever its number is: the
// program makes it a wild square. Shown by sample/statement.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
)

const width = 12 // of the board with a frame of empty squares

type die uint16 // top, front and right in octal digits

func newDie(t, f, r int) die { return die(t<<6 | f<<3 | r) }

func (d die) rolled(direction int) die {
	t, f, r := int(d>>6), int(d>>3&7), int(d&7)
	switch direction {
	case 0:
		return newDie(f, 7-t, r)
	case 1:
		return newDie(7-f, t, r)
	case 2:
		return newDie(r, f, 7-t)
	}
	return newDie(7-r, f, t)
}

var steps = [4]int{-width, width, -1, 1}

type state struct {
	at   int
	lies die
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Split(bufio.ScanWords)
	word := func() string { scanner.Scan(); return scanner.Text() }
	number := func() int { n, _ := strconv.Atoi(word()); return n }

	starts := map[[2]int]die{}
	for todo := []die{newDie(1, 2, 3)}; len(todo) > 0; todo = todo[1:] {
		key := [2]int{int(todo[0] >> 6), int(todo[0] >> 3 & 7)}
		if _, ok := starts[key]; !ok {
			starts[key] = todo[0]
			for i := range steps {
				todo = append(todo, todo[0].rolled(i))
			}
		}
	}

	var out bytes.Buffer
	for name := word(); name != "END"; name = word() {
		rows, columns := number(), number()
		home := number()*width + number()
		lies := starts[[2]int{number(), number()}]
		var board [width * width]int
		for r := 1; r <= rows; r++ {
			for c := 1; c <= columns; c++ {
				board[r*width+c] = number()
			}
		}
		board[home] = -1

		first := state{home, lies}
		before := map[state]state{}
		path := []int(nil)
	search:
		for queue := []state{first}; len(queue) > 0; queue = queue[1:] {
			for i, step := range steps {
				s := queue[0]
				n := board[s.at+step]
				if n != -1 && n != int(s.lies>>6) {
					continue
				}
				next := state{s.at + step, s.lies.rolled(i)}
				if next.at == home {
					path = []int{home}
					for ; s != first; s = before[s] {
						path = append(path, s.at)
					}
					path = append(path, home)
					break search
				}
				if _, known := before[next]; !known {
					before[next] = s
					queue = append(queue, next)
				}
			}
		}

		fmt.Fprintln(&out, name)
		if path == nil {
			out.WriteString("  No Solution Possible\n")
			continue
		}
		for i := range path {
			at := path[len(path)-1-i]
			switch {
			case i == 0:
				out.WriteString("  ")
			case i%9 == 0:
				out.WriteString(",\n  ")
			default:
				out.WriteByte(',')
			}
			fmt.Fprintf(&out, "(%d,%d)", at/width, at%width)
		}
		out.WriteByte('\n')
	}
	os.Stdout.Write(out.Bytes())
}
