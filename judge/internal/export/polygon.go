package export

import (
	"fmt"
)

func (p *plan) polygon() error { return fmt.Errorf("not yet") }
