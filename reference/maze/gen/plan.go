package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"tribunal/reference/internal/family"
)

// A plan is an input that is not written yet: the kind and the sizes of its mazes, and the source
// of its random choices.
type plan struct {
	kind  kind
	shape shape
	dice  dice
	sizes []cell // rows and columns
}

func newPlan(k kind, a *family.Args) *plan {
	return &plan{kind: k, dice: newDice(a.Family, a.Seed), shape: shape{
		mazes: a.Int("mazes"), rows: a.Int("rows"), columns: a.Int("columns"),
		most: a.Int("most"), flips: a.Int("flips"), burst: a.Int("burst"),
	}}
}

// choose sets the sizes of the mazes.
func (p *plan) choose() error {
	commands := 0
	for range p.shape.mazes {
		size := cell{p.shape.rows, p.shape.columns}
		if size.row == 0 {
			size.row = 1 + p.dice.below(p.shape.most)
		}
		if size.column == 0 {
			size.column = 1 + p.dice.below(p.shape.most)
		}
		p.sizes = append(p.sizes, size)
		if moves := size.row*size.column - 1; moves > 0 {
			commands += moves + p.shape.flips
		}
	}
	if commands > maxCommands {
		return family.Misuse("%d commands are more than %d (hint: lower -mazes, -flips or the sides)", commands, maxCommands)
	}
	return nil
}

func (p *plan) write() []byte {
	w := new(bytes.Buffer)
	fmt.Fprintln(w, len(p.sizes))
	for _, size := range p.sizes {
		start := cell{1, 1}
		if p.kind.carve == nil {
			start = cell{1 + p.dice.below(size.row), 1 + p.dice.below(size.column)}
		}
		fmt.Fprintf(w, "%d %d\n%d %d\n", size.row, size.column, start.row, start.column)
		g := newGame(size, start, w)
		if p.kind.carve != nil {
			p.kind.carve(g)
		}
		p.play(g)
	}
	return w.Bytes()
}

// play finishes a maze with random moves and all its flips.
func (p *plan) play(g *game) {
	flips := p.shape.flips
	for g.alive() {
		bursts := (flips + p.shape.burst - 1) / p.shape.burst
		lastChance := p.kind.carve != nil || g.unvisited == 1
		if flips > 0 && (lastChance || p.dice.below(bursts+g.unvisited) < bursts) {
			for range min(p.shape.burst, flips) {
				g.flip(p.kind.position(g, p.dice))
				flips--
				g.alive() // drops dead cells that the flip uncovered, as the rules demand
			}
			continue
		}
		moves := g.moves()
		g.move(moves[p.dice.below(len(moves))])
	}
}

// The functions below choose the positions of flips.

func anywhere(g *game, d dice) int { return 1 + d.below(len(g.list)) }

func firstCell(*game, dice) int { return 1 }

func lastCell(g *game, _ dice) int { return len(g.list) }

func liveCell(g *game, d dice) int { return g.positionOf(true, d) }

func deadCell(g *game, d dice) int { return g.positionOf(false, d) }

// dice is a source of random numbers that is the same on every platform. It is older than
// family.Args.Chance and has another key, which must not change because the cases depend on it.
type dice struct{ source *rand.ChaCha8 }

func newDice(family string, seed uint64) dice {
	var key [32]byte
	copy(key[8:], family)
	binary.LittleEndian.PutUint64(key[:8], seed)
	return dice{rand.NewChaCha8(key)}
}

// below returns a number from 0 to n-1; its bias is far too small to matter.
func (d dice) below(n int) int { return int(d.source.Uint64() % uint64(n)) }
