package scale

import (
	"bytes"
	_ "embed" // for constants.json
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tribunal/judge/internal/document"
)

// Schema names the JSON form of Constants.
const Schema = "tribunal/constants/1"

// Constants are the costs of the service's steps on a host. Package gauge measures them.
type Constants struct {
	document.Head
	Host    string `json:"host"`    // describes the host, for people
	Cores   int    `json:"cores"`   // with which it was measured
	Single  Costs  `json:"single"`  // with one NATS server, in the process of the service
	Cluster Costs  `json:"cluster"` // with three NATS servers that all keep everything
}

// Costs are the costs of the steps with a NATS server or a cluster.
type Costs struct {
	Submit  Step `json:"submit"`  // CPU time of all processes together, for taking a submission
	Judge   Step `json:"judge"`   // the same, for handing it out and taking its result
	Append  Step `json:"append"`  // a record to the ledger
	Read    Step `json:"read"`    // a record of the ledger
	Push    Step `json:"push"`    // a message into a queue
	Deliver Step `json:"deliver"` // a message of a queue to a receiver, with its acknowledgement
	Waiting Step `json:"waiting"` // of a delivery, for each receiver that goes on waiting
	Piece   Step `json:"piece"`   // a piece of a package to a worker
	Fold    Step `json:"fold"`    // a record, in each follower of the ledger
}

// PieceSize is the size in bytes of a piece of a package, as package broker stores it.
const PieceSize = 256 << 10

// Step is the cost of a step.
type Step struct {
	Each   time.Duration `json:"each_ns"`    // how long it keeps its station busy
	PerKiB time.Duration `json:"per_kib_ns"` // the same, in addition for each KiB of its record or message
	Delay  time.Duration `json:"delay_ns"`   // what it takes in addition, even if nothing else happens
	Spread float64       `json:"spread"`     // the standard deviation of its time, as a share of the mean
}

// mostSpread bounds the spread of a step. With more, a few very long times would decide everything.
const mostSpread = 10

//go:embed constants.json
var measured []byte

// Measured returns the constants of the host that docs/scale.md is about.
func Measured() *Constants {
	c, err := Read(bytes.NewReader(measured))
	if err != nil {
		panic(err) // cannot happen: a test reads them
	}
	return c
}

func Read(r io.Reader) (*Constants, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	c := &Constants{}
	err := d.Decode(c)
	if err == nil && d.More() {
		err = errors.New("more follows")
	}
	if err != nil {
		return nil, fmt.Errorf("not constants: %w (hint: simulate --measure writes them)", err)
	}
	if c.Schema != Schema {
		return nil, fmt.Errorf("schema %q: want %q (hint: simulate --measure writes constants)", c.Schema, Schema)
	}
	if c.Cores < 1 {
		return nil, fmt.Errorf("cores %d: want at least 1", c.Cores)
	}
	if err := c.Single.check("single"); err != nil {
		return nil, err
	}
	return c, c.Cluster.check("cluster")
}

func (c *Costs) check(name string) error {
	for _, s := range []struct {
		name string
		Step
	}{
		{"submit", c.Submit}, {"judge", c.Judge}, {"append", c.Append}, {"read", c.Read}, {"push", c.Push},
		{"deliver", c.Deliver}, {"waiting", c.Waiting}, {"piece", c.Piece}, {"fold", c.Fold},
	} {
		if most := max(s.Each, s.PerKiB, s.Delay); most > time.Minute {
			return fmt.Errorf("%s.%s: a time of %v: want at most 1m0s", name, s.name, most)
		}
		if s.Each < 0 || s.PerKiB < 0 || s.Delay < 0 || s.Each+s.PerKiB+s.Delay == 0 && s.name != "waiting" {
			return fmt.Errorf("%s.%s: times of %v, %v and %v: want none below 0, and one above", name, s.name, s.Each, s.PerKiB, s.Delay)
		}
		if !(s.Spread >= 0 && s.Spread <= mostSpread) {
			return fmt.Errorf("%s.%s: spread %v: want a number from 0 to %d", name, s.name, s.Spread, mostSpread)
		}
	}
	return nil
}
